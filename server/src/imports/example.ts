import { IMPORT_KINDS, type ImportKind } from '#contract/imports/imports.ts'
import type { Db } from '../platform/database/db.ts'
import { requirePermission } from '../platform/http/binder.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { xlsxFile } from '../platform/outside/xlsx.ts'
import { listWorkshops } from '../workshops/workshops.ts'
import { KINDS } from './kinds.ts'

const NAMES: Record<ImportKind, string> = { supplies: 'ejemplo-insumos.xlsx', trucks: 'ejemplo-equipos.xlsx' }
const ROWS = 3

/** A file that can be imported as it is: headers that match by themselves, and workshops that exist. */
export async function exampleFile(db: Db, actor: Actor, kind: ImportKind) {
  requirePermission(actor, KINDS[kind].may)
  const { data: workshops } = await listWorkshops(db, actor)
  const columns = IMPORT_KINDS[kind].columns.filter(({ key }) => key !== 'id')
  const rows = Array.from({ length: ROWS }, (_, i) =>
    columns.map(({ key, example }) =>
      key === 'location' ? (workshops[i % workshops.length]?.name ?? '') : (example[i] ?? null),
    ),
  )
  const file = xlsxFile(
    NAMES[kind],
    kind === 'supplies' ? 'Insumos' : 'Equipos',
    columns.map(({ label }) => ({ header: label, width: Math.max(16, label.length + 4) })),
    rows,
  )
  return { ...file, blank: true }
}
