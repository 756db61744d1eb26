import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Download, endpoint, formOf } from '#contract/base/wire.ts'
import { openHouse } from '../../../test/house.ts'
import { PATIENCE, within } from '../../../test/listen.ts'
import type { Actor } from '../operations/actor.ts'
import { createBinder, handleErrors } from './binder.ts'

const echo = endpoint({
  method: 'POST',
  path: '/v1/echo',
  may: 'session',
  summary: 'Gives back what was sent',
  body: z.object({
    file: z.file('Elija un archivo.'),
    matched: z.record(z.string(), z.string()).default({}),
    note: z.string().optional(),
  }),
  upload: { maxBytes: 1024 * 1024 },
  reply: Download,
})

const large = endpoint({ method: 'GET', path: '/v1/large', may: 'session', summary: 'A large file', reply: Download })

const house = openHouse()
const app = Fastify()
const ana: Actor = {
  user_id: 1,
  user_name: 'Ana',
  session_id: 1,
  company_id: 1,
  role: 'admin',
  workshop_id: 1,
  time_zone: 'America/Santiago',
  may: new Set(),
}

beforeAll(async () => {
  handleErrors(app)
  await app.register(multipart)
  const { bind } = createBinder(app, {
    database: house.app.database,
    authenticate: async () => ana,
    messages: {},
    checkReplies: true,
  })
  bind(echo, async ({ body }) => ({
    name: `año ${body.matched.code ?? ''}.txt`,
    type: 'text/plain',
    content: new Uint8Array(await body.file.arrayBuffer()),
  }))
  bind(large, async () => ({
    name: 'grande.bin',
    type: 'application/octet-stream',
    content: async () => ReadableStream.from(Array<Uint8Array>(500).fill(new Uint8Array(64 * 1024))),
  }))
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})

const send = (body: object) => app.inject({ method: 'POST', url: '/api/v1/echo', payload: formOf(body) })

describe('files', () => {
  it('come with named fields, and go back with their name', async () => {
    const file = new File(['hola'], 'saludo.txt', { type: 'text/plain' })
    const response = await send({ file, matched: { code: 'Código' } })
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('hola')
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="ano Codigo.txt"; filename*=UTF-8''a%C3%B1o%20C%C3%B3digo.txt`,
    )
  })

  it('that are too large are refused with a sentence, and those missing under their field', async () => {
    const large = await send({ file: new File([new Uint8Array(1024 * 1024 + 1)], 'grande.bin') })
    expect([large.statusCode, large.json().message]).toEqual([413, 'El archivo supera el máximo de 1 MB.'])
    const none = await send({ note: 'sin archivo' })
    expect([none.statusCode, none.json().errors]).toEqual([422, { file: ['Elija un archivo.'] }])
    const json = await app.inject({ method: 'POST', url: '/api/v1/echo', payload: { file: 'x' } })
    expect([json.statusCode, json.json().errors]).toEqual([422, { file: ['Elija un archivo.'] }])
  })

  it('are taken slowly without holding a turn, and not too many at once', async () => {
    const { port } = app.server.address() as { port: number }
    const take = async () => {
      const asked = request({ port, host: '127.0.0.1', path: '/api/v1/large', agent: false })
      asked.end()
      const [response] = (await within('the download answers', once(asked, 'response'))) as [IncomingMessage]
      return response
    }
    const taken: IncomingMessage[] = []
    for (let n = 0; n < 20; n++) taken.push(await take())
    expect(taken.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect((await take()).statusCode).toBe(429)
    for (const response of taken) response.destroy()
    await vi.waitFor(async () => expect((await take()).statusCode).toBe(200), PATIENCE)
  })

  it('in a broken form are a bad request, not a fault', async () => {
    for (const payload of ['', '--x\r\nnonsense', '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\n'])
      expect(
        (
          await app.inject({
            method: 'POST',
            url: '/api/v1/echo',
            headers: { 'content-type': 'multipart/form-data; boundary=x' },
            payload,
          })
        ).statusCode,
      ).toBe(422)
  })
})
