import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { type WrongCell, XLSX } from '#contract/base/wire.ts'
import { saveFile } from '../ui/save-file.ts'
import { say } from '../ui/snackbar.tsx'
import { Table } from '../ui/table.tsx'
import styles from './import-drawer.module.css'

export interface Wrong {
  rows: WrongCell[]
  total: number
  message: string
}

const STEP = 100

/** What is wrong in the file, cell by cell; to be taken away and mended. */
export function WrongCells({ wrong }: { wrong: Wrong }) {
  const [shown, setShown] = useState(STEP)
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const { writeXlsxStream } = await import('hucre/xlsx')
      const stream = writeXlsxStream(
        wrong.rows.map(({ row, column, value, reason }) => [row, column, value, reason]),
        {
          name: 'Errores',
          columns: [
            { header: 'Fila', width: 8 },
            { header: 'Columna', width: 22 },
            { header: 'Valor', width: 30 },
            { header: 'Motivo', width: 70 },
          ],
          freezePane: { rows: 1 },
        },
      )
      const blob = await new Response(stream).blob()
      saveFile(new Blob([blob], { type: XLSX }), 'errores-de-importacion.xlsx')
    } catch {
      say('⛔️ Error al descargar el archivo', { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className={styles.problem} role="alert">
        {wrong.message}
      </div>
      <div className={styles.fileLine}>
        <span className={styles.quiet}>
          {wrong.total > wrong.rows.length
            ? `Los primeros ${showNumber(wrong.rows.length)} de ${showNumber(wrong.total)} errores`
            : `${showNumber(wrong.total)} ${wrong.total === 1 ? 'error' : 'errores'}`}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          loading={busy}
          leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
          onClick={download}
        >
          Descargar errores
        </Button>
      </div>
      <Table
        label="Errores del archivo"
        columns={[
          { label: 'Fila', cell: ({ row }) => <span className="figures">{row}</span> },
          { label: 'Columna', cell: ({ column }) => column },
          { label: 'Valor', cell: ({ value }) => (value ? <span className={styles.value}>{value}</span> : null) },
          { label: 'Motivo', grows: true, cell: ({ reason }) => reason },
        ]}
        rows={wrong.rows.slice(0, shown)}
        keyOf={({ row, column, reason }) => `${row} ${column} ${reason}`}
      />
      {shown < wrong.rows.length && (
        <Button variant="default" onClick={() => setShown(shown + STEP * 4)}>
          Ver más
        </Button>
      )}
    </>
  )
}
