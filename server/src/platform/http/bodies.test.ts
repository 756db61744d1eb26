import { beforeAll, expect, it } from 'vitest'
import { contract } from '#contract/all.ts'
import { type Endpoint, LONG_BODY, pathOf, SHORT_BODY } from '#contract/base/wire.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { largestOf, longestOf, sampleOf, shapeOf } from '../../../test/sample.ts'
import { sized } from '../../../test/sized.ts'

/* The size of bodies: every endpoint says how much it takes, and nothing of that size holds up the others. */

const house = openHouse()

const endpoints: [string, Endpoint][] = Object.entries(contract)
  .flatMap(([domain, calls]) => Object.entries(calls).map(([name, e]): [string, Endpoint] => [`${domain}.${name}`, e]))
  .filter(([, e]) => e.method !== 'GET' && e.path !== '/v1/logout')
const withBody = endpoints.filter(([, e]) => e.body && !e.upload)
const limitOf = (e: Endpoint) => e.bodyLimit ?? SHORT_BODY
const urlOf = (e: Endpoint) =>
  `/api${pathOf(e, Object.fromEntries([...e.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, name === 'kind' ? 'delivered' : 999_999_999])))}`

let owner: Member
beforeAll(async () => {
  owner = await house.given.member({ role: 'super-admin' })
})

const send = async (e: Endpoint, payload: string, who?: Member) => {
  const { statusCode, body } = await house.app.http.inject({
    method: e.method,
    url: urlOf(e),
    headers: { 'content-type': 'application/json', ...(who && { authorization: `Bearer ${who.token}` }) },
    payload,
  })
  return { status: statusCode, body }
}

/** An object with as many fields as `bytes` hold. */
const manyFields = (bytes: number) => {
  const fields: string[] = []
  for (let length = 2; ; ) {
    const field = `"x${fields.length}":1`
    length += field.length + 1
    if (length > bytes) return `{${fields.join()}}`
    fields.push(field)
  }
}

/** A body in which each list is as long as `bytes` allow, of lines without a field. */
function manyLines(e: Endpoint, bytes: number) {
  const fill = (value: unknown, lines: number): unknown =>
    Array.isArray(value)
      ? Array(lines).fill({})
      : typeof value === 'object' && value
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, lines)]))
        : value
  const sample = sampleOf(shapeOf(e.body!))
  for (let lines = Math.floor(bytes / 3); ; lines = Math.floor(lines / 2)) {
    const body = JSON.stringify(fill(sample, lines))
    if (body.length <= bytes) return body
  }
}

it('refuses strangers before it reads their body', async () => {
  for (const [name, e] of endpoints.filter(([, e]) => e.may !== 'public'))
    for (const payload of ['{', '{}'.padEnd(limitOf(e) + 1)])
      expect([name, (await send(e, payload)).status]).toEqual([name, 401])
})

it('takes a body of just the limit, and none that is a byte longer', async () => {
  for (const [name, e] of endpoints) {
    const body = (e.body ? JSON.stringify(sampleOf(shapeOf(e.body))) : '{}').padEnd(limitOf(e))
    const { status } = await send(e, body, owner)
    expect([name, status, status === 413 || status >= 500]).toEqual([name, status, false])
    expect([name, (await send(e, `${body} `, owner)).status]).toEqual([name, 413])
  }
})

/** The most that the main thread may be kept from everybody else, in microseconds of the processor. */
const LONGEST = 1_000_000
const LONGEST_OF_LINES = 600_000

/**
 * The answer of a call and the processor time it takes, in microseconds. The figure is of the whole process, garbage and compiler
 * included, so a call that takes longer than `longest` gets two more tries.
 */
async function measure<T>(longest: number, call: () => Promise<T>) {
  let least = Number.POSITIVE_INFINITY
  let answer: T
  for (let tries = 0; ; ) {
    const began = process.cpuUsage()
    answer = await call()
    least = Math.min(least, process.cpuUsage(began).user)
    tries += 1
    if (least <= longest || tries === 3) return { answer, user: least }
  }
}

