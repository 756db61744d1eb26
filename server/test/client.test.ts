import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '#contract/all.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import type * as runtime from '../../client/runtime.ts'
import { buildClient, compile } from '../../scripts/build-client.ts'
import { EXAMPLE } from '../src/platform/http/openapi.ts'
import { type Member, PASSWORD, PIXEL } from './given.ts'
import { openHouse } from './house.ts'

/** The built package, as far as this test uses it; its own types are compiled against in a test below. */
type Call = (args?: object) => Promise<Record<string, never> & { [name: string]: unknown }>
type Package = typeof runtime & {
  createClient(options: runtime.ClientOptions): { [domain: string]: Record<string, Call> } & {
    connection: runtime.Connection
  }
  login(client: object, email: string, password: string): Promise<{ id: number; name: string }>
}

const house = openHouse()
let folder: string
let url: string
let built: Package
let chief: Member

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maestranza-client-'))
  buildClient(folder)
  built = (await import(pathToFileURL(join(folder, 'index.js')).href)) as Package
  url = await house.app.listen('127.0.0.1', 0)
  chief = await house.given.member({ role: 'admin' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function loggedIn() {
  const client = built.createClient({ url: `${url}/` })
  const user = await built.login(client, chief.email, PASSWORD)
  expect(user.id).toBe(chief.user_id)
  return client
}
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

it('is a package that can be published, without dependencies', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'maestranza-client', type: 'module', types: './index.d.ts' })
  expect(manifest).not.toHaveProperty('dependencies')
  const code = `${await readFile(join(folder, 'index.js'), 'utf8')}${await readFile(join(folder, 'runtime.js'), 'utf8')}`
  expect([...code.matchAll(/from ['"]([^'"]+)['"]/g)].map(([, from]) => from)).toEqual(['./runtime.js', './runtime.js'])
  expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain('createClient')
})

it('has a method for every endpoint of the contract', () => {
  const client = built.createClient({ url })
  for (const [domain, endpoints] of Object.entries(contract))
    expect([domain, Object.keys(client[domain]!)]).toEqual([domain, Object.keys(endpoints)])
})

it('logs in, lists with filters, and creates an order once for one key', async () => {
  const client = await loggedIn()
  const truck = await house.given.truck(chief)
  await house.given.truck(chief)
  const found = await client.fleet!.listTrucks!({ query: { filter: { Search: truck.code }, per_page: 10 } })
  expect(found).toMatchObject({ total: 1, data: [{ id: truck.id }] })
  const what = {
    body: { workshop_id: chief.workshop_id, truck_id: truck.id, description_of_requeriment: 'Revisar frenos' },
    idempotencyKey: 'client-test-1',
  }
  const order = await client.workOrders!.createWorkOrder!(what)
  expect(order.code).toMatch(/^OT-\d{6}$/)
  expect((await client.workOrders!.createWorkOrder!(what)).id).toBe(order.id)
  expect(await client.workOrders!.getWorkOrder!({ params: { id: order.id } })).toMatchObject({ code: order.code })
})

it('throws typed errors, with the Spanish sentences of each field', async () => {
  const client = await loggedIn()
  const invalid = await failureOf(client.workOrders!.createWorkOrder!({ body: { workshop_id: chief.workshop_id } }))
  expect(invalid).toBeInstanceOf(built.ValidationError)
  const { status, errors, requestId } = invalid as runtime.ValidationError
  const { failure } = await house.call(chief, workOrders.createWorkOrder, {
    body: { workshop_id: chief.workshop_id } as never,
  })
  expect([status, errors]).toEqual([422, failure.errors])
  expect((invalid as runtime.ValidationError).first('truck_id')).toBe(errors.truck_id![0])
  expect(requestId).toBeTruthy()

  expect(await failureOf(client.workOrders!.getWorkOrder!({ params: { id: 999_999 } }))).toBeInstanceOf(
    built.NotFoundError,
  )
  expect(await failureOf(client.companies!.getStorage!())).toBeInstanceOf(built.NotAllowedError)
  client.connection.token = 'nothing'
  expect(await failureOf(client.identity!.me!())).toBeInstanceOf(built.NotLoggedInError)
  const away = built.createClient({ url: 'http://127.0.0.1:9' })
  expect(await failureOf(away.identity!.me!())).toMatchObject({ status: 0, name: 'ApiError' })
})

