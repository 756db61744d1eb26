import { PgBoss, type WorkOptions } from 'pg-boss'
import { APP_ROLE, appContext, type Database, type Db } from '../database/db.ts'
import { START_LOCK } from '../database/migrate.ts'
import { ignore } from '../ignore.ts'

declare module '../database/context.ts' {
  interface AppContext {
    /** The queue of jobs. */
    jobs?: { enqueue(db: Db, job: { name: string }, data: object): Promise<void> }
  }
}

/** Work that outlives its request, or runs by the clock: once, however many instances there are. */
export interface Job<Data extends object = object> {
  name: string
  /** Cron, in the time zone of Chile. */
  schedule?: string
  /** Seconds before the second try; each further one waits twice as long. */
  retryDelay?: number
  run(database: Database, data: Data): Promise<void>
}

/** A job of one company: the clock queues one for each of them, and for each of them at most one waits. */
export interface CompanyJob extends Omit<Job, 'run'> {
  runFor(database: Database, company_id: number): Promise<void>
}

const SCHEMA = 'jobs'
const ZONE = 'America/Santiago'
/** A job that fails does not keep the others of its batch from being done. */
const WORK = { batchSize: 10, burstWhenBatchFull: true, perJobResults: true } satisfies WorkOptions

const queueOf = (job: Job | CompanyJob) => ('runFor' in job ? `${job.name}.company` : job.name)

/** Queued with the transaction: what is rolled back is never run. */
export function enqueue<Data extends object>(db: Db, job: Job<Data>, data: Data): Promise<void>
export function enqueue(db: Db, job: CompanyJob, data: { company_id: number }): Promise<void>
export async function enqueue(db: Db, job: Job | CompanyJob, data: object) {
  const { jobs } = appContext(db)
  if (!jobs) throw new Error(`Nobody does ${job.name} here`)
  await jobs.enqueue(db, job, data)
}

/** The tables behind the jobs, up to date, as their owner. */
export async function prepareJobs(ownerUrl: string) {
  const boss = new PgBoss({ connectionString: ownerUrl, schema: SCHEMA, max: 2, supervise: false, schedule: false })
  boss.on('error', ignore('The call that it belongs to fails with it.'))
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
  readonly #byClock: boolean

  constructor(database: Database, log: (error: Error) => void, byClock = false) {
    this.#database = database
    this.#byClock = byClock
    this.#boss = new PgBoss({
      connectionString: database.url,
      schema: SCHEMA,
      max: 4,
      migrate: false,
      createSchema: false,
      schedule: byClock,
      application_name: 'maestranza jobs',
    })
    this.#boss.on('error', log)
  }

  async start(jobs: (Job | CompanyJob)[]) {
    await this.#boss.start()
    for (const job of jobs) {
      if ('run' in job) await this.#work(job.name, job, (data) => job.run(this.#database, data))
      else {
        await this.#work(queueOf(job), job, (data) => job.runFor(this.#database, (data as Of).company_id))
        if (job.schedule) await this.#work(job.name, job, () => this.#forEachCompany(job))
      }
      if (job.schedule && this.#byClock) await this.#boss.schedule(job.name, job.schedule, {}, { tz: ZONE })
    }
    if (this.#byClock) await this.#unscheduleOthers(jobs)
  }

  /** A job of an earlier release would be queued by the clock for ever, and done by nobody. */
  async #unscheduleOthers(jobs: (Job | CompanyJob)[]) {
    const known = new Set(jobs.map(({ name }) => name))
    for (const { name } of await this.#boss.getSchedules()) if (!known.has(name)) await this.#boss.unschedule(name)
  }

  async #work(queue: string, { retryDelay = 30 }: Omit<Job, 'run'>, run: (data: object) => Promise<void>) {
    const policy = queue.endsWith('.company') ? 'short' : 'standard'
    await this.#boss.createQueue(queue, { policy, retryLimit: 8, retryDelay, retryBackoff: true, expireInSeconds: 900 })
    await this.#boss.work<object>(queue, WORK, async (batch) => {
      const results = []
      for (const { id, data } of batch)
        results.push(
          await this.#traced(queue, () => run(data)).then(
            () => ({ id, status: 'completed' as const }),
            (error: Error) => ({
              id,
              status: 'failed' as const,
              output: { message: error.message, stack: error.stack },
            }),
          ),
        )
      return results
    })
  }

  #traced(queue: string, work: () => Promise<void>) {
    const { traces } = this.#database.context
    return traces ? traces.span(`job ${queue}`, {}, work) : work()
  }

  async #forEachCompany(job: CompanyJob) {
    const companies = await this.#database.companies()
    await this.#database.write(null, async (db) => {
      for (const company_id of companies) await this.enqueue(db, job, { company_id })
    })
  }

  async enqueue(db: Db, job: Job | CompanyJob, data: object) {
    await this.#boss.send(queueOf(job), data, {
      ...('runFor' in job && { singletonKey: String((data as Of).company_id) }),
      db: { executeSql: (text, values) => db.$client.query(text, values as unknown[]) },
    })
  }

  async close() {
    await this.#boss.stop({ graceful: true, timeout: 5000 })
  }
}

interface Of {
  company_id: number
}
