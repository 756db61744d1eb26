/** One statement of a call, as the product sends it. */
export interface Statement {
  text: string
  values: unknown[] | undefined
  name: string | undefined
  /** The id that it gave out when it was recorded; the floor gives out its own. */
  made?: number
}

/** Stands in the recorded values where the product puts something that never comes twice. */
export const UNIQUE = '§§'
