import { Button, Pagination } from '@mantine/core'
import { IconDownload, IconQrcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import { MOVEMENT_FIELDS, STOCK_FIELDS } from '#contract/warehouses/fields.ts'
import { type KardexLine, StockLimits, type StockLine } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { tableColumns } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { useDownload } from '../ui/download.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { NumberField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { Table } from '../ui/table.tsx'
import { UnitCost } from '../ui/unit-cost.tsx'
import styles from './document.module.css'
import { kardexQuery, warehousesKey } from './queries.ts'

/** A supply in a warehouse: what there is, what there should be, and its kardex. */
export default function SupplyCard({
  warehouse,
  line,
  onClose,
}: {
  warehouse: Warehouse
  line: StockLine
  onClose: () => void
}) {
  const mayWrite = useMay('warehouses.write')
  const zone = useZone()
  const [page, setPage] = useState(1)
  const kardex = useQuery(kardexQuery(warehouse.id, line.supply_id, page))
  const query = { warehouse: warehouse.id, supply: line.supply_id }
  const { download, isDownloading } = useDownload(() => call(warehouses.downloadKardex, { query }))
  const label = useDownload(() =>
    call(warehouses.labels, { params: { warehouse: warehouse.id }, query: { supplies: [line.supply_id] } }),
  )
  const pages = Math.ceil((kardex.data?.total ?? 0) / (kardex.data?.per_page ?? 1))
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`${line.code} · ${line.name}`}
      footer={
        <>
          <span className={styles.spread}>
            <Button
              variant="default"
              leftSection={<IconQrcode size={16} stroke={1.7} />}
              onClick={label.download}
              loading={label.isDownloading}
            >
              Etiqueta
            </Button>
          </span>
          <Button variant="default" onClick={onClose}>
            Cerrar
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        <dl className={styles.facts}>
          {(
            [
              ['Stock', showAmount(line.stock, line.unit)],
              ['Costo promedio', <UnitCost key="average" value={line.average_cost} />],
              ['Valor', showMoney(line.value)],
              ['Categoría', line.category ?? '—'],
              // Those who may change them read them in their fields.
              ...(mayWrite
                ? []
                : ([
                    ['Mínimo', line.minimum === null ? '—' : showQuantity(line.minimum)],
                    ['Máximo', line.maximum === null ? '—' : showQuantity(line.maximum)],
                  ] as const)),
            ] as const
          ).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="figures">{value}</dd>
            </div>
          ))}
        </dl>
        {mayWrite && <LimitsForm warehouse={warehouse} line={line} />}
        <div className={styles.linesHead}>
          <h2>Kardex</h2>
          <span className={styles.hint}>Lo más nuevo primero</span>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.7} />}
            onClick={download}
            loading={isDownloading}
            disabled={!kardex.data?.total}
          >
            Exportar a Excel
          </Button>
        </div>
        {kardex.isError ? (
          <ErrorState error={kardex.error} onRetry={() => void kardex.refetch()} />
        ) : kardex.data?.total === 0 ? (
          <div className={styles.empty}>Aún no hay movimientos de este insumo en la bodega.</div>
        ) : (
          <Table
            label="Kardex"
            rows={kardex.data?.data ?? []}
            keyOf={(m) => m.id}
            faded={(m) => m.is_void}
            columns={tableColumns<KardexLine, keyof typeof MOVEMENT_FIELDS>(
              MOVEMENT_FIELDS,
              {
                at: {},
                type_name: { folds: true },
                document: { folds: true },
                quantity_in: { folds: true, cell: (m) => (m.quantity_in ? showQuantity(m.quantity_in) : null) },
                quantity_out: { folds: true, cell: (m) => (m.quantity_out ? showQuantity(m.quantity_out) : null) },
                balance: {},
                unit_cost: { folds: true, cell: (m) => <UnitCost value={m.unit_cost} /> },
                balance_value: { folds: true },
              },
              zone,
            )}
          />
        )}
        {pages > 1 && <Pagination total={pages} value={page} onChange={setPage} gap={6} />}
      </div>
    </FullscreenDialog>
  )
}

interface LimitsTyped {
  levels: [{ supply_id: number; minimum: number | null; maximum: number | null }]
}

function LimitsForm({ warehouse, line }: { warehouse: Warehouse; line: StockLine }) {
  const { supply_id, minimum, maximum } = line
  const form = useForm<LimitsTyped, unknown, StockLimits>({
    resolver: formResolver<LimitsTyped, StockLimits>(StockLimits),
    defaultValues: { levels: [{ supply_id, minimum, maximum }] },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(warehouses.setLimits, { params: { warehouse: warehouse.id }, body }),
    refresh: [warehousesKey],
    done: 'Mínimo y máximo actualizados ✅',
    failed: 'Error al guardar el mínimo y el máximo ❌',
    onDone: () => form.reset(form.getValues()),
  })
  return (
    <form className={styles.limits} onSubmit={submit} noValidate>
      <NumberField
        control={form.control}
        name="levels.0.minimum"
        label={STOCK_FIELDS.minimum.label}
        description="Con menos, se sugiere comprar"
        decimals={4}
      />
      <NumberField
        control={form.control}
        name="levels.0.maximum"
        label={STOCK_FIELDS.maximum.label}
        description="Hasta cuánto reponer"
        decimals={4}
      />
      <FormProblems />
      <Button type="submit" variant="default" disabled={!form.formState.isDirty} loading={isPending}>
        Guardar mínimo y máximo
      </Button>
    </form>
  )
}
