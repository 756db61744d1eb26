import { Button, Loader } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { XLSX } from '#contract/base/wire.ts'
import { IMPORT_KINDS, type ImportKind, imports } from '#contract/imports/imports.ts'
import { call } from '../platform/api.ts'
import { saveFile } from '../ui/save-file.ts'
import { say } from '../ui/snackbar.tsx'
import styles from './import-drawer.module.css'
import { UndoImport } from './undo-import.tsx'

interface ChooseFileProps {
  kind: ImportKind
  busy: boolean
  problem: string | undefined
  onFile: (file: File) => void
}

export function ChooseFile({ kind, busy, problem, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [fetching, setFetching] = useState(false)
  const { columns } = IMPORT_KINDS[kind]
  const required = columns.filter((column) => column.required).map(({ label }) => label)
  const optional = columns.filter((column) => !column.required).map(({ label }) => label)

  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  const example = async () => {
    setFetching(true)
    try {
      const file = await call(imports.downloadExample, { query: { file: `ejemplo-${kind}`, type: kind } })
      saveFile(file, file.name)
    } catch {
      say('⛔️ Error al descargar el archivo', { tone: 'danger' })
    } finally {
      setFetching(false)
    }
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way; the button inside is everyone's */}
      <div
        className={styles.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files)
        }}
      >
        {busy ? <Loader size={26} /> : <IconFileSpreadsheet size={30} stroke={1.4} aria-hidden />}
        <strong>{busy ? 'Leyendo el archivo…' : 'Arrastre aquí su archivo de Excel'}</strong>
        <span className={styles.quiet}>Solo .xlsx, hasta 50.000 filas y 20 MB</span>
        <Button variant="default" disabled={busy} onClick={() => input.current?.click()}>
          Elegir archivo
        </Button>
        <input
          ref={input}
          type="file"
          accept={`.xlsx,${XLSX}`}
          hidden
          aria-label="Archivo de Excel"
          onChange={(event) => {
            take(event.currentTarget.files)
            // The same file, mended, can be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </div>
      {problem && (
        <div className={styles.problem} role="alert">
          {problem}
        </div>
      )}
      <div className={styles.note}>
        <p>
          <strong>Columnas obligatorias:</strong> {required.join(', ')}.
          {columns.some(({ key, required }) => key === 'location' && required) &&
            ' Si el archivo no dice el taller, lo elige después para todas sus filas.'}
        </p>
        <p>
          <strong>Opcionales:</strong> {optional.join(', ')}. Una celda vacía no cambia lo que ya existe.
        </p>
        <Button
          variant="subtle"
          size="compact-sm"
          loading={fetching}
          leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
          onClick={example}
        >
          Descargar archivo de ejemplo
        </Button>
      </div>
      <UndoImport kind={kind} />
    </>
  )
}
