import { Button, Checkbox, Menu, Skeleton, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { useNoticeable } from '../ui/faces.tsx'
import { sortedBy } from '../ui/table.tsx'
import styles from './list-cards.module.css'
import type { CardPlace, Column } from './list-table.tsx'

/** A list that names no title has its cards all the same: nothing that its rows show is left out. */
function placed<Row>(columns: Column<Row>[]) {
  const told = columns.some(({ card }) => card === 'title')
  const byRank = columns.filter(({ hidden }) => !hidden).toSorted((a, b) => a.rank - b.rank)
  const figure = byRank.find(({ align }) => align === 'end')
  const guess = (column: Column<Row>): CardPlace =>
    column.card ?? (column === byRank[0] ? 'title' : column === figure ? 'figure' : 'meta')
  const at = (place: CardPlace) =>
    told ? columns.filter(({ card }) => card === place) : byRank.filter((column) => guess(column) === place)
  return {
    top: at('top'),
    end: at('end'),
    title: at('title'),
    state: at('state'),
    meta: at('meta'),
    figure: at('figure'),
  }
}

interface ListCardsProps<Row> {
  label: string
  columns: Column<Row>[]
  /** Undefined while the first are on their way. */
  rows: Row[] | undefined
  total: number | undefined
  stale: boolean
  pathOf?: (row: Row) => string
  onOpen?: (row: Row) => void
  chosen?: { ids: ReadonlySet<number>; choose: (rows: Row[], on: boolean) => void; nameOf: (row: Row) => string }
  /** What comes after the last one: asked for when the end is seen. */
  more: { ask: () => void; waiting: boolean; failed: boolean; left: boolean }
  listRef: Ref<HTMLDivElement>
}

/** The rows of a list on a phone: a card each, and more of them as one scrolls. */
export function ListCards<Row extends { id: number }>(props: ListCardsProps<Row>) {
  const { label, columns, rows, total, stale, pathOf, onOpen, chosen, more, listRef } = props
  const waiting = useNoticeable(rows === undefined)
  const places = placed(columns)
  const show = (list: Column<Row>[], row: Row) =>
    list.map((column) => {
      const content = column.cell(row)
      return (
        content !== null &&
        content !== undefined &&
        content !== '' &&
        content !== false && (
          <span key={column.key} className={styles.piece}>
            {!column.plain && column.card === undefined && !places.title.includes(column) && (
              <span className={styles.name}>{column.label} </span>
            )}
            {content}
            {column.beside && <span className={styles.over}>{column.beside(row)}</span>}
          </span>
        )
      )
    })
  return (
    <div ref={listRef}>
      <ul className={styles.cards} aria-label={label} aria-busy={rows === undefined || stale}>
        {rows?.map((row) => (
          <li
            key={row.id}
            className={styles.card}
            data-stale={stale || undefined}
            data-chosen={chosen?.ids.has(row.id) || undefined}
          >
            {(chosen || places.top.length > 0 || places.end.length > 0) && (
              <div className={styles.line}>
                {chosen && (
                  <Checkbox
                    size="sm"
                    className={styles.over}
                    aria-label={`Elegir ${chosen.nameOf(row)}`}
                    checked={chosen.ids.has(row.id)}
                    onChange={(event) => chosen.choose([row], event.currentTarget.checked)}
                  />
                )}
                {show(places.top, row)}
                {places.end.length > 0 && <span className={styles.atEnd}>{show(places.end, row)}</span>}
              </div>
            )}
            <Opens to={pathOf?.(row)} onOpen={onOpen && (() => onOpen(row))}>
              {show(places.title, row).some(Boolean)
                ? show(places.title, row)
                : places.title.map(({ key, label }) => <span key={key}>Sin {label.toLowerCase()}</span>)}
            </Opens>
            <div className={styles.line} data-foot>
              {show(places.state, row)}
              {show(places.meta, row)}
              {places.figure.length > 0 && (
                <span className={styles.atEnd} data-figure>
                  {show(places.figure, row)}
                </span>
              )}
            </div>
          </li>
        ))}
        {waiting &&
          Array.from({ length: 5 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cards that are not there yet
            <li key={index} className={styles.card} aria-hidden>
              <Skeleton h={12} w="45%" my={4} />
              <Skeleton h={14} w="80%" my={4} />
              <Skeleton h={12} w="60%" my={4} />
            </li>
          ))}
      </ul>
      {rows && <End shown={rows.length} total={total} more={more} />}
    </div>
  )
}

function Opens({ to, onOpen, children }: { to?: string; onOpen?: () => void; children: ReactNode }) {
  if (to)
    return (
      <Link to={to} className={styles.title} data-row-link>
        {children}
      </Link>
    )
  if (!onOpen) return <div className={styles.title}>{children}</div>
  return (
    <button type="button" className={styles.title} data-row-link onClick={onOpen}>
      {children}
    </button>
  )
}

/** Asks for the next ones a screen before they are needed. */
const AHEAD = '600px'

function End({
  shown,
  total,
  more,
}: {
  shown: number
  total: number | undefined
  more: ListCardsProps<never>['more']
}) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(more.ask)
  latest.current = more.ask
  const asks = more.left && !more.waiting && !more.failed
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again after each answer: the end may still be in sight
  useEffect(() => {
    if (!asks || !end.current) return
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current()
      },
      { root: end.current.closest('main'), rootMargin: AHEAD },
    )
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [asks, shown])
  return (
    <div ref={end} className={styles.end} role="status">
      {more.failed ? (
        <Button variant="default" onClick={more.ask}>
          Reintentar
        </Button>
      ) : (
        `${showNumber(shown)} de ${showNumber(total ?? shown)}${more.waiting ? ' · cargando más…' : ''}`
      )}
    </div>
  )
}

interface SortMenuProps<Row> {
  columns: Column<Row>[]
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/** What the headers of a table do, where there are none. */
export function SortMenu<Row>({ columns, sort, onSort }: SortMenuProps<Row>) {
  const sortable = columns.filter((column) => column.sort)
  const now = sortable.find(({ key }) => sortedBy(key, sort))
  if (sortable.length === 0) return null
  const Arrow = !now ? IconArrowsSort : sort?.startsWith('-') ? IconArrowDown : IconArrowUp
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={styles.sort}>
          {now ? now.label : 'Ordenar'}
          <Arrow size={14} stroke={1.9} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Ordenar por</Menu.Label>
        {sortable.map(({ key, label }) => {
          const sorted = sortedBy(key, sort)
          return (
            <Menu.Item
              key={key}
              rightSection={
                sorted && (sorted === 'descending' ? <IconArrowDown size={14} /> : <IconArrowUp size={14} />)
              }
              onClick={() => onSort(sorted === 'ascending' ? `-${key}` : sorted ? undefined : key)}
            >
              {label}
              {sorted && (
                <span className="only-read-aloud">
                  {sorted === 'descending' ? ', de mayor a menor' : ', de menor a mayor'}
                </span>
              )}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
