import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { factors } from '#contract/identity/factors.ts'
import { USER_FIELDS } from '#contract/identity/fields.ts'
import { identity, type OneTimeLink, USER_STATES, type User, UserEdit } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { useMe } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { Facts } from '../ui/detail-frame.tsx'
import { say } from '../ui/snackbar.tsx'
import { FormDrawer, StateField } from '../workshops/parts.tsx'
import { identityKey } from '../workshops/queries.ts'
import styles from '../workshops/section.module.css'
import { LinkBox } from './one-time-link.tsx'
import { PlaceFields } from './place-fields.tsx'
import { SessionList } from './session-list.tsx'

export default function UserDrawer({ user, onClose }: { user: User; onClose: () => void }) {
  const me = useMe()
  const client = useQueryClient()
  const [link, setLink] = useState<OneTimeLink>()
  const form = useForm({
    resolver: zodResolver(UserEdit),
    defaultValues: {
      role: user.role,
      workshop_id: user.workshop_id,
      specialist_id: user.specialist_id,
      state: USER_STATES[user.state].link ? 'active' : 'inactive',
      updated_at: user.updated_at,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(identity.updateUser, { params: { id: user.id }, body }),
    refresh: [identityKey],
    done: 'Usuario actualizado correctamente ✅',
    failed: 'No se pudo guardar el usuario',
    onDone: onClose,
  })
  const giveLink = async () => {
    try {
      setLink(await call(identity.createLink, { params: { id: user.id }, body: {} }))
    } catch (error) {
      say('No se pudo crear el enlace', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  const forgetFactors = async () => {
    const yes = await confirm({
      title: '¿Quitar su segundo factor?',
      message: `${user.name} podrá entrar solo con su contraseña, y sus sesiones se cierran. Hágalo si lo perdió.`,
      accept: 'Quitar',
      danger: true,
    })
    if (!yes) return
    try {
      await call(factors.removeFactorsOf, { params: { id: user.id } })
      say('Segundo factor quitado')
      void client.invalidateQueries({ queryKey: identityKey })
      onClose()
    } catch (error) {
      say('No se pudo quitar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  const { enters, link: kind } = USER_STATES[user.state]
  const invited = kind === 'invitation'
  return (
    <FormDrawer
      title={user.name}
      save="Guardar"
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
    >
      <Facts rows={[[USER_FIELDS.email.label, user.email]]} />
      <PlaceFields control={form.control} />
      {user.id !== me.id && (
        <StateField control={form.control} name="state" off="No puede entrar, y sus sesiones se cierran al guardar." />
      )}
      {user.id !== me.id && kind && (
        <section className={styles.linkBox}>
          {link ? (
            <LinkBox link={link}>
              {link.mailed
                ? `El enlace va en camino a ${user.email}. El anterior ya no sirve.`
                : link.token === null
                  ? 'Como no hay servidor de correo, pida a un super administrador que le entregue el enlace.'
                  : invited
                    ? `Envíe este enlace a ${user.name}. El anterior ya no sirve.`
                    : `Envíe este enlace a ${user.name}: con él elige otra contraseña.`}
            </LinkBox>
          ) : (
            <div className={styles.buttons}>
              <Button variant="default" onClick={() => void giveLink()}>
                {invited ? 'Crear otro enlace de invitación' : 'Restablecer contraseña'}
              </Button>
            </div>
          )}
        </section>
      )}
      {enters && user.has_factor && user.id !== me.id && (
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => void forgetFactors()}>
            Quitar su segundo factor
          </Button>
        </div>
      )}
      {enters && <SessionList user={user.id} />}
    </FormDrawer>
  )
}
