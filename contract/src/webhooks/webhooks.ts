import { z } from 'zod'
import { ById, catalogue, endpoint, Id, Instant, ListOf, listing, Nothing, page, Search, Text } from '../base/wire.ts'

/* What happens here, told to other systems. */

export const WEBHOOK_EVENTS = {
  'order.moved': { label: 'Orden de trabajo movida' },
  'order.finalized': { label: 'Orden de trabajo finalizada' },
  'alert.due': { label: 'Alerta vigente o vencida' },
  'stock.low': { label: 'Stock bajo el mínimo' },
} as const
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]]

/** `waits`: it is tried again by itself. */
export const DELIVERY_STATES = {
  queued: { label: 'En espera', tone: 'info', waits: true },
  delivered: { label: 'Entregado', tone: 'success', waits: false },
  failed: { label: 'No entregado', tone: 'danger', waits: false },
} as const
export type DeliveryState = keyof typeof DELIVERY_STATES
const STATE_NAMES = Object.keys(DELIVERY_STATES) as [DeliveryState, ...DeliveryState[]]

export const Webhook = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENT_NAMES)),
  active: z.boolean(),
  updated_at: Instant,
})
export type Webhook = z.infer<typeof Webhook>

const Address = z
  .string()
  .trim()
  .max(500)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'Escriba una dirección https://.')
  .refine(
    (text) => !URL.canParse(text) || new URL(text).username === '',
    'La dirección no lleva usuario ni contraseña.',
  )
export const WebhookEdit = z.object({
  name: Text(60),
  url: Address,
  events: z.array(z.enum(WEBHOOK_EVENT_NAMES)).min(1, 'Elija al menos un aviso.').max(100),
  active: z.boolean().default(true),
  updated_at: Instant.optional(),
})
export type WebhookEdit = z.infer<typeof WebhookEdit>

export const Delivery = z.object({
  id: Id,
  webhook_name: z.string(),
  event: z.enum([...WEBHOOK_EVENT_NAMES, 'ping']),
  state: z.enum(STATE_NAMES),
  attempts: z.number(),
  /** What the other system answered last. */
  answer: z.string().nullable(),
  created_at: Instant,
  delivered_at: Instant.nullable(),
})
export type Delivery = z.infer<typeof Delivery>

export const DeliveryList = listing(['created_at', 'event', 'state'], {
  Search,
  State: ListOf(STATE_NAMES),
  Event: ListOf(WEBHOOK_EVENT_NAMES),
})
export type DeliveryList = z.infer<typeof DeliveryList>

const may = 'webhooks.manage'

export const webhooks = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/v1/webhooks',
    may,
    summary: 'Addresses of other systems that are told what happens',
    reply: catalogue(Webhook),
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/v1/webhooks',
    may,
    confirmed: true,
    summary: 'Tell another system; the secret that signs what it is told is shown once',
    body: WebhookEdit,
    // Not 201: an answer that is kept to be given again would keep the secret with it.
    reply: z.object({ webhook: Webhook, secret: z.string() }),
  }),
  updateWebhook: endpoint({
    method: 'PUT',
    path: '/v1/webhooks/:id',
    may,
    confirmed: true,
    summary: 'Change where and what another system is told',
    params: ById,
    body: WebhookEdit,
    reply: Webhook,
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    may,
    summary: 'Another system is told nothing any more',
    params: ById,
    reply: Nothing,
  }),
  pingWebhook: endpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/ping',
    may,
    summary: 'Tell the other system something that did not happen, to see whether it hears',
    params: ById,
    reply: Nothing,
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/v1/webhook-deliveries',
    title: 'Avisos enviados',
    may,
    summary: 'What other systems were told, and what they answered; newest first',
    query: DeliveryList,
    reply: page(Delivery),
  }),
  deliverAgain: endpoint({
    method: 'POST',
    path: '/v1/webhook-deliveries/:id/again',
    may,
    summary: 'Tell it once more',
    params: ById,
    reply: Nothing,
  }),
}
