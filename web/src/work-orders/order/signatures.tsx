import { Button } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showDni } from '#contract/base/rut.ts'
import {
  isOwnReview,
  SIGNATURE_KINDS,
  SIGNATURES,
  type SignatureKind,
  type WorkOrder,
} from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { useMay, useMe, useZone } from '../../platform/session.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { say } from '../../ui/snackbar.tsx'
import { signatureQuery, workOrderQuery, workOrdersKey } from '../queries.ts'
import styles from '../signature.module.css'
import { useSigning } from '../signing.tsx'
import { useObjectUrl } from './file-tile.tsx'

interface SignaturesProps {
  order: WorkOrder
  /** Saves first what is typed: that is what is signed. */
  saved: (then: () => void) => void
  readOnly: boolean
}

export function Signatures({ order, saved, readOnly }: SignaturesProps) {
  return (
    <div className={styles.pair}>
      {SIGNATURE_KINDS.map((kind) => (
        <SignatureCard key={kind} kind={kind} order={order} saved={saved} readOnly={readOnly} />
      ))}
    </div>
  )
}

function SignatureCard({ kind, order, saved, readOnly }: SignaturesProps & { kind: SignatureKind }) {
  const zone = useZone()
  const client = useQueryClient()
  // Reviewing and taking the truck away may come after the order was finalized.
  const isOpen = !readOnly || (SIGNATURES[kind].afterwards && !order.signatures.some((s) => s.kind === kind && s.holds))
  const maySign = useMay('work-orders.work') && isOpen
  const mayRemove = useMay('work-orders.write') && !readOnly
  const [signing, setSigning] = useState(false)
  const signed = order.signatures.find((each) => each.kind === kind)
  const image = useQuery({
    ...signatureQuery(order.id, kind, signed?.signed_at ?? ''),
    enabled: signed !== undefined,
  }).data
  const url = useObjectUrl(image)
  const remove = async () => {
    const sure = await confirm({
      title: `¿Quitar la firma de ${signed?.name}?`,
      message: 'Habrá que firmar de nuevo.',
      accept: 'Quitar firma',
      danger: true,
    })
    if (!sure) return
    try {
      await call(workOrderParts.deleteSignature, { params: { id: order.id, kind } })
      void client.invalidateQueries({ queryKey: workOrdersKey })
    } catch (error) {
      say('No se pudo quitar la firma', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  return (
    <fieldset className={styles.card} aria-label={SIGNATURES[kind].label}>
      <h3>{SIGNATURES[kind].label}</h3>
      {signed ? (
        <>
          {url ? (
            <img className={styles.signed} src={url} alt={`Firma de ${signed.name}`} />
          ) : (
            <div className={styles.blank} />
          )}
          <span className={styles.who}>
            {[signed.name, signed.dni && showDni(signed.dni), showMoment(signed.signed_at, zone)]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {!signed.holds && (
            <span className={styles.stale}>La orden cambió después de esta firma. Pida que se firme de nuevo.</span>
          )}
        </>
      ) : (
        <div className={styles.blank}>Sin firma</div>
      )}
      <div className={styles.buttons}>
        {maySign && (
          <Button
            variant="default"
            leftSection={<IconSignature size={16} stroke={1.7} />}
            onClick={() => saved(() => setSigning(true))}
          >
            {signed ? 'Firmar de nuevo' : 'Firmar'}
          </Button>
        )}
        {mayRemove && signed && (
          <Button variant="subtle" onClick={() => void remove()}>
            Quitar
          </Button>
        )}
      </div>
      {signing && <SignDialog order={order} kind={kind} onClose={() => setSigning(false)} />}
    </fieldset>
  )
}

/** The field of the order that names who will sign. */
const NAMED = {
  performed: 'responsible_specialist',
  reviewed: 'reviewed_by_specialist',
  delivered: 'delivered_to_driver',
} as const

/** Whoever receives the truck is not the person logged in; whoever reviews it is not the one who did the work. */
function signerOf(order: SignDialogProps['order'], kind: SignatureKind, me: string) {
  const named = order[NAMED[kind]] ?? (kind === 'delivered' ? '' : me)
  return isOwnReview(kind, named, order.signatures) ? '' : named
}

interface SignDialogProps {
  order: Pick<WorkOrder, 'id' | 'code' | 'signatures' | (typeof NAMED)[SignatureKind]>
  kind: SignatureKind
  onClose: () => void
}

export function SignDialog({ order, kind, onClose }: SignDialogProps) {
  const client = useQueryClient()
  const me = useMe()
  const known = signerOf(order, kind, me.name)
  const { fields, sign } = useSigning(order.id, kind, known)
  const [isPending, setPending] = useState(false)
  const send = async () => {
    setPending(true)
    try {
      if (!(await sign())) return
      await client.invalidateQueries({ queryKey: workOrderQuery(order.id).queryKey })
      say('Firma guardada')
      onClose()
    } catch (error) {
      say('No se pudo guardar la firma', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
    }
  }
  return (
    <Dialog opened onClose={onClose} title={`${SIGNATURES[kind].label} · ${order.code}`} size={560}>
      <form
        className={styles.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void send()
        }}
      >
        {fields}
        <div className={styles.buttons} style={{ justifyContent: 'flex-end' }}>
          <Button variant="subtle" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Guardar firma
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
