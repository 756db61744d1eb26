import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import styles from './list-screen.module.css'

/** The rows that were chosen, on this page and on others. */
export function useChosen<Row extends { id: number }>() {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Row>>(new Map())
  return {
    ids: new Set(chosen.keys()),
    rows: [...chosen.values()],
    choose: (rows: Row[], on: boolean) => {
      const next = new Map(chosen)
      for (const row of rows) {
        if (on) next.set(row.id, row)
        else next.delete(row.id)
      }
      setChosen(next)
    },
    clear: () => setChosen(new Map()),
  }
}

interface ListBulkProps {
  count: number
  noun: { one: string; many: string }
  onClear: () => void
  children: ReactNode
}

/** What can be done with all that is chosen. */
export function ListBulk({ count, noun, onClear, children }: ListBulkProps) {
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Con lo elegido">
      <span className={styles.bulkCount}>
        {showNumber(count)} {count === 1 ? noun.one : noun.many}
      </span>
      {children}
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconX size={14} stroke={1.9} />}
        aria-label="Quitar selección"
        onClick={onClear}
      >
        Quitar<span className={styles.bulkWord}>&nbsp;selección</span>
      </Button>
    </div>
  )
}
