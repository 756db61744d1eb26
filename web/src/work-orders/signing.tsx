import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { showDni } from '#contract/base/rut.ts'
import type { SignatureKind } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { useMe } from '../platform/session.ts'
import styles from './signature.module.css'
import { SignaturePad } from './signature-pad.tsx'

interface Signing {
  fields: ReactNode
  /** Saves the signature; false where something is missing, which is then said under its field. */
  sign: () => Promise<boolean>
}

/** Who signs, with their RUT unless it is the person logged in, and the drawing. */
export function useSigning(order: number, kind: SignatureKind, known: string): Signing {
  const me = useMe()
  const [name, setName] = useState(known)
  const [dni, setDni] = useState('')
  const [image, setImage] = useState<string>()
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const isMe = name.trim().localeCompare(me.name, 'es', { sensitivity: 'base' }) === 0
  const typed =
    (set: (text: string) => void, field: string) =>
    ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      set(currentTarget.value)
      setWrong(({ [field]: _, ...others }) => others)
    }
  const sign = async () => {
    const missing = {
      ...(!name.trim() && { name: 'Escriba el nombre de quien firma.' }),
      ...(!image && { image: 'Firme en el recuadro.' }),
    }
    setWrong(missing)
    if (!image || !name.trim()) return false
    try {
      const body = { image, name, dni: isMe ? null : dni }
      await call(workOrderParts.sign, { params: { id: order, kind }, body })
      return true
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 422) throw error
      setWrong(Object.fromEntries(Object.entries(error.errors).map(([field, [said = '']]) => [field, said])))
      return false
    }
  }
  const fields = (
    <>
      <TextInput
        label="Nombre de quien firma"
        withAsterisk
        value={name}
        maxLength={120}
        onChange={typed(setName, 'name')}
        error={wrong.name}
        data-autofocus={name ? undefined : true}
      />
      {!isMe && (
        <TextInput
          label="RUT de quien firma"
          description="No hace falta si es el conductor o el especialista de la orden y su RUT está registrado"
          value={dni}
          maxLength={40}
          onChange={typed(setDni, 'dni')}
          onBlur={() => setDni(showDni(dni))}
          error={wrong.dni}
        />
      )}
      <div>
        <SignaturePad
          onChange={(drawn) => {
            setImage(drawn)
            setWrong(({ image: _, ...others }) => others)
          }}
        />
        {wrong.image && (
          <p className={styles.wrong} role="alert">
            {wrong.image}
          </p>
        )}
      </div>
    </>
  )
  return { fields, sign }
}
