import pg from 'pg'
import { erasePerson } from '#server/identity/erase.ts'
import { StartProblem } from '#server/platform/problems.ts'
import { explain, withDatabase } from './database.ts'

/** `npm run erase correo`: a person who asked for it is erased from every company (Ley 21.719); it cannot be undone. */

const [email] = process.argv.slice(2)
try {
  if (!email) throw new StartProblem('Uso: npm run erase CORREO')
  await withDatabase(async (url) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const lines = await erasePerson(client, email)
      if (lines === undefined) throw new StartProblem(`Nadie entra con ${email}.`)
      console.log(`Borrada: su nombre ya no está en ${lines} líneas de la actividad, y no puede entrar.`)
    } finally {
      await client.end()
    }
  })
} catch (error) {
  explain(error)
}
