import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { deadCommands, deadLinks, deadNames, deadPaths, decisionReferences, diagramOf, repositoryOf } from './docs.ts'
import { tables } from './tables.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Installed, built, or written by a running product. */
const OUTSIDE = /^(?:node_modules|data|\.git|\.cache|test-results|playwright-report)(?:\/|$)|(?:^|\/)dist(?:\/|$)/

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (OUTSIDE.test(path)) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const paths = filesBelow('')
const sources = paths
  .filter((path) => /\.(?:[cm]?[jt]sx?|sql|css|json|ya?ml|service|example)$|Dockerfile$/.test(path))
  .filter((path) => !/^server\/test\/(?:releases\/|docs\.)|package-lock|migrations\/meta/.test(path))
  .map((path) => ({ path, text: read(path) }))
const repository = repositoryOf(paths, sources, Object.keys(JSON.parse(read('package.json')).scripts))
const pages = paths.filter((path) => path.endsWith('.md')).map((path) => [path, read(path)] as const)

/**
 * Names of PostgreSQL, Prometheus and OpenTelemetry that pages mention and no source of ours writes; and `chassis`, the
 * field that CONTRIBUTING.md adds as an example.
 */
const OTHERS = new Set([
  'OTEL_EXPORTER_OTLP_HEADERS',
  'archive_command',
  'chassis',
  'from_collapse_limit',
  'histogram_quantile',
  'join_collapse_limit',
  'nodejs_eventloop_lag_p99_seconds',
  'pg_basebackup',
  'pg_hba',
  'pg_receivewal',
  'pg_upgrade',
  'process_resident_memory_bytes',
  'reqId',
  'restore_command',
])
/** Metrics get their prefix where they are declared (server/src/platform/running/metrics.ts). */
const unprefixed = (text: string) => text.replaceAll('`maestranza_', '`')

describe('documentation', () => {
  it.each(pages)('%s names files, links, names and commands that exist', (page, text) => {
    expect(deadPaths(page, text, repository)).toEqual([])
    expect(deadLinks(page, text, repository, read)).toEqual([])
    expect(deadNames(unprefixed(text), repository, OTHERS)).toEqual([])
    expect(deadCommands(text, repository)).toEqual([])
  })
  it('excuses only names that some page mentions', () => {
    const unused = [...OTHERS].filter((name) => !pages.some(([, text]) => text.includes(name)))
    expect(unused).toEqual([])
  })
  it('draws tables with the columns and the references they have', () => {
    const { columns, references } = diagramOf(read('ARCHITECTURE.md'))
    const known = new Map(tables.map((table) => [getTableConfig(table).name, getTableConfig(table)]))
    expect(references.length).toBeGreaterThan(15)
    const drawn = references.flatMap((line) => line.split(' → ')).concat(Object.keys(columns))
    expect(drawn.filter((name) => !known.has(name))).toEqual([])
    const keys = [...known.values()].flatMap(({ name, foreignKeys }) =>
      foreignKeys.map((key) => `${name} → ${getTableConfig(key.reference().foreignTable).name}`),
    )
    expect(references.filter((line) => !keys.includes(line))).toEqual([])
    const missing = Object.entries(columns).flatMap(([table, names]) =>
      names.filter((name) => !known.get(table)!.columns.some((column) => column.name === name)),
    )
    expect(missing).toEqual([])
  })
})

