import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { appContext, type Db } from '../database/db.ts'

declare module '../database/context.ts' {
  interface AppContext {
    /** Encrypts values that must be read again; missing where there is no key. */
    secrets?: Pick<Secrets, 'close' | 'open'>
  }
}

/**
 * What the house must be able to read again, unlike a password: the secret behind a person's codes, a provider's, that of
 * a webhook. The database and its backups hold it closed (AES-256-GCM) with a key made from the one that seals the
 * activity. Each is bound to whom it is of, so that it opens nowhere else.
 */
export class Secrets {
  readonly #key: Buffer

  constructor(sealKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', sealKey, '', 'maestranza secrets', 32))
  }

  close(plain: string, whose: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(whose))
    const closed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${MARK}${closed.toString('base64')}`
  }

  /** undefined: it was closed with another key. */
  open(closed: string, whose: string): string | undefined {
    const bytes = Buffer.from(closed.slice(MARK.length), 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE)).setAAD(Buffer.from(whose))
    decipher.setAuthTag(bytes.subarray(-TAG))
    try {
      return decipher.update(bytes.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      return undefined
    }
  }
}

const [MARK, NONCE, TAG] = ['closed:1:', 12, 16] as const
export const isClosed = (kept: string) => kept.startsWith(MARK)

/** As the database keeps it. Where there is no key, as in tests of other things, as it is. */
export const closed = (db: Db, plain: string, whose: string) => appContext(db).secrets?.close(plain, whose) ?? plain

/** What `closed` kept, or what was there before there was a key; undefined: it cannot be read with the key of this server. */
export const opened = (db: Db, kept: string, whose: string) =>
  isClosed(kept) ? appContext(db).secrets?.open(kept, whose) : kept
