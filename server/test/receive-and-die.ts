import pg from 'pg'
import { pathOf } from '#contract/base/wire.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { createApp } from '../src/app.ts'

/** Receives a purchase order, and dies by its own hand once so many statements of the transaction have been answered. */

const { url, token, id, body } = JSON.parse(process.env.RECEIPT!)
const after = Number(process.argv[2])
const app = await createApp({ databaseUrl: url })
const original = pg.Client.prototype.query
let answered = 0
let its: pg.Client | undefined
pg.Client.prototype.query = async function (this: pg.Client, ...args: unknown[]) {
  const [what] = args as [string | { text: string }]
  if (!its && /^begin/.test(typeof what === 'string' ? what : what.text)) its = this
  const result = await (original as (...args: unknown[]) => Promise<unknown>).apply(this, args)
  if (this === its && ++answered === after) process.kill(process.pid, 'SIGKILL')
  return result
} as typeof original
const answer = await app.http.inject({
  method: 'POST',
  url: `/api${pathOf(purchasing.receivePurchaseOrder, { id })}`,
  headers: { authorization: `Bearer ${token}` },
  payload: body,
})
process.stdout.write(String(answer.statusCode))
await app.close()
