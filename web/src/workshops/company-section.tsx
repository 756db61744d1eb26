import { zodResolver } from '@hookform/resolvers/zod'
import { Button, FileButton } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showDni } from '#contract/base/rut.ts'
import { type Company, CompanyEdit, companies, TIME_ZONES, type TimeZone } from '#contract/workshops/company.ts'
import { call } from '../platform/api.ts'
import { meQuery } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { choicesOf } from '../ui/choices.ts'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { say } from '../ui/snackbar.tsx'
import { WordField } from './parts.tsx'
import { companyQuery, workshopsKey } from './queries.ts'
import styles from './section.module.css'
import { StorageCard } from './storage-card.tsx'

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
        <>
          <CompanyForm key={company.data.updated_at} company={company.data} />
          <Logo company={company.data} />
          <StorageCard />
        </>
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}

const zones = choicesOf(TIME_ZONES)

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
    save: (body) => call(companies.updateCompany, { body }),
    refresh: [workshopsKey, meQuery.queryKey],
    done: 'Empresa actualizada correctamente ✅',
    failed: 'No se pudo guardar la empresa',
  })
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <TextField control={form.control} name="name" label="Nombre o razón social" required maxLength={120} />
      <TextField control={form.control} name="dni" label="RUT" maxLength={40} />
      <WordField control={form.control} name="time_zone" label="Zona horaria" choices={zones} required />
      <FormProblems />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Guardar
        </Button>
      </div>
    </form>
  )
}

/** Its address for as long as it is shown: the call needs the session. */
const logoQuery = (company: Company) =>
  queryOptions({
    queryKey: [...workshopsKey, 'logo', company.updated_at],
    queryFn: async ({ signal }) => URL.createObjectURL(await call(companies.getLogo, { signal })),
    enabled: company.has_logo,
    staleTime: Number.POSITIVE_INFINITY,
  })

function Logo({ company }: { company: Company }) {
  const client = useQueryClient()
  const logo = useQuery(logoQuery(company))
  const [isPending, setPending] = useState(false)
  const change = async (act: () => Promise<unknown>, done: string) => {
    setPending(true)
    try {
      await act()
      await client.invalidateQueries({ queryKey: workshopsKey })
      say(done)
    } catch (error) {
      say('No se pudo guardar el logo', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
    }
  }
  return (
    <section className={styles.card} aria-label="Logo">
      <h3>Logo</h3>
      <p className={styles.hint}>Se imprime en las órdenes de trabajo y de compra. PNG o JPG, hasta 512 kB.</p>
      {company.has_logo && logo.data && <img className={styles.logo} src={logo.data} alt={`Logo de ${company.name}`} />}
      <div className={styles.buttons}>
        {company.has_logo && (
          <Button
            variant="subtle"
            color="red"
            disabled={isPending}
            onClick={() => void change(() => call(companies.deleteLogo), 'Logo eliminado correctamente ✅')}
          >
            Quitar
          </Button>
        )}
        <FileButton
          accept="image/png,image/jpeg"
          inputProps={{ 'aria-label': 'Archivo del logo' }}
          onChange={(file) =>
            file && void change(() => call(companies.updateLogo, { body: { file } }), 'Logo guardado correctamente ✅')
          }
        >
          {(props) => (
            <Button {...props} variant="default" loading={isPending}>
              {company.has_logo ? 'Cambiar logo' : 'Elegir logo'}
            </Button>
          )}
        </FileButton>
      </div>
    </section>
  )
}
