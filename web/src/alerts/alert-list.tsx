import { Button } from '@mantine/core'
import { IconBellRinging, IconCheck, IconFileCertificate, IconMailForward, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { ALERT_STATES, type Alert, ATTENTION, alerts, isExecuted } from '#contract/alerts/alerts.ts'
import { ALERT_FIELDS } from '#contract/alerts/fields.ts'
import { sayDistance, sayDue, sayPlan } from '#contract/alerts/words.ts'
import { dayOf } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { coupledQuery } from '../fleet/queries.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { useMay, useWorkshop, useZone } from '../platform/session.ts'
import { choicesOf, named } from '../ui/choices.ts'
import { lazy } from '../ui/lazy.ts'
import { ButtonLink } from '../ui/links.tsx'
import { say } from '../ui/snackbar.tsx'
import { AlertReading, planOf } from './alert-summary.tsx'
import styles from './alerts.module.css'
import { AlertPill, Repeats, stateWord, UnitName, Unread, unitText } from './parts.tsx'
import { alertQuery, alertsKey, categoriesQuery, truckChoicesQuery } from './queries.ts'
import { useAlertActions } from './use-alert-actions.tsx'

// They bring the calendar along.
const AlertDrawer = lazy(() => import('./alert-drawer.tsx'))
const ObligationsDrawer = lazy(() => import('./obligations-drawer.tsx'))

/** Worked out here from what an alert says. */
const SAID = { distance: { label: 'Situación' }, plan: { label: 'Planificada' } }
const fields = { ...ALERT_FIELDS, ...SAID }

const columnsOn = (today: string) =>
  listColumns<Alert, keyof typeof fields>(fields, {
    name: {
      card: 'title',
      sort: true,
      width: 210,
      rank: 1,
      fixed: true,
      cell: (alert) => (
        <span className={styles.name}>
          <span>{alert.name}</span>
          <Repeats alert={alert} />
        </span>
      ),
    },
    code: {
      card: 'top',
      sort: true,
      plain: true,
      width: 180,
      rank: 2,
      fixed: true,
      cell: (alert) => <UnitName of={alert} />,
      file: unitText,
    },
    status: {
      card: 'state',
      sort: true,
      plain: true,
      width: 110,
      rank: 3,
      cell: (alert) => <AlertPill alert={alert} />,
      file: stateWord,
    },
    due_on: {
      card: 'end',
      sort: true,
      width: 140,
      rank: 4,
      cell: (alert) =>
        !isExecuted(alert) && (
          <span className={styles.due}>
            {sayDue(alert, today) ?? <span className={styles.quiet}>Sin pronóstico</span>}
            {alert.unread && <Unread />}
          </span>
        ),
    },
    distance: {
      card: 'meta',
      plain: true,
      width: 200,
      rank: 5,
      cell: (alert) =>
        isExecuted(alert) ? null : (
          <span className={alert.overdue ? styles.late : ALERT_STATES[alert.status].due ? styles.soon : undefined}>
            {sayDistance(planOf(alert), today)}
          </span>
        ),
      file: (alert) => (isExecuted(alert) ? null : sayDistance(planOf(alert), today)),
    },
    plan: {
      width: 170,
      rank: 8,
      hidden: true,
      cell: (alert) => <span className="figures">{sayPlan(alert.expirationSettings)}</span>,
      file: (alert) => sayPlan(alert.expirationSettings),
    },
    categories: {
      plain: true,
      width: 130,
      rank: 6,
      cell: (alert) => alert.categories.map(({ name }) => name).join(', ') || null,
      file: (alert) => alert.categories.map(({ name }) => name).join(', '),
    },
    workshop_id: { sort: true, plain: true, width: 140, rank: 7 },
  })

const useTruckChoices = () =>
  useQuery(truckChoicesQuery(useWorkshop().id)).data?.map(({ id, code, patent }) => ({
    value: String(id),
    label: `${code} · ${showPatent(patent)}`,
  }))
const useUnitChoices = () =>
  useQuery(coupledQuery(useWorkshop().id)).data?.map(({ id, patent }) => ({
    value: String(id),
    label: showPatent(patent),
  }))
const filters: ListFilter[] = [
  { key: 'Trucks', label: ALERT_FIELDS.code.label, useChoices: useTruckChoices },
  { key: 'Coupled', label: ALERT_FIELDS.coupled_id.label, useChoices: useUnitChoices },
  {
    key: 'Categories',
    label: 'Categoría',
    placeholder: 'Todas',
    useChoices: () => named(useQuery(categoriesQuery).data),
  },
  { key: 'Status', label: ALERT_FIELDS.status.label, useChoices: () => choicesOf(ALERT_STATES) },
  { key: 'Attention', label: 'Atención', useChoices: () => choicesOf(ATTENTION) },
]

export default function AlertList() {
  const mayWrite = useMay('alerts.write')
  const maySeeMails = useMay('people.manage')
  const navigate = useNavigate()
  const today = dayOf(new Date(), useZone())
  const [creating, setCreating] = useState(false)
  const [offering, setOffering] = useState(false)
  const search = useSearch({ strict: false }) as { alert?: unknown }
  const opened = Number(search.alert)

  const open = (id: number | undefined) =>
    navigate({ to: '.', search: (now) => ({ ...now, alert: id }), replace: id === undefined })

  const workshopFilter = useWorkshopFilter()
  return (
    <>
      <ListScreen
        name="alerts"
        title="Alertas de mantención"
        noun={{ one: 'alerta', many: 'alertas', none: 'Ninguna' }}
        icon={IconBellRinging}
        about="Aquí se planifica lo que cada equipo necesita, por fecha o por kilometraje, y a quién se avisa."
        endpoint={alerts.listAlerts}
        queryKey={alertsKey}
        scope={useWorkshopScope()}
        columns={useMemo(() => columnsOn(today), [today])}
        filters={[workshopFilter, ...filters]}
        failed="Error al aplicar los filtros"
        searchLabel="Mantención, código o patente"
        open={(alert) => void open(alert.id)}
        bulk={
          mayWrite
            ? {
                name: (alert) => `${alert.name}, ${unitText(alert)}`,
                actions: (chosen, clear) => <BulkActions chosen={chosen} onDone={clear} />,
              }
            : undefined
        }
        actions={
          <>
            {maySeeMails && (
              <ButtonLink
                to="/maintenance-alerts/correos"
                variant="default"
                leftSection={<IconMailForward size={16} stroke={1.7} />}
              >
                Correos
              </ButtonLink>
            )}
            {mayWrite && (
              <Button
                variant="default"
                leftSection={<IconFileCertificate size={16} stroke={1.7} />}
                onClick={() => setOffering(true)}
              >
                Documentos
              </Button>
            )}
          </>
        }
        create={mayWrite ? { label: 'Nueva alerta', act: () => setCreating(true) } : undefined}
      />
      <Suspense fallback={null}>
        {creating && <AlertDrawer onClose={() => setCreating(false)} />}
        {offering && <ObligationsDrawer onClose={() => setOffering(false)} />}
        {opened > 0 && <OpenedAlert key={opened} id={opened} onClose={() => void open(undefined)} />}
      </Suspense>
    </>
  )
}

/** The alert that the address names: to edit, or only to read. */
export function OpenedAlert({ id, onClose }: { id: number; onClose: () => void }) {
  const mayWrite = useMay('alerts.write')
  const alert = useQuery(alertQuery(id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it turns out that there is none
  useEffect(() => {
    if (!alert.isError) return
    say('Esta alerta ya no existe', { tone: 'danger' })
    onClose()
  }, [alert.isError])
  if (!alert.data) return null
  return mayWrite && !isExecuted(alert.data) ? (
    <AlertDrawer key={alert.data.updated_at} alert={alert.data} onClose={onClose} />
  ) : (
    <AlertReading alert={alert.data} onClose={onClose} />
  )
}

function BulkActions({ chosen, onDone }: { chosen: Alert[]; onDone: () => void }) {
  const { execute, remove, dialog } = useAlertActions(onDone)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCheck size={14} stroke={1.9} />}
        onClick={() => execute(chosen)}
      >
        Ejecutada
      </Button>
      <Button
        variant="default"
        size="xs"
        color="red"
        leftSection={<IconTrash size={14} stroke={1.7} />}
        onClick={() => void remove(chosen)}
      >
        Eliminar
      </Button>
      {dialog}
    </>
  )
}
