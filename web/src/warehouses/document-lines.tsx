import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import styles from './document.module.css'
import { type Line, type LineErrors, LinesTable } from './lines.tsx'
import type { SupplyList } from './queries.ts'
import { SupplyDrawer } from './supply-drawer.tsx'

interface DocumentLinesProps {
  hint: string
  empty: ReactNode
  warehouse: number
  /** Which supplies can be added. */
  list: SupplyList
  priced?: boolean
  lines: Line[]
  /** The code of a supply to begin with. */
  begin?: string | undefined
  onChange: (lines: Line[]) => void
  /** What is wrong with all of them, or with some. */
  errors: object | undefined
}

/** The supplies of a document while it is written, and the drawer that adds or changes one. */
export function DocumentLines(given: DocumentLinesProps) {
  const { hint, empty, warehouse, list, priced = true, lines, ...props } = given
  const [begin, setBegin] = useState(props.begin)
  const [editing, setEditing] = useState<number | 'new' | undefined>(begin ? 'new' : undefined)
  const errors = props.errors as (LineErrors & { message?: string; root?: { message?: string } }) | undefined
  const problem = errors?.message ?? errors?.root?.message
  return (
    <>
      <div className={styles.linesHead}>
        <h2>Insumos</h2>
        <span className={styles.hint}>{hint}</span>
        <Button variant="default" leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setEditing('new')}>
          Agregar insumo
        </Button>
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <LinesTable
        lines={lines}
        errors={errors}
        priced={priced}
        onEdit={setEditing}
        onRemove={(index) => props.onChange(lines.filter((_, i) => i !== index))}
        empty={empty}
      />
      {editing !== undefined && (
        <SupplyDrawer
          warehouse={warehouse}
          list={list}
          priced={priced}
          line={editing === 'new' ? undefined : lines[editing]}
          listed={lines.map((line) => line.supply_id)}
          begin={begin}
          onClose={() => {
            setBegin(undefined)
            setEditing(undefined)
          }}
          onSave={(line) =>
            props.onChange(editing === 'new' ? [...lines, line] : lines.map((old, i) => (i === editing ? line : old)))
          }
        />
      )}
    </>
  )
}
