import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../platform/session.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import styles from '../warehouses/document.module.css'
import type { Draft } from './purchase-order-form.tsx'

interface Line {
  supply_id: number
  code: string
  name: string
  unit: string | null
  suggested: number
  unit_cost: number
}
interface Group<L> {
  provider_id: number | null
  provider_name: string | null
  supplies: L[]
}
interface ToBuyProps<L extends Line, G extends Group<L>> {
  title: string
  /** Before the provider's name, for those who hear it. */
  what: string
  groups: UseQueryResult<G[]>
  empty: string
  hint?: (group: G) => ReactNode
  columns: TableColumn<L>[]
  onOrder: (draft: Draft) => void
  onClose: () => void
}

const lacking = <L extends Line>({ supplies }: Group<L>) => supplies.filter(({ suggested }) => suggested > 0)

const draftOf = (group: Group<Line>): Draft => ({
  ...(group.provider_id !== null && { provider_id: group.provider_id }),
  lines: lacking(group).map(({ supply_id, code, name, unit, suggested, unit_cost }) => ({
    supply_id,
    code,
    name,
    unit,
    quantity: suggested,
    unit_cost,
    tax_type: '19',
  })),
})

/** What a warehouse lacks, by whom it was last bought from, each ready to become an order. */
export function ToBuy<L extends Line, G extends Group<L>>(props: ToBuyProps<L, G>) {
  const { title, what, groups, empty, hint, columns, onOrder, onClose } = props
  const mayWrite = useMay('warehouses.write')
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={title}
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <div className={styles.sheet}>
        {groups.isError && <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />}
        {groups.data?.length === 0 && <div className={styles.empty}>{empty}</div>}
        {groups.data?.map((group) => (
          <section key={group.provider_id ?? 0} className={styles.sheet}>
            <div className={styles.linesHead}>
              <h2>{group.provider_name ?? 'Sin proveedor conocido'}</h2>
              {hint && <span className={styles.hint}>{hint(group)}</span>}
              {mayWrite && lacking(group).length > 0 && (
                <Button variant="default" onClick={() => onOrder(draftOf(group))}>
                  Crear orden de compra
                </Button>
              )}
            </div>
            <Table
              label={`${what}: ${group.provider_name ?? 'sin proveedor'}`}
              rows={group.supplies}
              keyOf={(line) => line.supply_id}
              columns={columns}
            />
          </section>
        ))}
      </div>
    </FullscreenDialog>
  )
}
