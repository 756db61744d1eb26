import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showNumber, showQuantity } from '#contract/base/money.ts'
import { COUNT_STATES, type Count } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useRequestKey } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { FigureInput } from '../ui/figure-input.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import styles from './document.module.css'
import { countQuery, countsQuery, warehousesKey } from './queries.ts'

/** Runs a call, and says what went wrong. */
function useAttempt() {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const attempt = async <T,>(act: () => Promise<T>, failed: string): Promise<T | undefined> => {
    setPending(true)
    try {
      return await act()
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
      return undefined
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: warehousesKey })
    }
  }
  return { attempt, isPending }
}

/** Physical counts: those of before, and a new one. */
export default function Counts({ warehouse, onClose }: { warehouse: Warehouse; onClose: () => void }) {
  const mayWrite = useMay('warehouses.write')
  const zone = useZone()
  const [opened, setOpened] = useState<number>()
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

/** What is done with what was typed: kept, turned into stock, or given up. */
function useCountActions(count: Count, onClose: () => void) {
  const [typed, setTyped] = useState<Record<number, number | ''>>({})
  const client = useQueryClient()
  const { attempt, isPending } = useAttempt()
  const params = { id: count.id }
  const changes = Object.entries(typed).map(([id, counted]) => ({
    supply_id: Number(id),
    counted: counted === '' ? null : counted,
  }))

  const save = () =>
    changes.length === 0
      ? Promise.resolve(count)
      : attempt(async () => {
          const saved = await call(warehouses.saveCount, { params, body: { lines: changes } })
          client.setQueryData(countQuery(count.id).queryKey, saved)
          // What was typed while it was on its way is still to be saved.
          setTyped((now) => Object.fromEntries(Object.entries(now).filter(([id, counted]) => typed[+id] !== counted)))
          return saved
        }, 'Error al guardar el conteo ❌')

  const keep = async () => {
    if (await save()) say('Conteo guardado ✅')
  }
  const apply = async () => {
    const saved = await save()
    if (!saved) return
    const sure = await confirm({
      title: '¿Ajustar el stock?',
      message: `Se contaron ${showNumber(saved.counted_count)} de ${showNumber(saved.lines_count)} insumos. El stock cambia por las diferencias; lo no contado queda igual.`,
      accept: 'Ajustar stock',
    })
    if (!sure) return
    const applied = await attempt(() => call(warehouses.applyCount, { params }), 'Error al ajustar el stock ❌')
    if (applied) say('Stock ajustado correctamente ✅')
  }
  const discard = async () => {
    const sure = await confirm({
      title: '¿Descartar el conteo?',
      message: 'El stock no cambia.',
      accept: 'Descartar',
      danger: true,
    })
    if (!sure) return
    const discarded = await attempt(async () => {
      await call(warehouses.discardCount, { params })
      return true
    }, 'Error al descartar el conteo ❌')
    if (discarded) onClose()
  }
  return { typed, setTyped, isDirty: changes.length > 0, keep, apply, discard, isPending }
}

function CountSheet({ count, warehouse, onClose }: { count: Count; warehouse: Warehouse; onClose: () => void }) {
  const mayWrite = useMay('warehouses.write')
  const isOpen = !COUNT_STATES[count.state].closed && mayWrite
  const [search, setSearch] = useState('')
  const { typed, setTyped, isDirty, keep, apply, discard, isPending } = useCountActions(count, onClose)
  const wanted = search.trim().toLowerCase()
  const lines = count.lines.filter(({ code, name }) => `${code} ${name}`.toLowerCase().includes(wanted))

  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      dirty={isDirty}
      title={`Conteo ${count.id} · ${warehouse.name}`}
      footer={(close) => (
        <>
          {isOpen && (
            <span className={styles.spread}>
              <Button variant="subtle" onClick={discard} disabled={isPending}>
                Descartar conteo
              </Button>
            </span>
          )}
          <Button variant="subtle" onClick={close}>
            Volver
          </Button>
          {isOpen && (
            <>
              <Button variant="default" onClick={keep} disabled={!isDirty} loading={isPending}>
                Guardar
              </Button>
              <Button onClick={apply} loading={isPending}>
                Ajustar stock
              </Button>
            </>
          )}
        </>
      )}
    >
      <div className={styles.sheet}>
        <div className={styles.linesHead}>
          <h2>Hoja de conteo</h2>
          <StatusPill tone={COUNT_STATES[count.state].tone}>{COUNT_STATES[count.state].label}</StatusPill>
          <span
            className={styles.hint}
          >{`${showNumber(count.counted_count)} de ${showNumber(count.lines_count)} contados`}</span>
        </div>
        <TextInput
          aria-label="Buscar en la hoja"
          placeholder="Código o nombre, o escanee"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
          maw={360}
        />
        <Table
          label="Hoja de conteo"
          rows={lines}
          keyOf={(line) => line.supply_id}
          columns={[
            { label: 'Código', cell: (line) => <span className="mono">{line.code}</span> },
            { label: 'Insumo', grows: true, cell: (line) => line.name },
            { label: 'Unidad', folds: true, cell: (line) => line.unit },
            ...(count.blind && !COUNT_STATES[count.state].closed
              ? []
              : [
                  {
                    label: 'Según stock',
                    align: 'end' as const,
                    folds: true,
                    cell: (line: Count['lines'][number]) =>
                      line.expected === null ? null : showQuantity(line.expected),
                  },
                ]),
            {
              label: 'Contado',
              align: 'end',
              cell: (line) =>
                isOpen ? (
                  <FigureInput
                    aria-label={`Contado de ${line.name}`}
                    value={typed[line.supply_id] ?? line.counted ?? ''}
                    onFigure={(value) => setTyped((now) => ({ ...now, [line.supply_id]: value ?? '' }))}
                    decimals={4}
                    hideControls
                    w={110}
                    ml="auto"
                  />
                ) : line.counted === null ? null : (
                  showQuantity(line.counted)
                ),
            },
            ...(count.blind && !COUNT_STATES[count.state].closed
              ? []
              : [
                  {
                    label: 'Diferencia',
                    align: 'end' as const,
                    cell: (line: Count['lines'][number]) =>
                      line.difference === null ? null : (
                        <span className={line.difference === 0 ? undefined : styles.lineError}>
                          {line.difference > 0 ? '+' : ''}
                          {showQuantity(line.difference)}
                        </span>
                      ),
                  },
                ]),
          ]}
        />
      </div>
    </FullscreenDialog>
  )
}
