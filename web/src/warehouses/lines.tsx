import { ActionIcon, Pagination, Select, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { documentAmounts, lineAmounts, showMoney, type TaxType } from '#contract/base/money.ts'
import { LINE_PAGE_SIZES } from '#contract/purchasing/purchasing.ts'
import { LINE_FIELDS } from '#contract/warehouses/fields.ts'
import { tableColumns } from '../frames/fields.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { UnitCost } from '../ui/unit-cost.tsx'
import styles from './document.module.css'

/** A line of a document while it is written, or as it was. */
export interface Line {
  supply_id: number
  code: string
  name: string
  unit: string | null
  quantity: number
  unit_cost: number
  tax_type: TaxType
}

export type LineErrors = (Record<string, { message?: string } | undefined> | undefined)[]

interface LinesTableProps<L extends Line> {
  lines: L[]
  /** Left out where the document can no longer be changed. */
  onEdit?: (index: number) => void
  onRemove?: (index: number) => void
  errors?: LineErrors
  /** Columns after the quantity: received, outstanding. */
  more?: TableColumn<L & { index: number }>[]
  empty: ReactNode
  /** A count or a transfer has quantities only. */
  priced?: boolean
}

/** The lines of a document page by page, and under them its subtotal, IVA and total. */
export function LinesTable<L extends Line>(props: LinesTableProps<L>) {
  const { lines, onEdit, onRemove, errors = [], more = [], empty, priced = true } = props
  const [size, setSize] = useState<number>(LINE_PAGE_SIZES[1])
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(lines.length / size))
  const now = Math.min(page, pages)
  if (lines.length === 0) return <div className={styles.empty}>{empty}</div>

  type Row = L & { index: number }
  const rows: Row[] = lines.map((line, index) => ({ ...line, index })).slice((now - 1) * size, now * size)
  const wrong = ({ index }: Row) => Object.values(errors[index] ?? {}).flatMap((error) => error?.message ?? [])
  const told = (looks: Partial<Record<keyof typeof LINE_FIELDS, Partial<TableColumn<Row>>>>) =>
    tableColumns<Row, keyof typeof LINE_FIELDS>(LINE_FIELDS, looks)
  const money = told({
    unit_cost: { folds: true, cell: (line) => <UnitCost value={line.unit_cost} /> },
    tax_type: { folds: true },
    net_cost: { folds: true, cell: (line) => showMoney(lineAmounts(line).net_cost) },
    total_cost: { cell: (line) => showMoney(lineAmounts(line).total_cost) },
  })
  const columns: TableColumn<Row>[] = [
    ...told({
      code: { cell: (line) => <span className="mono">{line.code}</span> },
      name: {
        grows: true,
        cell: (line) => (
          <span className={styles.lineName}>
            {line.name}
            {wrong(line).map((message) => (
              <span key={message} className={styles.lineError} role="alert">
                {message}
              </span>
            ))}
          </span>
        ),
      },
      unit: { folds: true },
      quantity: {},
    }),
    ...more,
    ...(priced ? money : []),
    ...(onEdit || onRemove
      ? [
          {
            label: 'Acciones',
            align: 'end' as const,
            cell: (line: Row) => (
              <span className={styles.rowButtons}>
                {onEdit && (
                  <Tooltip label="Editar">
                    <ActionIcon variant="subtle" aria-label={`Editar ${line.name}`} onClick={() => onEdit(line.index)}>
                      <IconPencil size={16} stroke={1.7} />
                    </ActionIcon>
                  </Tooltip>
                )}
                {onRemove && (
                  <Tooltip label="Quitar">
                    <ActionIcon
                      variant="subtle"
                      aria-label={`Quitar ${line.name}`}
                      onClick={() => onRemove(line.index)}
                    >
                      <IconTrash size={16} stroke={1.7} />
                    </ActionIcon>
                  </Tooltip>
                )}
              </span>
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Table label="Insumos" columns={columns} rows={rows} keyOf={(line) => line.supply_id} />
      <div className={styles.foot}>
        <div className={styles.pager}>
          <span aria-hidden>Filas por página</span>
          <Select
            aria-label="Filas por página"
            data={LINE_PAGE_SIZES.map(String)}
            value={String(size)}
            onChange={(value) => value && setSize(Number(value))}
            allowDeselect={false}
            withCheckIcon={false}
            w={76}
          />
          {pages > 1 && <Pagination total={pages} value={now} onChange={setPage} gap={6} />}
        </div>
        {priced && <Totals lines={lines} />}
      </div>
    </>
  )
}

export function Totals({ lines }: { lines: Line[] }) {
  const { subtotal, tax, total } = documentAmounts(lines.map(lineAmounts))
  return (
    <dl className={styles.totals}>
      <dt>Subtotal</dt>
      <dd>{showMoney(subtotal)}</dd>
      <dt>IVA</dt>
      <dd>{showMoney(tax)}</dd>
      <dt className={styles.total}>Total</dt>
      <dd className={styles.total}>{showMoney(total)}</dd>
    </dl>
  )
}
