import { Checkbox, Skeleton } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useDeferredValue,
  useRef,
} from 'react'
import { useNoticeable } from '../ui/faces.tsx'
import { useScrolling } from '../ui/scrolling.ts'
import { HeaderCell, sortedBy } from '../ui/table.tsx'
import { useTurns } from '../ui/turns.tsx'
import styles from './list-table.module.css'

/**
 * Where a column stands on the card that a row is on a phone. First line: `top` at its start, `end` at its end. Second:
 * the `title`. Third: the `state`, what else is worth a glance (`meta`), and the `figure` at its end.
 */
export type CardPlace = 'top' | 'end' | 'title' | 'state' | 'meta' | 'figure'

export interface Column<Row> {
  /** Also the field it sorts by. */
  key: string
  label: string
  sort?: boolean
  align?: 'end'
  /** Least room it needs, its padding included. */
  width: number
  /** Where room is short, the columns with the lowest rank stay and the rest fold into the row. */
  rank: number
  /** Its place on the card that a row is on a phone; where a list says none, they are found by rank. */
  card?: CardPlace
  /** Says what it is by itself: folded into the row it needs no name. */
  plain?: boolean
  /** Always shown: it is what the row is called. */
  fixed?: boolean
  /** Only shown once chosen. */
  hidden?: boolean
  cell: (row: Row) => ReactNode
  /** What can be done at once with the row that the first column names: beside what opens it. */
  beside?: (row: Row) => ReactNode
  /** On screen only. */
  unfiled?: true
  /** In a spreadsheet: a real number, a real date. */
  file: (row: Row) => string | number | Date | null
  fileFormat?: string
}

/** What a file has of a row. */
export type FileColumn<Row> = Pick<Column<Row>, 'label' | 'width' | 'file' | 'fileFormat'>
/** By which an import knows a row again, whatever was changed in it. */
export const ID_COLUMN: FileColumn<{ id: number }> = { label: 'ID', width: 80, file: ({ id }) => id }

interface ListTableProps<Row> {
  label: string
  columns: Column<Row>[]
  /** Undefined while the first page is on its way. */
  rows: Row[] | undefined
  expected: number
  stale: boolean
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  /** Left out where opening a row leads to no address of its own. */
  pathOf?: (row: Row) => string
  onOpen: (row: Row) => void
  /** Rows that can be chosen, to do something with several at once. */
  chosen?: { ids: ReadonlySet<number>; choose: (rows: Row[], on: boolean) => void; nameOf: (row: Row) => string }
  tableRef: Ref<HTMLDivElement>
}

/** The room of the box that chooses a row. */
const BOX = 44

/** Rows that are drawn together: a pointer that passes over one would have all of them drawn again. */
const TOGETHER = 10

export function ListTable<Row extends { id: number }>(props: ListTableProps<Row>) {
  const { label, columns, expected, stale, sort, onSort, pathOf, onOpen, chosen, tableRef } = props
  // In pieces, those before them meanwhile: a key pressed as they arrive is heard.
  const rows = useDeferredValue(props.rows)
  const groups = Math.ceil((rows?.length ?? 0) / TOGETHER)
  const turns = useTurns(groups)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const waiting = useNoticeable(rows === undefined || (turns === 0 && groups > 0))
  const folding = foldColumns(columns, width && chosen ? width - BOX : width)
  const inRow = useSame(folding.inRow)
  const folded = useSame(folding.folded)
  const table = useRef<HTMLTableElement>(null)
  useScrolling(table)
  const acts = useRef({ open: onOpen, choose: chosen?.choose })
  acts.current = { open: onOpen, choose: chosen?.choose }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links of the rows inside
    <div ref={useMergedRef(ref, tableRef)} className={styles.scroll} onKeyDown={moveBetweenRows}>
      <table
        ref={table}
        className={styles.table}
        aria-label={label}
        aria-busy={rows === undefined || rows !== props.rows || turns < groups || stale}
      >
        <thead>
          <tr>
            {chosen && (
              <th scope="col" className={styles.box} style={{ width: BOX }}>
                <Checkbox
                  size="sm"
                  classNames={{ inner: styles.inner }}
                  aria-label="Elegir toda la página"
                  disabled={!rows?.length}
                  checked={!!rows?.length && rows.every(({ id }) => chosen.ids.has(id))}
                  indeterminate={
                    !!rows?.some(({ id }) => chosen.ids.has(id)) && !rows.every(({ id }) => chosen.ids.has(id))
                  }
                  onChange={(event) => chosen.choose(rows ?? [], event.currentTarget.checked)}
                />
              </th>
            )}
            {inRow.map((column) => (
              <HeaderCell
                key={column.key}
                label={column.label}
                align={column.align}
                width={column.width}
                sorted={column.sort ? sortedBy(column.key, sort) : undefined}
                onSort={column.sort ? () => onSort(nextSort(column.key, sort)) : undefined}
              />
            ))}
          </tr>
        </thead>
        {Array.from({ length: turns }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows in it have keys of their own
          <tbody key={index} data-stale={stale || undefined}>
            {rows?.slice(index * TOGETHER, (index + 1) * TOGETHER).map((row) => (
              <Line
                key={row.id}
                to={pathOf?.(row)}
                name={chosen?.nameOf(row)}
                isChosen={chosen?.ids.has(row.id)}
                {...{ row, inRow, folded, acts }}
              />
            ))}
          </tbody>
        ))}
        {waiting &&
          Array.from({ length: Math.min(expected, 12) }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows that are not there yet
            <tbody key={index} aria-hidden>
              <tr>
                {chosen && <td className={styles.box} />}
                {inRow.map((column, place) => (
                  <td key={column.key} data-align={column.align}>
                    {place === 0 ? (
                      <Skeleton h={10} w={`${55 + ((index * 7) % 35)}%`} animate={false} />
                    ) : (
                      <span className={styles.bone} style={{ width: `${55 + ((index * 7 + place * 13) % 35)}%` }} />
                    )}
                  </td>
                ))}
              </tr>
            </tbody>
          ))}
      </table>
    </div>
  )
}

