import { Button, Skeleton } from '@mantine/core'
import { IconBellRinging, IconFileCertificate, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type Alert, isExecuted } from '#contract/alerts/alerts.ts'
import { ALERT_FIELDS } from '#contract/alerts/fields.ts'
import { sayDistance, sayDue, sayPlan } from '#contract/alerts/words.ts'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { shortLabel } from '#contract/base/fields.ts'
import { showPatent, type Truck } from '#contract/fleet/fleet.ts'
import { useMay, useZone } from '../platform/session.ts'
import { Section } from '../ui/detail-frame.tsx'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { Table, type TableColumn } from '../ui/table.tsx'
import { OpenedAlert } from './alert-list.tsx'
import { planOf } from './alert-summary.tsx'
import styles from './alerts.module.css'
import { AlertPill, Repeats, Unread } from './parts.tsx'
import { alertsOfQuery, missingQuery } from './queries.ts'

const AlertDrawer = lazy(() => import('./alert-drawer.tsx'))
const ObligationsDrawer = lazy(() => import('./obligations-drawer.tsx'))

/** What is planned for a truck, and for the unit it pulls. */
export default function AlertsTab({ truck }: { truck: Truck }) {
  const mayWrite = useMay('alerts.write')
  const today = dayOf(new Date(), useZone())
  const of = useQuery(alertsOfQuery(truck.id, truck.coupled_id))
  const units = truck.coupled_id === null ? [] : [truck.coupled_id]
  const missing = useQuery(missingQuery({ Trucks: [truck.id], Coupled: units })).data
  const [creating, setCreating] = useState<{ trucks: number[]; units: number[] }>()
  const [offering, setOffering] = useState(false)
  const [opened, setOpened] = useState<number>()
  if (of.isError && !of.data) return <ErrorState error={of.error} onRetry={() => void of.refetch()} />
  if (!of.data) return <Skeleton h={200} />

  const columns: TableColumn<Alert>[] = [
    {
      label: shortLabel(ALERT_FIELDS.name),
      grows: true,
      cell: (alert) => (
        <span className={styles.name}>
          <button type="button" className={styles.open} onClick={() => setOpened(alert.id)}>
            {alert.name}
          </button>
          <Repeats alert={alert} />
        </span>
      ),
    },
    { label: ALERT_FIELDS.status.label, cell: (alert) => <AlertPill alert={alert} /> },
    {
      label: ALERT_FIELDS.due_on.label,
      folds: true,
      cell: (alert) =>
        isExecuted(alert) ? (
          `Hecha el ${showDay(alert.executed_on!)}`
        ) : (
          <span className={styles.due}>
            {sayDue(alert, today) ?? <span className={styles.quiet}>Sin pronóstico</span>}
            {alert.unread && <Unread />}
          </span>
        ),
    },
    {
      label: 'Situación',
      folds: true,
      cell: (alert) =>
        isExecuted(alert) ? `Planificada: ${sayPlan(alert.expirationSettings)}` : sayDistance(planOf(alert), today),
    },
  ]
  const table = (label: string, rows: Alert[]) => (
    <Table label={label} columns={columns} rows={rows} keyOf={({ id }) => id} faded={isExecuted} />
  )
  const create = () => setCreating({ trucks: [truck.id], units: [] })
  const isEmpty = of.data.own.length + of.data.pulled.length === 0
  return (
    <div className={styles.stack}>
      {mayWrite && (
        <div className={styles.tools}>
          {missing && missing.length > 0 && (
            <Button
              variant="default"
              leftSection={<IconFileCertificate size={16} stroke={1.7} />}
              onClick={() => setOffering(true)}
            >
              {missing.length === 1 ? '1 documento por registrar' : `${missing.length} documentos por registrar`}
            </Button>
          )}
          <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={create}>
            Nueva alerta
          </Button>
        </div>
      )}
      {isEmpty ? (
        <EmptyState icon={IconBellRinging} title="Aún no hay alertas">
          Aquí se ve lo que este equipo necesita, por fecha o por kilometraje, y a quién se avisa.
        </EmptyState>
      ) : (
        <>
          {of.data.own.length > 0 && table('Alertas del equipo', of.data.own)}
          {truck.coupled_patent && of.data.pulled.length > 0 && (
            <Section title={`Acoplado ${showPatent(truck.coupled_patent)}`}>
              {table('Alertas del acoplado', of.data.pulled)}
            </Section>
          )}
        </>
      )}
      <Suspense fallback={null}>
        {creating && <AlertDrawer {...creating} onClose={() => setCreating(undefined)} />}
        {offering && <ObligationsDrawer trucks={[truck.id]} units={units} onClose={() => setOffering(false)} />}
        {opened && <OpenedAlert key={opened} id={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </div>
  )
}
