import { PgBoss } from 'pg-boss'
import type { Database, Db } from '../database/db.ts'
import { APP_ROLE } from '../database/db.ts'
import { START_LOCK } from '../database/migrate.ts'

/** Work that outlives its request, or runs by the clock: once, however many instances there are. */
export interface Job<Data extends object = object> {
  name: string
  /** Cron, in the time zone of Chile. */
  schedule?: string
  /** Seconds before the second try; each further one waits twice as long. */
  retryDelay?: number
  run(database: Database, data: Data): Promise<void>
}

const SCHEMA = 'jobs'
const ZONE = 'America/Santiago'

/** The tables behind the jobs, up to date, as their owner. */
export async function prepareJobs(ownerUrl: string) {
  const boss = new PgBoss({ connectionString: ownerUrl, schema: SCHEMA, max: 2, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  try {
    // One message is one transaction: instances that start together grant one after the other.
    await boss.getDb().executeSql(
      `select pg_advisory_xact_lock(${START_LOCK});
       grant usage on schema ${SCHEMA} to ${APP_ROLE};
       grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${APP_ROLE};
       grant execute on all functions in schema ${SCHEMA} to ${APP_ROLE}`,
    )
  } finally {
    await boss.stop({ graceful: false })
  }
}

export class Jobs {
  readonly #boss: PgBoss
  readonly #database: Database

  constructor(database: Database, log: (error: Error) => void) {
    this.#database = database
    this.#boss = new PgBoss({
      connectionString: database.url,
      schema: SCHEMA,
      max: 4,
      migrate: false,
      createSchema: false,
      application_name: 'maestranza jobs',
    })
    this.#boss.on('error', log)
  }

  async start(jobs: Job[]) {
    await this.#boss.start()
    for (const { name, schedule, retryDelay = 30, run } of jobs) {
      await this.#boss.createQueue(name, { retryLimit: 8, retryDelay, retryBackoff: true, expireInSeconds: 900 })
      await this.#boss.work(name, async (batch) => {
        for (const { data } of batch) await run(this.#database, data as object)
      })
      if (schedule) await this.#boss.schedule(name, schedule, {}, { tz: ZONE })
    }
  }

  /** Queued with the transaction: what is rolled back is never run. */
  async enqueue(db: Db, name: string, data: object) {
    await this.#boss.send(name, data, {
      db: { executeSql: (text, values) => db.$client.query(text, values as unknown[]) },
    })
  }

  async close() {
    await this.#boss.stop({ graceful: true, timeout: 5000 })
  }
}
