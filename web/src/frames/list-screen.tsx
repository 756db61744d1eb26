import { ActionIcon, Button, Menu, Pagination, SegmentedControl, Select, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconColumns3,
  IconDownload,
  IconFilter,
  IconPlus,
  IconSearch,
  IconSearchOff,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { showNumber } from '#contract/base/money.ts'
import { type Endpoint, pathOf as pathTo } from '#contract/base/wire.ts'
import { call } from '../platform/api.ts'
import { keep, recall } from '../platform/storage.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { useKey } from '../ui/keys.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { say } from '../ui/snackbar.tsx'
import { FilterChips, FilterDrawer, type ListFilter } from './list-filters.tsx'
import { countFilters, type ListQuery, readListQuery, writeListQuery } from './list-query.ts'
import styles from './list-screen.module.css'
import { type Column, ListTable } from './list-table.tsx'

interface Page<Row> {
  data: Row[]
  total: number
  page: number
  per_page: number
}

export type ListEndpoint<Row> = Endpoint<z.ZodType, z.ZodType<ListQuery>, z.ZodType, z.ZodType<Page<Row>>>

interface ListScreenProps<Row extends { id: number }> {
  /** Under which the browser remembers columns. */
  name: string
  title: string
  /** One, several; and how the two agree with an adjective. */
  noun: { one: string; many: string; none: string }
  icon: TablerIcon
  endpoint: ListEndpoint<Row>
  /** Of the endpoint's path. */
  params?: Record<string, number>
  /** Starts with the domain's topic, so that live events refresh it. */
  queryKey: QueryKey
  /** Filters that come from around the screen, the workshop in use say; the address's own win over them. */
  scope?: Record<string, unknown>
  columns: Column<Row>[]
  filters: ListFilter[]
  searchLabel: string
  /** Where a row leads; or, where that is no address of its own, what opens it. */
  pathOf?: (row: Row) => string
  open?: (row: Row) => void
  /** Left out where the person may not create. */
  create?: { label: string; to?: string; act?: () => void }
  /** Beside the button that creates. */
  actions?: ReactNode
  /** Said above the list: what who looks at it should know. */
  notice?: ReactNode
  /** What can be done with several rows at once; `name` is what a row is called. */
  bulk?: { name: (row: Row) => string; actions: (rows: Row[], clear: () => void) => ReactNode }
  /** Said in the snackbar when the list cannot be read. */
  failed?: string
  /** A tab of a page that has its own title. */
  inside?: boolean
  /** What would be here, said when there is nothing yet. */
  about: string
  /** Above the pages: what all that is filtered adds up to, out of the endpoint's own answer. */
  summary?: (reply: unknown) => ReactNode
  /** The button does not say how many filters are on. */
  uncounted?: boolean
}

const PAGE_SIZES = [25, 50, 100]
const EXPORT_PAGE = 500
type Density = 'normal' | 'compact'

/** Search, filters, order and pages in the address; the rest of a list's habits remembered by the browser. */
export function ListScreen<Row extends { id: number }>(props: ListScreenProps<Row>) {
  const {
    name,
    title,
    noun,
    icon,
    endpoint,
    params,
    queryKey,
    scope = {},
    columns,
    filters,
    searchLabel,
    pathOf,
    create,
    actions,
    notice,
    bulk,
    failed,
    inside = false,
    uncounted = false,
  } = props
  const schema = endpoint.query!
  const search = useSearch({ strict: false }) as object
  const navigate = useNavigate()
  const query = readListQuery(schema, search)
  const [filtering, setFiltering] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [density, setDensity] = useKept<Density>('list.density', 'normal')
  const [hidden, setHidden] = useKept<string[]>(
    `list.${name}.hidden`,
    columns.filter((column) => column.hidden).map((column) => column.key),
  )
  const [chosen, setChosen] = useState<ReadonlyMap<number, Row>>(new Map())
  const searchBox = useRef<HTMLInputElement>(null)
  const table = useRef<HTMLDivElement>(null)

  const change = (next: Partial<ListQuery>, replace = false) =>
    navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({
        ...withoutList(now),
        ...writeListQuery(schema, { ...readListQuery(schema, now), page: 1, ...next }),
      }),
      replace,
    } as never)

  const asked = { ...query, filter: { ...scope, ...query.filter } }
  const fetchPage = (wanted: ListQuery, signal?: AbortSignal) => call(endpoint, { params, query: wanted, signal })
  const list = useQuery({
    queryKey: [...queryKey, pathTo(endpoint, params), asked],
    queryFn: ({ signal }) => fetchPage(asked, signal),
    placeholderData: keepPreviousData,
  })

  useEffect(() => {
    if (list.isError && failed) say(failed, { tone: 'danger', detail: list.error.message })
  }, [list.isError, list.error, failed])

  const total = list.data?.total
  const pages = Math.max(1, Math.ceil((total ?? 0) / query.per_page))
  const beyond = total !== undefined && !list.isPlaceholderData && query.page > pages
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the rows of the last page are gone
  useEffect(() => {
    if (beyond) void change({ page: pages }, true)
  }, [beyond])

  const locked = filters.filter((filter) => filter.locked !== undefined).map((filter) => filter.key)
  const active = countFilters(query.filter, locked)
  const searched = typeof query.filter.Search === 'string' ? query.filter.Search : ''
  const clear = () => change({ filter: {} })
  const shown = columns.filter((column) => column.fixed || !hidden.includes(column.key))

  useKey('/', () => searchBox.current?.focus())
  const startNew = create && (() => (create.act ? create.act() : void navigate({ to: create.to } as never)))
  useKey('n', startNew)
  useKey('ArrowDown', () => focusRow(table.current, 0))

  const choose = (rows: Row[], on: boolean) => {
    const next = new Map(chosen)
    for (const row of rows) {
      if (on) next.set(row.id, row)
      else next.delete(row.id)
    }
    setChosen(next)
  }

  const exportRows = async () => {
    setExporting(true)
    try {
      const { writeList } = await import('./list-export.ts')
      await writeList({
        title,
        columns: shown,
        pages: (page) => fetchPage({ ...asked, page, per_page: EXPORT_PAGE }),
        perPage: EXPORT_PAGE,
      })
    } catch (error) {
      say('⛔️ Error al descargar el archivo', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setExporting(false)
    }
  }

  const createButton =
    create &&
    (create.to ? (
      <Button component={Link} to={create.to as never} leftSection={<IconPlus size={16} stroke={1.7} />}>
        {create.label}
      </Button>
    ) : (
      <Button onClick={create.act} leftSection={<IconPlus size={16} stroke={1.7} />}>
        {create.label}
      </Button>
    ))
  const buttons = (actions || createButton) && (
    <>
      {actions}
      {createButton}
    </>
  )

  return (
    <section className={styles.screen} data-inside={inside || undefined} aria-label={title}>
      {!inside && (
        <PageHeader
          title={title}
          aside={total === undefined ? undefined : `${showNumber(total)} ${total === 1 ? noun.one : noun.many}`}
          actions={buttons}
        />
      )}

      {notice}

      <div className={styles.bar}>
        <SearchBox
          label={searchLabel}
          value={searched}
          inputRef={searchBox}
          onSearch={(text) => change({ filter: { ...query.filter, Search: text || undefined } }, true)}
          onDown={() => focusRow(table.current, 0)}
        />
        {filters.length > 0 && (
          <Button
            variant="default"
            className={styles.filterButton}
            leftSection={<IconFilter size={16} stroke={1.7} />}
            onClick={() => setFiltering(true)}
          >
            Filtros
            {active > 0 && !uncounted && (
              <span className={styles.badge}>
                {active}
                <span className="only-read-aloud"> activos</span>
              </span>
            )}
          </Button>
        )}
        <FilterChips
          filters={filters}
          value={query.filter}
          onChange={(filter) => change({ filter })}
          onClear={active > 1 ? () => change({ filter: { Search: query.filter.Search } }) : undefined}
        />
        <div className={styles.tools}>
          <SegmentedControl<Density>
            className={styles.density}
            value={density}
            onChange={setDensity}
            aria-label="Alto de las filas"
            data={[
              { value: 'normal', label: <Labelled icon={IconBaselineDensityMedium} label="Filas cómodas" /> },
              { value: 'compact', label: <Labelled icon={IconBaselineDensitySmall} label="Filas compactas" /> },
            ]}
          />
          <Menu position="bottom-end">
            <Menu.Target>
              <Tooltip label="Columnas">
                <ActionIcon variant="default" aria-label="Columnas">
                  <IconColumns3 size={16} stroke={1.7} />
                </ActionIcon>
              </Tooltip>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Columnas</Menu.Label>
              {columns
                .filter((column) => !column.fixed)
                .map(({ key, label }) => (
                  <Menu.CheckboxItem
                    key={key}
                    checked={!hidden.includes(key)}
                    onChange={(on) => setHidden(on ? hidden.filter((other) => other !== key) : [...hidden, key])}
                  >
                    {label}
                  </Menu.CheckboxItem>
                ))}
            </Menu.Dropdown>
          </Menu>
          <Tooltip label="Exportar a Excel">
            <ActionIcon
              variant="default"
              aria-label="Exportar a Excel"
              loading={exporting}
              disabled={!total}
              onClick={exportRows}
            >
              <IconDownload size={16} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
          {inside && buttons}
        </div>
      </div>

      <div className={styles.panel} data-density={density}>
        {list.isError && !list.data ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : total === 0 && !list.isPlaceholderData ? (
          active > 0 || searched ? (
            <EmptyState
              icon={IconSearchOff}
              title={`${noun.none} ${noun.one} coincide`}
              action={
                <Button variant="default" onClick={clear}>
                  Limpiar búsqueda y filtros
                </Button>
              }
            >
              {described(searched, active)}
            </EmptyState>
          ) : (
            <EmptyState icon={icon} title={`Aún no hay ${noun.many}`} action={createButton}>
              {props.about}
            </EmptyState>
          )
        ) : (
          <>
            {bulk && chosen.size > 0 && (
              <div className={styles.bulk} role="toolbar" aria-label="Con lo elegido">
                <span className={styles.bulkCount}>
                  {showNumber(chosen.size)} {chosen.size === 1 ? noun.one : noun.many}
                </span>
                {bulk.actions([...chosen.values()], () => setChosen(new Map()))}
                <Button
                  variant="subtle"
                  size="xs"
                  leftSection={<IconX size={14} stroke={1.9} />}
                  onClick={() => setChosen(new Map())}
                >
                  Quitar selección
                </Button>
              </div>
            )}
            <ListTable
              tableRef={table}
              chosen={bulk && { ids: new Set(chosen.keys()), choose, nameOf: bulk.name }}
              label={title}
              columns={shown}
              rows={list.data?.data}
              expected={query.per_page}
              stale={list.isPlaceholderData}
              sort={query.sort}
              onSort={(sort) => change({ sort })}
              pathOf={pathOf}
              onOpen={(row) => (pathOf ? void navigate({ to: pathOf(row) } as never) : props.open?.(row))}
            />
            {list.data && props.summary?.(list.data)}
            <footer className={styles.foot}>
              <span className={styles.range}>
                {total === undefined
                  ? ' '
                  : `${showNumber((query.page - 1) * query.per_page + 1)}–${showNumber(Math.min(query.page * query.per_page, total))} de ${showNumber(total)}`}
              </span>
              <div className={styles.size}>
                <span aria-hidden>Filas por página</span>
                <Select
                  aria-label="Filas por página"
                  data={[...new Set([...PAGE_SIZES, query.per_page])].sort((a, b) => a - b).map(String)}
                  value={String(query.per_page)}
                  onChange={(size) => size && change({ per_page: Number(size) })}
                  allowDeselect={false}
                  withCheckIcon={false}
                  w={76}
                />
              </div>
              <Pagination
                total={pages}
                value={query.page}
                onChange={(page) => change({ page })}
                siblings={1}
                gap={6}
                getControlProps={(control) => ({
                  'aria-label': {
                    first: 'Primera',
                    previous: 'Página anterior',
                    next: 'Página siguiente',
                    last: 'Última',
                  }[control],
                })}
                getItemProps={(page) => ({ 'aria-label': `Página ${page}` })}
              />
            </footer>
          </>
        )}
      </div>

      <FilterDrawer
        opened={filtering}
        onClose={() => setFiltering(false)}
        title={`Filtrar ${noun.many}`}
        noun={noun}
        filters={filters}
        value={query.filter}
        onApply={(filter) => {
          setFiltering(false)
          void change({ filter })
        }}
        countKey={[...queryKey, pathTo(endpoint, params), 'count']}
        count={async (filter, signal) =>
          (await fetchPage({ page: 1, per_page: 1, filter: { ...scope, ...filter } }, signal)).total
        }
      />
    </section>
  )
}

