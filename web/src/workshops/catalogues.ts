import { z } from 'zod'
import { OptionalText, Text } from '#contract/base/wire.ts'
import type { UsedThing } from '#contract/workshops/workshops.ts'

/** A name to choose in other forms; without a workshop it is shared by all workshops of the company. */
export interface CatalogueRow {
  id: number
  name: string
  workshop_id: number | null
  description?: string | null
}

export const CatalogueEntry = z.object({ name: Text(80), description: OptionalText(500) })
export interface CatalogueBody {
  name: string
  description?: string | null
}

/** What can be added from inside another form. */
export interface Addable<Row extends CatalogueRow> {
  /** The domain's topic. */
  topic: string
  /** Its rows have a description besides their name. */
  described?: boolean
  create: (body: CatalogueBody, idempotencyKey: string) => Promise<Row>
  /** What the small form says; without `failed`, only a wrong name says so, under its field. */
  adding: { title: string; button: string; done: string; failed?: string }
}

/** Names that a domain keeps for its own forms; told once for the configuration and for the forms. */
export interface Catalogue<Row extends CatalogueRow = CatalogueRow> extends Addable<Row> {
  title: string
  /** With its article, as in «Nueva marca». */
  fresh: string
  one: string
  about: string
  thing: UsedThing
  list: (signal: AbortSignal) => Promise<{ data: Row[] }>
  update: (id: number, body: CatalogueBody) => Promise<unknown>
  remove: (id: number) => Promise<unknown>
}
