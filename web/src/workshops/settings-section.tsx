import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Control, Controller, useForm } from 'react-hook-form'
import { companies, SETTINGS, type Setting, type Settings, SettingsEdit } from '#contract/workshops/company.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { ErrorState, ScreenSkeleton, useArrived } from '../ui/faces.tsx'
import { NumberField, TextAreaField, TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { settingsQuery, workshopsKey } from './queries.ts'
import styles from './section.module.css'

export default function SettingsSection() {
  const settings = useQuery(settingsQuery)
  const arrived = useArrived(settings.data)
  return (
    <>
      <header className={styles.head}>
        <h2>Ajustes</h2>
        <p>Cómo trabaja la empresa, en todos sus talleres.</p>
      </header>
      {settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : arrived ? (
        <SettingsForm settings={arrived} />
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}

function SettingsForm({ settings }: { settings: Setting[] }) {
  const form = useForm({
    resolver: zodResolver(SettingsEdit),
    defaultValues: Object.fromEntries(settings.map(({ name, pivot }) => [name, pivot.setting_value])) as Settings,
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(companies.updateSettings, { body }),
    refresh: [workshopsKey],
    done: 'Ajustes guardados correctamente ✅',
    failed: 'No se pudieron guardar los ajustes',
    onDone: () => form.reset(form.getValues()),
  })
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <SwitchField control={form.control} name="has_warehouse" />
      {(['work_order_text', 'purchase_order_text'] as const).map((name) => (
        <TextAreaField
          key={name}
          control={form.control}
          name={name}
          label={SETTINGS[name].label}
          description={SETTINGS[name].about}
          rows={4}
        />
      ))}
      <NumberField
        control={form.control}
        name="receipt_tolerance"
        label={SETTINGS.receipt_tolerance.label}
        description={SETTINGS.receipt_tolerance.about}
        suffix="%"
        digits={3}
      />
      {(['mails_per_person', 'mails_per_order'] as const).map((name) => (
        <NumberField
          key={name}
          control={form.control}
          name={name}
          label={SETTINGS[name].label}
          description={SETTINGS[name].about}
          digits={3}
        />
      ))}
      <TextField
        control={form.control}
        name="first_month"
        label={SETTINGS.first_month.label}
        description={SETTINGS.first_month.about}
        maxLength={7}
      />
      <NumberField
        control={form.control}
        name="kilometers_per_day"
        label={SETTINGS.kilometers_per_day.label}
        description={SETTINGS.kilometers_per_day.about}
        suffix="km"
        digits={4}
      />
      <SwitchField control={form.control} name="shared_fleet" />
      <SwitchField control={form.control} name="labour_counts" />
      <NumberField
        control={form.control}
        name="hours_per_day"
        label={SETTINGS.hours_per_day.label}
        description={SETTINGS.hours_per_day.about}
        decimals={1}
        suffix="h"
      />
      {(['opens_at', 'closes_at', 'saturday_closes_at', 'sunday_closes_at'] as const).map((name) => (
        <NumberField
          key={name}
          control={form.control}
          name={name}
          label={SETTINGS[name].label}
          description={SETTINGS[name].about}
          decimals={1}
          suffix="h"
        />
      ))}
      <FormProblems />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Guardar
        </Button>
      </div>
    </form>
  )
}

interface SwitchFieldProps {
  control: Control<SettingsEdit>
  name: 'has_warehouse' | 'shared_fleet' | 'labour_counts'
}

function SwitchField({ control, name }: SwitchFieldProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Switch
          ref={field.ref}
          label={SETTINGS[name].label}
          description={SETTINGS[name].about}
          checked={field.value === true}
          onChange={(event) => field.onChange(event.currentTarget.checked)}
          onBlur={field.onBlur}
        />
      )}
    />
  )
}
