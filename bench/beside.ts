import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadDemo } from '../server/seeds/demo.ts'
import { createApp } from '../server/src/app.ts'
import { startEmbeddedPostgres } from '../server/src/platform/running/embedded-postgres.ts'
import { prepareDatabase } from '../server/src/platform/running/prepare-database.ts'
import { Given } from '../server/test/given.ts'
import type { House } from '../server/test/house.ts'
import { growHistory } from './history.ts'

/**
 * `node scripts/run.mjs bench/beside.ts [orders]`: a list of one company, alone and while another downloads its whole
 * history ten times at once. Beside them it should take no more than twice its quiet time.
 */

const ORDERS = Number(process.argv[2] ?? 50_000)
const DOWNLOADS = 10

const folder = await mkdtemp(join(tmpdir(), 'maestranza-beside-'))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
try {
  await prepareDatabase(postgres.url)
  await loadDemo(postgres.url)
  await growHistory(postgres.url, 1, { orders: ORDERS, years: 8.5 })
  const app = await createApp({ databaseUrl: postgres.url })
  const owner = new pg.Pool({ connectionString: postgres.url, max: 2 })
  const given = new Given({ owner } as unknown as House)
  const big = await given.member({ role: 'super-admin', company_id: 1 })
  const small = await given.member({ role: 'super-admin', company_id: 2 })
  const get = (who: typeof big, path: string) =>
    app.http.inject({
      url: `/api${path}`,
      headers: { authorization: `Bearer ${who.token}`, 'x-company-id': String(who.company_id) },
    })
  const times = async (until: () => boolean) => {
    const taken: number[] = []
    while (!until()) {
      const began = performance.now()
      const { statusCode } = await get(small, '/v1/history_order_workers?per_page=50')
      if (statusCode !== 200) throw new Error(`the list answered ${statusCode}`)
      taken.push(performance.now() - began)
      // As people do: not one call after the other without a breath.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    taken.sort((a, b) => a - b)
    const at = (share: number) => taken[Math.floor((taken.length - 1) * share)]!
    return { calls: taken.length, p50: at(0.5), p95: at(0.95), most: at(1) }
  }
  const shown = ({ calls, p50, p95, most }: Awaited<ReturnType<typeof times>>) =>
    `${calls} lists: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, longest ${most.toFixed(0)} ms`

  let rounds = 0
  await times(() => rounds++ > 50)
  rounds = 0
  const quiet = await times(() => rounds++ > 300)
  console.log(`quiet   ${shown(quiet)}`)
  const began = performance.now()
  let done = false
  const downloads = Promise.all(
    Array.from({ length: DOWNLOADS }, async () => {
      for (;;) {
        const { statusCode, rawPayload } = await get(big, '/v1/history_order_workers_download')
        if (statusCode === 200) return rawPayload.length
        // Told to come later.
        if (statusCode !== 429) throw new Error(`a download answered ${statusCode}`)
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }),
  ).finally(() => {
    done = true
  })
  const busy = await times(() => done)
  const sizes = await downloads
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`beside  ${shown(busy)}`)
  console.log(
    `${DOWNLOADS} downloads of ${ORDERS} orders (${(sizes[0]! / 1e6).toFixed(1)} MB each) in ${seconds} s; ` +
      `p50 ×${(busy.p50 / quiet.p50).toFixed(2)}, p95 ×${(busy.p95 / quiet.p95).toFixed(2)}`,
  )
  await owner.end()
  await app.close()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit()
