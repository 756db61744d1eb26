import { workCatalogues } from '#contract/work-orders/catalogues.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { payables } from '#contract/work-orders/payables.ts'
import { planner } from '#contract/work-orders/planner.ts'
import { maintenanceTemplates } from '#contract/work-orders/templates.ts'
import type { Bind } from '../platform/http/binder.ts'
import { holdOpenOrder, seeOrder } from './access.ts'
import {
  createMaintenanceType,
  createTask,
  deleteMaintenanceType,
  deleteTask,
  listMaintenanceTypes,
  listTasks,
  requireMaintenanceType,
  requireTask,
  updateMaintenanceType,
  updateTask,
} from './catalogues.ts'
import { addComment, beInWorkOrder, listComments } from './documents/comments.ts'
import { addFile, deleteFile, getFile, keepFile, listFiles } from './documents/files.ts'
import { workOrderPdf } from './documents/pdf.ts'
import { deleteSignature, getSignature, keepSignature, sign } from './documents/signatures.ts'
import { createInvoiceNote, deleteInvoiceNote, holdNote, updateInvoiceNote } from './invoice-notes.ts'
import { createInvoice, deleteInvoice, holdInvoice, listInvoices, uninvoicedOrders, updateInvoice } from './invoices.ts'
import { addWork, deleteWork, deleteWorkTime, progressWork, updateWorkTime } from './labour/works.ts'
import { requireWorkOrder } from './orders/orders.ts'
import { availableSupplies, deleteServiceLine, deleteSupplyLine, myWorks, useSupply } from './orders/single-lines.ts'
import { createTemplate, deleteTemplate, listTemplates, requireTemplate, updateTemplate } from './orders/templates.ts'
import { listPayables, payableActivity, requirePayable, updatePayable } from './payables.ts'
import { deletePayment, payPayable } from './payments.ts'
import { calendarOrders, calendarWorks, rescheduleWork, rescheduleWorkOrder } from './planner/calendar.ts'
import { plannerWeek, planOrder, planWork } from './planner/planner.ts'
import { forgetPlanned, planSupply } from './supplies/planned-supplies.ts'

