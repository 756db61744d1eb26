import { IMPORT_KINDS, type ImportKind } from '#contract/imports/imports.ts'
import type { Db } from '../platform/database/db.ts'
import { requirePermission } from '../platform/http/binder.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { xlsxFile } from '../platform/outside/xlsx.ts'
import { someLimits } from '../warehouses/bulk.ts'
import { listWorkshops } from '../workshops/workshops.ts'
import { KINDS } from './kinds.ts'

const NAMES: Record<ImportKind, [file: string, sheet: string]> = {
  supplies: ['ejemplo-insumos.xlsx', 'Insumos'],
  trucks: ['ejemplo-equipos.xlsx', 'Equipos'],
  providers: ['ejemplo-proveedores.xlsx', 'Proveedores'],
  limits: ['ejemplo-niveles.xlsx', 'Niveles de stock'],
}
const ROWS = 3

/** A file that can be imported as it is: headers that match by themselves, and workshops and levels that exist. */
export async function exampleFile(db: Db, actor: Actor, kind: ImportKind) {
  requirePermission(actor, KINDS[kind].may)
  const { data: workshops } = await listWorkshops(db, actor)
  const real: Record<string, string | number | null>[] = kind === 'limits' ? await someLimits(db, actor, ROWS) : []
  const columns = IMPORT_KINDS[kind].columns.filter(({ key }) => key !== 'id')
  const rows = Array.from({ length: kind === 'limits' ? real.length : ROWS }, (_, i) => {
    const row = real[i] ?? { location: workshops[i % workshops.length]?.name ?? '' }
    return columns.map(({ key, example }) => row[key] ?? example[i] ?? null)
  })
  const [name, sheet] = NAMES[kind]
  const file = xlsxFile(
    name,
    sheet,
    columns.map(({ label }) => ({ header: label, width: Math.max(16, label.length + 4) })),
    rows,
  )
  return { ...file, blank: true }
}
