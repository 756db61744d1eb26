import pg from 'pg'
import { explain, withDatabase } from './database.ts'

/** `npm run maintenance on [message]`, `npm run maintenance off`: with the environment the product runs with. */

const [what, ...words] = process.argv.slice(2)
if (what !== 'on' && what !== 'off') {
  console.error('Uso: npm run maintenance on [mensaje] | npm run maintenance off')
  process.exit(1)
}
const message = words.join(' ').trim() || 'Estamos en mantención. El sistema vuelve en unos minutos.'

await withDatabase(async (url) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('delete from maintenance')
    if (what === 'on') await client.query('insert into maintenance (message) values ($1)', [message])
    await client.query('commit')
  } finally {
    await client.end()
  }
}).catch(explain)
console.log(what === 'on' ? `En mantención: «${message}»` : 'Abierto otra vez.')
