import type { z } from 'zod'

/** A reply that its operation has written itself, because it is large: it leaves as it is. There are no costs in it. */
export class Written<Reply> {
  readonly json: string
  /** What it is, for whoever reads its type; there is nothing there. */
  declare readonly reply: Reply

  constructor(json: string) {
    this.json = json
  }
}

/** A reply as it leaves; held against its schema, where one is given. */
export function jsonOf(reply: unknown, schema: z.ZodType | undefined): string {
  const json = reply instanceof Written ? reply.json : JSON.stringify(reply)
  schema?.parse(json === undefined ? undefined : (JSON.parse(json) ?? undefined))
  return json
}
