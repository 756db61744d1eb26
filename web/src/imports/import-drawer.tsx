import { Button, Progress } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { showNumber } from '#contract/base/money.ts'
import {
  IMPORT_KINDS,
  IMPORT_PHASES,
  IMPORT_STATES,
  type Import,
  type ImportColumn,
  type ImportKind,
  ImportPreview,
  ImportResult,
  imports,
} from '#contract/imports/imports.ts'
import { matchHeaders } from '#contract/imports/spreadsheets.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { useMe, useWorkshop } from '../platform/session.ts'
import { keep, recall } from '../platform/storage.ts'
import { confirm } from '../ui/confirm.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { say } from '../ui/snackbar.tsx'
import { ChooseFile } from './choose-file.tsx'
import styles from './import-drawer.module.css'
import { Mapping } from './mapping.tsx'
import { currentImportQuery, pastImportsQuery } from './queries.ts'
import { readSheet } from './read-sheet.ts'
import type { ReadSheet } from './reader.worker.ts'
import { Result } from './result.tsx'
import { Review } from './review.tsx'
import { type Wrong, WrongCells } from './wrong-cells.tsx'

const CALLS = {
  supplies: {
    title: 'Importar insumos',
    preview: imports.previewSupplies,
    run: imports.importSupplies,
    topic: 'supplies',
  },
  trucks: { title: 'Importar equipos', preview: imports.previewTrucks, run: imports.importTrucks, topic: 'fleet' },
  providers: {
    title: 'Importar proveedores',
    preview: imports.previewProviders,
    run: imports.importProviders,
    topic: 'providers',
  },
  limits: {
    title: 'Importar mínimos y máximos',
    preview: imports.previewLimits,
    run: imports.importLimits,
    topic: 'warehouses',
  },
} as const

type Stage =
  | { at: 'choose'; problem?: string }
  | { at: 'map'; problem?: string }
  | { at: 'review'; preview: ImportPreview }
  | { at: 'send'; sent: number }
  | { at: 'wrong'; wrong: Wrong }
  | { at: 'failed'; message: string }
  | { at: 'done'; result: ImportResult }

interface Chosen {
  file: File
  read: ReadSheet
  matched: Record<string, string>
  /** Of every row, where no column says it. */
  workshop?: number | undefined
}

/** How far an import is, and the steps from one stage to the next. */
function useImport(kind: ImportKind, onClose: () => void) {
  const { preview: previewCall, run, topic } = CALLS[kind]
  const { columns } = IMPORT_KINDS[kind]
  const client = useQueryClient()
  const me = useMe()
  const { id, list } = useWorkshop()
  const own = id ?? (list.length === 1 ? list[0]?.id : undefined)
  const [stage, setStage] = useState<Stage>({ at: 'choose' })
  const [chosen, setChosen] = useState<Chosen>()
  const [busy, setBusy] = useState(false)
  // A page that was reloaded half way follows the import it left.
  const [following, setFollowing] = useState(() => recall('import') === kind)
  const last = useQuery({ ...currentImportQuery(me.id), enabled: following || stage.at === 'send' }).data
  // The one before it stays the last until the server has this file.
  const [after, setAfter] = useState(() => recall('importAfter'))
  const current = last?.kind === kind && last.unique_key !== after ? last : undefined

  const leave = () => {
    keep('import', null)
    onClose()
  }
  const startOver = () => {
    keep('import', null)
    setFollowing(false)
    setChosen(undefined)
    setStage({ at: 'choose' })
  }

  const open = async (file: File, sheet?: string) => {
    setBusy(true)
    try {
      const read = await readSheet({ file, kind, ...(sheet && { sheet }) })
      const past = await client.fetchQuery(pastImportsQuery(me.id, kind)).catch(() => [])
      setChosen({
        file,
        read,
        matched: matchAsBefore(read.headers, columns, past.find(({ state }) => !IMPORT_STATES[state].failed)?.matched),
        workshop: own,
      })
      setStage({ at: 'map' })
    } catch (error) {
      setStage({ at: 'choose', problem: (error as Error).message })
    } finally {
      setBusy(false)
    }
  }

  const refused = (error: unknown) => {
    const failure = error instanceof ApiFailure ? error : new ApiFailure(0, String(error))
    if (failure.rows.length > 0)
      return setStage({
        at: 'wrong',
        wrong: { rows: failure.rows, total: failure.rowsTotal, message: failure.message },
      })
    if (failure.status === 413) return setStage({ at: 'choose', problem: failure.message })
    // Its file and the columns that were matched by hand stay, so that the person goes on from there.
    if (failure.status === 422) return setStage({ at: 'map', problem: failure.message })
    say('⛔️ Error al subir el archivo', { tone: 'danger', detail: failure.message })
    setStage({ at: 'failed', message: failure.message })
  }

  const review = async () => {
    if (!chosen) return
    setBusy(true)
    try {
      const preview = asForeseen(ImportPreview, await call(previewCall, { body: bodyOf(kind, chosen) as never }))
      if (preview.rows_total > 0)
        setStage({
          at: 'wrong',
          wrong: {
            rows: preview.rows,
            total: preview.rows_total,
            message: `${showNumber(preview.wrong_count)} de ${showNumber(preview.row_count)} filas tienen errores. Corríjalas en el archivo y vuelva a subirlo: nada se ha guardado.`,
          },
        })
      else setStage({ at: 'review', preview })
    } catch (error) {
      refused(error)
    } finally {
      setBusy(false)
    }
  }

  const save = async () => {
    if (!chosen) return
    const leaps = stage.at === 'review' ? stage.preview.leaps : []
    if (leaps.length > 0 && !(await confirmLeaps(leaps))) return
    setBusy(true)
    try {
      const before = (await client.fetchQuery(currentImportQuery(me.id)))?.unique_key ?? null
      keep('importAfter', before)
      keep('import', kind)
      setAfter(before)
      setStage({ at: 'send', sent: 0 })
      const answer = await call(run, {
        body: bodyOf(kind, chosen, leaps) as never,
        onUpload: (sent) => setStage({ at: 'send', sent }),
      })
      const result = asForeseen(ImportResult, answer)
      keep('channel', result.channel)
      keep('import', null)
      setStage({ at: 'done', result })
      void client.invalidateQueries({ queryKey: [topic] })
    } catch (error) {
      // No answer, because the page is being left or the line broke: the server may well go on, and is asked later.
      if (error instanceof ApiFailure && error.status > 0) keep('import', null)
      refused(error)
    } finally {
      setBusy(false)
    }
  }

  const shown: Stage = following && last !== undefined && stage.at === 'choose' ? stageOf(current) : stage
  return { shown, setStage, chosen, setChosen, busy, current, open, review, save, leave, startOver }
}

