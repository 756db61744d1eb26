import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import { type Field, fileField, fileFormat, isNumber, readAt, shortLabel, showField } from '#contract/base/fields.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import type { TableColumn } from '../ui/table.tsx'
import type { Tone } from '../ui/tokens.ts'
import type { Column } from './list-table.tsx'

/* What the contract tells of a field, in forms, lists and facts. */

type Fields<Key extends string> = Record<Key, Field>

/** `const field = inForm(FIELDS)`, then `{...field('code')}`: the name and the label of an input. */
export const inForm =
  <Key extends string>(fields: Fields<Key>) =>
  <Name extends Key>(name: Name) => ({ name, label: fields[name].label })

/** The same for fields that stand within another one: `transaction.document`. */
export const inFormWithin =
  <Key extends string, Part extends string>(fields: Fields<Key>, part: Part) =>
  <Name extends Key>(name: Name) => ({ name: `${part}.${name}` as const, label: fields[name].label })

/** Null for what is not there: a cell then says so in its own way. */
function shown(field: Field, value: unknown, zone: string) {
  const text = showField(field, value, zone)
  const tone = field.words?.[String(value)]?.tone as Tone | undefined
  if (tone && text !== null) return <StatusPill tone={tone}>{text}</StatusPill>
  return isNumber(field) && text !== null ? <span className="figures">{text}</span> : text
}

type Look<Row> = Omit<Column<Row>, 'key' | 'label' | 'cell' | 'file' | 'fileFormat'> &
  Partial<Pick<Column<Row>, 'cell' | 'file'>>

/** The columns that a list names, in its order: what is told of each field, and how it looks here. */
export const listColumns = <Row extends object, Key extends string>(
  fields: Fields<Key>,
  looks: Partial<Record<Key, Look<Row>>>,
  zone = DEFAULT_ZONE,
): Column<Row>[] =>
  (Object.keys(looks) as Key[]).flatMap((name) => {
    const [field, look, key] = [fields[name], looks[name], readAt(fields, name)]
    if (!look) return []
    const value = (row: Row) => (row as Record<string, unknown>)[key]
    return {
      key,
      label: shortLabel(field),
      ...(isNumber(field) && { align: 'end' as const }),
      cell: (row: Row) => shown(field, value(row), zone),
      file: (row: Row) => fileField(field, value(row), zone),
      fileFormat: fileFormat(field),
      ...look,
    }
  })

/** The columns that a table inside a page names, in its order. */
export const tableColumns = <Row extends object, Key extends string>(
  fields: Fields<Key>,
  looks: Partial<Record<Key, Partial<TableColumn<Row>>>>,
  zone = DEFAULT_ZONE,
): TableColumn<Row>[] =>
  (Object.keys(looks) as Key[]).map((name) => {
    const [field, key] = [fields[name], readAt(fields, name)]
    return {
      label: shortLabel(field),
      ...(isNumber(field) && { align: 'end' as const }),
      cell: (row: Row) => shown(field, (row as Record<string, unknown>)[key], zone),
      ...looks[name],
    }
  })

/** What a form would change, for those who may only read it, and what else has a cell; undefined leaves a field out. */
export const factsOf = <Row extends object, Key extends string>(
  fields: Fields<Key>,
  row: Row,
  cells: Partial<Record<Key, React.ReactNode>> = {},
  zone = DEFAULT_ZONE,
): [label: string, value: React.ReactNode][] =>
  (Object.keys(fields) as Key[])
    .filter((name) => (name in cells ? cells[name] !== undefined : !fields[name].fixed))
    .map((name) => [
      fields[name].label,
      name in cells
        ? cells[name]
        : showField(fields[name], (row as Record<string, unknown>)[readAt(fields, name)], zone),
    ])
