import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'

/**
 * A form checked by a schema of the contract. What is typed is looser than what the schema takes, a field that is still
 * empty say: refusing that is what the schema is there for. `wired` turns what is typed into what the wire calls for.
 */
export function formResolver<Typed extends FieldValues, Body>(
  // A form that both creates and edits has one body, of which each schema takes its part.
  schema: z.ZodType<Partial<Body>>,
  wired: (typed: Typed) => object = (typed) => typed,
): Resolver<Typed, unknown, Body> {
  const check = zodResolver(schema as z.ZodType<Body, Typed>)
  return (typed, context, options) => check(wired(typed) as Typed, context, options)
}
