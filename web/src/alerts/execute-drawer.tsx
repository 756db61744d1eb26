import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { type Alert, alerts, EXECUTED, isExecuted } from '#contract/alerts/alerts.ts'
import { dayOf } from '#contract/base/dates.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { DayField } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { say } from '../ui/snackbar.tsx'
import styles from './alerts.module.css'
import { repeatText, UnitName } from './parts.tsx'
import { alertsKey } from './queries.ts'

/** Says when it was done; what repeats comes back by itself. */
export default function ExecuteDrawer(props: { chosen: Alert[]; onClose: () => void; onDone: () => void }) {
  const { chosen, onClose, onDone } = props
  const zone = useZone()
  const today = dayOf(new Date(), zone)
  const form = useForm<{ date: string }>({ defaultValues: { date: today } })
  const open = chosen.filter((alert) => !isExecuted(alert))
  const repeating = open.filter((alert) => repeatText(alert) !== null)
  const { submit, isPending } = useSubmit({
    form,
    save: ({ date }) =>
      call(alerts.executeAlerts, { body: { ids: chosen.map(({ id }) => id), status: EXECUTED, date } }),
    refresh: [alertsKey],
    failed: 'Error al actualizar alerta ⛔️',
    onDone: ({ executed, made }) => {
      const next =
        made.length === 0 ? '' : made.length === 1 ? ' Se creó la siguiente.' : ` Se crearon ${made.length} siguientes.`
      say(`${executed === 1 ? 'Alerta ejecutada' : `${executed} alertas ejecutadas`} ✅${next}`)
      onDone()
    },
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Marcar como ejecutada"
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending} disabled={open.length === 0}>
            {open.length === 1 ? 'Ejecutada' : `Ejecutar ${open.length} alertas`}
          </Button>
        </>
      )}
    >
      <DayField control={form.control} name="date" label="Fecha en que se hizo" latest={today} required />
      {repeating.length > 0 && (
        <p className={styles.summaryText}>
          {repeating.length === 1
            ? 'Una se repite: se creará la siguiente.'
            : `${repeating.length} se repiten: se crearán las siguientes.`}
        </p>
      )}
      {open.length < chosen.length && (
        <p className={styles.summaryText}>
          {chosen.length - open.length === 1
            ? 'Una ya estaba ejecutada y queda como está.'
            : `${chosen.length - open.length} ya estaban ejecutadas y quedan como están.`}
        </p>
      )}
      <ul className={styles.told}>
        {open.slice(0, 50).map((alert) => (
          <li key={alert.id}>
            {alert.name}
            <small>
              <UnitName of={alert} />
            </small>
          </li>
        ))}
      </ul>
      {open.length > 50 && <p className={styles.summaryText}>Y {open.length - 50} más.</p>}
    </Drawer>
  )
}
