import pg from 'pg'
import { isCluster } from '#server/platform/database/db.ts'
import { nodesThatSearchSlowly, spread } from '#server/platform/database/spread.ts'
import { StartProblem } from '#server/platform/problems.ts'
import { explain, withDatabase } from './database.ts'

/**
 * `npm run distribute`: spreads the tables of `DATABASE_URL`, on a Citus cluster, by company. What is spread already
 * stays; every start of the product after an upgrade does the same.
 */
await withDatabase(async (url) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    if (!(await isCluster(client)))
      throw new StartProblem(
        'La base de datos no es un clúster de Citus (falta la extensión «citus»): no hay qué repartir.',
      )
    const moved = await spread(client)
    console.log(moved.length > 0 ? `Repartidas ${moved.length} tablas.` : 'Todo estaba repartido.')
    const slow = await nodesThatSearchSlowly(client)
    if (slow > 0)
      console.warn(
        `Buscar órdenes será lento en ${slow === 1 ? 'un nodo' : `${slow} nodos`}: un superusuario debe decir allí «alter function textlike(text, text) leakproof» (docs/how-large.md, «Making a cluster»).`,
      )
  } finally {
    await client.end()
  }
}).catch(explain)
