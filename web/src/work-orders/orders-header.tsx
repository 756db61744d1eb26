import { Button } from '@mantine/core'
import { IconFilter, IconLayoutKanban, IconCalendarMonth as IconMonth, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { formatQuery, parseQuery } from '#contract/base/wire.ts'
import { BoardQuery } from '#contract/work-orders/orders.ts'
import { FilterChips, FilterDrawer } from '../frames/list-filters.tsx'
import { countFilters, readListQuery } from '../frames/list-query.ts'
import screen from '../frames/list-screen.module.css'
import { SearchBox } from '../frames/search-box.tsx'
import { useWorkshopFilter } from '../frames/workshop-filter.ts'
import { useMay, useWorkshop } from '../platform/session.ts'
import { useKey } from '../ui/keys.ts'
import { lazy } from '../ui/lazy.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { boardFilters } from './filters.ts'
import styles from './orders-header.module.css'
import { workOrdersKey } from './queries.ts'

// After the first screen.
const Views = lazy(() => import('../frames/views.tsx'))

interface OrdersHeaderProps {
  view: 'board' | 'calendar'
  filter: BoardQuery['filter']
  /** `also`: what else of a saved view goes into the address. */
  onFilter: (filter: BoardQuery['filter'], replace?: boolean, also?: object) => void
  /** How many orders such filters would leave. */
  count: (filter: BoardQuery['filter'], signal: AbortSignal) => Promise<number>
  /** What else that depends on, besides the workshop in use. */
  countKey?: string | undefined
  /** What else of the address is saved with the filters. */
  also?: object
  /** Nothing is remembered of what was looked at. */
  fresh?: boolean
  /** Between the search and the filters that are on. */
  children?: React.ReactNode
}

const blank = (also: object = {}) => Object.fromEntries(Object.keys(also).map((key) => [key, undefined]))

const VIEWS = [
  { view: 'board', label: 'Tablero', to: '/ordenes-de-trabajo', icon: IconLayoutKanban },
  { view: 'calendar', label: 'Calendario', to: '/ordenes-de-trabajo/calendario', icon: IconMonth },
] as const

/** What the board and the calendar share: where one is, what is looked at, and a new order. */
export function OrdersHeader(props: OrdersHeaderProps) {
  const { view, filter, onFilter, count, countKey, also, fresh = false, children } = props
  const navigate = useNavigate()
  const mayWrite = useMay('work-orders.write')
  const [filtering, setFiltering] = useState(false)
  const searchBox = useRef<HTMLInputElement>(null)
  const workshop = useWorkshop().id
  const workshopFilter = useWorkshopFilter()
  const filters = [workshopFilter, ...boardFilters]
  const active = countFilters(filter, workshopFilter.locked === undefined ? [] : ['WorkshopId'])
  const query = formatQuery({ filter, ...also }).slice(1)
  useKey('/', () => searchBox.current?.focus())
  useKey('n', mayWrite ? () => void navigate({ to: '/ordenes-de-trabajo/nueva' }) : undefined)
  return (
    <>
      <PageHeader
        title="Órdenes de trabajo"
        aside={
          <nav className={styles.views} aria-label="Vistas">
            {VIEWS.map(({ view: one, label, to, icon: Icon }) => (
              <Link
                key={one}
                to={to}
                search={({ filter }) => ({ filter })}
                data-here={one === view || undefined}
                aria-current={one === view ? 'page' : undefined}
              >
                <Icon size={16} stroke={1.7} aria-hidden />
                {label}
              </Link>
            ))}
          </nav>
        }
        actions={
          mayWrite && (
            <ButtonLink to="/ordenes-de-trabajo/nueva" leftSection={<IconPlus size={16} stroke={1.7} />}>
              Nueva orden
            </ButtonLink>
          )
        }
      />
      <div className={screen.bar}>
        <SearchBox
          label="Número, patente o texto"
          value={filter.Search ?? ''}
          inputRef={searchBox}
          onSearch={(text) => onFilter({ ...filter, Search: text || undefined }, true)}
          onDown={() => document.querySelector<HTMLElement>('[data-open]')?.focus()}
        />
        <Button
          variant="default"
          className={screen.filterButton}
          leftSection={<IconFilter size={16} stroke={1.7} />}
          onClick={() => setFiltering(true)}
        >
          <span className={screen.filterWord}>Filtros</span>
          {active > 0 && (
            <span className={screen.badge}>
              {active}
              <span className="only-read-aloud">{active === 1 ? ' activo' : ' activos'}</span>
            </span>
          )}
        </Button>
        <Suspense fallback={<span className={styles.viewsToCome} />}>
          <Views
            list={view}
            look={{ query, hidden: null }}
            bare={fresh && query === ''}
            onApply={(saved, replace) => {
              const { filter: chosen, ...rest } = parseQuery(saved.query)
              const known = readListQuery(BoardQuery, { filter: chosen ?? {} }).filter as BoardQuery['filter']
              onFilter(known, replace, { ...blank(also), ...rest })
            }}
          />
        </Suspense>
        <FilterChips
          filters={filters}
          value={filter}
          onChange={(next) => onFilter(next as BoardQuery['filter'])}
          onClear={active > 1 ? () => onFilter({ Search: filter.Search }) : undefined}
        />
        {children}
      </div>
      <FilterDrawer
        opened={filtering}
        onClose={() => setFiltering(false)}
        title="Filtrar órdenes"
        noun={{ one: 'orden', many: 'órdenes' }}
        filters={filters}
        value={filter}
        onApply={(next) => {
          setFiltering(false)
          onFilter(next as BoardQuery['filter'])
        }}
        countKey={[...workOrdersKey, 'count', view, countKey, workshop]}
        count={(next, signal) => count(next as BoardQuery['filter'], signal)}
      />
    </>
  )
}