it('answers soon, and never with 5xx, to the largest body that each endpoint takes', async () => {
  const slow: unknown[] = []
  for (const [name, e] of withBody) {
    const body = largestOf(shapeOf(e.body!), limitOf(e))
    expect([name, body.length <= limitOf(e)]).toEqual([name, true])
    const { answer, user } = await measure(LONGEST, () => send(e, body, owner))
    const { status } = answer
    expect([name, status, status === 413 || status >= 500]).toEqual([name, status, false])
    if (user > LONGEST) slow.push([name, user])
  }
  expect(slow).toEqual([])
})

it('answers soon, and never with 5xx, to the largest file that each endpoint takes', async () => {
  const uploads = endpoints.filter(([, e]) => e.upload)
  expect(uploads.length).toBeGreaterThan(5)
  const order = await house.given.workOrder(owner)
  for (const [name, e] of uploads) {
    const { maxBytes } = e.upload!
    for (const begin of sized(['PK\x03\x04'], ['%PDF-1.4 ', '\x89PNG\r\n\x1A\n', 'PK\x03\x04', 'a;b;c\n'])) {
      const file = Buffer.alloc(maxBytes, 'a;1;"x"\n')
      file.write(begin, 'latin1')
      const form = new FormData()
      for (const [field, value] of Object.entries(sampleOf(shapeOf(e.body!)) as object))
        if (field !== 'file') form.set(field, String(value))
      form.set('file', new File([file], 'archivo.xlsx'))
      const request = new Request('http://127.0.0.1/', { method: 'POST', body: form })
      const payload = Buffer.from(await request.arrayBuffer())
      const { answer, user } = await measure(LONGEST, () =>
        house.app.http.inject({
          method: e.method,
          url: urlOf(e).replace('/999999999/', `/${order.id}/`),
          headers: {
            'content-type': request.headers.get('content-type')!,
            authorization: `Bearer ${owner.token}`,
          },
          payload,
        }),
      )
      const { statusCode } = answer
      expect([name, statusCode, statusCode >= 500 || statusCode === 413]).toEqual([name, statusCode, false])
      expect([name, user <= LONGEST, user]).toEqual([name, true, user])
    }
  }
})

it('has a limit that the longest body of each schema fits in', () => {
  const tight = withBody
    .map(([name, e]) => [name, longestOf(shapeOf(e.body!)), limitOf(e)] as const)
    .filter(([, longest, limit]) => longest > limit)
  expect(tight).toEqual([])
  // A work order brings its lines and the images of two signatures.
  const longer = endpoints.filter(([, e]) => limitOf(e) > LONG_BODY).map(([, e]) => pathOf(e).split('/')[2])
  expect([...new Set(longer)].toSorted()).toEqual(['order_workers', 'order_workers_with_warehouse'])
})

it('answers shortly to the largest body of unknown fields and names ten of them', async () => {
  for (const [name, e] of withBody) {
    const { status, body } = await send(e, manyFields(limitOf(e)), owner)
    const errors = Object.values<string[]>(JSON.parse(body).errors ?? {}).flat()
    expect([name, status, errors.filter((text) => text === 'No se conoce este campo.').length]).toEqual([name, 422, 10])
    expect(body.length).toBeLessThan(4000)
  }
})

it('answers shortly, and soon, to the largest body of empty lines', async () => {
  const withLists = withBody.filter(([, e]) => JSON.stringify(shapeOf(e.body!)).includes('"array"'))
  expect(withLists.length).toBeGreaterThan(20)
  for (const [name, e] of withLists) {
    const lines = manyLines(e, limitOf(e))
    const { answer, user } = await measure(LONGEST_OF_LINES, () => send(e, lines, owner))
    const { status, body } = answer
    expect([name, status < 500]).toEqual([name, true])
    expect([name, body.length < 30_000]).toEqual([name, true])
    expect([name, user <= LONGEST_OF_LINES, user]).toEqual([name, true, user])
  }
})

it('refuses JSON that is no object everywhere', async () => {
  for (const [name, e] of endpoints)
    for (const payload of ['"x"', '1', 'true', '[]'])
      expect([name, payload, (await send(e, payload, owner)).status]).toEqual([name, payload, 422])
})