/** An answer that is not the one of the contract is a failure like any other: half of it cannot be shown. */
function asForeseen<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { data } = schema.safeParse(answer)
  if (data === undefined) throw new ApiFailure(0, 'El servidor respondió algo inesperado. Intente de nuevo.')
  return data
}

/** Trucks, supplies and limits are of a workshop, which a column says or somebody for the whole file. */
const needsPlace = (kind: ImportKind) =>
  IMPORT_KINDS[kind].columns.some(({ key, required }) => key === 'location' && required)

function bodyOf(kind: ImportKind, { file, read, matched, workshop }: Chosen, leaps: ImportPreview['leaps'] = []) {
  return {
    file,
    sheet: read.sheet,
    columns: JSON.stringify(read.headers),
    matched,
    ...(needsPlace(kind) && workshop && !matched.location && { workshop_id: workshop }),
    ...(leaps.length > 0 && { confirm_leaps: true }),
  }
}

/** By their names, and where the last file had a column called alike, as it was read then. A plate can stand for the code. */
function matchAsBefore(headers: string[], columns: readonly ImportColumn[], before: Record<string, string> = {}) {
  const again = Object.entries(before).filter(([, header]) => headers.includes(header))
  const taken = new Set(again.map(([, header]) => header))
  const named = matchHeaders(
    headers.filter((header) => !taken.has(header)),
    columns,
  )
  const matched: Record<string, string> = { ...named, ...Object.fromEntries(again) }
  if (!matched.code && matched.patent) matched.code = matched.patent
  return matched
}

const confirmLeaps = (leaps: ImportPreview['leaps']) =>
  confirm({
    title:
      leaps.length === 1
        ? '¿Es correcto el kilometraje?'
        : `¿Son correctos los ${showNumber(leaps.length)} kilometrajes que saltan?`,
    message: 'Son más kilómetros que los que un equipo recorre desde su última lectura.',
    accept: 'Sí, guardar',
  })

