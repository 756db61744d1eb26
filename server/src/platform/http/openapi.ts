import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { contract } from '#contract/all.ts'
import { Download, type Endpoint, Failure, Nothing, statusOf } from '#contract/base/wire.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'openapi-3.0' }) as Json
  return json
}

/** `filter` is written `filter[Name]=value`; the rest are plain parameters. */
function queryParameters(schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).flatMap(([name, value]) => {
    const inner = (value as { properties?: Json }).properties
    if (name === 'filter')
      return Object.entries(inner ?? {}).map(([key, s]) => ({ name: `filter[${key}]`, in: 'query', schema: s }))
    return [{ name, in: 'query', required: required.includes(name), schema: value }]
  })
}

const FAILURES: Record<string, string> = {
  401: 'Not logged in',
  403: 'Not allowed',
  404: 'Not there',
  409: 'Changed meanwhile, or in use',
  422: 'Invalid: the first message of each field goes under it',
}

function operation(domain: string, name: string, e: Endpoint): Json {
  const params = e.params ? (schemaOf(e.params, 'input').properties as Json) : {}
  const failures = Object.fromEntries(
    Object.entries(FAILURES).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } },
    ]),
  )
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: e.summary,
    description:
      e.may === 'public' ? 'No session needed.' : e.may === 'session' ? 'Any session.' : `Permission: \`${e.may}\``,
    security: e.may === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...Object.entries(params).map(([key, schema]) => ({ name: key, in: 'path', required: true, schema })),
      ...(e.query ? queryParameters(e.query) : []),
      ...(e.status === 201 ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(e.may === 'public' ? [] : [{ $ref: '#/components/parameters/CompanyId' }]),
    ],
    ...(e.body && {
      requestBody: {
        required: true,
        content: { [e.upload ? 'multipart/form-data' : 'application/json']: { schema: schemaOf(e.body, 'input') } },
      },
    }),
    responses: {
      [statusOf(e)]: {
        description: 'Done',
        ...(e.reply === Download
          ? { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
          : e.reply !== Nothing && { content: { 'application/json': { schema: schemaOf(e.reply, 'output') } } }),
      },
      ...failures,
    },
  }
}

const DESCRIPTION = `Repair workshops of transport companies.

Beside the types below, every call understands what a form sends: numbers as text ("1200"), "" for a field that is empty or
switched off, 1 and 0 for yes and no, and moments as \`YYYY-MM-DD\` or \`YYYY-MM-DD HH:mm:ss\` in the company's time zone. A tax
may be 19, "19%", 1.19 or the option of a list. Lines of supplies may name the supply as \`supply\`, or by \`id\` where the line is
new, and be written \`unitRequest\`, \`unitCost\`, \`taxObject\`, \`neto\`, \`total\`; services name the provider's service by \`id\`.
In an edit an \`id\` that a line of the thing bears is that line. A transaction may carry \`transaction\` and \`supplies\` inside
\`transaction\`. After the \`?\`, \`warehouse_id\`, \`warehouseId\`, \`filter[Warehouse]\` and \`filter[warehouse_id]\` are one filter, and so
is every other. A name that is not known is 422, with all else that is wrong.

For TypeScript, \`npm run client\` of Maestranza builds a typed client. In Python:
`

/** Shown as the example of the docs page; a test runs it. */
export const EXAMPLE = new URL('./example.py', import.meta.url)
const inPython = () => `${DESCRIPTION}\n\`\`\`python\n${readFileSync(EXAMPLE, 'utf8')}\`\`\`\n`

/** The whole API, from the contract that binds it. */
export function openApi(): Json {
  const paths: Record<string, Json> = {}
  for (const [domain, endpoints] of Object.entries(contract))
    for (const [name, e] of Object.entries(endpoints)) {
      const path = e.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [e.method.toLowerCase()]: operation(domain, name, e) }
    }
  return {
    openapi: '3.0.3',
    info: { title: 'Maestranza', version: '1', description: inPython() },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: schemaOf(Failure, 'output') },
      parameters: {
        IdempotencyKey: { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } },
        CompanyId: { name: 'X-Company-Id', in: 'header', schema: { type: 'integer' } },
      },
    },
  }
}
