import { z } from 'zod'

/** Other names and forms that a schema understands, for clients that were written from the specification. */
export interface Reading {
  /** Other names of fields, `{ unitCost: 'unit_cost' }`; with a dot, of a field inside: `{ 'transaction.supplies': 'supplies' }`. */
  names?: Record<string, string>
  /** The field that `id` stands for in a new line: the thing that the line is about. */
  thing?: string
  /** Works out a field that was left out from the other fields. */
  missing?: Record<string, (value: Record<string, unknown>) => unknown>
  /** Other ways of writing the value. Gives back what it does not understand, and the schema says what is wrong. */
  value?: (sent: unknown, zone: string) => unknown
}

/** Declared beside the schema, `schema.register(readings, …)`; the server's `platform/http/coerce.ts` reads it. */
export const readings = z.registry<Reading>()
