import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { ROLE_NAMES, ROLES } from '#contract/base/permissions.ts'
import { type AccessRules, AccessRulesEdit, companySecurity } from '#contract/workshops/security.ts'
import { call } from '../platform/api.ts'
import { meQuery } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { NumberField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { identityKey, workshopsKey } from '../workshops/queries.ts'
import { SectionHead } from '../workshops/roster.tsx'
import styles from '../workshops/section.module.css'
import { ProviderCard } from './provider-form.tsx'

/** What the company asks of those who come in. */
export default function AccessRulesSection() {
  const rules = useQuery({
    queryKey: [...workshopsKey, 'access-rules'],
    queryFn: ({ signal }) => call(companySecurity.getAccessRules, { signal }),
  })
  return (
    <>
      <SectionHead title="Acceso">Lo que la empresa pide a quienes entran.</SectionHead>
      {rules.isError ? (
        <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />
      ) : rules.data ? (
        <>
          <RulesForm key={rules.data.updated_at} rules={rules.data} />
          <ProviderCard />
        </>
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}

function RulesForm({ rules }: { rules: AccessRules }) {
  const form = useForm({ resolver: zodResolver(AccessRulesEdit), defaultValues: rules })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(companySecurity.updateAccessRules, { body }),
    refresh: [workshopsKey, identityKey, meQuery.queryKey],
    done: 'Reglas de acceso guardadas correctamente ✅',
    failed: 'No se pudieron guardar las reglas de acceso',
  })
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <h3>Sesiones y segundo factor</h3>
      <NumberField
        control={form.control}
        name="session_idle_hours"
        label="Se cierran sin uso después de"
        description="Entre 1 y 12 horas. También vale para las que ya están abiertas."
        suffix="h"
        digits={2}
      />
      <NumberField
        control={form.control}
        name="session_days"
        label="Se cierran en todo caso después de"
        description="Entre 1 y 30 días."
        suffix="días"
        digits={2}
      />
      <Controller
        control={form.control}
        name="factor_roles"
        render={({ field }) => (
          <Checkbox.Group
            label="Quién entra solo con un segundo factor"
            description="A quienes no lo tienen se les pide activarlo antes de seguir."
            value={field.value}
            onChange={field.onChange}
          >
            <div className={styles.checks}>
              {ROLE_NAMES.map((role) => (
                <Checkbox key={role} value={role} label={ROLES[role].label} />
              ))}
            </div>
          </Checkbox.Group>
        )}
      />
      <FormProblems />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Guardar
        </Button>
      </div>
    </form>
  )
}
