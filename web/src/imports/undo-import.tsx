import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showNumber } from '#contract/base/money.ts'
import { IMPORT_KINDS, IMPORT_STATES, type ImportKind, imports, type Undone } from '#contract/imports/imports.ts'
import { call } from '../platform/api.ts'
import { useMe, useZone } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import styles from './import-drawer.module.css'
import { pastImportsQuery } from './queries.ts'

/** Takes an import back by its code: the ones just made are listed, any other is typed. */
export function UndoImport({ kind }: { kind: ImportKind }) {
  const { noun } = IMPORT_KINDS[kind]
  const me = useMe()
  const zone = useZone()
  const client = useQueryClient()
  const past = useQuery(pastImportsQuery(me.id, kind)).data
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const [undone, setUndone] = useState<Undone>()

  const undo = async (hash_import: string) => {
    const sure = await confirm({
      title: '¿Deshacer la importación?',
      message: `Los ${noun.many} nuevos se eliminarán y los que cambiaron recuperarán sus datos anteriores.`,
      accept: 'Deshacer',
      danger: true,
    })
    if (!sure) return
    setBusy(hash_import)
    setProblem(undefined)
    try {
      const report = await call(imports.undoImport, { query: { hash_import } })
      setUndone(report)
      setCode('')
      say('Importación deshecha correctamente ✅')
      void client.invalidateQueries()
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <section className={styles.undo} aria-label="Deshacer una importación">
      <h3>Deshacer una importación</h3>
      <form
        className={styles.code}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (code.trim()) void undo(code.trim())
        }}
      >
        <TextInput
          label="Código de la importación"
          placeholder="ABCD-EF23-GH45"
          value={code}
          error={problem}
          maxLength={60}
          onChange={(event) => {
            setCode(event.currentTarget.value.toUpperCase())
            setProblem(undefined)
          }}
        />
        <Button
          type="submit"
          variant="default"
          disabled={!code.trim()}
          loading={busy !== undefined && busy === code.trim()}
        >
          Deshacer
        </Button>
      </form>
      {undone && <UndoneNote undone={undone} />}
      {past && past.length > 0 && (
        <ul className={styles.past}>
          {past.map((one) => (
            <li key={one.unique_key}>
              <div className={styles.pastBody}>
                <div className={styles.pastName}>
                  <span className="mono">{one.unique_key}</span>
                  <StatusPill tone={IMPORT_STATES[one.state].tone}>{IMPORT_STATES[one.state].label}</StatusPill>
                </div>
                <div className={styles.quiet}>
                  {showMoment(one.created_at, zone)} · {one.user_name} · {one.file_name}
                </div>
                <div className={styles.quiet}>
                  {one.message ??
                    `${showNumber(one.new_count)} ${one.new_count === 1 ? 'nuevo' : 'nuevos'}, ${showNumber(one.updated_count)} ${one.updated_count === 1 ? 'actualizado' : 'actualizados'}`}
                </div>
              </div>
              {IMPORT_STATES[one.state].refusal === null && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`Deshacer ${one.unique_key}`}
                  loading={busy === one.unique_key}
                  onClick={() => void undo(one.unique_key)}
                >
                  Deshacer
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function UndoneNote({ undone }: { undone: Undone }) {
  return (
    <div className={styles.note} role="status">
      <p>
        {showNumber(undone.deleted_count)} {undone.deleted_count === 1 ? 'eliminado' : 'eliminados'},{' '}
        {showNumber(undone.restored_count)} {undone.restored_count === 1 ? 'devuelto' : 'devueltos'} a como{' '}
        {undone.restored_count === 1 ? 'estaba' : 'estaban'}
        {undone.kept_count > 0 && `, ${showNumber(undone.kept_count)} sin deshacer:`}
        {undone.kept_count === 0 && '.'}
      </p>
      {undone.kept.length > 0 && (
        <Table
          label="Lo que no se pudo deshacer"
          columns={[
            { label: 'Código', cell: (row) => <span className="mono">{row.code}</span> },
            { label: 'Motivo', grows: true, cell: (row) => row.reason },
          ]}
          rows={undone.kept}
          keyOf={(row) => row.code}
        />
      )}
    </div>
  )
}
