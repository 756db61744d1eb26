import type { Key, ReactNode } from 'react'
import styles from './simple-table.module.css'

export interface SimpleColumn<Row> {
  label: string
  align?: 'end'
  /** On a phone it goes under the first column instead of beside it. */
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
  return (
    <div className={styles.box}>
      <table className={styles.table} aria-label={label}>
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