function Labelled({ icon: Icon, label }: { icon: TablerIcon; label: string }) {
  return (
    <span className={styles.labelled} title={label}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <span className="only-read-aloud">{label}</span>
    </span>
  )
}

interface SearchBoxProps {
  label: string
  value: string
  inputRef: React.RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  onDown: () => void
}

/** Types into the address once the person pauses. */
export function SearchBox({ label, value, inputRef, onSearch, onDown }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((wanted: string) => {
    sent.current = wanted
    onSearch(wanted)
  }, 250)
  // The address changed by other means (back, a cleared filter): the box follows it.
  useEffect(() => {
    if (value === sent.current.trim()) return
    sent.current = value
    setText(value)
  }, [value])
  const type = (wanted: string) => {
    setText(wanted)
    send(wanted)
  }
  return (
    <TextInput
      ref={inputRef}
      className={styles.search}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') {
          event.preventDefault()
          onDown()
        } else if (event.key === 'Escape') {
          if (text) type('')
          else event.currentTarget.blur()
        }
      }}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      rightSection={
        text ? (
          <ActionIcon aria-label="Borrar búsqueda" size={28} onClick={() => type('')}>
            <IconX size={14} />
          </ActionIcon>
        ) : (
          <kbd className={styles.key} aria-hidden>
            /
          </kbd>
        )
      }
    />
  )
}

function focusRow(table: HTMLElement | null, index: number) {
  table?.querySelectorAll<HTMLElement>('[data-row-link]')[index]?.focus()
}

const withoutList = ({ page: _, per_page: __, sort: ___, filter: ____, ...rest }: Record<string, unknown>) => rest

const described = (searched: string, active: number) => {
  const filters = active === 0 ? '' : active === 1 ? 'un filtro' : `${active} filtros`
  if (searched && filters) return `Se buscó «${searched}» con ${filters}.`
  return searched ? `Se buscó «${searched}».` : `Hay ${filters} puesto${active === 1 ? '' : 's'}.`
}

/** Remembered by this browser. */
function useKept<T>(name: `list.${string}`, initial: T) {
  const [value, setValue] = useState<T>(() => {
    try {
      const kept = recall(name)
      return kept === null ? initial : (JSON.parse(kept) as T)
    } catch {
      return initial
    }
  })
  const set = (next: T) => {
    keep(name, JSON.stringify(next))
    setValue(next)
  }
  return [value, set] as const
}