/** The list as it was, while what is in it is the same. */
function useSame<T>(list: T[]): T[] {
  const kept = useRef(list)
  if (list.length !== kept.current.length || list.some((one, index) => one !== kept.current[index])) kept.current = list
  return kept.current
}

interface LineProps<Row> {
  row: Row
  inRow: Column<Row>[]
  folded: Column<Row>[]
  /** Left out where it leads to no address of its own. */
  to?: string
  /** By which it is chosen; left out where it cannot be. */
  name?: string
  isChosen?: boolean
  /** As they are when they are asked to: a row does not change with them. */
  acts: RefObject<{ open: (row: Row) => void; choose?: (rows: Row[], on: boolean) => void }>
}

/** The keyboard opens it by the link in it. Drawn again only when something of its own changed. */
const Line = memo(LineOf) as typeof LineOf
function LineOf<Row extends { id: number }>(props: LineProps<Row>) {
  const { row, inRow, folded, to, name, isChosen, acts } = props
  const details = folded.map((column) => ({ column, value: column.cell(row) })).filter(({ value }) => value)
  const line = {
    'data-chosen': isChosen || undefined,
    onClick: (event: MouseEvent) => {
      if (isPlainClick(event)) acts.current.open(row)
    },
  }
  return (
    <>
      <tr className={styles.row} data-folds={details.length > 0 || undefined} {...line}>
        {name !== undefined && (
          <td className={styles.box} data-box>
            <Checkbox
              size="sm"
              classNames={{ inner: styles.inner }}
              aria-label={`Elegir ${name}`}
              checked={isChosen}
              onChange={(event) => acts.current.choose?.([row], event.currentTarget.checked)}
            />
          </td>
        )}
        {inRow.map((column, index) => (
          <td key={column.key} data-align={column.align}>
            {index === 0 && to ? (
              <Link to={to} className={styles.link} data-row-link>
                {column.cell(row)}
              </Link>
            ) : index === 0 ? (
              <button type="button" className={styles.link} data-row-link onClick={() => acts.current.open(row)}>
                {column.cell(row)}
              </button>
            ) : (
              (column.cell(row) ?? <span className={styles.none}>—</span>)
            )}
            {column.beside?.(row)}
          </td>
        ))}
      </tr>
      {details.length > 0 && (
        <tr className={styles.fold} {...line}>
          <td colSpan={inRow.length + (name === undefined ? 0 : 1)}>
            <dl className={styles.details}>
              {details.map(({ column, value }) => (
                <div key={column.key}>
                  <dt className={column.plain ? 'only-read-aloud' : undefined}>{column.label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </td>
        </tr>
      )}
    </>
  )
}

/** First click up, second down, third back to the order the server prefers. */
const nextSort = (key: string, sort: string | undefined) =>
  sort === key ? `-${key}` : sort === `-${key}` ? undefined : key

/** Which columns have room of their own. Before it is measured, all of them. */
export function foldColumns<Row>(columns: Column<Row>[], room: number) {
  if (room === 0) return { inRow: columns, folded: [] }
  const kept = new Set<string>()
  const byRank = columns.toSorted((a, b) => a.rank - b.rank)
  let used = 0
  for (const column of byRank) {
    used += column.width
    if (used > room && kept.size > 0) break
    kept.add(column.key)
  }
  return {
    inRow: columns.filter((column) => kept.has(column.key)),
    folded: byRank.filter((column) => !kept.has(column.key)),
  }
}

const isPlainClick = (event: MouseEvent) =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !event.metaKey &&
  !event.ctrlKey &&
  !event.shiftKey &&
  !(event.target as Element).closest('a, button, input, [data-box]') &&
  // Somebody marking text to copy it is not opening the row.
  window.getSelection()?.toString() === ''

function moveBetweenRows(event: KeyboardEvent<HTMLDivElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const now = links.indexOf(document.activeElement as HTMLElement)
  if (now === -1) return
  event.preventDefault()
  links[Math.min(Math.max(now + step, 0), links.length - 1)]?.focus()
}
