import { zodResolver } from '@hookform/resolvers/zod'
import { Button, MultiSelect, TextInput } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { showDay, showMoment } from '#contract/base/dates.ts'
import { PERMISSIONS } from '#contract/base/permissions.ts'
import { type ApiToken, apiTokens, NewApiToken } from '#contract/identity/api-tokens.ts'
import { call } from '../platform/api.ts'
import { useMe, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { stayInForm } from '../ui/combobox.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { EmptyState, ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { NumberField, TextField } from '../ui/field.tsx'
import { say } from '../ui/snackbar.tsx'
import { FormDrawer } from '../workshops/parts.tsx'
import { identityKey } from '../workshops/queries.ts'
import section from '../workshops/section.module.css'
import styles from './factors.module.css'

/** Keys for the programs of the person; of everyone's, for who manages the company. */
export default function ApiTokensSection() {
  const tokens = useQuery({
    queryKey: [...identityKey, 'api-tokens'],
    queryFn: async ({ signal }) => (await call(apiTokens.listApiTokens, { signal })).data,
  })
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const make = (
    <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setMaking(true)}>
      Nueva clave
    </Button>
  )
  return (
    <>
      <header className={section.head}>
        <h2>Claves de API</h2>
        {make}
        <p>
          Para programas propios, como una planilla o un tablero. Cada clave abre solo lo que usted elige; la API se
          describe en <a href="/api/docs">/api/docs</a>.
        </p>
      </header>
      {tokens.isError ? (
        <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />
      ) : !tokens.data ? (
        <ScreenSkeleton />
      ) : tokens.data.length === 0 ? (
        <EmptyState icon={IconKey} title="Aún no hay claves" action={make}>
          Una clave deja que un programa suyo lea o escriba en Maestranza, sin su contraseña.
        </EmptyState>
      ) : (
        <section className={section.card} aria-label="Claves">
          <ul className={styles.list}>
            {tokens.data.map((token) => (
              <TokenLine key={token.id} token={token} />
            ))}
          </ul>
        </section>
      )}
      {isMaking && (
        <MakeDrawer
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false)
            setMade(token)
          }}
        />
      )}
      {made && <MadeDrawer token={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

function TokenLine({ token }: { token: ApiToken }) {
  const me = useMe()
  const zone = useZone()
  const client = useQueryClient()
  const remove = async () => {
    const yes = await confirm({
      title: '¿Eliminar la clave?',
      message: `Los programas que usan «${token.name}» dejan de entrar de inmediato.`,
      accept: 'Eliminar',
      danger: true,
    })
    if (!yes) return
    try {
      await call(apiTokens.deleteApiToken, { params: { id: token.id } })
      say('Clave eliminada')
    } catch (error) {
      say('No se pudo eliminar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
    void client.invalidateQueries({ queryKey: identityKey })
  }
  const used = token.last_used_at
    ? `usada el ${showMoment(token.last_used_at, zone)} desde ${token.last_address}`
    : 'sin usar todavía'
  return (
    <li>
      <IconKey size={20} stroke={1.7} aria-hidden />
      <div>
        <strong>{token.name}</strong>
        <small>{token.permissions.map((name) => PERMISSIONS[name].label).join(' · ')}</small>
        <small>
          {token.user_id === me.id ? '' : `De ${token.user_name} · `}Vence el {showDay(token.expires_at.slice(0, 10))} ·{' '}
          {used}
        </small>
      </div>
      <Button variant="default" size="xs" onClick={() => void remove()}>
        Eliminar<span className="only-read-aloud"> {token.name}</span>
      </Button>
    </li>
  )
}

function MakeDrawer({ onClose, onMade }: { onClose: () => void; onMade: (token: string) => void }) {
  const { permissions } = useMe()
  const form = useForm<NewApiToken>({
    resolver: zodResolver(NewApiToken),
    defaultValues: { name: '', permissions: [], days: 90 },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(apiTokens.createApiToken, { body }),
    refresh: [identityKey],
    failed: 'No se pudo crear la clave',
    onDone: ({ token }) => onMade(token),
  })
  return (
    <FormDrawer
      title="Nueva clave de API"
      save="Crear clave"
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label="Para qué programa es"
        placeholder="Planilla de kilometrajes"
        maxLength={60}
        required
        autoFocus
      />
      <Controller
        control={form.control}
        name="permissions"
        render={({ field, fieldState }) => (
          <MultiSelect
            onKeyDown={stayInForm}
            ref={field.ref}
            label="Qué puede hacer"
            description="Nunca más de lo que su rol permite."
            data={permissions.map((name) => ({ value: name, label: PERMISSIONS[name].label }))}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            error={fieldState.error?.message}
            withAsterisk
            searchable
          />
        )}
      />
      <NumberField
        control={form.control}
        name="days"
        label="Cuántos días sirve"
        description="A lo más 365."
        suffix="días"
        digits={3}
        required
      />
    </FormDrawer>
  )
}

function MadeDrawer({ token, onClose }: { token: string; onClose: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token)
      say('Clave copiada al portapapeles')
    } catch {
      say('No se pudo copiar: seleccione la clave y cópiela a mano.', { tone: 'danger' })
    }
  }
  return (
    <Drawer opened onClose={onClose} title="Su clave" footer={<Button onClick={onClose}>Listo</Button>}>
      <p className={styles.text}>Guárdela ahora: no se vuelve a mostrar. Quien la tenga entra con ella.</p>
      <TextInput label="Clave" value={token} readOnly onFocus={(event) => event.currentTarget.select()} />
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => void copy()}>
          Copiar clave
        </Button>
      </div>
      <p className={styles.text}>
        El programa la envía en cada llamada:{' '}
        <span className={styles.secret}>Authorization: Bearer {token.slice(0, 8)}…</span>
      </p>
    </Drawer>
  )
}
