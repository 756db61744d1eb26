import { ActionIcon, Button, Select, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBarcode, IconPencil, IconPlus, IconShoppingCart, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { BAD_QUANTITY, showMoney, showQuantity } from '#contract/base/money.ts'
import { showAmount, unitOf } from '#contract/base/units.ts'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { ALREADY_LISTED } from '#contract/warehouses/transactions.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import { lineAmount } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { inForm } from '../../frames/fields.tsx'
import { useMay } from '../../platform/session.ts'
import { SelectField } from '../../ui/field.tsx'
import { FigureInput } from '../../ui/figure-input.tsx'
import { useKey } from '../../ui/keys.ts'
import { say } from '../../ui/snackbar.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { UnitCost } from '../../ui/unit-cost.tsx'
import { suppliesOfferedQuery, warehouseChoicesQuery } from '../../warehouses/queries.ts'
import { useClosed } from '../../workshops/closed.ts'
import { catalogueSuppliesQuery } from '../choices.ts'
import { withChosen } from './fields.tsx'
import lines from './order.module.css'
import styles from './page.module.css'
import { PlannedPart } from './planned.tsx'
import { Card } from './section.tsx'
import { Shortage, useOrderStock } from './stock.tsx'
import type { OrderForm, SupplyTyped } from './typed.ts'

const field = inForm(WORK_ORDER_FIELDS)

interface SuppliesPartProps {
  form: OrderForm
  order?: WorkOrder
  readOnly: boolean
  /** Grows when somebody wants to ask for parts. */
  ask?: number
}

const COST_COLUMNS: TableColumn<SupplyTyped>[] = [
  { label: 'Costo unitario', align: 'end', folds: true, cell: (line) => <UnitCost value={line.cost} /> },
  { label: 'Total', align: 'end', cell: (line) => showMoney(lineAmount(line.count ?? 0, line.cost ?? 0)) },
]

interface SupplyNameProps {
  line: SupplyTyped
  left?: number
  /** Why it cannot be changed. */
  closed?: string
  problem?: string
  /** Where else there is some. */
  elsewhere?: string
}

const SupplyName = ({ line, left, closed, problem, elsewhere }: SupplyNameProps) => (
  <span className={lines.lineName}>
    <span className={styles.coded}>
      <span className={styles.lineCode}>{line.code}</span>
      <span>{line.name}</span>
    </span>
    {left !== undefined && <span className={lines.lineMore}>{`${showQuantity(left)} disponibles`}</span>}
    {closed && <span className={lines.lineMore}>{closed}</span>}
    {problem && (
      <span className={lines.lineError} role="alert">
        {problem}
      </span>
    )}
    {elsewhere && <span className={lines.lineMore}>{elsewhere}</span>}
  </span>
)

interface CountInputProps {
  line: SupplyTyped
  isWrong: boolean
  onCount: (count: number | null) => void
}

/** The amount; pressed, it is typed. A line that was just added is typed at once. */
const CountInput = ({ line: { id, name, count, unit }, isWrong, onCount }: CountInputProps) => {
  const said = unit && unitOf(count ?? 0, unit)
  const [typing, setTyping] = useState(false)
  if (id !== undefined && !typing && !isWrong)
    return (
      <button
        type="button"
        className={styles.amount}
        aria-label={`Cambiar cantidad de ${name}: ${showAmount(count ?? 0, unit)}`}
        onClick={() => setTyping(true)}
      >
        {showAmount(count ?? 0, unit)}
        <IconPencil size={13} stroke={1.7} aria-hidden />
      </button>
    )
  return (
    <FigureInput
      autoFocus={typing}
      aria-label={`Cantidad de ${name}`}
      className={lines.count}
      value={count}
      onFigure={onCount}
      error={isWrong}
      decimals={4}
      rightSection={said && <span className={lines.unit}>{said}</span>}
      rightSectionWidth={said ? 20 + said.length * 7 : undefined}
      rightSectionPointerEvents="none"
    />
  )
}

const RemoveButton = ({ name, onRemove }: { name: string; onRemove: () => void }) => (
  <Tooltip label="Quitar">
    <ActionIcon size={28} aria-label={`Quitar ${name}`} onClick={onRemove}>
      <IconTrash size={16} stroke={1.7} />
    </ActionIcon>
  </Tooltip>
)

interface SupplyRow extends SupplyTyped {
  index: number
  closed?: string
}

interface SupplyTableProps {
  rows: SupplyRow[]
  readOnly: boolean
  left: (line: SupplyRow) => number | undefined
  problem: (line: SupplyRow) => string | undefined
  elsewhere: (line: SupplyRow) => string | undefined
  onCount: (line: SupplyRow, count: number | null) => void
  onRemove: (line: SupplyRow) => void
}

function SupplyTable({ rows, readOnly, left, problem, elsewhere, onCount, onRemove }: SupplyTableProps) {
  const mayReadCosts = useMay('costs.read')
  const actions: TableColumn<SupplyRow> = {
    label: 'Acciones',
    align: 'end',
    cell: (line) => !line.closed && <RemoveButton name={line.name} onRemove={() => onRemove(line)} />,
  }
  return (
    <Table
      label="Insumos"
      rows={rows}
      keyOf={(line) => line.supply_id}
      bare
      columns={[
        {
          label: 'Insumo',
          grows: true,
          cell: (line) => (
            <SupplyName
              line={line}
              closed={line.closed}
              left={left(line)}
              problem={problem(line)}
              elsewhere={elsewhere(line)}
            />
          ),
        },
        {
          label: 'Cantidad',
          align: 'end',
          cell: (line) =>
            readOnly || line.closed ? (
              showAmount(line.count ?? 0, line.unit)
            ) : (
              <CountInput line={line} isWrong={problem(line) !== undefined} onCount={(count) => onCount(line, count)} />
            ),
        },
        ...(mayReadCosts ? COST_COLUMNS : []),
        ...(readOnly ? [] : [actions]),
      ]}
    />
  )
}

export function SuppliesPart({ form, order, readOnly, ask }: SuppliesPartProps) {
  const { control, setValue, clearErrors, formState } = form
  const taken = useWatch({ control, name: 'supplies' })
  const workshop = useWatch({ control, name: 'workshop_id' })
  const hasWarehouse = useWatch({ control, name: 'has_warehouse' })
  const warehouse = useWatch({ control, name: 'warehouse_id' })
  const picker = useRef<HTMLInputElement>(null)
  const [choosing, setChoosing] = useState(false)
  const choices = useQuery({
    ...warehouseChoicesQuery(workshop),
    enabled: workshop > 0 && hasWarehouse && !readOnly,
  }).data
  const { available, isShort, short, elsewhere, whereAll } = useOrderStock(form, order, readOnly)

  const setLines = (next: SupplyTyped[]) => {
    clearErrors('supplies')
    setValue('supplies', next, { shouldDirty: true })
  }
  const isListed = ({ supply_id }: SupplyTyped) => taken.some((line) => line.supply_id === supply_id)
  const add = (line: SupplyTyped) =>
    isListed(line) ? say(ALREADY_LISTED, { tone: 'danger' }) : setLines([...taken, line])
  const problem = (index: number, line: SupplyTyped) => {
    const said = formState.errors.supplies?.[index] as Record<string, { message?: string }> | undefined
    const message = said && Object.values(said).find((one) => one?.message)?.message
    if (message) return message
    if (line.count !== null && line.count <= 0) return BAD_QUANTITY
    return isShort(line) ? NO_STOCK : undefined
  }
  const closed = useClosed()
  /** Lines of a closed month are read. */
  const rows = taken.map((line, index) => ({
    ...line,
    index,
    closed: closed.at(order?.supplies.find(({ id }) => id === line.id)?.created_at),
  }))
  const mayAdd = !readOnly && workshop > 0 && (!hasWarehouse || warehouse !== null)
  useKey('i', mayAdd ? () => picker.current?.focus() : undefined)
  const from = choices?.find(({ id }) => id === warehouse)?.name ?? order?.warehouse_name
  const mayChoose = hasWarehouse && !readOnly && !taken.some(({ id }) => id !== undefined)
  const isChoosing = mayChoose && (choosing || warehouse === null || !order)
  return (
    <Card
      id="insumos"
      title="Insumos"
      count={taken.length > 0 && taken.length}
      about={
        hasWarehouse &&
        !isChoosing &&
        from && (
          <span className={styles.about}>
            {from}
            {mayChoose && (
              <Button size="xs" variant="subtle" onClick={() => setChoosing(true)}>
                Cambiar
              </Button>
            )}
          </span>
        )
      }
      action={
        mayAdd && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} stroke={1.9} />}
            onClick={() => picker.current?.focus()}
          >
            Insumo
          </Button>
        )
      }
    >
      {isChoosing && (
        <div className={styles.inCard}>
          <SelectField
            control={control}
            {...field('warehouse_id')}
            description="De donde salen los insumos al guardar"
            choices={withChosen(
              choices?.map(({ id, name }) => ({ value: id, label: name })),
              order?.warehouse_id,
              order?.warehouse_name,
            )}
          />
        </div>
      )}
      {rows.length === 0 ? (
        (readOnly || (hasWarehouse && warehouse === null)) && (
          <p className={styles.quiet}>{readOnly ? 'Sin insumos.' : 'Elija la bodega de donde saldrán los insumos.'}</p>
        )
      ) : (
        <SupplyTable
          rows={rows}
          readOnly={readOnly}
          left={(line) => (line.id === undefined ? available(line) : undefined)}
          problem={(line) => problem(line.index, line)}
          elsewhere={elsewhere}
          onCount={(line, count) => setLines(taken.with(line.index, { ...taken[line.index]!, count }))}
          onRemove={(line) => setLines(taken.toSpliced(line.index, 1))}
        />
      )}
      <Shortage form={form} order={order} short={short} from={from} other={mayChoose ? whereAll(choices) : undefined} />
      {mayAdd && (
        <SupplyPicker workshop={workshop} warehouse={hasWarehouse ? warehouse : null} input={picker} onPick={add} />
      )}
      {order ? (
        <PlannedPart order={order} ask={ask} />
      ) : (
        mayAdd && hasWarehouse && <PlanPart form={form} workshop={workshop} />
      )}
    </Card>
  )
}

