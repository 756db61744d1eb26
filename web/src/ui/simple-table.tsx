import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type Key, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './simple-table.module.css'

export interface SimpleColumn<Row> {
  label: string
  align?: 'end'
  /** Where there is no room it goes under the first column instead of beside it. */
  folds?: boolean
  /** Takes the room the others leave. */
  grows?: boolean
  cell: (row: Row) => ReactNode
}

interface SimpleTableProps<Row> {
  label: string
  columns: SimpleColumn<Row>[]
  rows: Row[]
  keyOf: (row: Row) => Key
  /** Still there, no longer true. */
  faded?: (row: Row) => boolean
}

/** A short table inside a page, for what is only read. */
export function SimpleTable<Row>({ label, columns, rows, keyOf, faded }: SimpleTableProps<Row>) {
  const { box, table, folded } = useFolding(rows.length)
  return (
    <div className={styles.box} ref={box} data-folded={folded || undefined}>
      <table className={styles.table} aria-label={label} ref={table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                data-align={column.align}
                data-folds={column.folds}
                data-grows={column.grows}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-faded={faded?.(row) || undefined}>
              {columns.map((column) => (
                <td key={column.label} data-align={column.align} data-folds={column.folds} data-label={column.label}>
                  {column.cell(row) ?? <span className={styles.none}>—</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const PHONE = 560

/** Folds on a phone, and wherever the columns beside each other would not fit. */
function useFolding(rows: number) {
  const { ref: sized, width } = useElementSize<HTMLDivElement>()
  const within = useRef<HTMLDivElement>(null)
  const box = useMergedRef(sized, within)
  const table = useRef<HTMLTableElement>(null)
  const needed = useRef(0)
  const [folded, setFolded] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when there is other room or there are other rows
  useLayoutEffect(() => {
    const room = within.current?.clientWidth ?? 0
    if (room === 0 || !table.current) return
    if (!folded) needed.current = Math.max(table.current.offsetWidth > room + 1 ? table.current.offsetWidth : 0, PHONE)
    setFolded(room < needed.current)
  }, [width, rows, folded])
  return { box, table, folded }
}
