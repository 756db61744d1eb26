import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { showMoment } from '#contract/dates.ts'
import { showNumber } from '#contract/money.ts'
import { type Provider, type ProviderEdit, providers } from '#contract/providers.ts'
import { showDni } from '#contract/rut.ts'
import { ALL_WORKSHOPS } from '#contract/workshops.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { Facts, Section } from '../ui/detail-frame.tsx'
import form from '../ui/form-page.module.css'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { MailLink, PhoneLink } from './contact.tsx'
import styles from './provider-detail.module.css'
import { ALL, ProviderEditForm, ProviderFields, type ProviderTyped } from './provider-form.tsx'
import { providerQuery, providersKey } from './queries.ts'

export function GeneralTab({ provider, mayChange }: { provider: Provider; mayChange: boolean }) {
  return (
    <div className={styles.columns}>
      {mayChange ? <EditForm provider={provider} /> : <ReadOnly provider={provider} />}
      <Aside provider={provider} />
    </div>
  )
}

const typedOf = (provider: Provider): ProviderTyped => ({
  name: provider.name,
  dni: provider.dni === null ? '' : showDni(provider.dni),
  phone: provider.phone ?? '',
  email: provider.email ?? '',
  address: provider.address ?? '',
  workshop_id: provider.workshop_id ?? ALL,
  updated_at: provider.updated_at,
})

function EditForm({ provider }: { provider: Provider }) {
  const client = useQueryClient()
  const edit = useForm<ProviderTyped, unknown, ProviderEdit>({
    resolver: zodResolver(ProviderEditForm) as unknown as Resolver<ProviderTyped, unknown, ProviderEdit>,
    defaultValues: typedOf(provider),
  })
  const { isDirty } = edit.formState
  useLeaveGuard(isDirty, `/provider/${provider.id}`)

  // While nobody types, the form follows what others change; once somebody does, it waits for them to decide.
  useEffect(() => {
    if (!isDirty) edit.reset(typedOf(provider))
  }, [provider, isDirty, edit])

  const { submit, isPending } = useSubmit({
    form: edit,
    save: (body) => call(providers.updateProvider, { params: { id: provider.id }, body }),
    refresh: [providersKey],
    done: 'Proveedor actualizado correctamente ✅',
    failed: 'Error al actualizar el proveedor ❌',
    onDone: (after) => {
      client.setQueryData(providerQuery(provider.id).queryKey, after)
      edit.reset(typedOf(after))
    },
    recover: async (failure) => {
      if (failure.status !== 409) return false
      const reload = await confirm({
        title: 'Otra persona cambió este proveedor',
        message: 'Se cargarán sus cambios y se conservará lo que usted escribió, para que lo revise y guarde de nuevo.',
        accept: 'Recargar',
        cancel: 'Ahora no',
      })
      if (reload) {
        const typed = edit.getValues()
        const read = edit.formState.defaultValues ?? {}
        const now = await client.fetchQuery({ ...providerQuery(provider.id), staleTime: 0 })
        edit.reset(typedOf(now))
        for (const field of Object.keys(typed) as (keyof ProviderTyped)[])
          if (typed[field] !== read[field]) edit.setValue(field, typed[field], { shouldDirty: true })
      }
      return true
    },
  })

  return (
    <form className={form.card} onSubmit={submit} noValidate>
      <ProviderFields form={edit} providerId={provider.id} />
      <div className={form.buttons}>
        {isDirty && <span className={form.changed}>Hay cambios sin guardar</span>}
        <Button variant="subtle" disabled={!isDirty || isPending} onClick={() => edit.reset(typedOf(provider))}>
          Descartar
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isPending}>
          Guardar cambios
        </Button>
      </div>
    </form>
  )
}

function ReadOnly({ provider }: { provider: Provider }) {
  return (
    <Section title="Datos del proveedor">
      <Facts
        rows={[
          ['Nombre o razón social', provider.name],
          ['RUT', provider.dni && showDni(provider.dni)],
          ['Teléfono', provider.phone && <PhoneLink key="phone" phone={provider.phone} />],
          ['Correo', provider.email && <MailLink key="email" email={provider.email} />],
          ['Dirección', provider.address],
          ['Taller', provider.workshop_name ?? ALL_WORKSHOPS],
        ]}
      />
    </Section>
  )
}

function Aside({ provider }: { provider: Provider }) {
  const zone = useZone()
  const mayWrite = useMay('providers.write')
  const count = provider.services_count
  return (
    <div className={styles.aside}>
      <Section title="Servicios que ofrece">
        <div className={styles.big}>{showNumber(count)}</div>
        <div className={styles.small}>
          {count === 1 ? 'servicio activo, con su costo unitario' : 'servicios activos, con su costo unitario'}
        </div>
        {(count > 0 || mayWrite) && (
          <Link className={styles.more} to={`/provider/${provider.id}/services` as never} replace>
            {count > 0 ? 'Ver servicios' : 'Agregar el primero'}
          </Link>
        )}
      </Section>
      <div className={styles.small}>Última modificación: {showMoment(provider.updated_at, zone)}</div>
    </div>
  )
}
