import { z } from 'zod'
import { MAX_ISSUES } from '../problems.ts'
import { isObject } from './fields.ts'

/*
 * A schema looks at the rules between fields only once every field is right, so that whoever sends several things wrong
 * would hear of them one after the other. Here the rules are held against the fields that are right: a rule that reads
 * a wrong one is left out.
 */

type Issue = z.core.$ZodIssue
type Path = PropertyKey[]

/** Thrown by a rule that reads a field that is wrong. */
class NotRight extends Error {}

const WRONG = Symbol('wrong')

/** All issues of a refused value: those the schema found, and those of rules that zod skips once a field is wrong. */
export function wrongFields(schema: z.core.$ZodType, value: unknown, error: z.core.$ZodError): Issue[] {
  // No answer lists more than these, and reading thousands of wrong lines again would hold up everybody else.
  if (error.issues.length >= MAX_ISSUES) return error.issues
  const issues = [...error.issues]
  const seen = new Set(issues.map(keyOf))
  for (const issue of rulesOf(schema, value).issues)
    if (!seen.has(keyOf(issue))) {
      seen.add(keyOf(issue))
      issues.push(issue)
    }
  return issues
}

const keyOf = ({ path, message }: Issue) => `${path.join('.')}: ${message}`

/** As much of a wrong value as is right, to be read by rules, and what the rules inside it say. */
function rulesOf(schema: z.core.$ZodType, value: unknown, path: Path = []): { right: unknown; issues: Issue[] } {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return rulesOf(def.innerType, value, path)
    case 'pipe':
      return { right: WRONG, issues: rulesOf(def.in, value, path).issues }
    case 'array':
      return Array.isArray(value) ? rulesOfLines(def.element, value, path) : { right: WRONG, issues: [] }
    case 'object':
      return isObject(value) ? rulesOfObject(schema, def.shape, value, path) : { right: WRONG, issues: [] }
    default:
      return { right: WRONG, issues: [] }
  }
}

/** Parses each line and field by its own schema, and keeps as much of it as is right. */
function partOf(schema: z.core.$ZodType, value: unknown, path: Path) {
  const { success, data } = z.safeParse(schema, value)
  return success ? { right: data, issues: [] } : rulesOf(schema, value, path)
}

function rulesOfLines(element: z.core.$ZodType, lines: unknown[], path: Path) {
  const parts = lines.map((line, i) => partOf(element, line, [...path, i]))
  const right = parts.map((part) => part.right)
  return { right: right.includes(WRONG) ? WRONG : right, issues: parts.flatMap(({ issues }) => issues) }
}

function rulesOfObject(schema: z.core.$ZodType, shape: z.core.$ZodShape, value: Record<string, unknown>, path: Path) {
  const fields: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const [name, field] of Object.entries(shape)) {
    const part = partOf(field, value[name], [...path, name])
    fields[name] = part.right
    issues.push(...part.issues)
  }
  const right = new Proxy(fields, {
    get(_, name) {
      if (fields[name as string] === WRONG) throw new NotRight()
      return fields[name as string]
    },
    has: (_, name) => name in fields && fields[name as string] !== WRONG,
  })
  for (const check of schema._zod.def.checks ?? []) {
    if (check._zod.def.check !== 'custom') continue
    const payload: z.core.ParsePayload<never> = { value: right as never, issues: [] }
    try {
      check._zod.check(payload)
    } catch (error) {
      if (!(error instanceof NotRight)) throw error
    }
    for (const issue of payload.issues) {
      const whole = z.core.util.finalizeIssue(
        { ...issue, input: undefined, path: issue.path ?? [] },
        {},
        z.core.config(),
      )
      issues.push({ ...whole, path: [...path, ...whole.path] })
    }
  }
  return { right, issues }
}
