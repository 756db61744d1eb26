import type { z } from 'zod'
import { instantAt } from '../database/columns.ts'

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

  #make(room: number) {
    const needed = this.#length + room
    if (needed > this.#bytes.length) this.#bytes = Buffer.concat([this.json], needed + this.#bytes.length)
  }

  add(text: string) {
    // A letter takes three bytes at most.
    this.#make(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** What became bytes before. */
  put(bytes: Uint8Array) {
    this.#make(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  whole(number: number) {
    if (number >= 0 && number < 10) this.put(DIGITS[number]!)
    else this.add(String(number))
  }

  /** In its quotes. */
  instant(microseconds: number) {
    this.add(`"${instantAt(microseconds)}"`)
  }

  get json() {
    return this.#bytes.subarray(0, this.#length)
  }
}

export const COMMA = Buffer.from(',')
const DIGITS = Array.from({ length: 10 }, (_, digit) => Buffer.from(String(digit)))

/** A reply as it leaves; held against its schema, where one is given. */
export function jsonOf(reply: unknown, schema: z.ZodType | undefined): string | Buffer {
  const json = reply instanceof Written ? reply.json : JSON.stringify(reply)
  schema?.parse(json === undefined ? undefined : (JSON.parse(json.toString()) ?? undefined))
  return json
}
