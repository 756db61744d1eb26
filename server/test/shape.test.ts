import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { EXCEPTIONS } from './shape-exceptions.ts'

/*
 * Laws about the shape of the server's code. Code that breaks one of them is listed, in shape-exceptions.ts or in the
 * overrides of biome.json. The lists must be exact, so that repaired code leaves them, and they must not grow.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['server/src', 'contract/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort(),
)
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const breaking = (pattern: RegExp, exempt = /^$/) =>
  sources.filter((file) => !exempt.test(file) && pattern.test(read(file)))

const MAX_LINES = 450
const MAX_FILES = 20
/** `ignore` of platform/ignore.ts says why an error needs no answer. */
const SWALLOWED_ERROR = /\.catch\(\(\) => (\{\}|undefined|null)\)/
const CAST = /\bas unknown as\b/
/** Zod documents `_zod` for programs that read schemas. */
const PRIVATE_MEMBER = /[\w)\]]\??\._(?!zod\b)[a-zA-Z]/
/** Anything but a plain text: a name or a value becomes part of the statement, where a mistake lets a caller write SQL. */
const BUILT_SQL = /\bsql\.raw\(\s*(?!'[^']*'\s*,?\s*\))(?!`[^`$]*`\s*,?\s*\))/

describe('the shape of the code', () => {
  it('lets no file grow beyond 450 lines', () => {
    expect(sources.filter((file) => read(file).split('\n').length - 1 > MAX_LINES)).toEqual(EXCEPTIONS.longFiles)
  })
  it('lets no folder grow beyond 20 files', () => {
    const folders = Map.groupBy(sources, dirname)
    expect([...folders.keys()].filter((folder) => folders.get(folder)!.length > MAX_FILES)).toEqual(
      EXCEPTIONS.largeFolders,
    )
  })
  it('believes the compiler: no cast by way of unknown', () => {
    expect(breaking(CAST)).toEqual(EXCEPTIONS.casts)
  })
  it('uses no private members of dependencies', () => {
    expect(breaking(PRIVATE_MEMBER)).toEqual([])
  })
  it('swallows no error without a reason', () => {
    expect(breaking(SWALLOWED_ERROR)).toEqual([])
  })
  it('builds no SQL from text outside the platform', () => {
    expect(breaking(BUILT_SQL, /^server\/src\/platform\//)).toEqual(EXCEPTIONS.builtSql)
  })
  it('has no more exceptions than before', () => {
    const counts = Object.fromEntries(Object.entries(EXCEPTIONS).map(([law, files]) => [law, files.length]))
    expect(counts).toEqual({ longFiles: 10, largeFolders: 0, casts: 5, builtSql: 15 })
  })
})

describe('the patterns of these laws', () => {
  it.each([
    [CAST, 'client as unknown as Submittable', 'client as Submittable'],
    [SWALLOWED_ERROR, 'end().catch(() => undefined)', "end().catch(ignore('It is gone already.'))"],
    [PRIVATE_MEMBER, 'client._ending', '#ending; schema._zod; (_, i) => i'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: It is source code that the pattern reads.
    [BUILT_SQL, 'sql.raw(`t.${field}`)', "sql.raw('t.name')"],
    [BUILT_SQL, 'sql.raw(names.join())', 'sql.raw(`now()`)'],
  ])('%s finds the first and not the second', (pattern, wrong, right) => {
    expect([wrong, right].map((text) => pattern.test(text))).toEqual([true, false])
  })
})

interface Override {
  includes: string[]
  linter: { rules: Record<string, Record<string, unknown>> }
}

describe('the lint rules of the server', () => {
  const { overrides } = JSON.parse(read('biome.json')) as { overrides: Override[] }
  const rulesOf = ({ linter }: Override) =>
    Object.entries(linter.rules).flatMap(([group, rules]) => Object.keys(rules).map((rule) => `${group}/${rule}`))
  const strict = overrides.find(({ includes }) => includes.includes('server/src/**'))!
  const isException = (override: Override) =>
    override !== strict && rulesOf(override).every((rule) => rulesOf(strict).includes(rule))
  const exceptions = Object.fromEntries(
    overrides.filter(isException).flatMap((override) => rulesOf(override).map((rule) => [rule, override.includes])),
  )

  it('have exactly the exceptions that biome.json lists', () => {
    const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
    const only = rulesOf(strict).map((rule) => `--only=${rule}`)
    const args = [biome, 'lint', ...only, '--max-diagnostics=none', '--reporter=json', 'server/src', 'contract/src']
    const report = outputOf(args)
    const { diagnostics } = JSON.parse(report) as { diagnostics: { category: string; location: { path: string } }[] }
    const broken: Record<string, string[]> = {}
    for (const { category, location } of diagnostics) {
      const rule = category.replace('lint/', '')
      const files = (broken[rule] ??= [])
      if (sources.includes(location.path) && !files.includes(location.path)) files.push(location.path)
    }
    for (const rule of rulesOf(strict))
      expect([rule, broken[rule]?.sort() ?? []]).toEqual([rule, exceptions[rule] ?? []])
  })
  it('have no more exceptions than before', () => {
    expect(Object.fromEntries(Object.entries(exceptions).map(([rule, files]) => [rule, files.length]))).toEqual({
      'complexity/noExcessiveCognitiveComplexity': 24,
      'complexity/noExcessiveLinesPerFunction': 5,
      'style/noNestedTernary': 27,
    })
  })

  /** Biome ends with an error, and prints its report all the same. */
  function outputOf(args: string[]) {
    try {
      return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    } catch (error) {
      return (error as { stdout: string }).stdout
    }
  }
})