/** Of an order that is being made: what it will need, kept or asked for when it is saved. */
function PlanPart({ form, workshop }: { form: OrderForm; workshop: number }) {
  const { control, setValue, clearErrors, formState } = form
  const planned = useWatch({ control, name: 'plan_supplies' })
  const [pressed, setPressed] = useState(false)
  const asking = pressed || planned.length > 0
  const setLines = (next: SupplyTyped[]) => {
    clearErrors('plan_supplies')
    setValue('plan_supplies', next, { shouldDirty: true })
  }
  const problem = (index: number) => {
    const said = formState.errors.plan_supplies?.[index] as Record<string, { message?: string }> | undefined
    return said && Object.values(said).find((one) => one?.message)?.message
  }
  const add = (line: SupplyTyped) =>
    planned.some(({ supply_id }) => supply_id === line.supply_id)
      ? say(ALREADY_LISTED, { tone: 'danger' })
      : setLines([...planned, line])
  if (!asking)
    return (
      <div className={lines.planned}>
        <header className={styles.cardHead}>
          <Button
            size="xs"
            variant="subtle"
            className={styles.cardAction}
            leftSection={<IconShoppingCart size={14} stroke={1.7} />}
            onClick={() => setPressed(true)}
          >
            Pedir o apartar
          </Button>
        </header>
      </div>
    )
  return (
    <div className={lines.planned}>
      <header className={styles.cardHead}>
        <h3>Pedidos y apartados</h3>
      </header>
      <p className={styles.quiet}>Queda apartado lo que haya y pedido lo que falte; sale de la bodega al entregarse.</p>
      {planned.length > 0 && (
        <Table
          label="Pedidos y apartados"
          rows={planned.map((line, index) => ({ ...line, index }))}
          keyOf={(line) => line.supply_id}
          bare
          columns={[
            {
              label: 'Insumo',
              grows: true,
              cell: (line) => <SupplyName line={line} problem={problem(line.index)} />,
            },
            {
              label: 'Cantidad',
              align: 'end',
              cell: (line) => (
                <CountInput
                  line={line}
                  isWrong={problem(line.index) !== undefined}
                  onCount={(count) => setLines(planned.with(line.index, { ...planned[line.index]!, count }))}
                />
              ),
            },
            {
              label: 'Acciones',
              align: 'end',
              cell: (line) => (
                <RemoveButton name={line.name} onRemove={() => setLines(planned.toSpliced(line.index, 1))} />
              ),
            },
          ]}
        />
      )}
      <SupplyPicker workshop={workshop} warehouse={null} label="Pedir o apartar insumo" onPick={add} />
    </div>
  )
}

