import pg from 'pg'
import { invariants } from '../server/test/invariants.ts'
import { explain, withDatabase } from './database.ts'

/**
 * `npm run verify`, with the environment the product runs with: asks the data every question whose answer must be
 * empty, and lists what is not. It changes nothing.
 */

const SHOWN = 20
let broken = 0
await withDatabase(async (url) => {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=on' })
  await client.connect()
  try {
    for (const { name, question } of invariants) {
      const { rows } = await client.query(question)
      if (rows.length === 0) continue
      broken += 1
      console.log(`✗ ${name}: ${rows.length}`)
      for (const row of rows.slice(0, SHOWN)) console.log(`    ${JSON.stringify(row)}`)
      if (rows.length > SHOWN) console.log(`    … y ${rows.length - SHOWN} más`)
    }
  } finally {
    await client.end()
  }
}).catch(explain)
console.log(
  broken === 0 ? `Todo cuadra: ${invariants.length} preguntas.` : `${broken} de ${invariants.length} no cuadran.`,
)
process.exit(broken === 0 ? 0 : 1)
