import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { showNumber, showQuantity } from '#contract/base/money.ts'
import { COUNT_STATES, type Count, type CountLine } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { FigureInput } from '../ui/figure-input.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import styles from './document.module.css'
import { countQuery } from './queries.ts'
import { useAttempt } from './use-attempt.ts'

/** A figure is saved when its field is left, and also when nothing more is typed for this long, in milliseconds. */
const PAUSE = 800

type Counted = number | null

/** Saves each line as it is counted: one call at a time, each with all lines counted since the one before. */
function useLineSaves(count: Count) {
  const client = useQueryClient()
  /** Figures that the server does not have yet, by supply. */
  const [typed, setTyped] = useState<Record<number, Counted>>({})
  const unsaved = useRef(typed)
  const [isRefused, setRefused] = useState(false)
  const running = useRef<Promise<boolean>>(undefined)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const change = (next: Record<number, Counted>) => {
    unsaved.current = next
    setTyped(next)
  }

  const send = async (): Promise<boolean> => {
    setRefused(false)
    try {
      while (Object.keys(unsaved.current).length > 0) {
        const sent = unsaved.current
        const lines = Object.entries(sent).map(([id, counted]) => ({ supply_id: Number(id), counted }))
        const saved = await call(warehouses.saveCount, { params: { id: count.id }, body: { lines } })
        client.setQueryData(countQuery(count.id).queryKey, saved)
        // A figure that was typed over while the call was under way is still to be saved.
        change(Object.fromEntries(Object.entries(unsaved.current).filter(([id, counted]) => sent[+id] !== counted)))
      }
      return true
    } catch (error) {
      setRefused(true)
      say('Error al guardar el conteo ❌', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
      return false
    }
  }
  /** True once the server has every figure. */
  const save = async (): Promise<boolean> => {
    clearTimeout(pause.current)
    running.current ??= send().finally(() => {
      running.current = undefined
    })
    return running.current
  }
  const write = (supply: number, counted: Counted) => {
    change({ ...unsaved.current, [supply]: counted })
    clearTimeout(pause.current)
    pause.current = setTimeout(() => void save(), PAUSE)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the listener reads what is current from refs
  useEffect(() => {
    const again = () => void (Object.keys(unsaved.current).length > 0 && save())
    window.addEventListener('online', again)
    return () => {
      window.removeEventListener('online', again)
      again()
      clearTimeout(pause.current)
    }
  }, [])
  return { typed, write, save, isRefused }
}

/** The ways a count ends: turned into stock, or given up. */
function useCountEnds(count: Count, save: () => Promise<boolean>, onClose: () => void) {
  const client = useQueryClient()
  const { attempt, isPending } = useAttempt()
  const params = { id: count.id }
  const apply = async () => {
    if (!(await save())) return
    const saved = client.getQueryData(countQuery(count.id).queryKey) ?? count
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
  return { apply, discard, isPending }
}

const SEARCH = 'Buscar en la hoja'

/** Enter goes to the figure of the next line, and after the last one back to the search, ready for the next scan. */
function goOn(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'Enter') return
  event.preventDefault()
  const sheet = event.currentTarget.closest('[data-count-sheet]')
  const figures = [...(sheet?.querySelectorAll<HTMLInputElement>('table input') ?? [])]
  const at = figures.indexOf(event.target as HTMLInputElement)
  const next = figures[at + 1] ?? sheet?.querySelector<HTMLInputElement>(`input[aria-label="${SEARCH}"]`)
  next?.focus()
  next?.select()
}

const SCALE = 10_000

/** Against the stock that the line remembers; of what is typed, at once. */
function differenceOf(line: CountLine, typed: Record<number, Counted>): Counted {
  const counted = typed[line.supply_id]
  if (counted === undefined) return line.difference
  if (counted === null || line.expected === null) return null
  return Math.round((counted - line.expected) * SCALE) / SCALE
}

const columnsOf = (
  count: Count,
  isOpen: boolean,
  { typed, write, save }: ReturnType<typeof useLineSaves>,
): TableColumn<CountLine>[] => {
  const isBlind = count.blind && !COUNT_STATES[count.state].closed
  return [
    { label: 'Código', cell: (line) => <span className="mono">{line.code}</span> },
    { label: 'Insumo', grows: true, cell: (line) => line.name },
    { label: 'Unidad', folds: true, cell: (line) => line.unit },
    ...(isBlind
      ? []
      : [
          {
            label: 'Según stock',
            align: 'end' as const,
            folds: true,
            cell: (line: CountLine) => (line.expected === null ? null : showQuantity(line.expected)),
          },
        ]),
    {
      label: 'Contado',
      align: 'end',
      cell: (line) =>
        isOpen ? (
          <FigureInput
            aria-label={`Contado de ${line.name}`}
            value={line.supply_id in typed ? (typed[line.supply_id] ?? '') : (line.counted ?? '')}
            onFigure={(value) => {
              if (value !== (line.supply_id in typed ? typed[line.supply_id] : line.counted))
                write(line.supply_id, value)
            }}
            onBlur={() => void (line.supply_id in typed && save())}
            onKeyDown={goOn}
            enterKeyHint="next"
            decimals={4}
            hideControls
            w={110}
            ml="auto"
          />
        ) : line.counted === null ? null : (
          showQuantity(line.counted)
        ),
    },
    ...(isBlind
      ? []
      : [
          {
            label: 'Diferencia',
            align: 'end' as const,
            cell: (line: CountLine) => <Difference value={differenceOf(line, typed)} />,
          },
        ]),
  ]
}

const Difference = ({ value }: { value: Counted }) =>
  value === null ? null : (
    <span className={value === 0 ? undefined : styles.lineError}>
      {value > 0 ? '+' : ''}
      {showQuantity(value)}
    </span>
  )

interface SavedStateProps {
  saves: ReturnType<typeof useLineSaves>
}

/** Whether the server has what is on the sheet, so that nobody wonders before leaving it. */
function SavedState({ saves: { typed, isRefused, save } }: SavedStateProps) {
  const waiting = Object.keys(typed).length
  if (isRefused && waiting > 0)
    return (
      <span className={styles.hint} role="alert">
        <span className={styles.lineError}>
          {waiting === 1 ? '1 línea sin guardar' : `${waiting} líneas sin guardar`}
        </span>
        <Button variant="subtle" size="compact-sm" onClick={() => void save()}>
          Reintentar
        </Button>
      </span>
    )
  return (
    <span className={styles.hint} role="status">
      {waiting > 0 ? 'Guardando…' : 'Cada línea se guarda al contarla'}
    </span>
  )
}

interface CountSheetProps {
  count: Count
  warehouse: Warehouse
  onClose: () => void
}

export function CountSheet({ count, warehouse, onClose }: CountSheetProps) {
  const mayWrite = useMay('warehouses.write')
  const isOpen = !COUNT_STATES[count.state].closed && mayWrite
  const [search, setSearch] = useState('')
  const saves = useLineSaves(count)
  const isDirty = Object.keys(saves.typed).length > 0
  useLeaveGuard(isDirty)
  const { apply, discard, isPending } = useCountEnds(count, saves.save, onClose)
  const wanted = search.trim().toLowerCase()
  const lines = count.lines.filter(({ code, name }) => `${code} ${name}`.toLowerCase().includes(wanted))

  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      dirty={isDirty && saves.isRefused}
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
            <Button onClick={apply} loading={isPending}>
              Ajustar stock
            </Button>
          )}
        </>
      )}
    >
      <div className={styles.sheet} data-count-sheet>
        <div className={styles.linesHead}>
          <h2>Hoja de conteo</h2>
          <StatusPill tone={COUNT_STATES[count.state].tone}>{COUNT_STATES[count.state].label}</StatusPill>
          <span
            className={styles.hint}
          >{`${showNumber(count.counted_count)} de ${showNumber(count.lines_count)} contados`}</span>
          {isOpen && <SavedState saves={saves} />}
        </div>
        <TextInput
          aria-label={SEARCH}
          placeholder="Código o nombre, o escanee"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={goOn}
          leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
          maw={360}
        />
        <Table
          label="Hoja de conteo"
          rows={lines}
          keyOf={(line) => line.supply_id}
          columns={columnsOf(count, isOpen, saves)}
        />
      </div>
    </FullscreenDialog>
  )
}
