import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../platform/operations/problems.ts'

/* argon2id, with the library's parameters (19 MiB, 2 passes): meant to be slow. A few at once, never inside a transaction. */

const AT_ONCE = 2
const MAX_WAITING = 40

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1
  else {
    if (waiting.length >= MAX_WAITING)
      throw new Problem(429, 'Hay muchas personas ingresando en este momento. Intente en unos segundos.', {
        retryAfter: 3,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

export const hashPassword = (password: string) => inTurn(() => hash(password))

const NOBODYS_HASH = hash(randomBytes(16).toString('hex'))

/** Somebody without a password costs the same time as a wrong one. */
export const isPassword = (password_hash: string | null | undefined, password: string) =>
  inTurn(async () => (await verify(password_hash ?? (await NOBODYS_HASH), password)) && Boolean(password_hash))
