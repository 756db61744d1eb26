import { IconPackageExport } from '@tabler/icons-react'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import type { FoundActions } from '../frames/domain.ts'
import { call } from '../platform/api.ts'
import { say } from '../ui/snackbar.tsx'

/** What is done with a supply as soon as it is found. */
const actions: FoundActions = {
  supply: ({ id, title }) => [
    {
      label: `Sacar ${title}`,
      icon: IconPackageExport,
      may: 'warehouses.write',
      run: async (_client, { go, workshop }) => {
        try {
          const { data } = await call(warehouses.supplyStock, { params: { id } })
          // From where there is most, in the workshop at hand before others.
          const [from] = data
            .filter(({ available }) => available > 0)
            .sort(
              (a, b) =>
                Number(b.workshop_id === workshop) - Number(a.workshop_id === workshop) || b.available - a.available,
            )
          if (!from) return say(`Ninguna bodega tiene ${title}`)
          const [code = title] = title.split(' · ')
          go(`/warehouse/${from.warehouse_id}?tab=sales&write=document&add=${encodeURIComponent(code)}`)
        } catch (error) {
          say('No se pudo buscar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
        }
      },
    },
  ],
}
export default actions