it('sends the company of the client or of the call', async () => {
  const client = await loggedIn()
  expect(await client.identity!.me!({ companyId: chief.company_id })).toMatchObject({ company_id: chief.company_id })
  client.connection.companyId = chief.company_id + 1_000_000
  expect(await failureOf(client.identity!.me!())).toBeInstanceOf(built.NotAllowedError)
})

it('uploads a file, downloads it again, and answers nothing where there is nothing', async () => {
  const client = await loggedIn()
  const order = await house.given.workOrder(chief)
  const file = new File([new Uint8Array(Buffer.from(PIXEL.split(',').at(-1)!, 'base64'))], 'freno gastado.png')
  const added = await client.workOrderParts!.addFile!({ params: { id: order.id }, body: { file } })
  expect(added).toMatchObject({ name: 'freno gastado.png', type: 'image/png' })
  const pdf = (await client.workOrders!.workOrderPdf!({ params: { id: order.id } })) as object as runtime.DownloadedFile
  expect([pdf.name, pdf.type]).toEqual([expect.stringMatching(/\.pdf$/), 'application/pdf'])
  expect(await pdf.content.slice(0, 5).text()).toBe('%PDF-')
  expect(await client.identity!.logout!()).toBeUndefined()
})

it('has types that know the arguments and answers of each call', async () => {
  const source = `import { createClient, type ValidationError } from './index.js'
const client = createClient({ url: 'https://taller.empresa.cl', token: 'key' })
export async function use(error: ValidationError) {
  const { data } = await client.fleet.listTrucks({ query: { sort: '-mileage', filter: { State: ['active'] } } })
  const patent: string | undefined = data[0]?.patent
  await client.workOrders.createWorkOrder({ body: { workshop_id: 1, truck_id: 2, priority: 'high' } })
  // @ts-expect-error: an order needs a truck
  await client.workOrders.createWorkOrder({ body: { workshop_id: 1 } })
  // @ts-expect-error: there is no such priority
  await client.workOrders.createWorkOrder({ body: { workshop_id: 1, truck_id: 2, priority: 'soon' } })
  // @ts-expect-error: no truck has this field
  data[0]?.wings
  // @ts-expect-error: the id is missing
  await client.workOrders.getWorkOrder()
  const nothing: void = await client.identity.logout()
  return [patent, nothing, error.errors.truck_id?.[0], (await client.workOrders.workOrderPdf({ params: { id: 1 } })).content.size]
}
`
  await writeFile(join(folder, 'use.ts'), source)
  compile([join(folder, 'use.ts'), '--noEmit'])
  await writeFile(join(folder, 'use.ts'), source.replace("'-mileage'", "'-colour'"))
  expect(() => compile([join(folder, 'use.ts'), '--noEmit'])).toThrow('-colour')
})

it('has an example in Python whose calls are of the contract, and which works where Python is', async () => {
  const example = await readFile(EXAMPLE, 'utf8')
  const paths = new Set(
    Object.values(contract)
      .flatMap((calls) => Object.values(calls))
      .map(({ method, path }) => `${method} ${path}`),
  )
  const calls = [...example.matchAll(/"(GET|POST|PUT|DELETE)",\s*"([^"?]+)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  )
  expect(calls).toHaveLength(3)
  expect(calls.filter((call) => !paths.has(call))).toEqual([])
  const fields = [...example.matchAll(/^ {8}"(\w+)":/gm)].map(([, field]) => field!)
  expect(fields).toContain('truck_id')
  const known = JSON.stringify(
    (await house.app.http.inject('/api/openapi.json')).json().paths['/v1/order_workers'].post,
  )
  expect(fields.filter((field) => !known.includes(`"${field}"`))).toEqual([])
  expect((await house.app.http.inject('/api/openapi.json')).json().info.description).toContain(example)

  if (spawnSync('python3', ['--version']).status !== 0) return
  await house.given.truck(chief)
  const run = (more: object) =>
    promisify(execFile)('python3', [fileURLToPath(EXAMPLE)], {
      env: {
        ...process.env,
        MAESTRANZA_URL: url,
        MAESTRANZA_EMAIL: chief.email,
        MAESTRANZA_PASSWORD: PASSWORD,
        ...more,
      },
    })
  expect((await run({})).stdout.trim()).toMatch(/^OT-\d{6}$/)
  await expect(run({ PRIORITY: 'soon' })).rejects.toThrow(/422 .*"priority"/)
})
