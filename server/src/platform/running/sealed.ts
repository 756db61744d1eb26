import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes, scryptSync } from 'node:crypto'
import { StartProblem } from '../problems.ts'

/* A file closed with a passphrase: mark, salt, nonce, AES-256-GCM, and its tag at the end. */

const MARK = Buffer.from('MAESTRANZA-CIFRADO-1')
const [SALT, NONCE, TAG] = [16, 12, 16]

const keyOf = (passphrase: string, salt: Buffer) =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 })

export async function* seal(plain: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const [salt, nonce] = [randomBytes(SALT), randomBytes(NONCE)]
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce)
  yield Buffer.concat([MARK, salt, nonce])
  for await (const chunk of plain) yield cipher.update(chunk)
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()])
}

/** What `seal` closed, opened; anything else as it is. Only the end says whether it is whole: trust nothing before. */
export async function* unseal(file: AsyncIterable<Buffer>, passphrase: string | undefined): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0)
  let decipher: DecipherGCM | undefined
  let isSealed: boolean | undefined
  for await (const chunk of file) {
    held = Buffer.concat([held, chunk])
    isSealed ??= held.length < MARK.length ? undefined : held.subarray(0, MARK.length).equals(MARK)
    if (isSealed === undefined) continue
    if (isSealed && !decipher) {
      const from = MARK.length + SALT
      if (held.length < from + NONCE) continue
      if (!passphrase) throw new StartProblem('El respaldo está cifrado: indique su frase en BACKUP_PASSPHRASE.')
      decipher = createDecipheriv(
        'aes-256-gcm',
        keyOf(passphrase, held.subarray(MARK.length, from)),
        held.subarray(from, from + NONCE),
      )
      held = held.subarray(from + NONCE)
    }
    const ready = decipher ? held.length - TAG : held.length
    if (ready <= 0) continue
    yield decipher ? decipher.update(held.subarray(0, ready)) : held
    held = held.subarray(ready)
  }
  if (!decipher) return yield held
  try {
    decipher.setAuthTag(held)
    yield decipher.final()
  } catch {
    throw new StartProblem(WRONG)
  }
}

export const WRONG = 'La frase no es la del respaldo, o el archivo está dañado.'
