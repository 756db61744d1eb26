import { statfs } from 'node:fs/promises'
import type { Pool } from 'pg'
import { ignore } from '../ignore.ts'
import type { Store } from '../outside/store.ts'
import { archiveAge } from './archive-slot.ts'

const LEAST_FREE = 300 * 1024 * 1024

/** Whether the disk of the data has little room left; a folder that cannot be asked says nothing. */
export async function isDiskLow(folder: string, least = LEAST_FREE): Promise<boolean> {
  const found = await statfs(folder).catch(ignore('The disk cannot be asked.'))
  return found !== undefined && found.bavail * found.bsize < least
}

/** However many ask, the store is not asked more often. */
const EVERY = 10_000
const PATIENCE = 3000

/** What stands in the way of working as usual, in a sentence. */
export function looking(store: Store, folders: string[], every = EVERY) {
  let at = 0
  let seen: Promise<boolean> | undefined
  const answers = () => {
    if (seen && Date.now() - at < every) return seen
    at = Date.now()
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false).unref())
    const asked = store.check().then(
      () => true,
      () => false,
    )
    seen = Promise.race([asked, late])
    return seen
  }
  return async (): Promise<string | undefined> => {
    if (!(await answers())) return 'El almacén de archivos no responde.'
    const low = await Promise.all(folders.map((folder) => isDiskLow(folder)))
    return low.includes(true) ? 'Queda poco espacio en el disco del servidor.' : undefined
  }
}

/** It moves every few seconds; a copy of all in between does not keep it from that. */
const STILL_AFTER = 300

/** What is wrong with the continuous copy, where there is one or should be. */
export async function copyProblem(pool: Pick<Pool, 'query'>, wanted: boolean): Promise<string | undefined> {
  const age = await archiveAge(pool)
  if (age === null) return wanted ? 'La copia continua no ha empezado.' : undefined
  if (age === Number.POSITIVE_INFINITY) return 'La copia continua se cortó y debe empezar de nuevo.'
  return age > STILL_AFTER ? `La copia continua no avanza desde hace ${Math.round(age / 60)} minutos.` : undefined
}
