import pg from 'pg'
import { formOf, pathOf } from '#contract/base/wire.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { createApp } from '../src/app.ts'

/** Takes a document in, and dies by its own hand: while it is being written, or kept and not yet named by its row. */

const { url, dataDir, token, company_id, id, text } = JSON.parse(process.env.UPLOAD!)
const app = await createApp({ databaseUrl: url, dataDir, prepared: true, closed: true })
const die = () => process.kill(process.pid, 'SIGKILL')

if (process.argv[2] === 'writing') {
  /** Read once for its hash, and once to be written. */
  class Half extends Blob {
    #reads = 0
    override stream() {
      this.#reads += 1
      if (this.#reads === 1) return super.stream()
      const begin = new TextEncoder().encode(text.slice(0, text.length / 2))
      return new ReadableStream({
        start: (out) => out.enqueue(begin),
        pull: () => new Promise<void>(() => setTimeout(die, 300)),
      }) as ReturnType<Blob['stream']>
    }
  }
  await app.database.context.files!.keep(company_id, new Half([text]), 'application/pdf')
} else {
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [what] = args as [string | { text: string }]
    if (/insert into "work_order_files"/.test(typeof what === 'string' ? what : what.text)) die()
    return (original as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof original
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api${pathOf(workOrderParts.addFile, { id })}`,
    headers: { authorization: `Bearer ${token}` },
    payload: formOf({ file: new File([text], 'informe.pdf') }),
  })
  // The test waits for the end of this process: a refused upload has to end it too, and say why.
  console.error(`The upload was answered instead of interrupted: ${answer.statusCode} ${answer.body}`)
  process.exit(1)
}
