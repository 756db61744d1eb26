import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { ImportKind } from '#contract/imports/imports.ts'
import { recall } from '../platform/storage.ts'
import { lazy } from '../ui/lazy.ts'

const ImportDrawer = lazy(() => import('./import-drawer.tsx'))

/** Opens by itself where an import of this kind was under way when the page was left. */
function ImportButton({ kind, label = 'Importar' }: { kind: ImportKind; label?: string }) {
  const [opened, setOpened] = useState(() => recall('import') === kind)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileImport size={16} stroke={1.7} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <ImportDrawer kind={kind} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}

export const ImportTrucks = () => <ImportButton kind="trucks" />
export const ImportSupplies = () => <ImportButton kind="supplies" />
export const ImportProviders = () => <ImportButton kind="providers" />
export const ImportLimits = () => <ImportButton kind="limits" label="Importar límites" />
