import { Button, Loader, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBarcode } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  BAD_QUANTITY,
  lineAmounts,
  showMoney,
  showQuantity,
  TAX_TYPES,
  TAXES,
  type TaxType,
} from '#contract/base/money.ts'
import { LINE_FIELDS } from '#contract/warehouses/fields.ts'
import { NO_STOCK, type WarehouseSupply } from '#contract/warehouses/stock.ts'
import { ALREADY_LISTED } from '#contract/warehouses/transactions.ts'
import { ApiFailure } from '../platform/api.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { FigureInput } from '../ui/figure-input.tsx'
import { say } from '../ui/snackbar.tsx'
import styles from './document.module.css'
import type { Line } from './lines.tsx'
import { type SupplyList, suppliesOfferedQuery, verifyStockQuery } from './queries.ts'

interface SupplyDrawerProps {
  warehouse: number
  /** Where to look: what leaves must be in stock. */
  list: SupplyList
  /** The line being edited; none while one is added. */
  line?: Line
  /** Supplies that the document already has. */
  listed: number[]
  /** The code of the supply to begin with. */
  begin?: string | undefined
  priced?: boolean
  /** What is already taken of the stock by other means must not be checked again. */
  onSave: (line: Line) => void
  onClose: () => void
}

/**
 * One supply for a document: found by typing or by a scanner, its amounts worked out while they are typed. Long: one form,
 * in which each answer changes what the next may be.
 */
export function SupplyDrawer(props: SupplyDrawerProps) {
  const { warehouse, list, line, listed, begin, priced = true, onSave, onClose } = props
  const leaves = list === 'stock'
  const [supply, setSupply] = useState<Pick<Line, 'supply_id' | 'code' | 'name' | 'unit'> | undefined>(line)
  const [stock, setStock] = useState<number>()
  const [quantity, setQuantity] = useState<number | ''>(line?.quantity ?? '')
  const [unitCost, setUnitCost] = useState<number | ''>(line?.unit_cost ?? '')
  const [tax, setTax] = useState<TaxType>(leaves ? 'exempt' : (line?.tax_type ?? '19'))
  const [touched, setTouched] = useState(false)
  const counted = useRef<HTMLInputElement>(null)

  const isListed = supply !== undefined && supply.supply_id !== line?.supply_id && listed.includes(supply.supply_id)
  const [settled] = useDebouncedValue(quantity, 250)
  const verified = useQuery({
    ...verifyStockQuery({ supply: supply?.supply_id ?? 0, warehouse, quantity: Number(settled) }),
    enabled: leaves && supply !== undefined && Number(settled) > 0,
  })
  const isShort = verified.error instanceof ApiFailure && verified.error.status === 422
  const isEnough = !leaves || (verified.isSuccess && settled === quantity)
  const isPositive = typeof quantity === 'number' && quantity > 0
  const isComplete = supply !== undefined && !isListed && isPositive && (unitCost !== '' || !priced) && isEnough
  const amounts =
    isPositive && unitCost !== '' ? lineAmounts({ quantity, unit_cost: Number(unitCost), tax_type: tax }) : undefined

  const choose = (chosen: WarehouseSupply | undefined) => {
    setTouched(true)
    setSupply(chosen && { supply_id: chosen.id, code: chosen.code, name: chosen.name, unit: chosen.unit })
    setStock(leaves ? chosen?.available : chosen?.stock)
    if (!chosen) return
    setUnitCost(leaves ? chosen.average_cost : chosen.cost)
    // How many is what one types next.
    counted.current?.focus()
  }

  const save = () => {
    if (!isComplete) return
    onSave({ ...supply, quantity, unit_cost: Number(unitCost || 0), tax_type: tax })
    say(line ? 'insumo actualizado correctamente' : 'Insumo agregado correctamente')
    onClose()
  }

  return (
    <Drawer
      opened
      onClose={onClose}
      title={line ? 'Editar insumo' : 'Agregar insumo'}
      dirty={touched}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        save()
      }}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" disabled={!isComplete}>
            Guardar
          </Button>
        </>
      )}
    >
      <SupplySelect
        warehouse={warehouse}
        list={list}
        chosen={supply}
        disabled={line !== undefined}
        begin={begin}
        error={isListed ? ALREADY_LISTED : undefined}
        onChoose={choose}
      />
      <TextInput label="Unidad de medida" value={supply?.unit ?? ''} readOnly disabled placeholder="—" />
      <FigureInput
        label={LINE_FIELDS.quantity.label}
        ref={counted}
        withAsterisk
        value={quantity}
        onFigure={(value) => {
          setTouched(true)
          setQuantity(value ?? '')
        }}
        error={quantity !== '' && !isPositive ? BAD_QUANTITY : isShort ? NO_STOCK : undefined}
        description={stock === undefined ? undefined : `${leaves ? 'Disponible' : 'En bodega'}: ${showQuantity(stock)}`}
        decimals={4}
        hideControls
        data-autofocus={begin ? true : undefined}
        rightSection={verified.isFetching ? <Loader size={14} /> : undefined}
      />
      {priced && (
        <>
          <FigureInput
            label={LINE_FIELDS.unit_cost.label}
            withAsterisk
            value={unitCost}
            onFigure={(value) => {
              setTouched(true)
              setUnitCost(value ?? '')
            }}
            description={leaves ? 'El promedio de la bodega, al que sale' : undefined}
            readOnly={leaves}
            disabled={leaves}
            prefix="$"
            decimals={4}
            hideControls
          />
          <Select
            label={LINE_FIELDS.tax_type.label}
            withAsterisk
            data={TAX_TYPES.toReversed()
              .sort()
              .map((value) => ({ value, label: TAXES[value].label }))}
            value={tax}
            description={leaves ? 'Lo que sale no se vende' : undefined}
            disabled={leaves}
            onChange={(value) => {
              setTouched(true)
              if (value) setTax(value as TaxType)
            }}
            allowDeselect={false}
          />
          <dl className={styles.totals} aria-live="polite">
            <dt>Costo neto</dt>
            <dd>{amounts ? showMoney(amounts.net_cost) : '—'}</dd>
            <dt className={styles.total}>Costo total</dt>
            <dd className={styles.total}>{amounts ? showMoney(amounts.total_cost) : '—'}</dd>
          </dl>
        </>
      )}
    </Drawer>
  )
}

