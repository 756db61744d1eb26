import { Button, Skeleton } from '@mantine/core'
import {
  IconFileSpreadsheet,
  IconFilter,
  IconMailCheck,
  IconMailForward,
  IconPrinter,
  IconReportMoney,
} from '@tabler/icons-react'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { showShare } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import type { Period } from '#contract/reports/periods.ts'
import { EXPENSE_DAY, REPORT_NAMES, REPORTS, type ReportName } from '#contract/reports/reports.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { call } from '../platform/api.ts'
import { preferencesQuery, useMe, useWorkshop } from '../platform/session.ts'
import { useDownload } from '../ui/download.ts'
import { EmptyState, ErrorState, useArrived } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { say } from '../ui/snackbar.tsx'
import { Comparable, comparedSince, NOT_COMPARABLE, useComparable } from './comparable.tsx'
import { Figure } from './figure.tsx'
import { type ReportFilters, showPeriod } from './filters.ts'
import type { Opened } from './opened.ts'
import { truckChoicesQuery } from './queries.ts'
import styles from './reports.module.css'
import { changeOf, pathOfReport } from './words.ts'

const FilterDrawer = lazy(() => import('./filter-drawer.tsx'))
const RowsDrawer = lazy(() => import('./rows-drawer.tsx'))

/** From one report to the next. */
export function ReportNav() {
  const { permissions } = useMe()
  const shown = REPORT_NAMES.filter((name) => permissions.includes(REPORTS[name].may))
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // Where there is no room for all, the one that is open is in sight.
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView?.({ inline: 'center', block: 'nearest' })
  }, [])
  return (
    <nav ref={nav} className={styles.nav} aria-label="Reportes">
      <Link to="/reportes" activeOptions={{ exact: true }}>
        Resumen
      </Link>
      {shown.map((name) => (
        <Link key={name} to={pathOfReport(name)}>
          {REPORTS[name].short}
        </Link>
      ))}
    </nav>
  )
}

/** Shows what a figure is made of. */
export type Open = (opened: Opened) => void

interface ReportFrameProps<Data> {
  name: ReportName
  filters: ReportFilters
  by?: 'days' | 'years'
  trucks?: boolean
  query: UseQueryResult<Data>
  /** Other figures of it are still those of the filters before. */
  stale?: boolean
  before: (data: Data) => string
  isEmpty: (data: Data) => boolean
  download: () => Promise<File>
  more?: { label: string; download: () => Promise<File> }
  children: (data: Data, open: Open) => ReactNode
}

/** Not of expenses. */
const OF_HOURS: ReportName[] = ['equipment-availability', 'hours-by-specialist']

/** What every report has around its figures: what is counted, of when and where, and the ways to take it along. */
export function ReportFrame<Data>(props: ReportFrameProps<Data>) {
  const {
    name,
    filters,
    by = 'days',
    trucks = true,
    query,
    stale = false,
    before,
    isEmpty,
    download,
    more,
    children,
  } = props
  const [filtering, setFiltering] = useState(false)
  const [opened, setOpened] = useState<Opened>()
  const { title, about } = REPORTS[name]
  const data = useArrived(query.data)
  // Figures of the filters before stay until the next are there, but their rows would be those of the next.
  const isStale = query.isPlaceholderData || stale
  return (
    <div className={styles.page}>
      <PageHeader
        title={title}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconFilter size={16} stroke={1.7} />}
              onClick={() => setFiltering(true)}
            >
              Filtros{filters.active > 0 ? ` (${filters.active})` : ''}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} stroke={1.7} />}
              onClick={() => window.print()}
            >
              Imprimir
            </Button>
            {more && <DownloadButton label={more.label} ask={more.download} />}
            <DownloadButton label="Excel" ask={download} />
            <MondayButton name={name} workshop_id={filters.asked.WorkshopId?.[0] ?? null} />
          </>
        }
      />
      <ReportNav />
      <div className={styles.about}>
        <p>
          {about} {OF_HOURS.includes(name) ? '' : EXPENSE_DAY}
        </p>
        <Asked filters={filters} by={by} compared={data && before(data)} />
      </div>
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !data ? (
        <div className={styles.waiting} role="status" aria-busy="true" aria-label="Cargando">
          <Skeleton h={88} />
          <Skeleton h={320} />
          <Skeleton h={360} />
        </div>
      ) : isEmpty(data) ? (
        <EmptyState
          icon={IconReportMoney}
          title="Nada en este período"
          action={
            <Button variant="default" onClick={() => setFiltering(true)}>
              Cambiar los filtros
            </Button>
          }
        >
          No hay nada que contar con estos filtros. Pruebe con otras fechas u otro taller.
        </EmptyState>
      ) : (
        <div className={styles.content} aria-busy={isStale}>
          <Comparable since={comparedSince(data)} workshops={filters.asked.WorkshopId}>
            {children(data, isStale ? () => {} : setOpened)}
          </Comparable>
        </div>
      )}
      <Suspense fallback={null}>
        {filtering && <FilterDrawer filters={filters} by={by} trucks={trucks} onClose={() => setFiltering(false)} />}
        {opened && <RowsDrawer opened={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </div>
  )
}

