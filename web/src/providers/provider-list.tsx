import { Button } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { showDni } from '#contract/base/rut.ts'
import { PROVIDER_FIELDS } from '#contract/providers/fields.ts'
import { PROVIDER_STATES, type Provider, type ProviderEdit, providers } from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import type { BulkField } from '../frames/bulk-drawer.tsx'
import { BulkEdit } from '../frames/bulk-edit.tsx'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { ID_COLUMN } from '../frames/list-table.tsx'
import { Added } from '../frames/slots.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../frames/workshop-filter.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { lazy } from '../ui/lazy.ts'
import { MailLink, PhoneLink } from './contact.tsx'
import styles from './provider-list.module.css'
import { providersKey } from './queries.ts'
import { PROVIDER_LIST_ACTIONS } from './slots.ts'

const ServiceDrawer = lazy(() => import('./service-drawer.tsx'))

const columns = listColumns<Provider, keyof typeof PROVIDER_FIELDS>(PROVIDER_FIELDS, {
  name: {
    card: 'title',
    sort: true,
    width: 240,
    rank: 1,
    fixed: true,
    cell: ({ name }) => <span className={styles.whole}>{name}</span>,
  },
  dni: {
    card: 'top',
    sort: true,
    width: 120,
    rank: 2,
    cell: ({ dni }) => dni && <span className="figures">{showDni(dni)}</span>,
  },
  phone: { card: 'meta', sort: true, width: 150, rank: 4, cell: ({ phone }) => phone && <PhoneLink phone={phone} /> },
  email: { sort: true, width: 210, rank: 5, cell: ({ email }) => email && <MailLink email={email} /> },
  address: { sort: true, width: 220, rank: 8, hidden: true },
  services_count: {
    sort: true,
    width: 96,
    rank: 6,
    cell: ({ services_count }) => (services_count > 0 ? showNumber(services_count) : null),
  },
  workshop_id: {
    card: 'end',
    sort: true,
    width: 150,
    rank: 7,
    cell: ({ workshop_name }) => workshop_name ?? ALL_WORKSHOPS,
    file: ({ workshop_name }) => workshop_name ?? ALL_WORKSHOPS,
  },
  state: { card: 'state', sort: true, width: 110, rank: 3 },
})

const states = choicesOf(PROVIDER_STATES)
const stateFilter: ListFilter = { key: 'State', label: 'Estado', useChoices: () => states }
const NOUN = { one: 'proveedor', many: 'proveedores', none: 'Ningún' }
const nameOf = ({ name }: Provider) => name
const bulkFields: BulkField<Provider>[] = [
  { key: 'state', label: PROVIDER_FIELDS.state.label, useChoices: () => states },
]

export default function ProviderList() {
  const mayWrite = useMay('providers.write')
  const [addingService, setAddingService] = useState(false)
  const workshopFilter = useWorkshopFilter()
  return (
    <>
      <ListScreen
        name="providers"
        title="Proveedores"
        noun={NOUN}
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
        bulk={
          mayWrite
            ? {
                name: nameOf,
                actions: (chosen, clear) => (
                  <BulkEdit
                    rows={chosen}
                    noun={NOUN}
                    name={nameOf}
                    fields={bulkFields}
                    save={({ id }, change) =>
                      call(providers.updateProvider, { params: { id }, body: change as ProviderEdit })
                    }
                    refresh={providersKey}
                    onDone={clear}
                  />
                ),
              }
            : undefined
        }
        fileAlso={[ID_COLUMN]}
        actions={
          <>
            <Added slot={PROVIDER_LIST_ACTIONS} with={{}} />
            {mayWrite && (
              <Button variant="default" onClick={() => setAddingService(true)}>
                Nuevo servicio
              </Button>
            )}
          </>
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
