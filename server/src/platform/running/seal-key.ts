import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

type Where = Pick<Config, 'sealKey' | 'dataDir'>

/** What the activity is sealed with: SEAL_KEY, which several servers share, or a file that the first start makes. */
export async function sealKeyOf(where: Where): Promise<string>
export async function sealKeyOf(where: Where, only: { existing: true }): Promise<string | undefined>
export async function sealKeyOf({ sealKey, dataDir }: Where, only?: { existing: true }) {
  if (sealKey) return sealKey
  const file = join(dataDir, 'seal.key')
  const unless = (code: string) => (error: NodeJS.ErrnoException) => {
    if (error.code !== code) throw error
    return undefined
  }
  if (!only)
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' }).catch(unless('EEXIST'))
  return (await readFile(file, 'utf8').catch(unless('ENOENT')))?.trim()
}
