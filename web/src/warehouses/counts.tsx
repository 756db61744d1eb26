import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showNumber } from '#contract/base/money.ts'
import { COUNT_STATES } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useRequestKey } from '../platform/submit.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import { CountSheet } from './count-sheet.tsx'
import styles from './document.module.css'
import { countQuery, countsQuery } from './queries.ts'
import { useAttempt } from './use-attempt.ts'

/** Physical counts: those of before, and a new one. */
export default function Counts({ warehouse, onClose }: { warehouse: Warehouse; onClose: () => void }) {
  const mayWrite = useMay('warehouses.write')
  const zone = useZone()
  const navigate = useNavigate()
  // In the address, so that the sheet is open again after a reload.
  const opened = Number((useSearch({ strict: false }) as { count?: unknown }).count) || undefined
  const setOpened = (count: number | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, count }), replace: true })
  const [blind, setBlind] = useState(false)
  const counts = useQuery(countsQuery(warehouse.id))
  const count = useQuery({ ...countQuery(opened ?? 0), enabled: opened !== undefined }).data
  const { attempt, isPending } = useAttempt()
  const request = useRequestKey()

  const start = async () => {
    const body = { warehouse_id: warehouse.id, blind }
    const made = await attempt(
      () => call(warehouses.createCount, { body, idempotencyKey: request.keyFor(body) }),
      'Error al iniciar el conteo ❌',
    )
    if (!made) return
    request.arrived(body)
    setOpened(made.id)
  }

  if (opened !== undefined && count?.id === opened)
    return <CountSheet key={count.id} count={count} warehouse={warehouse} onClose={() => setOpened(undefined)} />
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`Conteos físicos · ${warehouse.name}`}
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <div className={styles.sheet}>
        <div className={styles.linesHead}>
          <h2>Conteos</h2>
          <span className={styles.hint}>Se cuenta lo que hay y el stock se ajusta por la diferencia</span>
          {mayWrite && (
            <>
              <Checkbox
                label="A ciegas (sin ver el stock)"
                checked={blind}
                onChange={(event) => setBlind(event.currentTarget.checked)}
              />
              <Button onClick={start} loading={isPending}>
                Nuevo conteo
              </Button>
            </>
          )}
        </div>
        {counts.isError ? (
          <ErrorState error={counts.error} onRetry={() => void counts.refetch()} />
        ) : counts.data?.length === 0 ? (
          <div className={styles.empty}>Aún no se ha contado esta bodega.</div>
        ) : (
          <Table
            label="Conteos"
            rows={counts.data ?? []}
            keyOf={(each) => each.id}
            columns={[
              {
                label: 'Conteo',
                cell: (each) => (
                  <Button variant="subtle" size="compact-sm" onClick={() => setOpened(each.id)}>
                    {`Conteo ${each.id}`}
                  </Button>
                ),
              },
              { label: 'Iniciado', cell: (each) => showMoment(each.created_at, zone) },
              { label: 'Por', folds: true, cell: (each) => each.user_name },
              {
                label: 'Contados',
                align: 'end',
                folds: true,
                cell: (each) => `${showNumber(each.counted_count)} de ${showNumber(each.lines_count)}`,
              },
              {
                label: 'Estado',
                cell: (each) => (
                  <StatusPill tone={COUNT_STATES[each.state].tone}>{COUNT_STATES[each.state].label}</StatusPill>
                ),
              },
            ]}
          />
        )}
      </div>
    </FullscreenDialog>
  )
}
