import { Button } from '@mantine/core'
import { IconClipboardPlus, IconGaugeOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Alert, alerts, isExecuted } from '#contract/alerts/alerts.ts'
import { sayDistance, sayDue, sayPlan } from '#contract/alerts/words.ts'
import { dayOf, showDate, showDay } from '#contract/base/dates.ts'
import { showKm, showNumber } from '#contract/base/money.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { Facts } from '../ui/detail-frame.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { say } from '../ui/snackbar.tsx'
import styles from './alerts.module.css'
import { AlertPill, repeatText, UNREAD, UnitName } from './parts.tsx'
import { alertsKey } from './queries.ts'

export const planOf = (alert: Alert) => ({ ...alert, ...alert.expirationSettings })

/** Where an alert stands, said in a few lines. */
export function AlertSummary({ alert, order = false }: { alert: Alert; order?: boolean }) {
  const zone = useZone()
  const today = dayOf(new Date(), zone)
  const isOpen = !isExecuted(alert)
  return (
    <section className={styles.summary} aria-label="Situación">
      <div className={styles.summaryHead}>
        {alert.truck_id ? (
          <Link to="/truck/$id" params={{ id: String(alert.truck_id) }} search={{}}>
            <UnitName of={alert} />
          </Link>
        ) : (
          <UnitName of={alert} />
        )}
        <AlertPill alert={alert} />
      </div>
      {isOpen ? (
        <p className={styles.summaryText}>
          {sayDistance(planOf(alert), today)}
          {alert.estimated && alert.due_on && (
            <>
              . Al ritmo de {showNumber(alert.kilometers_per_day ?? 0)} km al día, {sayDue(alert, today)}
            </>
          )}
          .
        </p>
      ) : (
        <p className={styles.summaryText}>
          Ejecutada el {showDay(alert.executed_on!)}
          {alert.executed_kilometers !== null && ` con ${showKm(alert.executed_kilometers)}`}
          {alert.executed_by && `, la marcó ${alert.executed_by}`}.
        </p>
      )}
      {alert.kilometers_now !== null && alert.expirationSettings.kilometersSelected && isOpen && (
        <p className={styles.summaryText}>
          Hoy: {showKm(alert.kilometers_now)}
          {alert.read_at && `, leído el ${showDate(alert.read_at, zone)}`}.
        </p>
      )}
      {alert.unread && (
        <p className={styles.warning}>
          <IconGaugeOff size={15} stroke={1.7} aria-hidden />
          {UNREAD}
        </p>
      )}
      <OrderOf alert={alert} mayMake={order} />
    </section>
  )
}

/** The order that carries it out, or the one click that makes it. */
function OrderOf({ alert, mayMake }: { alert: Alert; mayMake: boolean }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayWrite = useMay('work-orders.write')
  const [isPending, setPending] = useState(false)
  if (alert.work_order_id)
    return (
      <p className={styles.summaryText}>
        Orden de trabajo{' '}
        <Link to="/ordenes-de-trabajo/$id" params={{ id: String(alert.work_order_id) }} className="mono">
          {alert.work_order_code}
        </Link>
        {!isExecuted(alert) && ': al finalizarla, la alerta queda ejecutada.'}
      </p>
    )
  if (!mayMake || !mayWrite) return null
  const make = async () => {
    setPending(true)
    try {
      const { work_order_id, work_order_code } = await call(alerts.makeWorkOrder, { params: { id: alert.id } })
      say(`Orden ${work_order_code} creada ✅`)
      await navigate({ to: '/ordenes-de-trabajo/$id', params: { id: String(work_order_id) } })
    } catch (error) {
      say('Error al crear la orden de trabajo ⛔️', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: alertsKey })
    }
  }
  return (
    <Button
      variant="default"
      size="xs"
      className={styles.order}
      leftSection={<IconClipboardPlus size={14} stroke={1.7} />}
      loading={isPending}
      onClick={() => void make()}
    >
      Crear orden de trabajo
    </Button>
  )
}

/** Shown to those who may only read alerts, and for what was executed. */
export function AlertReading({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  return (
    <Drawer
      opened
      onClose={onClose}
      title={alert.name}
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <AlertSummary alert={alert} />
      <Facts
        rows={[
          ['Descripción', alert.description],
          ['Categorías', alert.categories.map(({ name }) => name).join(', ') || null],
          ['Taller', alert.workshop_name],
          ['Planificada', sayPlan(alert.expirationSettings)],
          [
            'Recordatorio',
            [
              alert.alertSettings.days !== null && `${alert.alertSettings.days} días antes`,
              alert.alertSettings.kilometers_advance !== null &&
                `${showKm(alert.alertSettings.kilometers_advance)} antes`,
            ]
              .filter(Boolean)
              .join(' · ') || null,
          ],
          ['Repetición', repeatText(alert)],
          ['Correos', alert.emails_to_notifications.selected.join(', ') || null],
        ]}
      />
    </Drawer>
  )
}