interface SupplySelectProps {
  label?: string
  warehouse: number
  list: SupplyList
  chosen: Pick<Line, 'supply_id' | 'code' | 'name'> | undefined
  disabled: boolean
  begin?: string | undefined
  error: string | undefined
  onChoose: (supply: WarehouseSupply | undefined) => void
}

const named = ({ code, name }: { code: string; name: string }) => `${code} · ${name}`

/** One of the supplies that are offered, typed or scanned. */
export function SupplySelect(props: SupplySelectProps) {
  const { label = 'Insumo', warehouse, list, chosen, disabled, begin = '', error, onChoose } = props
  const client = useQueryClient()
  const [looked, setText] = useState(chosen ? '' : begin)
  const [search] = useDebouncedValue(looked, 200)
  const offered = useQuery({ ...suppliesOfferedQuery(list, warehouse, search), enabled: !disabled })
  const found = offered.data ?? []
  const options = found.map((supply) => ({ value: supply.id, label: named(supply) }))
  if (chosen && !options.some(({ value }) => value === chosen.supply_id))
    options.unshift({ value: chosen.supply_id, label: named(chosen) })

  /** A scanner types the code and Enter before the list has answered. */
  const scan = async () => {
    try {
      const answer = await client.fetchQuery(suppliesOfferedQuery(list, warehouse, looked.trim()))
      const exact = answer.find(({ code }) => code.toLowerCase() === looked.trim().toLowerCase())
      if (exact) onChoose(exact)
      else if (answer.length === 0) say('Ningún insumo tiene ese código', { tone: 'danger' })
    } catch (error) {
      say('No se pudo buscar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as if its code had been scanned
  useEffect(() => {
    if (begin) void scan()
  }, [])

  return (
    <Combobox<number>
      label={label}
      withAsterisk
      description={list === 'stock' ? 'Entre los que hay en la bodega' : undefined}
      placeholder="Código o nombre, o escanee"
      choices={options}
      value={chosen?.supply_id ?? null}
      onPick={(id) => onChoose(found.find((supply) => supply.id === id))}
      startText={chosen ? '' : begin}
      onText={setText}
      isFiltered
      nothingFoundMessage={offered.isFetching ? 'Buscando…' : 'Nada coincide'}
      disabled={disabled}
      error={error}
      data-autofocus={begin ? undefined : true}
      leftSection={<IconBarcode size={16} stroke={1.7} aria-hidden />}
      onScan={() => {
        const isAnswered = search === looked && !offered.isFetching
        if (!isAnswered) void scan()
        return !isAnswered
      }}
    />
  )
}
