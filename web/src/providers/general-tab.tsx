import { Link } from '@tanstack/react-router'
import { showMoment } from '#contract/base/dates.ts'
import { showNumber } from '#contract/base/money.ts'
import { showDni } from '#contract/base/rut.ts'
import { PROVIDER_FIELDS } from '#contract/providers/fields.ts'
import { type Provider, type ProviderEdit, providers } from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import styles from '../frames/detail-page.module.css'
import { EditForm, useEdit } from '../frames/edit-form.tsx'
import { factsOf } from '../frames/fields.tsx'
import { Added } from '../frames/slots.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useZone } from '../platform/session.ts'
import { Facts, Section } from '../ui/detail-frame.tsx'
import { MailLink, PhoneLink } from './contact.tsx'
import { ALL, ProviderEditForm, ProviderFields, type ProviderTyped } from './provider-form.tsx'
import { providerQuery, providersKey } from './queries.ts'
import { PROVIDER_ASIDE } from './slots.ts'

export function GeneralTab({ provider, mayChange }: { provider: Provider; mayChange: boolean }) {
  return (
    <div className={styles.columns}>
      {mayChange ? <Edit provider={provider} /> : <ReadOnly provider={provider} />}
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
  payment_days: provider.payment_days,
  workshop_id: provider.workshop_id ?? ALL,
  updated_at: provider.updated_at,
})

function Edit({ provider }: { provider: Provider }) {
  const edit = useEdit<Provider, ProviderTyped, ProviderEdit>({
    row: provider,
    typedOf,
    resolver: formResolver(ProviderEditForm),
    query: providerQuery(provider.id),
    save: (body) => call(providers.updateProvider, { params: { id: provider.id }, body }),
    refresh: [providersKey],
    what: 'este proveedor',
    done: 'Proveedor actualizado correctamente ✅',
    failed: 'Error al actualizar el proveedor ❌',
    within: `/provider/${provider.id}`,
  })
  return (
    <EditForm edit={edit}>
      <ProviderFields form={edit.form} providerId={provider.id} />
    </EditForm>
  )
}

function ReadOnly({ provider }: { provider: Provider }) {
  return (
    <Section title="Datos del proveedor">
      <Facts
        rows={factsOf(PROVIDER_FIELDS, provider, {
          phone: provider.phone && <PhoneLink phone={provider.phone} />,
          email: provider.email && <MailLink email={provider.email} />,
          workshop_id: provider.workshop_name ?? ALL_WORKSHOPS,
          state: undefined,
        })}
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
          <Link className={styles.more} to="/provider/$id/services" params={{ id: String(provider.id) }} replace>
            {count > 0 ? 'Ver servicios' : 'Agregar el primero'}
          </Link>
        )}
      </Section>
      <Added slot={PROVIDER_ASIDE} with={{ provider }} />
      <div className={styles.small}>Última modificación: {showMoment(provider.updated_at, zone)}</div>
    </div>
  )
}
