import type { Permission } from '#contract/base/permissions.ts'
import type { ImportKind } from '#contract/imports/imports.ts'
import { sampleTrucks, stageTrucks, writeTrucks } from '../fleet/bulk.ts'
import { undoTrucks } from '../fleet/bulk-undo.ts'
import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import type { SampleChange, Staged } from '../platform/operations/bulk.ts'
import { sampleProviders, stageProviders, undoProviders, writeProviders } from '../providers/bulk.ts'
import { sampleSupplies, stageSupplies, undoSupplies, writeSupplies } from '../supplies/bulk.ts'
import { sampleLimits, stageLimits, undoLimits, writeLimits } from '../warehouses/bulk.ts'

/** What the owner of the rows does for an import of its kind. */
interface Kind {
  may: Permission
  stage(db: Db, actor: Actor, chunks: readonly string[], lock: boolean): Promise<Staged>
  sample(db: Db, actor: Actor, limit: number): Promise<SampleChange[]>
  write(db: Db, actor: Actor, key: string): Promise<Record<string, number[]>>
  undo(db: Db, actor: Actor, key: string, made: Record<string, number[]>): Promise<void>
}

export const KINDS: Record<ImportKind, Kind> = {
  supplies: {
    may: 'imports.supplies',
    stage: stageSupplies,
    sample: sampleSupplies,
    write: writeSupplies,
    undo: undoSupplies,
  },
  trucks: {
    may: 'imports.trucks',
    stage: stageTrucks,
    sample: sampleTrucks,
    write: (db, actor) => writeTrucks(db, actor),
    undo: (db, actor, _key, made) => undoTrucks(db, actor, made),
  },
  providers: {
    may: 'imports.providers',
    stage: stageProviders,
    sample: sampleProviders,
    write: (db, actor) => writeProviders(db, actor),
    undo: (db, actor) => undoProviders(db, actor),
  },
  limits: {
    may: 'imports.limits',
    stage: stageLimits,
    sample: sampleLimits,
    write: (db, actor) => writeLimits(db, actor),
    undo: (db, actor) => undoLimits(db, actor),
  },
}
