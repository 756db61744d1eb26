import { useState } from 'react'
import { saveFile } from './save-file.ts'
import { say } from './snackbar.tsx'

/** Asks for a file and hands it over; says so where it fails. */
export function useDownload(ask: () => Promise<File>) {
  const [isDownloading, setDownloading] = useState(false)
  const download = async () => {
    setDownloading(true)
    try {
      const file = await ask()
      saveFile(file, file.name)
    } catch (error) {
      say('⛔️ Error al descargar el archivo', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setDownloading(false)
    }
  }
  return { download, isDownloading }
}
