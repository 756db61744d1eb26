import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeXlsxStream } from 'hucre/xlsx'
import { type Endpoint, formatQuery, formOf } from '#contract/base/wire.ts'
import { type ImportResult, imports } from '#contract/imports/imports.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { loadDemo } from '#seeds/demo.ts'
import { migrateDatabase } from '#server/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'
import { cpuOf, memoryOf, postmasterOf } from './cpu.ts'

/**
 * `node scripts/run.mjs bench/imports.ts [rows]`
 *
 * Brings one large spreadsheet in: dry run, import, the same again changed, undo of both; each with its time, the most
 * memory the product took, and how long a list call took meanwhile.
 */

const ROWS = Number(process.argv[2] ?? 50_000)
const LOGIN = { email: 'admin@maestranza.demo', password: 'maestranza' }
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'maestranza-imports-'))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
let product: ChildProcess | undefined
try {
  await migrateDatabase(postgres.url)
  await loadDemo(postgres.url)
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
  product = spawn(process.execPath, [here('../server/src/main.ts')], {
    env: { ...process.env, PORT: String(port), DATABASE_URL: postgres.url, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const base = `http://127.0.0.1:${port}/api`
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100))
    if ((await fetch(`${base}/health`).catch(() => undefined))?.ok) break
  const login = await fetch(`${base}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(LOGIN),
  })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const call = async <T>(e: Endpoint, { query = {}, file }: { query?: object; file?: File } = {}): Promise<T> => {
    const response = await fetch(`${base}${e.path}${formatQuery(query)}`, {
      method: e.method,
      headers,
      ...(file && { body: formOf({ file }) }),
    })
    if (!response.ok) throw new Error(`${e.path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const { data: workshops } = await call<{ data: { name: string }[] }>({
    path: '/v1/workshops',
    method: 'GET',
  } as Endpoint)

  async function* rows(price: number, many = ROWS, code = 'IMP') {
    for (let i = 0; i < many; i++)
      yield [
        `${code}-${String(i).padStart(6, '0')}`,
        workshops[i % workshops.length]!.name,
        `Repuesto de prueba número ${i}`,
        price + i / 4,
        ['Unidad', 'Litro', 'Metro'][i % 3]!,
        `Familia ${i % 40}`,
        `Descripción del repuesto ${i}, con su medida y su uso`,
        null,
      ]
  }
  const headersOf = [
    'Código',
    'Ubicación',
    'Nombre',
    'Costo unitario',
    'Unidad de medida',
    'Categoría',
    'Descripción',
    'Notas',
  ]
  const fileAt = async (price: number, many?: number, code?: string) =>
    new File(
      [
        await new Response(
          writeXlsxStream(rows(price, many, code), {
            name: 'Insumos',
            columns: headersOf.map((header) => ({ header })),
          }),
        ).blob(),
      ],
      'insumos.xlsx',
    )

  const memory = () => memoryOf(product!.pid!)
  const lines: string[] = []
  async function measure<T>(name: string, work: () => Promise<T>): Promise<T> {
    let running = true
    let peak = memory()
    const times: number[] = []
    const watch = (async () => {
      while (running) {
        const began = performance.now()
        await call(supplies.listSupplies, { query: { per_page: 50 } })
        times.push(performance.now() - began)
        await sleep(5)
      }
    })()
    const sample = setInterval(() => (peak = Math.max(peak, memory())), 200)
    const began = performance.now()
    const result = await work()
    const seconds = (performance.now() - began) / 1000
    running = false
    clearInterval(sample)
    await watch
    times.sort((a, b) => a - b)
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0)
    lines.push(
      `| ${name} | ${seconds.toFixed(1)} | ${peak.toFixed(0)} | ${times.length} | ${at(0.5)} | ${at(0.99)} | ${at(0.9999)} |`,
    )
    console.log(lines.at(-1))
    return result
  }
  console.log(
    `| step | seconds | peak MB | list calls meanwhile | p50 ms | p99 | longest |\n|---|---|---|---|---|---|---|`,
  )
  const [first, second] = [await fileAt(1000), await fileAt(2000)]
  await measure('nothing, 5 s', () => sleep(5000))
  await measure('dry run', () => call(imports.previewSupplies, { file: first }))
  const created = await measure('import, all new', () => call<ImportResult>(imports.importSupplies, { file: first }))
  await measure('dry run, all changed', () => call(imports.previewSupplies, { file: second }))
  const changed = await measure('import, all changed', () =>
    call<ImportResult>(imports.importSupplies, { file: second }),
  )
  const undo = ({ unique_key }: ImportResult) => call(imports.undoImport, { query: { hash_import: unique_key } })
  await measure('undo of the changes', () => undo(changed))
  await measure('undo of the new', () => undo(created))
  const processes = [product!.pid!, (await postmasterOf(postgres.url)) ?? 0]
  const used = () => cpuOf(processes) ?? Number.NaN
  const small: number[] = []
  for (let i = 0; i < 7; i++) {
    const file = await fileAt(1000, 1000, `MIL${i}`)
    const before = used()
    await call(imports.importSupplies, { file })
    small.push(used() - before)
  }
  const ofThousand = `A thousand new ones, nobody else calling: ${small.sort((a, b) => a - b)[3]} ms of processor, product and database (median of 7).`
  console.log(ofThousand)
  const report = `# Imports

${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpus()[0]?.model || process.arch} · ${(totalmem() / 2 ** 30).toFixed(0)} GiB · Node ${process.versions.node}

${ROWS} rows × 8 columns (${(first.size / 2 ** 20).toFixed(1)} MB). One client asks for the first 50 supplies over and over meanwhile; memory is that of the product, not of the database.

| step | seconds | peak MB | list calls meanwhile | p50 ms | p99 | longest |
|---|---|---|---|---|---|---|
${lines.join('\n')}

${ofThousand}
`
  await writeFile(here('imports.md'), report)
} finally {
  product?.kill('SIGKILL')
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
