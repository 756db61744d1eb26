import { ignore } from './platform/ignore.ts'
import { fillTables, prepareDatabase } from './platform/running/prepare-database.ts'
import { countOrders, fillExpenses } from './work-orders/orders/expenses.ts'

/** Takes a sentence for people and the log while the upgrade works. */
export type ReportProgress = (sentence: string) => void
const inSilence: ReportProgress = ignore('Nobody waits for it.')

/**
 * Everything that comes before this release may serve: tables, roles, and the rows that the release before did not keep.
 * Gives the address to serve with.
 */
export async function upgradeDatabase(ownerUrl: string, isPooled = false, report = inSilence) {
  const url = await prepareDatabase(ownerUrl, isPooled)
  await fillLedger(ownerUrl, report)
  return url
}

/** The ledger of expenses of companies that come from a release without one; after a kill it goes on where it was. */
export const fillLedger = (ownerUrl: string, report = inSilence) =>
  fillTables(ownerUrl, async (database) => {
    const companies = await database.companies()
    let [filled, orders] = [0, 0]
    for (const company of companies) orders += await countOrders(database, company)
    for (const company of companies)
      await fillExpenses(database, company, (more) => {
        filled += more
        const percent = Math.min(100, Math.round((100 * filled) / orders))
        report(`Se preparan los gastos de las órdenes de trabajo: ${percent} %`)
      })
    return filled > 0 ? ['expenses'] : []
  })
