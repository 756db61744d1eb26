import { ActionIcon, Button, Menu, SegmentedControl, Tooltip } from '@mantine/core'
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconColumns3,
  IconDownload,
  type TablerIcon,
} from '@tabler/icons-react'
import { useState } from 'react'
import { keep, recall } from '../platform/storage.ts'
import { say } from '../ui/snackbar.tsx'
import type { ListFile } from './list-export.ts'
import styles from './list-screen.module.css'
import type { Column } from './list-table.tsx'

type Density = 'normal' | 'compact'

/** How the rows and columns of a list are shown, as this browser remembers it. */
export function useListLook<Row>(name: string, columns: Column<Row>[]) {
  const [density, setDensity] = useKept<Density>('list.density', 'normal')
  const [hidden, setHidden] = useKept<string[]>(
    `list.${name}.hidden`,
    columns.filter((column) => column.hidden).map((column) => column.key),
  )
  const shown = columns.filter((column) => column.fixed || !hidden.includes(column.key))
  return { density, setDensity, hidden, setHidden, shown }
}

interface ListToolsProps<Row> {
  look: ReturnType<typeof useListLook<Row>>
  columns: Column<Row>[]
  /** All that is filtered, as a file; undefined where there is nothing. */
  file: ListFile<Row> | undefined
}

/** Height of the rows, choice of columns, export. */
export function ListTools<Row>({ look, columns, file }: ListToolsProps<Row>) {
  const { density, setDensity, hidden, setHidden } = look
  return (
    <>
      <SegmentedControl<Density>
        className={styles.density}
        value={density}
        onChange={setDensity}
        aria-label="Alto de las filas"
        data={[
          { value: 'normal', label: <Labelled icon={IconBaselineDensityMedium} label="Filas cómodas" /> },
          { value: 'compact', label: <Labelled icon={IconBaselineDensitySmall} label="Filas compactas" /> },
        ]}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="Columnas">
            <ActionIcon variant="default" aria-label="Columnas">
              <IconColumns3 size={16} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Columnas</Menu.Label>
          {columns
            .filter((column) => !column.fixed)
            .map(({ key, label }) => (
              <Menu.CheckboxItem
                key={key}
                checked={!hidden.includes(key)}
                onChange={(on) => setHidden(on ? hidden.filter((other) => other !== key) : [...hidden, key])}
              >
                {label}
              </Menu.CheckboxItem>
            ))}
        </Menu.Dropdown>
      </Menu>
      <ExportButton file={file} />
    </>
  )
}

/** All that is filtered, as a file; with its name beside it where `wide`. */
export function ExportButton<Row>({ file, wide = false }: { file: ListFile<Row> | undefined; wide?: boolean }) {
  const [exporting, setExporting] = useState(false)
  const write = async () => {
    if (!file) return
    setExporting(true)
    try {
      const { writeList } = await import('./list-export.ts')
      await writeList(file)
    } catch (error) {
      say('⛔️ Error al descargar el archivo', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setExporting(false)
    }
  }
  const press = { loading: exporting, disabled: !file, onClick: () => void write() }
  if (wide)
    return (
      <Button variant="default" leftSection={<IconDownload size={16} stroke={1.7} />} {...press}>
        Exportar a Excel
      </Button>
    )
  return (
    <Tooltip label="Exportar a Excel">
      <ActionIcon variant="default" aria-label="Exportar a Excel" {...press}>
        <IconDownload size={16} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  )
}

function Labelled({ icon: Icon, label }: { icon: TablerIcon; label: string }) {
  return (
    <span className={styles.labelled} title={label}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <span className="only-read-aloud">{label}</span>
    </span>
  )
}

/** Remembered by this browser. */
function useKept<T>(name: `list.${string}`, initial: T) {
  const [value, setValue] = useState<T>(() => {
    try {
      const kept = recall(name)
      return kept === null ? initial : (JSON.parse(kept) as T)
    } catch {
      return initial
    }
  })
  const set = (next: T) => {
    keep(name, JSON.stringify(next))
    setValue(next)
  }
  return [value, set] as const
}
