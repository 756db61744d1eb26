import { z } from 'zod'
import { SeenCost } from '../base/money.ts'
import { OptionalDni } from '../base/rut.ts'
import {
  ById,
  catalogue,
  Download,
  endpoint,
  Id,
  IdText,
  Instant,
  LONG_BODY,
  Nothing,
  Search,
  Text,
} from '../base/wire.ts'
import {
  Invoice,
  InvoiceEdit,
  InvoiceNote,
  InvoiceNoteEdit,
  NewInvoice,
  NewInvoiceNote,
  Uninvoiced,
} from './invoices.ts'
import { PlannedSupply, SupplyLine, SupplyLineInput, Work, WorkInput, WorkProgress, WorkTimeEdit } from './lines.ts'
import { SIGNATURE_KINDS, Signature, SignatureImage, WorkOrderCard } from './orders.ts'

/* What is done to one part of an order at a time: works, parts by scan, photos, notes, signatures, invoices. */

export const MAX_FILE_BYTES = 15 * 1024 * 1024
export const FILE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const

export const WorkOrderFile = z.object({
  id: Id,
  name: z.string(),
  type: z.string(),
  size: z.number(),
  user_name: z.string().nullable(),
  created_at: Instant,
})
export type WorkOrderFile = z.infer<typeof WorkOrderFile>

export const Comment = z.object({
  id: Id,
  text: z.string(),
  user_id: Id.nullable(),
  user_name: z.string().nullable(),
  created_at: Instant,
})
export type Comment = z.infer<typeof Comment>

/** A supply as the order's warehouse has it; without a warehouse, as the catalogue has it and `stock` is null. */
export const AvailableSupply = z.object({
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  stock: z.number().nullable(),
  /** What the order can take: the stock less what is kept for others. */
  available: z.number().nullable(),
  cost: SeenCost,
  /** Where else there is some, the most first. */
  elsewhere: z.array(z.object({ warehouse_name: z.string(), stock: z.number() })),
})
export type AvailableSupply = z.infer<typeof AvailableSupply>

/** One work of the person who asks, and the order it is in. */
export const MyWork = z.object({ work: Work, order: WorkOrderCard })
export type MyWork = z.infer<typeof MyWork>

/** Those who sign are the person logged in, or are named with their RUT, here or in the roster. */
export const NewSignature = z.object({ image: SignatureImage, name: Text(120), dni: OptionalDni })
export type NewSignature = z.infer<typeof NewSignature>

const BySignature = z.object({ id: IdText, kind: z.enum(SIGNATURE_KINDS) })
const read = 'work-orders.read' as const
const write = 'work-orders.write' as const
const work = 'work-orders.work' as const

