import { Button } from '@mantine/core'
import { IconTools } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { SERVICE_FIELDS } from '#contract/providers/fields.ts'
import { PROVIDER_STATES, type Provider, providers, type Service } from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { factsOf, listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { useMay, useWorkshop } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { Facts } from '../ui/detail-frame.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { lazy } from '../ui/lazy.ts'
import { ServiceActivity } from './provider-activity.tsx'
import styles from './provider-list.module.css'
import { providersKey, serviceCategoriesQuery, serviceQuery } from './queries.ts'

const ServiceDrawer = lazy(() => import('./service-drawer.tsx'))

const columns = listColumns<Service, keyof typeof SERVICE_FIELDS>(SERVICE_FIELDS, {
  code: {
    card: 'top',
    sort: true,
    width: 110,
    rank: 1,
    fixed: true,
    cell: ({ code }) => <span className="mono">{code}</span>,
  },
  name: {
    card: 'title',
    sort: true,
    width: 230,
    rank: 2,
    fixed: true,
    cell: ({ name }) => <span className={styles.whole}>{name}</span>,
  },
  category_id: { card: 'meta', sort: true, width: 170, rank: 5 },
  description: { width: 220, rank: 6, hidden: true },
  unit_price: { card: 'figure', sort: true, width: 130, rank: 3 },
  state: { card: 'state', sort: true, width: 110, rank: 4 },
})

const states = choicesOf(PROVIDER_STATES)
const filters: ListFilter[] = [
  {
    key: 'Category',
    label: 'Categoría',
    placeholder: 'Todas',
    useChoices: () =>
      useQuery(serviceCategoriesQuery()).data?.map(({ id, name }) => ({ value: String(id), label: name })),
  },
  { key: 'State', label: 'Estado', useChoices: () => states },
]

export function ServicesTab({ provider }: { provider: Provider }) {
  const mayWrite = useMay('providers.write')
  const { mayChoose } = useWorkshop()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [adding, setAdding] = useState(false)
  const asked = Number((useSearch({ strict: false }) as { service?: unknown }).service)
  const known = Number.isSafeInteger(asked) && asked > 0
  const opened = useQuery({ ...serviceQuery(asked), enabled: known }).data

  const show = (service: number | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, service }), replace: true })
  const close = () => {
    setAdding(false)
    if (known) show(undefined)
  }
  const service = known && opened?.id === asked && opened.provider_id === provider.id ? opened : undefined
  const mayChange = mayWrite && (service === undefined || service.workshop_id !== null || mayChoose)

  return (
    <>
      <ListScreen
        name="services"
        title="Servicios"
        noun={{ one: 'servicio', many: 'servicios', none: 'Ningún' }}
        icon={IconTools}
        about="Lo que este proveedor hace para el taller, con su costo, para elegirlo en las órdenes de trabajo."
        endpoint={providers.listServices}
        params={{ id: provider.id }}
        queryKey={providersKey}
        columns={columns}
        filters={filters}
        searchLabel="Código, nombre o categoría"
        open={(row) => {
          client.setQueryData(serviceQuery(row.id).queryKey, row)
          show(row.id)
        }}
        create={
          mayWrite && provider.state === 'active' ? { label: 'Nuevo servicio', act: () => setAdding(true) } : undefined
        }
        inside
      />
      {(adding || service) && (
        <Suspense fallback={null}>
          {mayChange ? (
            <ServiceDrawer key={service?.id} provider={provider} service={service} onClose={close} />
          ) : (
            service && <ServiceCard service={service} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
}

/** Shown to those who may read services and not change them. */
function ServiceCard({ service, onClose }: { service: Service; onClose: () => void }) {
  const workshops = useWorkshop().list
  return (
    <Drawer
      opened
      onClose={onClose}
      title={service.name}
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <Facts
        rows={factsOf(SERVICE_FIELDS, service, {
          code: <span className="mono">{service.code}</span>,
          name: undefined,
          workshop_id: workshops.find(({ id }) => id === service.workshop_id)?.name ?? ALL_WORKSHOPS,
          state: undefined,
        })}
      />
      <ServiceActivity service={service} />
    </Drawer>
  )
}
