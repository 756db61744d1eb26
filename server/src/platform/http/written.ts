import type { z } from 'zod'

/**
 * A reply that its operation writes itself, as JSON, because it is large: it leaves as it is. There are no costs in it. What
 * is added becomes bytes at once: thousands of texts that wait for each other are carried about by the collector.
 */
export class Written<Reply> {
  /** What it is, for whoever reads its type; there is nothing there. */
  declare readonly reply: Reply
  #bytes: Buffer
  #length = 0

  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafe(expected)
  }

  readonly add = (text: string) => {
    // A letter takes three bytes at most.
    const needed = this.#length + text.length * 3
    if (needed > this.#bytes.length) this.#bytes = Buffer.concat([this.json], needed + this.#bytes.length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  get json() {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** A reply as it leaves; held against its schema, where one is given. */
export function jsonOf(reply: unknown, schema: z.ZodType | undefined): string | Buffer {
  const json = reply instanceof Written ? reply.json : JSON.stringify(reply)
  schema?.parse(json === undefined ? undefined : (JSON.parse(json.toString()) ?? undefined))
  return json
}
