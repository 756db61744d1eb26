import { Button } from '@mantine/core'
import { type Key, type ReactNode, useState } from 'react'
import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import { isNumber, showField } from '#contract/base/fields.ts'
import { showNumber } from '#contract/base/money.ts'
import { figureOf, type ReportColumn as Told } from '#contract/reports/columns.ts'
import { Table } from '../ui/table.tsx'
import { InTurn } from '../ui/turns.tsx'
import { Figure } from './figure.tsx'
import styles from './reports.module.css'

// Made when somebody sorts: a browser's first use of `Intl` takes some 35 ms, and four times that on a tablet.
let words: Intl.Collator | undefined
const inOrder = (a: string, b: string) => {
  words ??= new Intl.Collator('es', { numeric: true })
  return words.compare(a, b)
}

export interface ReportColumn<Row, Totals> {
  key: string
  label: string
  /** What it is sorted by; numbers stand at the right. */
  value: (row: Row) => number | string | null
  cell?: (row: Row) => ReactNode
  /** How numbers are written. */
  show?: (value: number) => string
  /** Opens the rows behind the figure. */
  open?: (row: Row) => (() => void) | undefined
  total?: (totals: Totals) => number | string | null
  openTotal?: () => void
  text?: boolean
}

/** What a screen adds to a column: how its cell looks, and what its figures lead to. */
export type ShownColumn<Row, Totals> = Partial<Pick<ReportColumn<Row, Totals>, 'cell' | 'open' | 'total' | 'openTotal'>>

/** The columns that a screen names, in its order, with what the report's registry says of each. */
export const reported = <Row, Totals, Key extends string>(
  columns: Record<Key, Told<Row>>,
  shown: Partial<Record<Key, ShownColumn<Row, Totals>>>,
): ReportColumn<Row, Totals>[] =>
  (Object.keys(shown) as Key[]).map((key) => {
    const column = columns[key]
    return {
      key,
      label: column.short ?? column.label,
      text: !isNumber(column),
      value: (row: Row) => figureOf(column, key, row),
      show: (value: number) => showField(column, value, DEFAULT_ZONE) ?? '',
      ...(column.total && {
        total: (totals: Totals) => figureOf(column as Told<Totals & Row>, key, totals as Totals & Row),
      }),
      ...shown[key],
    }
  })

interface ReportTableProps<Row, Totals> {
  label: string
  columns: ReportColumn<Row, Totals>[]
  rows: Row[]
  keyOf: (row: Row) => Key
  totals?: Totals
  /** Sorted by the server, where there are more than are here. */
  sort?: { by: string | undefined; change: (by: string) => void; keys: readonly string[] }
  more?: ReactNode
}

const SHOWN = 60

/** Figures with their totals; each leads to what it is made of. */
export function ReportTable<Row, Totals>(props: ReportTableProps<Row, Totals>) {
  const { label, columns, rows, keyOf, totals, sort, more } = props
  const [own, setOwn] = useState<string>()
  const [isWhole, setWhole] = useState(false)
  const by = sort ? sort.by : own
  const column = columns.find(({ key }) => key === by?.replace(/^-/, ''))
  const sorted = !sort && column ? [...rows].sort(compare(column.value, by?.startsWith('-') ?? false)) : rows
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN)
  const turn = ({ key, text }: ReportColumn<Row, Totals>) => {
    const next = by === `-${key}` ? key : by === key ? `-${key}` : text ? key : `-${key}`
    sort ? sort.change(next) : setOwn(next)
  }
  return (
    // After the figures and the chart over it.
    <InTurn>
      <Table<Row>
        label={label}
        look={{ box: styles.tableBox, table: styles.table }}
        rows={shown}
        keyOf={keyOf}
        sort={by}
        totals={totals !== undefined}
        columns={columns.map((each, i) => ({
          key: each.key,
          label: each.label,
          align: each.text ? undefined : 'end',
          onSort: !sort || sort.keys.includes(each.key) ? () => turn(each) : undefined,
          cell: (row) => (
            <Figure
              name={each.label}
              text={each.cell ? each.cell(row) : written(each.value(row), each.show)}
              onOpen={each.open?.(row)}
            />
          ),
          total:
            i === 0 ? (
              'Total'
            ) : (
              <Figure
                name={`Total de ${each.label}`}
                text={each.total && totals !== undefined ? written(each.total(totals), each.show) : ''}
                onOpen={each.openTotal}
              />
            ),
        }))}
      >
        {sorted.length > shown.length && (
          <div className={styles.more}>
            <span>
              {showNumber(shown.length)} de {showNumber(sorted.length)}
            </span>
            <Button variant="default" size="xs" onClick={() => setWhole(true)}>
              Ver todos
            </Button>
          </div>
        )}
        {more}
      </Table>
    </InTurn>
  )
}

const written = (value: number | string | null, show: ((value: number) => string) | undefined) =>
  value === null ? null : typeof value === 'number' ? (show ?? showNumber)(value) : value

const compare =
  <Row,>(value: (row: Row) => number | string | null, down: boolean) =>
  (a: Row, b: Row) => {
    const [x, y] = [value(a), value(b)]
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : inOrder(String(x), String(y))
    return down ? -order : order
  }
