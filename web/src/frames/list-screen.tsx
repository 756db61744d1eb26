import { ActionIcon, Button } from '@mantine/core'
import { IconDotsVertical, IconFilter, IconPlus, IconSearchOff, type TablerIcon } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { formatQuery, parseQuery } from '#contract/base/wire.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { useKey } from '../ui/keys.ts'
import { lazy } from '../ui/lazy.ts'
import { ButtonLink, IconLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { InTurn } from '../ui/turns.tsx'
import { ListBulk, useChosen } from './list-bulk.tsx'
import { ListCards, SortMenu } from './list-cards.tsx'
import { FilterChips, FilterDrawer, type ListFilter } from './list-filters.tsx'
import { ListPaging } from './list-paging.tsx'
import { countFilters, readListQuery, writeListQuery } from './list-query.ts'
import styles from './list-screen.module.css'
import { type Column, type FileColumn, ListTable } from './list-table.tsx'
import { ExportButton, ListTools, useListLook } from './list-tools.tsx'
import { SearchBox } from './search-box.tsx'
import { type ListSource, useList } from './use-list.ts'

// After the first screen.
const Views = lazy(() => import('./views.tsx'))

interface ListScreenProps<Row extends { id: number }> extends ListSource<Row> {
  /** Under which the browser remembers columns. */
  name: string
  title: string
  /** One, several; and how the two agree with an adjective. */
  noun: { one: string; many: string; none: string }
  icon: TablerIcon
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
  /** Said above the list: what those who look at it should know. */
  notice?: ReactNode
  /** What can be done with several rows at once; `name` is what a row is called. */
  bulk?: { name: (row: Row) => string; actions: (rows: Row[], clear: () => void) => ReactNode }
  /** A tab of a page that has its own title. */
  inside?: boolean
  /** What would be here, said when there is nothing yet. */
  about: string
  /** Above the pages: what all that is filtered adds up to, out of the endpoint's own answer; `counting`: it is on its way. */
  summary?: (reply: unknown, counting: boolean) => ReactNode
  /** Its file can be imported: it has every column, shown or not, and these. Otherwise it has those on screen. */
  fileAlso?: FileColumn<Row>[]
  /** The button does not say how many filters are on. */
  uncounted?: boolean
}

const EXPORT_PAGE = 500

/** Search, filters, order and pages in the address; the rest of a list's habits remembered by the browser. */
export function ListScreen<Row extends { id: number }>(props: ListScreenProps<Row>) {
  const { title, noun, columns, filters, create, actions, inside = false } = props
  const source = useList(props)
  const { query, change, total, atLeast, fetchPage, phone } = source
  const look = useListLook(props.name, columns)
  const navigate = useNavigate()
  const searchBox = useRef<HTMLInputElement>(null)
  const table = useRef<HTMLDivElement>(null)
  const [unfolded, setUnfolded] = useState(false)
  const toFirstRow = () => table.current?.querySelector<HTMLElement>('[data-row-link]')?.focus()

  useKey('/', () => searchBox.current?.focus())
  useKey('n', create && (() => (create.act ? create.act() : void navigate({ to: create.to }))))
  useKey('ArrowDown', toFirstRow)

  const createButton = create && <CreateButton {...create} />
  const counted =
    total === undefined
      ? undefined
      : `${atLeast ? 'Más de ' : ''}${showNumber(total)} ${total === 1 ? noun.one : noun.many}`
  const file = total
    ? {
        title,
        columns: [
          ...(props.fileAlso ? columns : look.shown).filter(({ unfiled }) => !unfiled),
          ...(props.fileAlso ?? []),
        ],
        pages: (page: number) =>
          fetchPage(
            { ...query, page, per_page: EXPORT_PAGE, count: page === 1 ? 'exact' : 'bounded' },
            // The first page says how many rows there are, so it is the one that the server logs.
            { exporting: page === 1 },
          ),
        perPage: EXPORT_PAGE,
      }
    : undefined
  const buttons = phone ? (
    <>
      <MoreButton opened={unfolded} onToggle={() => setUnfolded(!unfolded)} />
      {create && <CreateButton {...create} brief />}
    </>
  ) : (
    (actions || createButton) && (
      <>
        {actions}
        {createButton}
      </>
    )
  )
  return (
    <section className={styles.screen} data-inside={inside || undefined} aria-label={title}>
      {!inside && <PageHeader title={title} aside={phone ? undefined : counted} actions={buttons} />}
      {props.notice}
      {/* Folded and not gone: a button may have opened a drawer. */}
      {phone && (
        <div className={styles.unfolded} hidden={!unfolded}>
          {actions}
          <ExportButton file={file} wide />
        </div>
      )}
      <div className={styles.bar}>
        <SearchBox
          label={props.searchLabel}
          value={searchedIn(query.filter)}
          inputRef={searchBox}
          onSearch={(text) => change({ filter: { ...query.filter, Search: text || undefined } }, true)}
          onDown={toFirstRow}
        />
        <Filters source={source} filters={filters} noun={noun} uncounted={props.uncounted} />
        <Suspense fallback={<span className={styles.viewsToCome} />}>
          <ListViews source={source} look={look} {...props} />
        </Suspense>
        <div className={styles.tools}>
          {!phone && (
            <InTurn cost={0.5}>
              <ListTools look={look} columns={columns} file={file} />
            </InTurn>
          )}
          {inside && buttons}
        </div>
      </div>
      {phone && Boolean(total) && (
        <div className={styles.line}>
          <span>{counted}</span>
          {props.summary?.(source.reply, source.counting)}
          <SortMenu columns={columns} sort={query.sort} onSort={(sort) => change({ sort })} />
        </div>
      )}
      <div className={phone && total ? undefined : styles.panel} data-density={look.density}>
        <Body {...props} source={source} shown={look.shown} createButton={createButton} tableRef={table} />
      </div>
    </section>
  )
}

interface CreateButtonProps {
  label: string
  to?: string
  act?: () => void
  /** Only its sign, where there is no room for words. */
  brief?: boolean
}

function CreateButton({ label, to, act, brief = false }: CreateButtonProps) {
  const icon = <IconPlus size={16} stroke={1.7} />
  if (brief) {
    const plus = <IconPlus size={20} stroke={1.7} />
    return to ? (
      <IconLink to={to} variant="filled" size={40} aria-label={label}>
        {plus}
      </IconLink>
    ) : (
      <ActionIcon variant="filled" size={40} aria-label={label} onClick={act}>
        {plus}
      </ActionIcon>
    )
  }
  return to ? (
    <ButtonLink to={to} leftSection={icon}>
      {label}
    </ButtonLink>
  ) : (
    <Button onClick={act} leftSection={icon}>
      {label}
    </Button>
  )
}

function MoreButton({ opened, onToggle }: { opened: boolean; onToggle: () => void }) {
  return (
    <ActionIcon variant="default" size={40} aria-label="Más acciones" aria-expanded={opened} onClick={onToggle}>
      <IconDotsVertical size={20} stroke={1.7} />
    </ActionIcon>
  )
}

type Source<Row extends { id: number }> = ReturnType<typeof useList<Row>>

interface ListViewsProps<Row extends { id: number }> extends ListScreenProps<Row> {
  source: Source<Row>
  look: ReturnType<typeof useListLook<Row>>
}

/** What of the list can be saved under a name: all but the page. */
function ListViews<Row extends { id: number }>({ name, endpoint, source, look }: ListViewsProps<Row>) {
  const { query, change, phone } = source
  const schema = endpoint.query!
  const { per_page } = readListQuery(schema, {})
  const saved = formatQuery(writeListQuery(schema, { ...query, page: 1, per_page })).slice(1)
  return (
    <Views
      list={name}
      look={{ query: saved, hidden: look.hidden }}
      bare={saved === '' && query.page === 1}
      brief={phone}
      onApply={(view, replace) => {
        const { filter, sort } = readListQuery(schema, parseQuery(view.query))
        if (view.hidden) look.setHidden(view.hidden)
        void change({ filter, sort }, replace)
      }}
    />
  )
}

interface FiltersProps<Row extends { id: number }> {
  source: Source<Row>
  filters: ListFilter[]
  noun: { one: string; many: string; none: string }
  uncounted?: boolean
}

/** The button, what is on as chips, and the drawer where they are chosen. */
function Filters<Row extends { id: number }>({ source, filters, noun, uncounted = false }: FiltersProps<Row>) {
  const { query, change, fetchPage, countKey } = source
  const [filtering, setFiltering] = useState(false)
  const active = countOn(query.filter, filters)
  return (
    <>
      {filters.length > 0 && (
        <Button
          variant="default"
          className={styles.filterButton}
          leftSection={<IconFilter size={16} stroke={1.7} />}
          onClick={() => setFiltering(true)}
        >
          <span className={styles.filterWord}>Filtros</span>
          {active > 0 && !uncounted && (
            <span className={styles.badge}>
              {active}
              <span className="only-read-aloud">{active === 1 ? ' activo' : ' activos'}</span>
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
        countKey={countKey}
        count={async (filter, signal) => (await fetchPage({ page: 1, per_page: 1, filter }, { signal })).total}
      />
    </>
  )
}

interface BodyProps<Row extends { id: number }> extends ListScreenProps<Row> {
  source: Source<Row>
  /** The columns on screen. */
  shown: Column<Row>[]
  createButton: ReactNode
  tableRef: RefObject<HTMLDivElement | null>
}

/** The rows and their pages, or why there are none. */
function Body<Row extends { id: number }>(props: BodyProps<Row>) {
  const { source, noun, title, filters, pathOf, bulk } = props
  const { query, change, list, rows, reply, counting, total, atLeast, pages, phone, more } = source
  const navigate = useNavigate()
  const chosen = useChosen<Row>()
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (total === 0 && !list.isPlaceholderData) {
    const active = countOn(query.filter, filters)
    const searched = searchedIn(query.filter)
    if (active === 0 && !searched)
      return (
        <EmptyState icon={props.icon} title={`Aún no hay ${noun.many}`} action={props.createButton}>
          {props.about}
        </EmptyState>
      )
    return (
      <EmptyState
        icon={IconSearchOff}
        title={`${noun.none} ${noun.one} coincide`}
        action={
          <Button variant="default" onClick={() => change({ filter: {} })}>
            Limpiar búsqueda y filtros
          </Button>
        }
      >
        {described(searched, active)}
      </EmptyState>
    )
  }
  const choosing = bulk && chosen.rows.length > 0 && (
    <ListBulk count={chosen.rows.length} noun={noun} onClear={chosen.clear}>
      {bulk.actions(chosen.rows, chosen.clear)}
    </ListBulk>
  )
  if (phone)
    return (
      <>
        <ListCards
          listRef={props.tableRef}
          label={title}
          columns={props.columns}
          rows={rows}
          total={total}
          stale={list.isPlaceholderData}
          pathOf={pathOf}
          onOpen={props.open}
          chosen={bulk && { ...chosen, nameOf: bulk.name }}
          more={more}
        />
        {choosing}
      </>
    )
  return (
    <>
      {choosing}
      <ListTable
        tableRef={props.tableRef}
        chosen={bulk && { ...chosen, nameOf: bulk.name }}
        label={title}
        columns={props.shown}
        rows={rows}
        expected={query.per_page}
        stale={list.isPlaceholderData}
        sort={query.sort}
        onSort={(sort) => change({ sort })}
        pathOf={pathOf}
        onOpen={(row) => (pathOf ? void navigate({ to: pathOf(row) }) : props.open?.(row))}
      />
      {reply && props.summary?.(reply, counting)}
      <InTurn cost={0.5} place={styles.foot}>
        <ListPaging query={query} total={total} atLeast={atLeast} pages={pages} onChange={(next) => change(next)} />
      </InTurn>
    </>
  )
}

const searchedIn = ({ Search }: Record<string, unknown>) => (typeof Search === 'string' ? Search : '')

const countOn = (filter: Record<string, unknown>, filters: ListFilter[]) =>
  countFilters(
    filter,
    filters.filter(({ locked }) => locked !== undefined).map(({ key }) => key),
  )

const described = (searched: string, active: number) => {
  const filters = active === 0 ? '' : active === 1 ? 'un filtro' : `${active} filtros`
  if (searched && filters) return `Se buscó «${searched}» con ${filters}.`
  return searched ? `Se buscó «${searched}».` : `Hay ${filters} puesto${active === 1 ? '' : 's'}.`
}
