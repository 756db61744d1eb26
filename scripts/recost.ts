import { Database } from '#server/platform/database/db.ts'
import { settleOpenMonths } from '#server/work-orders/orders/recost.ts'
import { explain, withDatabase } from './database.ts'

/**
 * `npm run recost`, with the environment the product runs with: what orders of open months cost becomes what the
 * ledger says. Orders of closed months stay as they are; what they should have cost is booked today. Returns to stock
 * and documents of exits that were recorded before they followed the ledger do so, too.
 */

await withDatabase(async (url) => {
  const database = new Database(url, { max: 2 })
  try {
    for (const { company, orders } of await settleOpenMonths(database))
      console.log(`${company}: ${orders === 0 ? 'nada que ajustar' : `${orders} órdenes revisadas`}`)
  } finally {
    await database.close()
  }
}).catch(explain)
