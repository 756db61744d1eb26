import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SIGNATURES, type WorkOrderCard } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { FINAL_STATUS } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { useMe } from '../../platform/session.ts'
import { FullscreenDialog } from '../../ui/drawer.tsx'
import { say } from '../../ui/snackbar.tsx'
import { sendMove } from '../board/moves.ts'
import { workOrdersKey } from '../queries.ts'
import { useSigning } from '../signing.tsx'
import styles from './my-works.module.css'

/** The last of a job: the person who did it signs, and the order is finalized with that one tap. */
export function FinishDialog({ order, onClose }: { order: WorkOrderCard; onClose: () => void }) {
  const client = useQueryClient()
  const me = useMe()
  const { fields, sign } = useSigning(order.id, 'performed', me.name)
  const [isPending, setPending] = useState(false)
  const finish = async () => {
    setPending(true)
    try {
      const { beforeClosing } = await import('../board/undone.ts')
      const closing = await beforeClosing(order.id)
      if (!closing) return
      // Before it is signed: what is signed says what was used.
      for (const body of closing.used) await call(workOrderParts.useSupply, { params: { id: order.id }, body })
      if (!(await sign())) return
      const placed = await sendMove(order.id, { status: FINAL_STATUS }, true)
      if (!placed) return
      say(`${order.code} finalizada ✅`)
      onClose()
    } catch (error) {
      say(`No se pudo finalizar ${order.code}`, {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: workOrdersKey })
    }
  }
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`Firmar y finalizar ${order.code}`}
      onSubmit={(event) => {
        event.preventDefault()
        void finish()
      }}
      footer={
        <>
          <Button variant="subtle" size="lg" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" size="lg" loading={isPending}>
            Finalizar
          </Button>
        </>
      }
    >
      <div className={styles.sign}>
        {fields}
        <p className={styles.signNote}>
          Firma como «{SIGNATURES.performed.label}»; quien revisa y quien recibe firman aparte. Con su firma la orden
          queda finalizada: se anota la salida del taller y ya no se cambia.
        </p>
      </div>
    </FullscreenDialog>
  )
}