/** What is done to one part of an order at a time, and what orders choose from. */
export function bindParts(bind: Bind) {
  bind(workCatalogues.listMaintenanceTypes, ({ db, actor, query }) => listMaintenanceTypes(db, actor, query.filter))
  bind(workCatalogues.getMaintenanceType, ({ db, actor, params }) => requireMaintenanceType(db, actor, params.id))
  bind(workCatalogues.createMaintenanceType, ({ db, actor, body }) => createMaintenanceType(db, actor, body))
  bind(
    workCatalogues.updateMaintenanceType,
    ({ db, actor, params, body }) => updateMaintenanceType(db, actor, params.id, body),
    ({ db, actor, params }) => requireMaintenanceType(db, actor, params.id, true),
  )
  bind(workCatalogues.deleteMaintenanceType, ({ db, actor, params }) => deleteMaintenanceType(db, actor, params.id))
  bind(workCatalogues.listTasks, ({ db, actor, query }) => listTasks(db, actor, query))
  bind(workCatalogues.createTask, ({ db, actor, body }) => createTask(db, actor, body))
  bind(
    workCatalogues.updateTask,
    ({ db, actor, params, body }) => updateTask(db, actor, params.id, body),
    ({ db, actor, params }) => requireTask(db, actor, params.id, true),
  )
  bind(workCatalogues.deleteTask, ({ db, actor, params }) => deleteTask(db, actor, params.id))
  bind(maintenanceTemplates.listTemplates, ({ db, actor, query }) => listTemplates(db, actor, query))
  bind(maintenanceTemplates.getTemplate, ({ db, actor, params, query }) =>
    requireTemplate(db, actor, params.id, { workshop_id: query.workshop_id }),
  )
  bind(maintenanceTemplates.createTemplate, ({ db, actor, body }) => createTemplate(db, actor, body))
  bind(
    maintenanceTemplates.updateTemplate,
    ({ db, actor, params, body }) => updateTemplate(db, actor, params.id, body),
    ({ db, actor, params }) => requireTemplate(db, actor, params.id, { lock: true }),
  )
  bind(maintenanceTemplates.deleteTemplate, ({ db, actor, params }) => deleteTemplate(db, actor, params.id))

  bind(workOrders.calendarOrders, ({ db, actor, query }) => calendarOrders(db, actor, query))
  bind(workOrders.calendarWorks, ({ db, actor, query }) => calendarWorks(db, actor, query))
  bind(workOrders.rescheduleWorkOrder, ({ db, actor, params, body }) => rescheduleWorkOrder(db, actor, params.id, body))
  bind(workOrders.rescheduleWork, ({ db, actor, params, body }) => rescheduleWork(db, actor, params.id, body))
  bind(planner.planner, ({ db, actor, query }) => plannerWeek(db, actor, query))
  bind(planner.planOrder, ({ db, actor, params, body }) => planOrder(db, actor, params.id, body))
  bind(planner.planWork, ({ db, actor, params, body }) => planWork(db, actor, params.id, body))
  bind(workOrders.workOrderPdf, async ({ db, actor, params }) =>
    workOrderPdf(db, actor, await requireWorkOrder(db, actor, params.id)),
  )

  bind(workOrderParts.addWork, ({ db, actor, params, body }) => addWork(db, actor, params.id, body))
  bind(workOrderParts.progressWork, ({ db, actor, params, body }) => progressWork(db, actor, params.id, body))
  bind(workOrderParts.updateWorkTime, ({ db, actor, params, body }) => updateWorkTime(db, actor, params.id, body))
  bind(workOrderParts.deleteWorkTime, ({ db, actor, params }) => deleteWorkTime(db, actor, params.id))
  bind(workOrderParts.deleteWork, ({ db, actor, params }) => deleteWork(db, actor, params.id))
  bind(workOrderParts.myWorks, ({ db, actor }) => myWorks(db, actor))
  bind(workOrderParts.availableSupplies, ({ db, actor, params, query }) =>
    availableSupplies(db, actor, params.id, query.search),
  )
  bind(workOrderParts.useSupply, ({ db, actor, params, body }) => useSupply(db, actor, params.id, body))
  bind(workOrderParts.planSupply, ({ db, actor, params, body }) => planSupply(db, actor, params.id, body))
  bind(workOrderParts.forgetPlannedSupply, ({ db, actor, params }) => forgetPlanned(db, actor, params.id))
  bind(workOrderParts.deleteSupplyLine, ({ db, actor, params }) => deleteSupplyLine(db, actor, params.id))
  bind(workOrderParts.deleteServiceLine, ({ db, actor, params }) => deleteServiceLine(db, actor, params.id))
  bind(workOrderParts.createInvoice, ({ db, actor, body }) => createInvoice(db, actor, body))
  bind(
    workOrderParts.updateInvoice,
    ({ db, actor, params, body }) => updateInvoice(db, actor, params.id, body),
    async ({ db, actor, params }) => {
      // Amounts that are not sent stay: either tells the other.
      const { net: _, shares: __, ...invoice } = await holdInvoice(db, actor, params.id)
      return invoice
    },
  )
  bind(workOrderParts.deleteInvoice, ({ db, actor, params }) => deleteInvoice(db, actor, params.id))
  bind(workOrderParts.listInvoices, ({ db, actor, params }) => listInvoices(db, actor, params.id))
  bind(workOrderParts.createInvoiceNote, ({ db, actor, params, body }) => createInvoiceNote(db, actor, params.id, body))
  bind(
    workOrderParts.updateInvoiceNote,
    ({ db, actor, params, body }) => updateInvoiceNote(db, actor, params.id, body),
    async ({ db, actor, params, sent }) => {
      // Another amount is shared out anew, unless that is said too.
      const { shares, ...note } = (await holdNote(db, actor, params.id)).note
      return 'amount' in sent || 'kind' in sent ? note : { ...note, shares }
    },
  )
  bind(workOrderParts.deleteInvoiceNote, ({ db, actor, params }) => deleteInvoiceNote(db, actor, params.id))
  bind(payables.listPayables, ({ db, actor, query }) => listPayables(db, actor, query))
  bind(payables.getPayable, ({ db, actor, params }) => requirePayable(db, actor, params.id))
  bind(
    payables.updatePayable,
    ({ db, actor, params, body }) => updatePayable(db, actor, params.id, body),
    ({ db, actor, params }) => requirePayable(db, actor, params.id),
  )
  bind(payables.payPayable, ({ db, actor, params, body }) => payPayable(db, actor, params.id, body))
  bind(payables.deletePayment, ({ db, actor, params }) => deletePayment(db, actor, params.id))
  bind(payables.payableActivity, ({ db, actor, params, query }) => payableActivity(db, actor, params.id, query))
  bind(workOrderParts.uninvoicedOrders, ({ db, actor, params }) => uninvoicedOrders(db, actor, params.id))
  bind(workOrderParts.listFiles, ({ db, actor, params }) => listFiles(db, actor, params.id))
  bind.after(
    ({ files, actor, body }) => keepFile(files, actor, body.file),
    workOrderParts.addFile,
    ({ db, actor, params, made }) => addFile(db, actor, params.id, made),
    ({ db, actor, params }) => holdOpenOrder(db, actor, params.id),
  )
  bind(workOrderParts.getFile, ({ db, actor, params, query }) =>
    getFile(db, actor, params.id, query.size !== undefined),
  )
  bind(workOrderParts.deleteFile, ({ db, actor, params }) => deleteFile(db, actor, params.id))
  bind(workOrderParts.listComments, ({ db, actor, params }) => listComments(db, actor, params.id))
  bind(workOrderParts.addComment, ({ db, actor, params, body }) => addComment(db, actor, params.id, body.text))
  bind.after(
    ({ files, actor, body }) => keepSignature(files, actor, body),
    workOrderParts.sign,
    async ({ db, actor, params, body: { name, dni }, made: image, caller: { agent } }) => {
      const order = await requireWorkOrder(db, actor, params.id, true)
      return sign(db, actor, order, params.kind, { image, name, dni, agent })
    },
    ({ db, actor, params }) => seeOrder(db, actor, params.id, true),
  )
  bind(workOrderParts.getSignature, ({ db, actor, params }) => getSignature(db, actor, params.id, params.kind))
  bind(workOrderParts.deleteSignature, ({ db, actor, params }) => deleteSignature(db, actor, params.id, params.kind))
  bind(workOrderParts.beInWorkOrder, ({ db, actor, params }) => beInWorkOrder(db, actor, params.id))
}
