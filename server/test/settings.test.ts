import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GENERATED_PAGES } from '../../scripts/settings-page.ts'
import { readConfig } from '../src/platform/running/config.ts'
import { type Environment, SETTINGS, type Setting } from '../src/platform/running/settings.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The pages for administrators, English beside Spanish. */
const PAIRS = [
  ['docs/configuration.md', 'docs/es/configuracion.md'],
  ['docs/installing.md', 'docs/es/instalar.md'],
  ['docs/operating.md', 'docs/es/operar.md'],
  ['docs/upgrading.md', 'docs/es/actualizar.md'],
] as const

/** Variables that are no settings: the system sets them, or one part of our own tooling sets them for another. */
const NOT_SETTINGS: Record<string, string> = {
  PATH: 'the system',
  PROGRAMFILES: 'Windows',
  LOCALAPPDATA: 'Windows',
  XDG_CACHE_HOME: 'the desktop',
  NODE_EXTRA_CA_CERTS: 'Node reads it; fresh.ts only passes it on',
  MAESTRANZA_TEST_COUNTS: 'scripts/test.mjs sets it for the reporter',
}

const filesUnder = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs|cjs)$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))

/** Names of the environment variables that a source reads. */
function variablesIn(source: string): string[] {
  const direct = [...source.matchAll(/process\.env(?:\.|\[')([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name!)
  const destructured = [...source.matchAll(/\{([^{}]*)\} = process\.env\b/g)].flatMap(([, names]) =>
    [...names!.matchAll(/(?:^|,)\s*([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name!),
  )
  return [...direct, ...destructured]
}

it('finds each way of reading an environment variable', () => {
  const source = `process.env.ONE ?? process.env['TWO']; const { THREE = '', FOUR: _, ...env } = process.env`
  expect(variablesIn(source)).toEqual(['ONE', 'TWO', 'THREE', 'FOUR'])
})

it('describes every environment variable that the server and the commands read', () => {
  const described = new Set<string>([...SETTINGS.map(({ name }) => name), ...Object.keys(NOT_SETTINGS)])
  const missing = [...filesUnder('server/src'), ...filesUnder('scripts')].flatMap((file) =>
    variablesIn(read(file))
      .filter((name) => !described.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(missing).toEqual([])
})

it('describes only variables that something reads', () => {
  const sources = ['server/src', 'scripts', 'server/test']
    .flatMap(filesUnder)
    .filter((file) => !file.endsWith('settings.ts'))
    .map(read)
    .join('\n')
  // The exporter of OpenTelemetry reads its own.
  const readByLibraries = ['OTEL_EXPORTER_OTLP_HEADERS']
  const unread = SETTINGS.filter(({ name }) => !readByLibraries.includes(name) && !sources.includes(name))
  expect(unread).toEqual([])
})

it('documents the defaults that the server uses, and examples that it accepts', () => {
  const settings: readonly Setting[] = SETTINGS
  const valuesOf = (value: (setting: Setting) => unknown): Environment =>
    Object.fromEntries(settings.flatMap((s) => (typeof value(s) === 'string' ? [[s.name, value(s)]] : [])))
  expect(readConfig(valuesOf((setting) => setting.default))).toEqual(readConfig({}))
  const examples = valuesOf((setting) => setting.example)
  const configured = Object.entries(readConfig(examples))
  const untouched = Object.entries(readConfig({}))
  const unchanged = configured.filter(([key, value], i) => {
    expect(untouched[i]![0]).toBe(key)
    return JSON.stringify(value) === JSON.stringify(untouched[i]![1])
  })
  expect(unchanged).toEqual([])
})

it.each(Object.keys(GENERATED_PAGES))('%s is what `npm run docs` writes', (path) => {
  expect(read(path)).toBe(GENERATED_PAGES[path]!())
})

/** How deep each heading of a page is, blocks of code left out. */
const levelsOf = (page: string) =>
  [...page.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^(#+) /gm)].map(([, marks]) => marks!.length)

it.each(PAIRS)('%s and %s have the same structure', (english, spanish) => {
  const levels = (path: string) => levelsOf(read(path))
  expect(levels(english).length).toBeGreaterThan(5)
  expect(levels(spanish)).toEqual(levels(english))
})