interface Offered extends SupplyTyped {
  stock: number | null
}

/** Workshops may have the same supply, each its own. */
const isFirst = <Coded extends { code: string }>({ code }: Coded, index: number, all: Coded[]) =>
  all.findIndex((other) => other.code === code) === index

interface SupplyPickerProps {
  /** 0: of any. */
  workshop: number
  /** null: from the catalogue. */
  warehouse: number | null
  input?: RefObject<HTMLInputElement | null>
  label?: string
  onPick: (line: SupplyTyped) => void
}

/** By typing or by a scanner, which types a code and Enter. */
export function SupplyPicker({ workshop, warehouse, input, label = 'Agregar insumo', onPick }: SupplyPickerProps) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 180)
  const inStock = useQuery({
    ...suppliesOfferedQuery('stock', warehouse ?? 0, search),
    enabled: warehouse !== null,
  })
  const ofCatalogue = useQuery({ ...catalogueSuppliesQuery(workshop, search), enabled: warehouse === null })
  const fromStock = (supply: NonNullable<typeof inStock.data>[number]): Offered => ({
    supply_id: supply.id,
    code: supply.code,
    name: supply.name,
    unit: supply.unit,
    count: 1,
    cost: supply.average_cost,
    stock: supply.available,
  })
  const fromCatalogue = (supply: NonNullable<typeof ofCatalogue.data>[number]): Offered => ({
    supply_id: supply.id,
    code: supply.code,
    name: supply.name,
    unit: supply.measurement_unit_name,
    count: 1,
    cost: supply.cost,
    stock: null,
  })
  const offered =
    warehouse === null ? ofCatalogue.data?.filter(isFirst).map(fromCatalogue) : inStock.data?.map(fromStock)
  const busy = inStock.isFetching || ofCatalogue.isFetching

  const pick = ({ stock: _, ...line }: Offered) => {
    onPick(line)
    setText('')
  }
  const offeredFor = async (wanted: string): Promise<Offered[]> =>
    warehouse === null
      ? (await client.fetchQuery(catalogueSuppliesQuery(workshop, wanted))).map(fromCatalogue)
      : (await client.fetchQuery(suppliesOfferedQuery('stock', warehouse, wanted))).map(fromStock)
  const scan = async () => {
    const wanted = text.trim()
    try {
      const answer = await offeredFor(wanted)
      const exact = answer.find(({ code }) => code.toLowerCase() === wanted.toLowerCase())
      if (exact) pick(exact)
      else if (answer.length === 0) say('Ningún insumo disponible tiene ese código', { tone: 'danger' })
    } catch (error) {
      say('No se pudo buscar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }

  return (
    <Select<number>
      ref={input ?? null}
      aria-label={label}
      className={styles.line}
      placeholder={`${label}: código o nombre, o escanee`}
      data={offered?.map(({ supply_id, code, name }) => ({ value: supply_id, label: `${code} · ${name}` })) ?? []}
      value={null}
      onChange={(id) => {
        const chosen = offered?.find(({ supply_id }) => supply_id === id)
        if (chosen) pick(chosen)
      }}
      searchable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      selectFirstOptionOnChange
      nothingFoundMessage={busy ? 'Buscando…' : 'Nada coincide'}
      leftSection={<IconBarcode size={16} stroke={1.7} aria-hidden />}
      renderOption={({ option }) => {
        const supply = offered?.find(({ supply_id }) => String(supply_id) === String(option.value))
        return (
          <span className={lines.option}>
            <span className="mono">{supply?.code}</span>
            <span>{supply?.name}</span>
            <span className={lines.optionStock}>
              {supply?.stock == null
                ? supply && <UnitCost value={supply.cost} />
                : showAmount(supply.stock, supply.unit)}
            </span>
          </span>
        )
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        if (text.trim() && (search !== text.trim() || busy)) void scan()
      }}
    />
  )
}
