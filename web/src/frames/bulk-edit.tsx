import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazy } from '../ui/lazy.ts'
import type { BulkDrawerProps, default as Drawer } from './bulk-drawer.tsx'

// What is lazy forgets that it takes any row.
const BulkDrawer = lazy(() => import('./bulk-drawer.tsx')) as unknown as typeof Drawer

/** The button that changes the same of all that is chosen. */
export function BulkEdit<Row extends { id: number }>(props: Omit<BulkDrawerProps<Row>, 'onClose'>) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPencil size={14} stroke={1.7} />}
        disabled={props.rows.length === 0}
        onClick={() => setOpened(true)}
      >
        Editar
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <BulkDrawer {...props} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The one workshop of all of them: what it has to choose from is offered. */
export const workshopOf = (rows: { workshop_id: number }[]) => {
  const [first] = rows
  return rows.every(({ workshop_id }) => workshop_id === first?.workshop_id) ? first?.workshop_id : undefined
}
