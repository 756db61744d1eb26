import { Button } from '@mantine/core'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { ApiFailure } from '../platform/api.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { FigureInput } from '../ui/figure-input.tsx'
import { say } from '../ui/snackbar.tsx'
import styles from './bulk-drawer.module.css'
import type { FilterChoice } from './list-filters.tsx'

interface Field {
  /** As a row and its edit name it. */
  key: string
  label: string
  hint?: string
}
interface ChoiceField<Row> extends Field {
  /** A hook: asked once the drawer is open. */
  useChoices: (rows: Row[]) => FilterChoice[] | undefined
  /** What is chosen is the id of something. */
  id?: true
  /** What none of them is called, where there may be none. */
  none?: string
  figure?: undefined
}
interface FigureField extends Field {
  figure: true
}
export type BulkField<Row> = ChoiceField<Row> | FigureField

type Change = Record<string, unknown>

export interface BulkDrawerProps<Row extends { id: number }> {
  rows: Row[]
  noun: { one: string; many: string }
  name: (row: Row) => string
  fields: BulkField<Row>[]
  /** Changes what it is told of a row, and nothing else. */
  save: (row: Row, change: Change) => Promise<unknown>
  refresh: QueryKey
  /** Said of what was chosen and stays as it is. */
  note?: string | undefined
  onDone: () => void
  onClose: () => void
}

interface Refused<Row> {
  row: Row
  why: string
}

/** The sentence about a field says more than the one about all of them. */
const whyOf = (error: unknown) => {
  const [said] = error instanceof ApiFailure ? Object.values(error.errors).flat() : []
  return said ?? (error instanceof Error ? error.message : String(error))
}

/** One after the other: what one refuses does not keep the others from changing. */
async function changeEach<Row>(rows: Row[], change: (row: Row) => Promise<unknown>) {
  const done: Row[] = []
  const refused: Refused<Row>[] = []
  for (const row of rows)
    try {
      await change(row)
      done.push(row)
    } catch (error) {
      refused.push({ row, why: whyOf(error) })
    }
  return { done, refused }
}

const had = <Row,>(row: Row, key: string) => (row as Change)[key]

/** The same change for many: what is left empty stays as each of them has it. */
export default function BulkDrawer<Row extends { id: number }>(props: BulkDrawerProps<Row>) {
  const { rows, noun, name, fields, save, refresh, note, onDone, onClose } = props
  const client = useQueryClient()
  const [change, setChange] = useState<Change>({})
  const [refused, setRefused] = useState<Refused<Row>[]>()
  const [isPending, setPending] = useState(false)
  const counted = (some: unknown[]) => `${showNumber(some.length)} ${some.length === 1 ? noun.one : noun.many}`
  const left = refused?.map(({ row }) => row) ?? rows

  const undo = async (changed: Row[], keys: string[]) => {
    const back = await changeEach(changed, (row) =>
      save(row, Object.fromEntries(keys.map((key) => [key, had(row, key)]))),
    )
    void client.invalidateQueries({ queryKey: refresh })
    if (back.done.length > 0) say(`${counted(back.done)}: como antes`)
    if (back.refused.length > 0)
      say('No todo se pudo deshacer', {
        tone: 'danger',
        detail: back.refused.map(({ row, why }) => `${name(row)}: ${why}`).join(' '),
      })
  }
  const send = async () => {
    setPending(true)
    const keys = Object.keys(change)
    // What is already so is not written again.
    const differing = left.filter((row) => keys.some((key) => had(row, key) !== change[key]))
    const { done, refused } = await changeEach(differing, (row) => save(row, change))
    setPending(false)
    void client.invalidateQueries({ queryKey: refresh })
    if (done.length > 0) say(`Cambios guardados en ${counted(done)}`, { undo: () => void undo(done, keys) })
    if (refused.length > 0) return setRefused(refused)
    onClose()
    onDone()
  }

  return (
    <Drawer
      opened
      onClose={onClose}
      title={`Editar ${counted(rows)}`}
      dirty={Object.keys(change).length > 0 && !refused}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            {refused ? 'Cerrar' : 'Cancelar'}
          </Button>
          <Button type="submit" loading={isPending} disabled={Object.keys(change).length === 0}>
            Guardar
          </Button>
        </>
      )}
    >
      <p className={styles.about}>Lo que no se elige queda como está. {note}</p>
      {fields.map((field) => (
        <BulkInput
          key={field.key}
          field={field}
          rows={rows}
          value={change[field.key]}
          onChange={(value) => {
            const { [field.key]: _, ...others } = change
            setChange(value === undefined ? others : { ...others, [field.key]: value })
          }}
        />
      ))}
      {refused && (
        <div className={styles.refused} role="alert">
          <p>{`No se pudo cambiar ${counted(refused)}:`}</p>
          <ul>
            {refused.map(({ row, why }) => (
              <li key={row.id}>
                <b>{name(row)}</b> {why}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Drawer>
  )
}

interface BulkInputProps<Row, F = BulkField<Row>> {
  field: F
  rows: Row[]
  value: unknown
  /** undefined: it stays as it is. */
  onChange: (value: unknown) => void
}

const STAYS = 'Sin cambio'

function BulkInput<Row>({ field, ...props }: BulkInputProps<Row>) {
  return field.figure ? <Figure field={field} {...props} /> : <Choice field={field} {...props} />
}

const Figure = <Row,>({ field, value, onChange }: BulkInputProps<Row, FigureField>) => (
  <FigureInput
    label={field.label}
    description={field.hint}
    placeholder={STAYS}
    value={typeof value === 'number' ? value : null}
    onFigure={(figure) => onChange(figure ?? undefined)}
    min={0}
    decimals={4}
    hideControls
  />
)

const NONE = 'none'

function Choice<Row>({ field, rows, value, onChange }: BulkInputProps<Row, ChoiceField<Row>>) {
  const { label, hint, none, id } = field
  const choices = field.useChoices(rows)
  return (
    <Combobox<string>
      label={label}
      description={hint}
      placeholder={choices ? STAYS : 'Cargando…'}
      choices={choices && [...(none ? [{ value: NONE, label: none }] : []), ...choices]}
      value={value === undefined ? null : value === null ? NONE : String(value)}
      onPick={(chosen) => onChange(chosen === null ? undefined : chosen === NONE ? null : id ? Number(chosen) : chosen)}
      clearable
    />
  )
}
