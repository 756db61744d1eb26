import { type Alert, alerts } from '#contract/alerts/alerts.ts'
import { type AlertCategory, alertCategories } from '#contract/alerts/categories.ts'
import { alertMails } from '#contract/alerts/mails.ts'
import type { Activity } from '#contract/base/activity.ts'
import { UNITS_PULLED } from '../fleet/couplings.ts'
import { METERS_READ } from '../fleet/readings.ts'
import { COMPANY_SET_UP } from '../identity/set-up.ts'
import type { Domain } from '../platform/http/domain.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { listActivity } from '../platform/operations/audit.ts'
import { ORDERS_FINALIZED, ORDERS_REOPENED } from '../work-orders/orders/finalize.ts'
import {
  addToCatalogue,
  changeInCatalogue,
  listCatalogue,
  removeFromCatalogue,
  requireInCatalogue,
} from '../workshops/catalogues.ts'
import { inFleet } from '../workshops/scope.ts'
import {
  createAlerts,
  deleteAlerts,
  findAlerts,
  listAlerts,
  listEmails,
  lockAlerts,
  requireAlert,
  updateAlert,
} from './alerts.ts'
import { ALERT_CATEGORIES, addChileanObligations, startWithObligations } from './categories.ts'
import { evaluate, evaluateCompany } from './evaluation.ts'
import { executeAlerts } from './executing.ts'
import { listMails, requireMail, resendMail } from './mails.ts'
import { createObligations, listMissing } from './obligations.ts'
import { executeForWorkOrders, makeWorkOrder, reopenForWorkOrders } from './work-orders.ts'

/** E-mail addresses are of people: only those who manage people see them. */
const seesEmails = (actor: Actor) => actor.may.has('people.manage')
const withoutEmails = (alert: Alert): Alert => ({
  ...alert,
  emails_to_notifications: { selected: [], suggestions: [] },
})
const withoutEmailChanges = ({ changes: { emails: _, ...changes }, ...activity }: Activity): Activity => ({
  ...activity,
  changes,
})

export const alertsDomain: Domain = {
  routes(bind) {
    bind(alerts.listAlerts, async ({ db, actor, query }) => {
      const found = await listAlerts(db, actor, query)
      return seesEmails(actor) ? found : { ...found, data: found.data.map(withoutEmails) }
    })
    bind(alerts.getAlert, async ({ db, actor, params }) => {
      const alert = await requireAlert(db, actor, params.id, inFleet)
      if (!seesEmails(actor)) return withoutEmails(alert)
      const { data } = await listEmails(db, actor)
      const { selected } = alert.emails_to_notifications
      return { ...alert, emails_to_notifications: { selected, suggestions: data.map(({ email }) => email) } }
    })
    bind(alerts.createAlerts, ({ db, actor, body }) => createAlerts(db, actor, body))
    bind(
      alerts.updateAlert,
      ({ db, actor, params, body }) => updateAlert(db, actor, params.id, body),
      async ({ db, actor, params }) => (await lockAlerts(db, actor, [params.id]))[0]!,
    )
    bind(alerts.deleteAlert, async ({ db, actor, params }) => void (await deleteAlerts(db, actor, [params.id])))
    bind(alerts.deleteAlerts, ({ db, actor, body }) => deleteAlerts(db, actor, body.ids))
    bind(alerts.executeAlerts, ({ db, actor, body }) => executeAlerts(db, actor, body))
    bind(alerts.makeWorkOrder, ({ db, actor, params }) => makeWorkOrder(db, actor, params.id))
    bind(alerts.alertActivity, async ({ db, actor, params, query }) => {
      await requireAlert(db, actor, params.id, inFleet)
      const activity = await listActivity(db, actor, 'alert', params.id, query)
      return seesEmails(actor) ? activity : { ...activity, data: activity.data.map(withoutEmailChanges) }
    })
    bind(alertCategories.listCategories, ({ db, actor, query }) =>
      listCatalogue<AlertCategory>(db, actor, ALERT_CATEGORIES, query),
    )
    bind(alertCategories.createCategory, ({ db, actor, body }) =>
      addToCatalogue<AlertCategory>(db, actor, ALERT_CATEGORIES, body),
    )
    bind(alertCategories.addChileanObligations, ({ db, actor }) => addChileanObligations(db, actor))
    bind(
      alertCategories.updateCategory,
      ({ db, actor, params, body }) => changeInCatalogue<AlertCategory>(db, actor, ALERT_CATEGORIES, params.id, body),
      ({ db, actor, params }) => requireInCatalogue<AlertCategory>(db, actor, ALERT_CATEGORIES, params.id),
    )
    bind(alertCategories.deleteCategory, ({ db, actor, params }) =>
      removeFromCatalogue(db, actor, ALERT_CATEGORIES, params.id),
    )
    bind(alerts.listEmails, ({ db, actor }) => listEmails(db, actor))
    bind(alertCategories.listMissing, ({ db, actor, query }) => listMissing(db, actor, query))
    bind(alertCategories.createObligations, ({ db, actor, body }) => createObligations(db, actor, body))
    bind(alertMails.listMails, ({ db, actor, query }) => listMails(db, actor, query))
    bind(alertMails.getMail, ({ db, actor, params }) => requireMail(db, actor, params.id))
    bind(alertMails.resendMail, ({ db, actor, params }) => resendMail(db, actor, params.id))
  },
  messages: { alert_categories_name_unique: { field: 'name', message: ALERT_CATEGORIES.exists } },
  finders: [{ may: 'alerts.read', find: findAlerts }],
  jobs: [{ name: 'alerts-evaluate', schedule: '2 * * * *', runFor: (database, id) => evaluateCompany(database, id) }],
  listens: {
    [METERS_READ]: async (db, actor, trucks) => void (await evaluate(db, actor, new Date(), { trucks })),
    [UNITS_PULLED]: async (db, actor, units) => void (await evaluate(db, actor, new Date(), { units })),
    [ORDERS_REOPENED]: reopenForWorkOrders,
    [ORDERS_FINALIZED]: executeForWorkOrders,
    [COMPANY_SET_UP]: (db, { company_id }) => startWithObligations(db, company_id),
  },
}