/** Choose a file, see what it would do, do it, and get the code that takes it back. */
export default function ImportDrawer({ kind, onClose }: { kind: ImportKind; onClose: () => void }) {
  const { shown, setStage, chosen, setChosen, busy, current, ...steps } = useImport(kind, onClose)
  const { open, review, save, leave, startOver } = steps
  const { title } = CALLS[kind]
  const missing = IMPORT_KINDS[kind].columns.filter(
    ({ key, required }) => required && !chosen?.matched[key] && !(key === 'location' && chosen?.workshop),
  )

  const footers: Record<Stage['at'], React.ReactNode> = {
    choose: null,
    map: (
      <>
        <Button variant="subtle" onClick={startOver}>
          Cambiar archivo
        </Button>
        <Button onClick={review} loading={busy} disabled={missing.length > 0 || chosen?.read.count === 0}>
          Revisar
        </Button>
      </>
    ),
    review: (
      <>
        <Button variant="subtle" onClick={() => setStage({ at: 'map' })} disabled={busy}>
          Volver
        </Button>
        <Button onClick={save} loading={busy}>
          Guardar
        </Button>
      </>
    ),
    send: null,
    wrong: (
      <>
        <Button variant="subtle" onClick={() => setStage(chosen ? { at: 'map' } : { at: 'choose' })}>
          Volver
        </Button>
        <Button onClick={startOver}>Subir otro archivo</Button>
      </>
    ),
    failed: (
      <>
        <Button variant="subtle" onClick={leave}>
          Cerrar
        </Button>
        <Button onClick={chosen ? () => setStage({ at: 'map' }) : startOver}>Intentar de nuevo</Button>
      </>
    ),
    done: (
      <>
        <Button variant="subtle" onClick={startOver}>
          Importar otro archivo
        </Button>
        <Button onClick={leave}>Listo</Button>
      </>
    ),
  }

  return (
    <Drawer
      opened
      onClose={leave}
      title={title}
      width={500}
      dirty={chosen !== undefined && ['map', 'review', 'wrong', 'failed'].includes(shown.at)}
      footer={footers[shown.at]}
    >
      {shown.at === 'choose' && (
        <ChooseFile kind={kind} busy={busy} problem={shown.problem} onFile={(file) => void open(file)} />
      )}
      {shown.at === 'map' && shown.problem && (
        <div className={styles.problem} role="alert">
          {shown.problem}
        </div>
      )}
      {shown.at === 'map' && chosen && (
        <Mapping
          kind={kind}
          file={chosen.file}
          read={chosen.read}
          matched={chosen.matched}
          workshop={chosen.workshop}
          busy={busy}
          onMatch={(matched, workshop) => setChosen({ ...chosen, matched, workshop })}
          onSheet={(sheet) => void open(chosen.file, sheet)}
        />
      )}
      {shown.at === 'review' && <Review kind={kind} preview={shown.preview} />}
      {shown.at === 'send' && (
        <Sending
          sent={shown.sent}
          phase={current?.phase}
          progress={current?.progress ?? 0}
          count={chosen?.read.count}
        />
      )}
      {shown.at === 'wrong' && <WrongCells wrong={shown.wrong} />}
      {shown.at === 'failed' && (
        <div className={styles.problem} role="alert">
          <strong>No se pudo importar</strong>
          <span>{shown.message}</span>
        </div>
      )}
      {shown.at === 'done' && <Result kind={kind} result={shown.result} />}
    </Drawer>
  )
}

interface SendingProps {
  /** From 0 to 1, what has left for the server. */
  sent: number
  phase: keyof typeof IMPORT_PHASES | undefined
  /** Rows that the server has read, and how many there are. */
  progress: number
  count: number | undefined
}

function Sending({ sent, phase, progress, count }: SendingProps) {
  return (
    <div className={styles.sending} role="status">
      <strong>{sent < 1 ? 'Subiendo el archivo' : `${IMPORT_PHASES[phase ?? 'reading']}…`}</strong>
      <Progress
        value={sent < 1 ? sent * 20 : shareOf(phase, progress, count)}
        animated
        aria-label="Avance de la importación"
      />
      <span className={styles.quiet}>
        {progress > 0 ? `${showNumber(progress)} filas leídas. ` : ''}
        Puede cerrar o recargar esta página: la importación sigue, y aquí verá cómo terminó.
      </span>
    </div>
  )
}

const NOT_ARRIVED =
  'La página se cerró antes de que el archivo llegara completo al servidor. Nada se guardó: súbalo de nuevo.'

/** Reading is most of what can be counted; checking and saving are steps. */
const shareOf = (phase: keyof typeof IMPORT_PHASES = 'reading', progress: number, count = 0) =>
  phase === 'reading'
    ? 20 + (count > 0 ? Math.min(1, progress / count) * 40 : 0)
    : phase === 'checking'
      ? 65
      : phase === 'writing'
        ? 80
        : 100

function stageOf(current: Import | undefined): Stage {
  if (!current) return { at: 'failed', message: NOT_ARRIVED }
  const { ended, failed } = IMPORT_STATES[current.state]
  if (!ended) return { at: 'send', sent: 1 }
  if (failed) return { at: 'failed', message: current.message ?? 'La importación no terminó.' }
  return { at: 'done', result: current }
}