describe('decisions', () => {
  const records = pages.filter(([page]) => /^docs\/decisions\/\d/.test(page))
  const numbers = records.map(([page]) => /(\d{4})-/.exec(page)![1]!)
  it('are numbered without gaps, with the number in the title', () => {
    expect(numbers).toEqual(numbers.map((_, i) => String(i + 1).padStart(4, '0')))
    expect(records.map(([, text]) => /^# (\d{4})\. \S/.exec(text)?.[1])).toEqual(numbers)
  })
  it.each(records)('%s has context, decision and consequences, in this order', (_page, text) => {
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ])
  })
  it('are each in the index once, under their own title', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$/gm)]
    const expected = records.map(([page, text]) => {
      const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(text)!
      return `${number} docs/decisions/${page.split('/').at(-1)} ${title}`
    })
    expect(listed.map(([, number, file, title]) => `${number} docs/decisions/${file} ${title}`).sort()).toEqual(
      expected,
    )
  })
  it('are referred to by four digits that one of them has, in pages and in comments', () => {
    const texts = [...pages, ...sources.map(({ path, text }) => [path, text] as const)]
    const wrong = texts.flatMap(([path, text]) =>
      decisionReferences(text)
        .filter((number) => !numbers.includes(number))
        .map((number) => `${path}: decision ${number}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('README files of domains', () => {
  const readmes = pages.filter(([page]) => /^server\/src\/[\w-]+\/README\.md$/.test(page))
  it('exist for every domain and have at most 60 lines', () => {
    const domains = readdirSync(join(ROOT, 'server/src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'platform')
      .map(({ name }) => `server/src/${name}/README.md`)
    expect(readmes.map(([page]) => page).sort()).toEqual(domains.sort())
    expect(readmes.filter(([, text]) => text.trimEnd().split('\n').length > 60).map(([page]) => page)).toEqual([])
  })
  it('follow the form of CONTRIBUTING.md where they have its headings', () => {
    const headings = readmes.map(([page, text]) => [page, [...text.matchAll(/^## (.+)$/gm)].map(([, each]) => each)])
    const inForm = headings.filter(([, found]) => String(found) === 'Tables,Operations,Rules').map(([page]) => page)
    expect(inForm).toContain('server/src/fleet/README.md')
  })
})

describe('what is dead in a page', () => {
  const small = repositoryOf(
    [
      'README.md',
      'docs/a.md',
      'server/src/fleet/trucks.ts',
      'server/src/supplies/bulk.ts',
      'server/src/fleet/README.md',
    ],
    [{ path: 'server/src/fleet/trucks.ts', text: '/** `goneName` */\nexport const listTrucks = { company_id: 1 }\n' }],
    ['backup'],
  )
  it('is a path that no file or folder has', () => {
    const text =
      '`server/src/fleet/trucks.ts` `fleet/trucks.ts` `trucks.ts` `server/src/fleet` `fleet/*.ts` `docs/a.md`'
    expect(deadPaths('README.md', text, small)).toEqual([])
    const dead = '`server/src/fleet/cars.ts` `cars.ts` `fleet/cars` `fleet/*.sql`, and bench/run.ts in text'
    expect(deadPaths('README.md', dead, small)).toEqual([
      'server/src/fleet/cars.ts',
      'cars.ts',
      'fleet/cars',
      'fleet/*.sql',
      'bench/run.ts',
    ])
  })
  it('is a file of another domain, in the README of a domain', () => {
    expect(deadPaths('server/src/fleet/README.md', '`trucks.ts`', small)).toEqual([])
    expect(deadPaths('server/src/fleet/README.md', '`bulk.ts`', small)).toEqual(['bulk.ts'])
    expect(deadPaths('server/src/fleet/README.md', '`supplies/bulk.ts`', small)).toEqual([])
  })
  it('is a link to a missing file or heading', () => {
    const heading = () => '# How large\n\n## Two commands, one file\n'
    const live = '[a](docs/a.md) [b](docs/a.md#two-commands-one-file) [c](https://example.com) [d](docs)'
    expect(deadLinks('README.md', live, small, heading)).toEqual([])
    const dead = '[a](docs/b.md) [b](docs/a.md#three)'
    expect(deadLinks('README.md', dead, small, heading)).toEqual(['docs/b.md', 'docs/a.md#three'])
    expect(deadLinks('docs/a.md', '[up](../README.md) [b](README.md)', small, heading)).toEqual(['README.md'])
  })
  it('is a name that no source has, or only a comment', () => {
    expect(deadNames('`listTrucks()` `listTrucks(db)` `company_id` `GET /x`', small, new Set())).toEqual([])
    expect(deadNames('`listCars()` `TRUCK_LIST` `goneName` `fleet.listCars`', small, new Set(['fleet']))).toEqual([
      'listCars',
      'TRUCK_LIST',
      'goneName',
    ])
    expect(deadNames('| instead of | write |\n| --- | --- |\n| `told` | `emit` |\n', small, new Set())).toEqual([])
  })
  it('is a command that package.json does not have', () => {
    expect(deadCommands('`npm run backup`, npm run --silent backup\n```\nnpm run restore\n```\n', small)).toEqual([
      'restore',
    ])
  })
  it('is a line of a drawing without its foreign key', () => {
    const page = '```mermaid\nerDiagram\n  a ||--o{ b : ""\n\n  a {\n    text c\n    int d\n  }\n```\n'
    expect(diagramOf(page)).toEqual({ columns: { a: ['c', 'd'] }, references: ['b → a'] })
  })
  it('reads the numbers of decisions one by one', () => {
    expect(decisionReferences('see decision 0004, decisions 0010 and 23')).toEqual(['0004', '0010', '23'])
  })
})
