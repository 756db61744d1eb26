import { statfs } from 'node:fs/promises'

const LEAST_FREE = 300 * 1024 * 1024

/** Whether the disk of the data has little room left; a folder that cannot be asked says nothing. */
export async function isDiskLow(folder: string, least = LEAST_FREE): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize < least
}
