import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { showDni } from '#contract/base/rut.ts'
import { SERVICE_FIELDS } from '#contract/providers/fields.ts'
import {
  NewService,
  type Provider,
  type ProviderState,
  providers,
  type Service,
} from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { DetailActions } from '../frames/detail-actions.tsx'
import { recoverStale } from '../frames/edit-form.tsx'
import { inForm } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useWorkshop } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { NumberField, SelectField, TextAreaField, TextField } from '../ui/field.tsx'
import { useSaid } from '../ui/snackbar.tsx'
import { AddDrawer } from '../workshops/add-drawer.tsx'
import { SERVICE_CATEGORIES } from './catalogues.ts'
import { ServiceActivity } from './provider-activity.tsx'
import { ALL } from './provider-form.tsx'
import { providerChoicesQuery, providersKey, serviceCategoriesQuery, serviceQuery } from './queries.ts'
import styles from './service-drawer.module.css'

const field = inForm(SERVICE_FIELDS)

interface ServiceDrawerProps {
  /** Fixed where the drawer is opened from its page; otherwise it is chosen here. */
  provider?: Pick<Provider, 'id' | 'name' | 'workshop_id'>
  /** The service being edited, as it is now; none while it is being created. */
  service?: Service
  onClose: () => void
  onMade?: (service: Service) => void
}

interface ServiceTyped {
  provider_id: number | null
  code: string
  name: string
  description: string
  unit_price: number | null
  category_id: number | null
  workshop_id: number
}

const BLANK = { code: '', name: '', description: '', unit_price: null, category_id: null }

const typedOf = (service: Service): ServiceTyped => ({
  provider_id: service.provider_id,
  code: service.code,
  name: service.name,
  description: service.description ?? '',
  unit_price: service.unit_price,
  category_id: service.category_id,
  workshop_id: service.workshop_id ?? ALL,
})

const ServiceForm = NewService.extend({ workshop_id: z.number().transform((id) => (id === ALL ? null : id)) })

/** Long: one form, field after field, with the two ways it is saved. */
export default function ServiceDrawer({ provider, service, onClose, onMade }: ServiceDrawerProps) {
  const client = useQueryClient()
  const workshop = useWorkshop()
  const [adding, setAdding] = useState<string>()
  /** As it was when the typing began: what others change meanwhile must not be overwritten unseen. */
  const [read, setRead] = useState(service)
  const form = useForm<ServiceTyped, unknown, NewService>({
    resolver: formResolver<ServiceTyped, NewService>(ServiceForm),
    defaultValues: service
      ? typedOf(service)
      : { ...BLANK, provider_id: provider?.id ?? null, workshop_id: workshop.id ?? ALL },
  })
  const { control, setValue } = form
  const fixed = provider !== undefined || service !== undefined
  const choices = useQuery({ ...providerChoicesQuery(workshop.id), enabled: !fixed }).data
  const [providerId, workshopId] = useWatch({ control, name: ['provider_id', 'workshop_id'] })
  const chosen = provider ?? choices?.find((choice) => choice.id === providerId)
  /** Where the provider serves all workshops, those who work in all of them say for which this service is. */
  const asksWorkshop = !service && workshop.mayChoose && chosen?.workshop_id === null
  const ofService = service ? service.workshop_id : (chosen?.workshop_id ?? (asksWorkshop ? workshopId : workshop.id))
  const categories = useQuery(serviceCategoriesQuery(ofService || undefined))
  useSaid(categories.isError, 'Error al cargar categorias ⛔️')

  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      service
        ? call(providers.updateService, {
            params: { id: service.id },
            body: { ...body, updated_at: read?.updated_at },
          })
        : call(providers.createService, { body, idempotencyKey }),
    refresh: [providersKey],
    done: service ? 'Servicio actualizado correctamente ✅' : 'Servicio creado correctamente ✅',
    failed: service ? 'Error al actualizar el servicio ❌' : 'Error al crear la servicio ❌',
    onDone: (saved) => {
      onMade?.(saved)
      onClose()
    },
    recover: async (failure) =>
      service !== undefined &&
      recoverStale(failure, {
        form,
        what: 'este servicio',
        reread: async () => {
          const now = await client.fetchQuery({ ...serviceQuery(service.id), staleTime: 0 })
          setRead(now)
          return typedOf(now)
        },
      }),
  })

  return (
    <>
      <Drawer
        opened
        onClose={onClose}
        title={service ? 'Editar servicio' : provider ? `Nuevo servicio de ${provider.name}` : 'Nuevo servicio'}
        dirty={form.formState.isDirty}
        onSubmit={submit}
        footer={(close) => (
          <>
            {service && <MoreActions service={service} onClose={onClose} />}
            <Button variant="subtle" onClick={close}>
              Cancelar
            </Button>
            <Button type="submit" loading={isPending} disabled={service !== undefined && !form.formState.isDirty}>
              {service ? 'Guardar cambios' : 'Crear servicio'}
            </Button>
          </>
        )}
      >
        {!fixed && (
          <SelectField
            control={control}
            {...field('provider_id')}
            required
            autoFocus
            choices={choices?.map(({ id, name, dni }) => ({
              value: id,
              label: dni ? `${name} · ${showDni(dni)}` : name,
            }))}
          />
        )}
        {asksWorkshop && (
          <SelectField
            control={control}
            {...field('workshop_id')}
            description="El proveedor atiende a todos; el precio puede ser solo de uno"
            choices={[
              { value: ALL, label: ALL_WORKSHOPS },
              ...workshop.list.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        <TextField control={control} {...field('code')} required mono maxLength={40} autoFocus={fixed && !service} />
        <TextField control={control} {...field('name')} required maxLength={120} />
        <TextAreaField control={control} {...field('description')} />
        <NumberField control={control} {...field('unit_price')} required prefix="$" decimals={4} />
        <SelectField
          control={control}
          {...field('category_id')}
          isLost={categories.isError}
          choices={categories.data?.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          placeholder="Sin categoría"
          addLabel="Nueva categoría"
          onAdd={setAdding}
        />
        {service && <ServiceActivity service={service} />}
      </Drawer>
      {adding !== undefined && (
        <AddDrawer
          to={SERVICE_CATEGORIES}
          looked={adding}
          onClose={() => setAdding(undefined)}
          onMade={(made) => {
            client.setQueryData(
              serviceCategoriesQuery(ofService || undefined).queryKey,
              (list) => list && [...list, made],
            )
            setAdding(undefined)
            setValue('category_id', made.id, { shouldDirty: true, shouldValidate: true })
          }}
        />
      )}
    </>
  )
}

const SAID: Record<ProviderState, string> = { active: 'Servicio activado', inactive: 'Servicio desactivado' }

const MoreActions = ({ service, onClose }: { service: Service; onClose: () => void }) => (
  <DetailActions
    row={service}
    queryKey={serviceQuery(service.id).queryKey}
    refresh={providersKey}
    state={{
      of: ({ state }) => state,
      put: (from, state) => call(providers.updateService, { params: { id: from.id }, body: { ...from, state } }),
      said: SAID,
      failed: 'Error al actualizar el servicio ❌',
    }}
    remove={{
      act: () => call(providers.deleteService, { params: { id: service.id } }),
      title: `¿Eliminar el servicio ${service.code}?`,
      message: 'No se puede deshacer. Un servicio que ya se usó se desactiva en vez de eliminarse.',
      done: 'Servicio eliminado correctamente ✅',
      failed: 'Error al eliminar el servicio ❌',
    }}
    onDone={onClose}
    position="top-start"
    className={styles.more}
  />
)
