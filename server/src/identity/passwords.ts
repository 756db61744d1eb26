import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { currentCaller } from '../platform/http/requests.ts'
import { invalid } from '../platform/problems.ts'
import { PasswordQueue } from './password-queue.ts'

/* argon2id, with the library's parameters (19 MiB, 2 passes): meant to be slow. A few at once, never inside a transaction. */

/** Two keep most machines busy; on two processors or one, a single one leaves room for everybody else's calls. */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1
const queue = new PasswordQueue(AT_ONCE)
const callerAddress = () => currentCaller()?.address ?? ''
const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue.run(callerAddress(), work)

export const hashPassword = (password: string) => inTurn(() => hash(password))

const NOBODYS_HASH = hash(randomBytes(16).toString('hex'))

/** Somebody without a password costs the same time as a wrong one. */
export const isPassword = (password_hash: string | null | undefined, password: string) =>
  inTurn(async () => {
    const isRight = (await verify(password_hash ?? (await NOBODYS_HASH), password)) && Boolean(password_hash)
    if (!isRight) queue.blame(callerAddress())
    return isRight
  })

/** What leaked lists hold most, of the length we ask for: shorter ones are refused for being short. */
const COMMON = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
)
/** So much of a password must be none of the words that anybody knows of its owner. */
const LEAST_OWN = 6

const letters = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
const wordsOf = (text: string) =>
  letters(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2)

const LEAST_LETTERS = 5
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiopasdfghjklzxcvbnm']

/** `aaaaaaaaaa`, `abcabcabcabc`, `12345678901`: few letters, one part again and again, or a row of the keyboard. */
function isMonotonous(password: string) {
  const plain = letters(password)
  const isRow = ROWS.some((row) => row.includes(plain) || row.includes([...plain].reverse().join('')))
  return new Set(plain).size < LEAST_LETTERS || /^(.{1,8}?)\1+$/s.test(plain) || isRow
}

export const SAME_PASSWORD = 'Es la contraseña de antes: elija otra.'

/** Refuses what somebody who knows the person would try first. `known`: their address, their company. */
export function requireGoodPassword(password: string, known: string[]) {
  if (COMMON.has(password.toLowerCase()))
    throw invalid({ password: 'Es una de las contraseñas más usadas: elija otra.' })
  if (isMonotonous(password)) throw invalid({ password: 'Es muy fácil de adivinar: mezcle palabras y números.' })
  const words = [...known, 'maestranza'].flatMap(wordsOf).sort((a, b) => b.length - a.length)
  const plain = letters(password).replace(/[^a-z0-9]/g, '')
  const own = words.reduce((rest, word) => rest.replaceAll(word, ''), plain)
  if (own !== plain && own.length < LEAST_OWN)
    throw invalid({ password: 'No use su correo ni el nombre de la empresa como contraseña.' })
}
