import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Switch, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { identity, PASSWORD_RULE, PasswordChange, Preferences, ProfileEdit } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { meQuery, preferencesQuery, useMe, useWorkshop } from '../platform/session.ts'
import { keep } from '../platform/storage.ts'
import { useSubmit } from '../platform/submit.ts'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { WordField } from '../workshops/parts.tsx'
import { identityKey } from '../workshops/queries.ts'
import { SectionHead } from '../workshops/roster.tsx'
import styles from '../workshops/section.module.css'
import { Factors } from './factors.tsx'
import { OwnLink } from './own-link.tsx'
import { SessionList } from './session-list.tsx'

export default function ProfileSection() {
  const me = useMe()
  const preferences = useQuery(preferencesQuery)
  return (
    <>
      <SectionHead title="Mi perfil">{me.email}</SectionHead>
      <NameForm name={me.name} />
      {preferences.isError ? (
        <ErrorState error={preferences.error} onRetry={() => void preferences.refetch()} />
      ) : preferences.data ? (
        <PreferencesForm preferences={preferences.data} />
      ) : (
        <ScreenSkeleton />
      )}
      <PasswordForm />
      <Factors />
      <OwnLink />
      <div className={styles.card}>
        <SessionList user={me.id} />
      </div>
    </>
  )
}

function NameForm({ name }: { name: string }) {
  const form = useForm({ resolver: zodResolver(ProfileEdit), defaultValues: { name } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(identity.updateProfile, { body }),
    refresh: [identityKey, meQuery.queryKey],
    done: 'Perfil actualizado correctamente ✅',
    failed: 'No se pudo guardar el perfil',
    onDone: () => form.reset(form.getValues()),
  })
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <h3>Nombre</h3>
      <TextField
        control={form.control}
        name="name"
        label="Nombre completo"
        required
        maxLength={120}
        autoComplete="name"
      />
      <FormProblems />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Guardar nombre
        </Button>
      </div>
    </form>
  )
}

const themes = [
  { value: 'dark', label: 'Oscuro' },
  { value: 'light', label: 'Claro' },
  { value: 'auto', label: 'El del equipo' },
]
const densities = [
  { value: 'normal', label: 'Filas cómodas' },
  { value: 'compact', label: 'Filas compactas' },
]

function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const { setColorScheme } = useMantineColorScheme()
  const workshop = useWorkshop()
  const form = useForm({ resolver: zodResolver(Preferences), defaultValues: preferences })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(identity.updatePreferences, { body }),
    refresh: [identityKey],
    done: 'Preferencias guardadas correctamente ✅',
    failed: 'No se pudieron guardar las preferencias',
    onDone: ({ theme, density, default_workshop_id }) => {
      setColorScheme(theme)
      keep('list.density', JSON.stringify(density))
      if (workshop.mayChoose) workshop.choose(default_workshop_id ?? undefined)
      form.reset(form.getValues())
    },
  })
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <h3>Preferencias</h3>
      <WordField control={form.control} name="theme" label="Tema" choices={themes} />
      <WordField control={form.control} name="density" label="Listas" choices={densities} />
      {workshop.mayChoose && (
        <SelectField
          control={form.control}
          name="default_workshop_id"
          label="Taller al entrar"
          placeholder="Todos los talleres"
          choices={workshop.list.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
        />
      )}
      <Controller
        control={form.control}
        name="notifications"
        render={({ field }) => (
          <Switch
            ref={field.ref}
            label="Recibir avisos por correo"
            checked={field.value === true}
            onChange={(event) => field.onChange(event.currentTarget.checked)}
            onBlur={field.onBlur}
          />
        )}
      />
      <FormProblems />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Guardar preferencias
        </Button>
      </div>
    </form>
  )
}

function PasswordForm() {
  const form = useForm({
    resolver: zodResolver(PasswordChange),
    defaultValues: { current_password: '', password: '', end_api_tokens: false },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(identity.changePassword, { body }),
    refresh: [identityKey],
    done: 'Contraseña cambiada correctamente ✅',
    failed: 'No se pudo cambiar la contraseña',
    onDone: () => form.reset(),
  })
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <h3>Contraseña</h3>
      <TextField
        control={form.control}
        name="current_password"
        label="Contraseña actual"
        type="password"
        autoComplete="current-password"
      />
      <TextField
        control={form.control}
        name="password"
        label="Contraseña nueva"
        description={`${PASSWORD_RULE} Sus otras sesiones se cierran.`}
        type="password"
        autoComplete="new-password"
      />
      <Controller
        control={form.control}
        name="end_api_tokens"
        render={({ field }) => (
          <Switch
            ref={field.ref}
            label="Eliminar también mis claves de API"
            checked={field.value === true}
            onChange={(event) => field.onChange(event.currentTarget.checked)}
            onBlur={field.onBlur}
          />
        )}
      />
      <FormProblems />
      <div className={styles.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Cambiar contraseña
        </Button>
      </div>
    </form>
  )
}
