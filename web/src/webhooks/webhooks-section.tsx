import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Checkbox, Switch, TextInput } from '@mantine/core'
import { IconPlus, IconSend, IconWebhook } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { showMoment } from '#contract/base/dates.ts'
import {
  DELIVERY_STATES,
  type Delivery,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  type Webhook,
  WebhookEdit,
  webhooks,
} from '#contract/webhooks/webhooks.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { choicesOf } from '../ui/choices.ts'
import { Drawer } from '../ui/drawer.tsx'
import { EmptyState, ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { FormDrawer } from '../workshops/parts.tsx'
import section from '../workshops/section.module.css'
import styles from './webhooks.module.css'

export const webhooksKey = ['webhooks'] as const

/** Other systems that are told what happens, and what they answered. */
export default function WebhooksSection() {
  const list = useQuery({
    queryKey: [...webhooksKey, 'list'],
    queryFn: async ({ signal }) => (await call(webhooks.listWebhooks, { signal })).data,
  })
  const [open, setOpen] = useState<Webhook | 'new'>()
  const [secret, setSecret] = useState<string>()
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setOpen('new')}>
      Nuevo webhook
    </Button>
  )
  return (
    <>
      <header className={section.head}>
        <h2>Webhooks</h2>
        {add}
        <p>Avisos firmados a otros sistemas cuando algo pasa aquí. Los que no llegan se intentan de nuevo.</p>
      </header>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <ScreenSkeleton />
      ) : list.data.length === 0 ? (
        <EmptyState icon={IconWebhook} title="Aún no hay webhooks" action={add}>
          Con uno, otro sistema de la empresa se entera de una orden finalizada o de un stock bajo.
        </EmptyState>
      ) : (
        <>
          <section className={section.card} aria-label="Webhooks">
            <ul className={styles.list}>
              {list.data.map((webhook) => (
                <WebhookLine key={webhook.id} webhook={webhook} onOpen={() => setOpen(webhook)} />
              ))}
            </ul>
          </section>
          <Deliveries />
        </>
      )}
      {open && (
        <WebhookDrawer
          webhook={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
          onMade={(made) => {
            setOpen(undefined)
            setSecret(made)
          }}
        />
      )}
      {secret && <SecretDrawer secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

function WebhookLine({ webhook, onOpen }: { webhook: Webhook; onOpen: () => void }) {
  const client = useQueryClient()
  const ping = async () => {
    try {
      await call(webhooks.pingWebhook, { params: { id: webhook.id } })
      say('Aviso de prueba en camino')
    } catch (error) {
      say('No se pudo probar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
    void client.invalidateQueries({ queryKey: webhooksKey })
  }
  return (
    <li>
      <div>
        <button type="button" className={section.open} onClick={onOpen}>
          {webhook.name}
        </button>
        <small>{webhook.url}</small>
        <small>
          {webhook.active ? '' : 'Apagado · '}
          {webhook.events.map((event) => WEBHOOK_EVENTS[event].label).join(' · ')}
        </small>
      </div>
      <Button variant="default" size="xs" leftSection={<IconSend size={14} stroke={1.7} />} onClick={() => void ping()}>
        Probar<span className="only-read-aloud"> {webhook.name}</span>
      </Button>
    </li>
  )
}

const labelOf = (event: Delivery['event']) => (event === 'ping' ? 'Prueba' : WEBHOOK_EVENTS[event].label)

const columnsIn = (zone: string): Column<Delivery>[] => [
  {
    key: 'created_at',
    label: 'Fecha',
    sort: true,
    fixed: true,
    width: 150,
    rank: 1,
    cell: ({ created_at }) => <span className="figures">{showMoment(created_at, zone)}</span>,
    file: ({ created_at }) => showMoment(created_at, zone),
  },
  {
    key: 'event',
    label: 'Aviso',
    sort: true,
    width: 200,
    rank: 2,
    cell: ({ event }) => labelOf(event),
    file: ({ event }) => labelOf(event),
  },
  {
    key: 'state',
    label: 'Estado',
    sort: true,
    plain: true,
    width: 130,
    rank: 3,
    cell: ({ state }) => <StatusPill tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].label}</StatusPill>,
    file: ({ state }) => DELIVERY_STATES[state].label,
  },
  {
    key: 'webhook_name',
    label: 'Webhook',
    width: 150,
    rank: 4,
    cell: ({ webhook_name }) => webhook_name,
    file: ({ webhook_name }) => webhook_name,
  },
  {
    key: 'attempts',
    label: 'Intentos',
    align: 'end',
    width: 90,
    rank: 6,
    cell: ({ attempts }) => <span className="figures">{attempts}</span>,
    file: ({ attempts }) => attempts,
  },
  {
    key: 'answer',
    label: 'Respuesta',
    width: 220,
    rank: 5,
    cell: ({ answer }) => answer,
    file: ({ answer }) => answer,
  },
]

const states = choicesOf(DELIVERY_STATES)
const events = choicesOf(WEBHOOK_EVENTS)
const filters: ListFilter[] = [
  { key: 'State', label: 'Estado', useChoices: () => states },
  { key: 'Event', label: 'Aviso', useChoices: () => events },
]

function Deliveries() {
  const zone = useZone()
  const client = useQueryClient()
  const [shown, setShown] = useState<Delivery>()
  const again = async ({ id }: Delivery) => {
    try {
      await call(webhooks.deliverAgain, { params: { id } })
      say('Aviso en camino')
    } catch (error) {
      say('No se pudo enviar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
    setShown(undefined)
    void client.invalidateQueries({ queryKey: webhooksKey })
  }
  return (
    <>
      <ListScreen
        name="webhook-deliveries"
        title="Avisos enviados"
        noun={{ one: 'aviso', many: 'avisos', none: 'Ningún' }}
        icon={IconSend}
        about="Cada aviso a otro sistema queda aquí, con lo que respondió."
        endpoint={webhooks.listDeliveries}
        queryKey={webhooksKey}
        columns={useMemo(() => columnsIn(zone), [zone])}
        filters={filters}
        searchLabel="Webhook o respuesta"
        open={setShown}
        inside
      />
      {shown && (
        <Drawer
          opened
          onClose={() => setShown(undefined)}
          title={labelOf(shown.event)}
          footer={
            <>
              <Button variant="subtle" onClick={() => setShown(undefined)}>
                Cerrar
              </Button>
              {!DELIVERY_STATES[shown.state].waits && (
                <Button onClick={() => void again(shown)}>Enviar de nuevo</Button>
              )}
            </>
          }
        >
          <p className={styles.text}>
            {DELIVERY_STATES[shown.state].label} · {shown.attempts === 1 ? 'un intento' : `${shown.attempts} intentos`}
          </p>
          <p className={styles.text}>Respuesta: {shown.answer ?? 'ninguna todavía'}</p>
        </Drawer>
      )}
    </>
  )
}

interface WebhookDrawerProps {
  webhook: Webhook | undefined
  onClose: () => void
  onMade: (secret: string) => void
}

function WebhookDrawer({ webhook, onClose, onMade }: WebhookDrawerProps) {
  const form = useForm({
    resolver: zodResolver(WebhookEdit),
    defaultValues: webhook ?? { name: '', url: '', events: [], active: true },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: async (body) => {
      if (!webhook) return (await call(webhooks.createWebhook, { body })).secret
      await call(webhooks.updateWebhook, { params: { id: webhook.id }, body })
      return undefined
    },
    refresh: [webhooksKey],
    done: 'Webhook guardado correctamente ✅',
    failed: 'No se pudo guardar el webhook',
    onDone: (secret) => (secret ? onMade(secret) : onClose()),
  })
  return (
    <FormDrawer
      title={webhook?.name ?? 'Nuevo webhook'}
      save={webhook ? 'Guardar' : 'Crear webhook'}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      remove={
        webhook && {
          what: `El webhook «${webhook.name}», con sus avisos,`,
          act: () => call(webhooks.deleteWebhook, { params: { id: webhook.id } }),
          refresh: webhooksKey,
        }
      }
    >
      <TextField control={form.control} name="name" label="Nombre" maxLength={60} required autoFocus={!webhook} />
      <TextField
        control={form.control}
        name="url"
        label="Dirección"
        placeholder="https://sistema.empresa.cl/avisos"
        maxLength={500}
        required
      />
      <Controller
        control={form.control}
        name="events"
        render={({ field, fieldState }) => (
          <Checkbox.Group
            label="Qué avisar"
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          >
            <div className={section.checks}>
              {WEBHOOK_EVENT_NAMES.map((event) => (
                <Checkbox key={event} value={event} label={WEBHOOK_EVENTS[event].label} />
              ))}
            </div>
          </Checkbox.Group>
        )}
      />
      <Controller
        control={form.control}
        name="active"
        render={({ field }) => (
          <Switch
            ref={field.ref}
            label="Encendido"
            checked={field.value === true}
            onChange={(event) => field.onChange(event.currentTarget.checked)}
            onBlur={field.onBlur}
          />
        )}
      />
    </FormDrawer>
  )
}

function SecretDrawer({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} title="Secreto del webhook" footer={<Button onClick={onClose}>Listo</Button>}>
      <p className={styles.text}>
        Con él su sistema comprueba que un aviso viene de aquí. Guárdelo ahora: no se vuelve a mostrar.
      </p>
      <TextInput label="Secreto" value={secret} readOnly onFocus={(event) => event.currentTarget.select()} />
      <p className={styles.text}>
        Cada aviso trae la cabecera <code>X-Maestranza-Signature: t=…,v1=…</code>, donde v1 es el HMAC-SHA256, con este
        secreto, de t, un punto y el contenido.
      </p>
    </Drawer>
  )
}
