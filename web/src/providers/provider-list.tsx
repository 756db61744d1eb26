import { Button } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { showDni } from '#contract/base/rut.ts'
import { PROVIDER_STATES, type Provider, providers } from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { useMay } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { MailLink, PhoneLink } from './contact.tsx'
import styles from './provider-list.module.css'
import { providersKey } from './queries.ts'

const ServiceDrawer = lazy(() => import('./service-drawer.tsx'))

const columns: Column<Provider>[] = [
  {
    key: 'name',
    label: 'Nombre',
    sort: true,
    width: 240,
    rank: 1,
    fixed: true,
    cell: (provider) => <span className={styles.whole}>{provider.name}</span>,
    file: (provider) => provider.name,
  },
  {
    key: 'dni',
    label: 'RUT',
    sort: true,
    width: 120,
    rank: 2,
    cell: (provider) => provider.dni && <span className="figures">{showDni(provider.dni)}</span>,
    file: (provider) => provider.dni && showDni(provider.dni),
  },
  {
    key: 'phone',
    label: 'Teléfono',
    sort: true,
    width: 150,
    rank: 4,
    cell: (provider) => provider.phone && <PhoneLink phone={provider.phone} />,
    file: (provider) => provider.phone,
  },
  {
    key: 'email',
    label: 'Correo',
    sort: true,
    width: 210,
    rank: 5,
    cell: (provider) => provider.email && <MailLink email={provider.email} />,
    file: (provider) => provider.email,
  },
  {
    key: 'address',
    label: 'Dirección',
    sort: true,
    width: 220,
    rank: 8,
    hidden: true,
    cell: (provider) => provider.address,
    file: (provider) => provider.address,
  },
  {
    key: 'services_count',
    label: 'Servicios',
    sort: true,
    align: 'end',
    width: 96,
    rank: 6,
    cell: (provider) => (provider.services_count > 0 ? showNumber(provider.services_count) : null),
    file: (provider) => provider.services_count,
  },
  {
    key: 'workshop_name',
    label: 'Taller',
    sort: true,
    width: 150,
    rank: 7,
    cell: (provider) => provider.workshop_name ?? ALL_WORKSHOPS,
    file: (provider) => provider.workshop_name ?? ALL_WORKSHOPS,
  },
  {
    key: 'state',
    label: 'Estado',
    sort: true,
    width: 110,
    rank: 3,
    cell: ({ state }) => <StatusPill tone={PROVIDER_STATES[state].tone}>{PROVIDER_STATES[state].label}</StatusPill>,
    file: ({ state }) => PROVIDER_STATES[state].label,
  },
]

const states = choicesOf(PROVIDER_STATES)
const stateFilter: ListFilter = { key: 'State', label: 'Estado', useChoices: () => states }
export default function ProviderList() {
  const mayWrite = useMay('providers.write')
  const [addingService, setAddingService] = useState(false)
  const workshopFilter = useWorkshopFilter()
  return (
    <>
      <ListScreen
        name="providers"
        title="Proveedores"
        noun={{ one: 'proveedor', many: 'proveedores', none: 'Ningún' }}
        icon={IconBuildingStore}
        about="Aquí van las empresas que venden repuestos o hacen trabajos para el taller, con sus servicios y precios."
        endpoint={providers.listProviders}
        queryKey={providersKey}
        scope={useWorkshopScope()}
        columns={columns}
        filters={[workshopFilter, stateFilter]}
        searchLabel="Nombre, RUT, teléfono o correo"
        pathOf={(provider) => `/provider/${provider.id}`}
        create={mayWrite ? { label: 'Nuevo proveedor', to: '/provider/create' } : undefined}
        actions={
          mayWrite && (
            <Button variant="default" onClick={() => setAddingService(true)}>
              Nuevo servicio
            </Button>
          )
        }
      />
      {addingService && (
        <Suspense fallback={null}>
          <ServiceDrawer onClose={() => setAddingService(false)} />
        </Suspense>
      )}
    </>
  )
}