/** By mail every Monday, of the workshop that is looked at; pressed again, no more. */
function MondayButton({ name, workshop_id }: { name: ReportName; workshop_id: number | null }) {
  const client = useQueryClient()
  const preferences = useQuery(preferencesQuery).data
  const [isBusy, setBusy] = useState(false)
  const isSent = preferences?.monday_reports.some(({ report }) => report === name) ?? false
  const change = async (wanted: boolean) => {
    setBusy(true)
    try {
      const now = await client.fetchQuery(preferencesQuery)
      const others = now.monday_reports.filter(({ report }) => report !== name)
      const monday_reports = wanted ? [...others, { report: name, workshop_id }] : others
      const kept = await call(identity.updatePreferences, { body: { ...now, monday_reports } })
      client.setQueryData(preferencesQuery.queryKey, kept)
      say(wanted ? 'Le llegará cada lunes por correo' : 'Ya no le llegará por correo', {
        detail: wanted ? 'El Excel de la semana anterior, de lunes a domingo.' : undefined,
        undo: () => void change(!wanted),
      })
    } catch (error) {
      say('No se pudo guardar', { tone: 'danger', detail: (error as Error).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      aria-pressed={isSent}
      leftSection={isSent ? <IconMailCheck size={16} stroke={1.7} /> : <IconMailForward size={16} stroke={1.7} />}
      loading={isBusy}
      disabled={!preferences}
      onClick={() => void change(!isSent)}
    >
      {isSent ? 'Llega cada lunes' : 'Recibir cada lunes'}
    </Button>
  )
}

function DownloadButton({ label, ask }: { label: string; ask: () => Promise<File> }) {
  const { download, isDownloading } = useDownload(ask)
  return (
    <Button
      variant="default"
      leftSection={<IconFileSpreadsheet size={16} stroke={1.7} />}
      loading={isDownloading}
      onClick={() => void download()}
    >
      {label}
    </Button>
  )
}

/** What the figures are of, in words; it is on the printed page too. */
function Asked({
  filters,
  by,
  compared,
}: {
  filters: ReportFilters
  by: 'days' | 'years'
  compared: string | undefined
}) {
  const workshop = useWorkshop()
  const { asked, range, years } = filters
  const places = asked.WorkshopId?.map((id) => workshop.list.find((w) => w.id === id)?.name ?? '…')
  const trucks = useQuery({ ...truckChoicesQuery(undefined), enabled: Boolean(asked.Truck?.length) }).data
  const plates = asked.Truck?.map((id) => {
    const truck = trucks?.find((t) => t.id === id)
    return truck ? showPatent(truck.patent) : '…'
  })
  return (
    <p className={styles.asked}>
      <span>
        {by === 'days' ? showPeriod(range) : years.from === years.to ? years.from : `${years.from} a ${years.to}`}
      </span>
      <span>{places?.length ? places.join(', ') : ALL_WORKSHOPS}</span>
      {plates?.length ? <span>{plates.join(', ')}</span> : null}
      {compared && <span className={styles.compared}>Se compara con {compared}</span>}
    </p>
  )
}

export const showBefore = ({ before }: { before: Period }) => showPeriod(before)

interface Stat {
  label: string
  value: string
  now?: number | null
  before?: number | null
  /** More is better. */
  good?: boolean
  /** Compared by the difference, not by the share of it. */
  points?: boolean
  onOpen?: (() => void) | undefined
  /** Opens how it moved. */
  onCompare?: (() => void) | undefined
  hint?: string
  onHint?: (() => void) | undefined
}

/** The few figures that matter, with how they moved. */
export function Stats({ stats }: { stats: Stat[] }) {
  return (
    <dl className={styles.stats}>
      {stats.map(({ label, value, now, before, good, points, onOpen, onCompare, hint, onHint }) => (
        <div key={label} className={styles.stat}>
          <dt>{label}</dt>
          <dd>
            <Figure name={label} text={value} onOpen={onOpen} />
          </dd>
          {typeof now === 'number' && typeof before === 'number' ? (
            <dd className={styles.statMore}>
              <Change name={label} now={now} before={before} good={good} points={points} onOpen={onCompare} />
            </dd>
          ) : (
            hint && (
              <dd className={styles.statMore}>
                <Figure name={label} text={hint} onOpen={onHint} />
              </dd>
            )
          )}
        </div>
      ))}
    </dl>
  )
}

interface ChangeProps {
  name: string
  now: number
  before: number
  good?: boolean | undefined
  points?: boolean | undefined
  onOpen?: (() => void) | undefined
}

/** How a figure moved: an arrow, and how much. */
export function Change({ name, now, before, good = false, points = false, onOpen }: ChangeProps) {
  const isComparable = useComparable()
  if (isComparable === undefined) return null
  if (!isComparable) return <span className={styles.change}>{NOT_COMPARABLE}</span>
  const moved = changeOf(now, before, points)
  const rounded = moved === null ? 0 : Math.round(moved * 1000)
  const size = showShare(Math.abs(moved ?? 0))
  const words =
    moved === null && now !== 0
      ? 'Antes, nada'
      : rounded === 0
        ? 'Igual que antes'
        : `${rounded > 0 ? '▲' : '▼'} ${points ? size.replace('%', 'puntos') : size}`
  return (
    <span
      className={styles.change}
      data-tone={rounded === 0 ? undefined : rounded > 0 === good ? 'success' : 'warning'}
    >
      <Figure name={`${name}, contra el período comparado`} text={words} onOpen={onOpen} />
    </span>
  )
}
