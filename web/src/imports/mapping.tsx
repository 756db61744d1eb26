import { Select } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { showNumber } from '#contract/base/money.ts'
import { IMPORT_KINDS, type ImportKind, MAX_ROWS, TOO_MANY_ROWS, understand } from '#contract/imports/imports.ts'
import { useWorkshop } from '../platform/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import styles from './import-drawer.module.css'
import type { ReadSheet } from './reader.worker.ts'

interface MappingProps {
  kind: ImportKind
  file: File
  read: ReadSheet
  matched: Record<string, string>
  /** Of every row, where no column says it. */
  workshop: number | undefined
  busy: boolean
  onMatch: (matched: Record<string, string>, workshop: number | undefined) => void
  onSheet: (sheet: string) => void
}

/** What a workshop is called among the headers, none of which begins so. */
const placeOf = (id: number) => `\n${id}`

/** A sheet may have hundreds of columns. */
const SAID = 12

/** Which column is which, and the first rows as they will be understood. */
export function Mapping({ kind, file, read, matched, workshop, busy, onMatch, onSheet }: MappingProps) {
  const { columns, noun } = IMPORT_KINDS[kind]
  const { list } = useWorkshop()
  const visible = read.sheets.filter(({ hidden, name }) => !hidden || name === read.sheet)
  const used = columns.filter(({ key }) => matched[key])
  const taken = new Set(Object.values(matched))
  const unused = read.headers.filter((header) => !taken.has(header)).slice(0, SAID)
  return (
    <>
      <div className={styles.fileLine}>
        <span className={styles.fileName}>{file.name}</span>
        <span className={styles.quiet}>{read.count === 1 ? '1 fila' : `${showNumber(read.count)} filas`}</span>
      </div>
      {visible.length > 1 && (
        <Select
          label="Hoja"
          data={visible.map(({ name }) => name)}
          value={read.sheet}
          allowDeselect={false}
          disabled={busy}
          onChange={(sheet) => sheet && sheet !== read.sheet && onSheet(sheet)}
        />
      )}
      {read.count === 0 && (
        <div className={styles.problem} role="alert">
          La hoja «{read.sheet}» no tiene datos.
        </div>
      )}
      {read.count > MAX_ROWS && (
        <div className={styles.problem} role="alert">
          {TOO_MANY_ROWS}
        </div>
      )}
      <div className={styles.columns}>
        {columns.map(({ key, label, required }) => {
          const choices = read.headers.map((header) => ({
            value: header,
            label: header,
            // Where there is no code of one's own, the plate serves as both.
            disabled: key !== 'code' && taken.has(header) && matched[key] !== header,
          }))
          const isPlace = key === 'location' && required
          const ofAll = isPlace && !matched.location && workshop ? placeOf(workshop) : null
          return (
            <Combobox<string>
              key={key}
              label={label}
              withAsterisk={required}
              aria-required={required || undefined}
              placeholder={required ? 'Elija la columna' : 'No viene en el archivo'}
              choices={
                isPlace
                  ? [
                      ...list.map(({ id, name }) => ({ value: placeOf(id), label: name, group: 'Todo el archivo' })),
                      ...choices.map((choice) => ({ ...choice, group: 'Según la columna' })),
                    ]
                  : choices
              }
              value={matched[key] ?? ofAll}
              error={required && !matched[key] && !ofAll ? 'Falta elegir la columna' : undefined}
              clearable
              onPick={(header) => {
                const { [key]: _, ...rest } = matched
                const place = isPlace ? list.find(({ id }) => placeOf(id) === header)?.id : workshop
                onMatch(header && !(isPlace && place) ? { ...rest, [key]: header } : rest, place)
              }}
            />
          )
        })}
      </div>
      {unused.length > 0 && <p className={styles.quiet}>No se importan, porque no hay dónde: {unused.join(', ')}.</p>}
      {used.length > 0 && read.sample.length > 0 && (
        <section>
          <h3 className={styles.heading}>Así se entienden los primeros {noun.many}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className={styles.scroll} tabIndex={0} aria-label="Primeras filas, se desplaza a los lados">
            <table className={styles.preview} aria-label="Primeras filas">
              <thead>
                <tr>
                  <th scope="col">Fila</th>
                  {used.map(({ key, label }) => (
                    <th key={key} scope="col">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {read.sample.map(({ row, cells }) => (
                  <tr key={row}>
                    <td className={styles.rowNumber}>{row}</td>
                    {used.map((column) => {
                      const understood = understand(column, cells[read.headers.indexOf(matched[column.key]!)])
                      return 'reason' in understood ? (
                        <td key={column.key} className={styles.wrong} title={understood.reason}>
                          <IconAlertTriangle size={13} stroke={1.9} aria-hidden /> {understood.reason}
                        </td>
                      ) : (
                        <td key={column.key}>{show(understood.value)}</td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </section>
      )}
    </>
  )
}

const decimals = new Intl.NumberFormat('es-CL', { maximumFractionDigits: 4, useGrouping: true })
const show = (value: unknown) =>
  typeof value === 'number' ? decimals.format(value) : ((value as string | null) ?? '—')
