import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type Key, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './table.module.css'
import { useTurns } from './turns.tsx'

export interface TableColumn<Row> {
  /** What a sort calls it; its label where left out. */
  key?: string
  label: string
  align?: 'end'
  /** Where there is no room it goes under the first column instead of beside it. */
  folds?: boolean
  /** Takes the room the others leave. */
  grows?: boolean
  cell: (row: Row) => ReactNode
  /** In the last line. */
  total?: ReactNode
  /** Left out where the table is not sorted by it. */
  onSort?: () => void
}

interface TableProps<Row> {
  label: string
  columns: TableColumn<Row>[]
  rows: Row[]
  keyOf: (row: Row) => Key
  /** Still there, no longer true. */
  faded?: (row: Row) => boolean
  /** The key of the column it is sorted by, with `-` before it where the highest come first. */
  sort?: string
  /** A last line with the total of each column. */
  totals?: boolean
  /** Inside a box that has edges of its own. */
  bare?: boolean
  /** Another look; such a table scrolls sideways instead of folding. */
  look?: { box?: string; table?: string }
  /** Below the table, in its box. */
  children?: ReactNode
}

/** A table inside a page, for what is only read. A list of things to open is a `ListTable`. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, faded, sort, totals = false, look, bare = false, children } = props
  const { box, table, folded } = useFolding(!look)
  const parts = Math.ceil(rows.length / AT_ONCE)
  const drawn = Math.min(parts, useTurns(Math.max(0, parts - 1)) + 1)
  return (
    <div className={look?.box ?? styles.box} ref={box} data-folded={folded || undefined} data-bare={bare || undefined}>
      <table className={look?.table ?? styles.table} aria-label={label} ref={table}>
        <thead>
          <tr>
            {columns.map(({ key, label, align, folds, grows, onSort }) => (
              <HeaderCell
                key={key ?? label}
                label={label}
                align={align}
                folds={folds}
                grows={grows}
                sorted={sortedBy(key ?? label, sort)}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody aria-busy={drawn < parts || undefined}>
          {rows.slice(0, drawn * AT_ONCE).map((row) => (
            <Line key={keyOf(row)} row={row} columns={columns} isFaded={faded?.(row)} />
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map(({ key, label, align, total }) => (
                <td key={key ?? label} data-align={align}>
                  {total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {children}
    </div>
  )
}

/** How many rows of a long one are drawn in one turn: as many as a screen has room for. */
const AT_ONCE = 15

interface LineProps<Row> {
  row: Row
  columns: TableColumn<Row>[]
  isFaded: boolean | undefined
}
function CellsOf<Row>({ row, columns, isFaded }: LineProps<Row>) {
  return (
    <tr data-faded={isFaded || undefined}>
      {columns.map(({ key, label, align, folds, cell }) => (
        <td key={key ?? label} data-align={align} data-folds={folds} data-label={label}>
          {cell(row) ?? <span className={styles.none}>—</span>}
        </td>
      ))}
    </tr>
  )
}
// Those that are there are not drawn again for the next.
const Line = memo(CellsOf) as typeof CellsOf

export const sortedBy = (key: string, sort: string | undefined) =>
  sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined

interface HeaderCellProps {
  label: string
  align?: 'end'
  folds?: boolean
  grows?: boolean
  width?: number
  sorted?: 'ascending' | 'descending'
  onSort?: () => void
}

/** What a column is called; pressed, the rows are sorted by it. */
export function HeaderCell({ label, align, folds, grows, width, sorted, onSort }: HeaderCellProps) {
  const Arrow = sorted === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      data-align={align}
      data-folds={folds}
      data-grows={grows}
      style={width === undefined ? undefined : { width }}
      aria-sort={sorted}
    >
      {onSort ? (
        <button type="button" className={styles.sort} data-on={sorted && true} onClick={onSort}>
          {label}
          <Arrow size={14} stroke={1.9} aria-hidden />
        </button>
      ) : (
        label
      )}
    </th>
  )
}

const PHONE = 560

/**
 * Folds on a phone, and wherever the columns beside each other would not fit. Measured once the page has its place and
 * before anybody sees it: asking earlier would have all of it placed for that alone.
 */
function useFolding(mayFold: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const needed = useRef(PHONE)
  const [folded, setFolded] = useState(() => window.innerWidth < PHONE)
  useLayoutEffect(() => {
    if (!mayFold || !box.current || !table.current) return
    const [around, inside] = [box.current, table.current]
    const watch = new ResizeObserver(() => {
      const room = around.clientWidth
      if (room === 0) return
      if (!folded) needed.current = Math.max(inside.offsetWidth > room + 1 ? inside.offsetWidth : 0, PHONE)
      const folds = room < needed.current
      if (folds !== folded) flushSync(() => setFolded(folds))
    })
    watch.observe(around)
    watch.observe(inside)
    return () => watch.disconnect()
  }, [mayFold, folded])
  return { box, table, folded: mayFold && folded }
}
