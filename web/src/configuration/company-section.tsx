import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { showDni } from '#contract/rut.ts'
import { type Company, CompanyEdit, TIME_ZONES, type TimeZone, workshops } from '#contract/workshops.ts'
import { call } from '../platform/api.ts'
import { meQuery } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import styles from './configuration.module.css'
import { WordField } from './parts.tsx'
import { companyQuery, workshopsKey } from './queries.ts'

export default function CompanySection() {
  const company = useQuery(companyQuery)
  return (
    <>
      <header className={styles.head}>
        <h2>Empresa</h2>
        <p>Aparece en los documentos que se imprimen. La zona horaria decide a qué día pertenece cada movimiento.</p>
      </header>
      {company.isError ? (
        <ErrorState error={company.error} onRetry={() => void company.refetch()} />
      ) : company.data ? (
        <CompanyForm key={company.data.updated_at} company={company.data} />
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}

const zones = Object.entries(TIME_ZONES).map(([value, { label }]) => ({ value, label }))

function CompanyForm({ company }: { company: Company }) {
  const form = useForm({
    resolver: zodResolver(CompanyEdit),
    defaultValues: {
      name: company.name,
      dni: company.dni ? showDni(company.dni) : '',
      time_zone: company.time_zone as TimeZone,
      updated_at: company.updated_at,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(workshops.updateCompany, { body }),
    refresh: [workshopsKey, meQuery.queryKey],
    done: 'Empresa actualizada correctamente ✅',
    failed: 'No se pudo guardar la empresa',
  })
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <TextField control={form.control} name="name" label="Nombre o razón social" required maxLength={120} />
      <TextField control={form.control} name="dni" label="RUT" maxLength={40} />
      <WordField control={form.control} name="time_zone" label="Zona horaria" choices={zones} required />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Guardar
        </Button>
      </div>
    </form>
  )
}
