import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import { type Field, fileField, fileFormat, isNumber, readAt, shortLabel, showField } from '#contract/base/fields.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import type { Tone } from '../ui/tokens.ts'
import type { Column } from './list-table.tsx'

/* What the contract tells of a field, in forms, lists and facts. */

type Fields<Key extends string> = Record<Key, Field>

/** `const field = inForm(FIELDS)`, then `{...field('code')}`: the name and the label of an input. */
export const inForm =
  <Key extends string>(fields: Fields<Key>) =>
  <Name extends Key>(name: Name) => ({ name, label: fields[name].label })

function Shown({ field, value, zone }: { field: Field; value: unknown; zone: string }) {
  const text = showField(field, value, zone)
  const tone = field.words?.[String(value)]?.tone as Tone | undefined
  if (tone) return <StatusPill tone={tone}>{text ?? ''}</StatusPill>
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
      cell: (row: Row) => <Shown field={field} value={value(row)} zone={zone} />,
      file: (row: Row) => fileField(field, value(row), zone),
      fileFormat: fileFormat(field),
      ...look,
    }
  })

/** What a form would change, for those who may only read it. A cell that is undefined leaves its field out. */
export const factsOf = <Row extends object, Key extends string>(
  fields: Fields<Key>,
  row: Row,
  cells: Partial<Record<Key, React.ReactNode>> = {},
  zone = DEFAULT_ZONE,
): [label: string, value: React.ReactNode][] =>
  (Object.keys(fields) as Key[])
    .filter((name) => !fields[name].fixed && !(name in cells && cells[name] === undefined))
    .map((name) => [
      fields[name].label,
      name in cells
        ? cells[name]
        : showField(fields[name], (row as Record<string, unknown>)[readAt(fields, name)], zone),
    ])