export const workOrderParts = {
  myWorks: endpoint({
    method: 'GET',
    path: '/v1/my_works',
    may: work,
    summary: 'Works of the person who asks that are not done, or were done today; and orders they answer for',
    reply: catalogue(MyWork),
  }),
  addWork: endpoint({
    method: 'POST',
    path: '/v1/order_workers/:id/works',
    may: work,
    summary: 'Add a work; a specialist adds it as their own',
    params: ById,
    body: WorkInput,
    reply: Work,
    status: 201,
  }),
  progressWork: endpoint({
    method: 'PUT',
    path: '/v1/order_workers/work/:id/progress',
    may: work,
    summary: 'Start, pause, finish or reopen a work; a specialist only their own, or joins that of another',
    params: ById,
    body: WorkProgress,
    reply: Work,
  }),
  updateWorkTime: endpoint({
    method: 'PUT',
    path: '/v1/order_workers/work_time/:id',
    may: write,
    summary: 'Correct from when until when somebody worked',
    params: ById,
    body: WorkTimeEdit,
    reply: Work,
  }),
  deleteWorkTime: endpoint({
    method: 'DELETE',
    path: '/v1/order_workers/work_time/:id',
    may: write,
    summary: 'Take a time out of a work',
    params: ById,
    reply: Nothing,
  }),
  deleteWork: endpoint({
    method: 'DELETE',
    path: '/v2/order_workers/work/:id',
    may: write,
    summary: 'Take a work out of an order',
    params: ById,
    reply: Nothing,
  }),
  availableSupplies: endpoint({
    method: 'GET',
    path: '/v1/order_workers/:id/available_supplies',
    may: work,
    summary: 'Supplies that can be used in an order, by name, code or what a scanner types',
    params: ById,
    query: z.object({ search: Search }),
    reply: catalogue(AvailableSupply),
  }),
  useSupply: endpoint({
    method: 'POST',
    path: '/v1/order_workers/:id/supplies',
    may: work,
    summary: 'Use a supply: a line that is there grows by it',
    params: ById,
    body: SupplyLineInput.omit({ id: true, cost: true }),
    reply: SupplyLine,
    status: 201,
  }),
  planSupply: endpoint({
    method: 'POST',
    path: '/v1/order_workers/:id/planned_supplies',
    may: work,
    summary: 'Ask for a supply: what the warehouse has is kept for the order, the rest is waited for',
    params: ById,
    body: SupplyLineInput.omit({ id: true, cost: true }),
    reply: PlannedSupply,
    status: 201,
  }),
  forgetPlannedSupply: endpoint({
    method: 'DELETE',
    path: '/v1/order_workers/planned_supply/:id',
    may: work,
    summary: 'Ask for a supply no more: what was kept is available again',
    params: ById,
    reply: Nothing,
  }),
  deleteSupplyLine: endpoint({
    method: 'DELETE',
    path: '/v1/order_workers/supply/:id',
    may: write,
    summary: 'Take a supply out of an order; it goes back to its warehouse',
    params: ById,
    reply: Nothing,
  }),
  deleteServiceLine: endpoint({
    method: 'DELETE',
    path: '/v1/work-order/service/:id',
    may: write,
    summary: 'Take a service out of an order',
    params: ById,
    reply: Nothing,
  }),
  createInvoice: endpoint({
    method: 'POST',
    path: '/v1/invoice',
    may: write,
    summary: 'The invoice of a provider for its services in one or several orders: one for each',
    body: NewInvoice,
    reply: Invoice,
    status: 201,
  }),
  updateInvoice: endpoint({
    method: 'PUT',
    path: '/v1/invoice/:id',
    may: write,
    summary: 'Change an invoice',
    params: ById,
    body: InvoiceEdit,
    reply: Invoice,
  }),
  deleteInvoice: endpoint({
    method: 'DELETE',
    path: '/v1/invoice/:id',
    may: write,
    summary: 'Delete an invoice',
    params: ById,
    reply: Nothing,
  }),
  listInvoices: endpoint({
    method: 'GET',
    path: '/v1/invoice/work-order/:id',
    may: read,
    summary: 'Invoices of an order, also those it shares with others',
    params: ById,
    reply: catalogue(Invoice),
  }),
  createInvoiceNote: endpoint({
    method: 'POST',
    path: '/v1/invoice/:id/notes',
    may: write,
    summary: 'A credit or debit note of an invoice: it lowers or raises what its orders spent',
    params: ById,
    body: NewInvoiceNote,
    reply: InvoiceNote,
    status: 201,
  }),
  updateInvoiceNote: endpoint({
    method: 'PUT',
    path: '/v1/invoice/note/:id',
    may: write,
    summary: 'Change a note of an invoice',
    params: ById,
    body: InvoiceNoteEdit,
    reply: InvoiceNote,
  }),
  deleteInvoiceNote: endpoint({
    method: 'DELETE',
    path: '/v1/invoice/note/:id',
    may: write,
    summary: 'Delete a note of an invoice',
    params: ById,
    reply: Nothing,
  }),
  uninvoicedOrders: endpoint({
    method: 'GET',
    path: '/v1/invoice/provider/:id',
    may: write,
    summary: 'Orders with services of a provider that no invoice covers, the newest first',
    params: ById,
    reply: catalogue(Uninvoiced),
  }),
  listFiles: endpoint({
    method: 'GET',
    path: '/v1/order_workers/:id/files',
    may: read,
    summary: 'Photos and files of an order',
    params: ById,
    reply: catalogue(WorkOrderFile),
  }),
  addFile: endpoint({
    method: 'POST',
    path: '/v1/order_workers/:id/files',
    may: work,
    summary: 'Add a photo or a file: an image or a PDF of at most 15 MB',
    params: ById,
    upload: { maxBytes: MAX_FILE_BYTES },
    body: z.object({ file: z.file() }),
    reply: WorkOrderFile,
    status: 201,
  }),
  getFile: endpoint({
    method: 'GET',
    path: '/v1/order_workers/file/:id',
    may: read,
    summary: 'A photo or file itself; of a photo also a small one, where there is one',
    params: ById,
    query: z.object({ size: z.enum(['small']).optional() }),
    reply: Download,
    heavy: false,
  }),
  deleteFile: endpoint({
    method: 'DELETE',
    path: '/v1/order_workers/file/:id',
    may: work,
    summary: 'Delete a photo or file; a specialist only their own',
    params: ById,
    reply: Nothing,
  }),
  listComments: endpoint({
    method: 'GET',
    path: '/v1/order_workers/:id/comments',
    may: read,
    summary: 'Comments on an order',
    params: ById,
    reply: catalogue(Comment),
  }),
  addComment: endpoint({
    method: 'POST',
    path: '/v1/order_workers/:id/comments',
    may: work,
    summary: 'Comment on an order, also a finalized one',
    params: ById,
    body: z.object({ text: Text(4000) }),
    reply: Comment,
    status: 201,
  }),
  sign: endpoint({
    method: 'PUT',
    path: '/v1/order_workers/:id/signature/:kind',
    may: work,
    summary: 'Sign an order as it is now',
    params: BySignature,
    body: NewSignature,
    bodyLimit: LONG_BODY,
    reply: Signature,
  }),
  getSignature: endpoint({
    method: 'GET',
    path: '/v1/order_workers/:id/signature/:kind',
    may: read,
    summary: 'The image of a signature',
    params: BySignature,
    reply: Download,
    heavy: false,
  }),
  deleteSignature: endpoint({
    method: 'DELETE',
    path: '/v1/order_workers/:id/signature/:kind',
    may: write,
    summary: 'Take a signature off an order that is not finalized',
    params: BySignature,
    reply: Nothing,
  }),
  beInWorkOrder: endpoint({
    method: 'PUT',
    path: '/v1/order_workers/:id/presence',
    may: read,
    summary: 'Say that one has the order open: the others who have it open are told over the live stream',
    params: ById,
    reply: Nothing,
  }),
}
