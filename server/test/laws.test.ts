import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { loadModule, parseSync } from 'libpg-query'
import { describe, expect, it } from 'vitest'
import { contract } from '#contract/all.ts'
import type { Endpoint } from '#contract/base/wire.ts'
import { WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { ON_COORDINATOR, ON_EVERY_NODE, placeOf } from '../src/platform/database/spread.ts'
import type { Node } from './spread-statements.ts'
import { tableModules, tables } from './tables.ts'

await loadModule()

/** The laws of the house: who may know whom, and what every table owes. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const filesUnder = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/dist/'))

/** What a file imports: a path from the root for our own files, the name for a package. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^'\s]+)'/g)].map(([, name = '']) => {
    if (name.startsWith('#contract/')) return name.replace('#contract/', 'contract/src/')
    return name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), name)).replaceAll('\\', '/') : name
  })
}
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file)
const sources = ['contract', 'server/src', 'web/src'].flatMap(filesUnder).filter((file) => !isTest(file))
const offenders = (inside: RegExp, forbidden: (imported: string, file: string) => boolean) =>
  sources
    .filter((file) => inside.test(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => forbidden(name, file))
        .map((name) => `${file} → ${name}`),
    )

/** The numbers of the lines that name a login of the demonstration without a comment above that says why. */
const unexplainedLogins = (lines: string[]) =>
  lines.flatMap((line, i) =>
    /@(maestranza|aridos)\.demo/.test(line) && !/^\s*\/\/ Demonstration: \S/.test(lines[i - 1] ?? '') ? [i + 1] : [],
  )

/** Each domain, and those it may use; all may use the platform and the contract. */
const MAY_USE: Record<string, string[]> = {
  workshops: [],
  identity: ['workshops'],
  fleet: ['workshops'],
  providers: ['workshops'],
  supplies: ['workshops'],
  warehouses: ['workshops', 'supplies', 'providers'],
  imports: ['workshops', 'fleet', 'supplies', 'providers', 'warehouses'],
  purchasing: ['workshops', 'supplies', 'providers', 'warehouses'],
  reports: [
    'workshops',
    'identity',
    'fleet',
    'supplies',
    'providers',
    'warehouses',
    'purchasing',
    'work-orders',
    'alerts',
  ],
  'work-orders': ['workshops', 'identity', 'fleet', 'supplies', 'providers', 'warehouses'],
  alerts: ['workshops', 'identity', 'fleet', 'work-orders'],
  webhooks: ['workshops', 'fleet', 'supplies', 'warehouses', 'work-orders', 'alerts'],
}

/** The rows of ARCHITECTURE.md's table of domains: the first column, and the names in the last. */
const domainTableOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/^\| `([\w-]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, domain, uses]) => [
      domain!,
      [...uses!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!),
    ]),
  )
const sorted = (table: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(table).map(([domain, uses]) => [domain, [...uses].sort()]))

describe('the table of domains in ARCHITECTURE.md', () => {
  it('says of each domain what it may use', () => {
    const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
    expect(sorted(domainTableOf(page))).toEqual(sorted(MAY_USE))
  })
  it('is read row by row, without the heading', () => {
    const page = '| domain | what | uses |\n| --- | --- | --- |\n| `a` | one | |\n| `b-c` | two | `a`, `d` |\n'
    expect(domainTableOf(page)).toEqual({ a: [], 'b-c': ['a', 'd'] })
  })
})

describe('imports', () => {
  it('contract imports zod and itself', () => {
    expect(offenders(/^contract\//, (name) => name !== 'zod' && !name.startsWith('contract/'))).toEqual([])
  })
  it('web and server never import each other', () => {
    expect(offenders(/^web\//, (name) => name.startsWith('server/'))).toEqual([])
    expect(offenders(/^server\//, (name) => name.startsWith('web/'))).toEqual([])
  })
  it('the platform knows no domain', () => {
    expect(offenders(/^server\/src\/platform\//, (name) => /^server\/src\/(?!platform\/)/.test(name))).toEqual([])
  })
  it('inside the platform, folders use only those below them', () => {
    const layers = ['database', 'operations', 'outside', 'http', 'running']
    const layerOf = (path: string) => {
      const [, layer] = /^server\/src\/platform\/(?:([\w-]+)\/)?/.exec(path) ?? []
      return layer === undefined ? -1 : layers.indexOf(layer)
    }
    const folders = new Set(sources.map((file) => /^server\/src\/platform\/([\w-]+)\//.exec(file)?.[1]))
    expect([...folders].filter(Boolean).sort()).toEqual([...layers].sort())
    const isUpwards = (name: string, file: string) =>
      name.startsWith('server/src/platform/') && layerOf(name) > layerOf(file)
    expect(offenders(/^server\/src\/platform\//, isUpwards)).toEqual([])
  })
  it('on the web, floors use only those below them', () => {
    const above = { ui: 'platform|frames|', platform: 'frames|', frames: '' }
    for (const [floor, higher] of Object.entries(above)) {
      const forbidden = new RegExp(`^web/src/((${higher}shell|test|${Object.keys(MAY_USE).join('|')})/|\\w+\\.tsx?$)`)
      expect(offenders(new RegExp(`^web/src/${floor}/`), (name) => forbidden.test(name))).toEqual([])
    }
    const ofDomains = new RegExp(`^contract/src/(${Object.keys(MAY_USE).join('|')})/`)
    expect(offenders(/^web\/src\/ui\//, (name) => ofDomains.test(name))).toEqual([])
  })
  it.each([
    ['server/src', ['platform']],
    ['web/src', ['ui', 'platform', 'frames', 'shell', 'test']],
  ])('each domain uses only those it may in %s', (floor, others) => {
    const domainOf = (path: string) => new RegExp(`^${floor}/([\\w-]+)/`).exec(path)?.[1]
    const domains = Object.keys(MAY_USE)
    const strangers = offenders(new RegExp(`^${floor}/(${domains.join('|')})/`), (name, file) => {
      const [own = '', other] = [domainOf(file), domainOf(name)]
      if (!name.startsWith(`${floor}/`) || other === own) return false
      // What is in no folder, and the shell, are made of the domains.
      if (other === undefined || other === 'shell' || other === 'test') return true
      return !others.includes(other) && !MAY_USE[own]?.includes(other)
    })
    expect(strangers).toEqual([])
    const folders = new Set(sources.map(domainOf).filter((folder) => folder !== undefined))
    expect([...folders].sort()).toEqual([...domains, ...others].sort())
  })
  it('no file imports itself by a detour', () => {
    const graph = new Map(sources.map((file) => [file, importsOf(file).filter((name) => sources.includes(name))]))
    const done = new Set<string>()
    const visit = (file: string, path: string[]): string[] => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return []
      done.add(file)
      for (const next of graph.get(file) ?? []) {
        const cycle = visit(next, [...path, file])
        if (cycle.length > 0) return cycle
      }
      return []
    }
    expect(sources.map((file) => visit(file, [])).find((cycle) => cycle.length > 0) ?? []).toEqual([])
  })
  it('only the platform holds a connection to the database', () => {
    const atHome = /^server\/src\/(platform\/|main\.ts)/
    expect(offenders(/^server\/src\//, (name, file) => name === 'pg' && !atHome.test(file))).toEqual([])
  })
})

describe('journeys', () => {
  it('work in companies of their own: one that logs in as the demonstration says why', () => {
    const unexplained = filesUnder('e2e')
      .filter(isTest)
      .flatMap((file) => {
        const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
        return unexplainedLogins(lines).map((line) => `${file}:${line}`)
      })
    expect(unexplained).toEqual([])
  })
  it('finds a login of the demonstration without its reason', () => {
    const login = `await logIn(page, 'jefe@maestranza.demo')`
    expect(unexplainedLogins(['', login])).toEqual([2])
    expect(unexplainedLogins(['  // Demonstration: its banner is looked at.', login])).toEqual([])
  })
})

describe('states', () => {
  it('names of the statuses of work orders stand in their table only', () => {
    // The table's own checks are SQL that migrations compare letter by letter.
    const exempt = ['contract/src/work-orders/states.ts', 'server/src/work-orders/tables.ts']
    const name = new RegExp(`\\b(${WORK_ORDER_STATUS_NAMES.join('|')})\\b`)
    const named = sources
      .filter((file) => !exempt.includes(file))
      .filter((file) => name.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(named).toEqual([])
  })
  it('nothing compares a state with its name: what is asked of it is in its table', () => {
    // On or off is a switch, not a state; a worker and a process of the machine have states of their own.
    const compared = /\b(?:status|state)\)? (?:===|!==) '(?!active'|inactive')\w+'/
    const exempt = ['server/src/platform/running/embedded-postgres.ts', 'web/src/platform/service-worker.ts']
    const named = sources
      .filter((file) => !exempt.includes(file))
      .filter((file) => compared.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(named).toEqual([])
  })
})

const homeOf = (file: string) => /^server\/src\/([\w-]+)\//.exec(file)?.[1]
/** Whose each table is, by the name it has in the code and the one it has in the database. */
const OWNERS = new Map(
  tableModules.flatMap(({ file, exports }) =>
    Object.entries(exports)
      .filter((each): each is [string, PgTable] => is(each[1], PgTable))
      .flatMap(([name, table]) => [name, getTableConfig(table).name].map((called) => [called, homeOf(file)] as const)),
  ),
)
/** `.insert(t)`, `update ${t}`, `delete from t`. */
const WRITES =
  /\.(?:insert|update|delete)\((\w+)\)|\b(?:insert into|update|delete from|truncate)\s+(?:only\s+)?(?:\$\{(\w+)\}|"?(\w+)"?)/gi
function writesIn(text: string): string[] {
  const renamed = new Map([...text.matchAll(/(\w+) as (\w+)/g)].map(([, name, called]) => [called, name]))
  return [...text.matchAll(WRITES)].map(([, built, held, named]) => {
    const table = (built ?? held ?? named)!
    return renamed.get(table) ?? table
  })
}

/** A table put by, to be written under another name: `table: t`, `[a, b]`, `write(t)`; not one that is read or joined. */
function heldIn(text: string): string[] {
  const code = text
    .replaceAll(/^import [^;]*?from '[^']*'$/gms, '')
    .replaceAll(/\$\{\w+\}|typeof \w+|\.?\b(?:from|\w*[jJ]oin|insert|update|delete)\(\w+|\w+\.\w+/g, '')
  return [...new Set([...code.matchAll(/\b[a-z]\w*Table\b/g)].map(([name]) => name))]
}
/** Writes what was put by, here or by those who call it. */
const writesHeld = (text: string) =>
  [
    ...text.matchAll(
      /\b(?:insert into|update|delete from) \$\{([\w.]+)\}|\bdb\s*\.(?:insert|update|delete)\(([\w.]+)\)/g,
    ),
  ].some(([, sql, built]) => !/Table$/.test((sql ?? built)!))

describe('writing at home', () => {
  it('is found in every form it is written in', () => {
    const text = `import { usersTable as people } from './tables.ts'
      db.insert(worksTable).values(x); db.update(people).set(y); sql\`delete from \${trucksTable} where a\`
      sql\`insert into "mails" (a)\`; sql\`select 1 for update\`; sql\`on conflict do update set a = 1\``
    expect(writesIn(text).filter((table) => OWNERS.has(table))).toEqual([
      'worksTable',
      'usersTable',
      'trucksTable',
      'mails',
    ])
  })
  it('each domain, and the platform, inserts, updates and deletes rows of its own tables only', () => {
    const away = sources
      .filter((file) => file.startsWith('server/src/'))
      .flatMap((file) =>
        writesIn(readFileSync(join(ROOT, file), 'utf8'))
          .filter((table) => OWNERS.has(table) && OWNERS.get(table) !== homeOf(file))
          .map((table) => `${file} → ${table} of ${OWNERS.get(table)}`),
      )
    expect(away).toEqual([])
  })
})

describe('a table put by', () => {
  it('is found in every form it is put by in', () => {
    const text = `import { aTable, bTable } from './tables.ts'
      const of = { table: cTable }; for (const table of [dTable, eTable]) go(table)
      db.select().from(fTable).leftJoin(gTable); sql\`join \${hTable} h\`; eq(iTable.id, 1)`
    expect(heldIn(text)).toEqual(['cTable', 'dTable', 'eTable'])
    expect(
      [`delete from \${of.table} x`, 'db.update(table)', 'db\n.insert(iTable)', `update \${iTable}`].map(writesHeld),
    ).toEqual([true, true, false, false])
  })
  it('is of the domain that puts it by, where it could be written', () => {
    const away = sources
      .filter((file) => file.startsWith('server/src/') && !file.endsWith('/tables.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8')
        const declared = [...text.matchAll(/\btable: ([a-z]\w*Table)\b/g)].map(([, name = '']) => name)
        return [...declared, ...(writesHeld(text) ? heldIn(text) : [])]
          .filter((table) => OWNERS.get(table) !== homeOf(file))
          .map((table) => `${file} → ${table}`)
      })
    expect(away).toEqual([])
  })
})

describe('functions', () => {
  const LONGEST = 120
  const START =
    /^( {2})?(?:export )?(?:default )?(?:(?:async )?function\*? |const \w+(?:: [^=]+)? = (?:async )?(?:<.*>)?\(|(?:static )?(?:async )?#?\w+(?:<.*>)?\()/
  /** From the line it begins in to the last that is further in, and the one that closes it, as the formatter sets them. */
  const longIn = (text: string) => {
    const lines = text.split('\n')
    return lines.flatMap((line, i) => {
      const [begins, indent = ''] = START.exec(line) ?? []
      if (!begins || (indent && /^ {2}(?:if|for|while|switch|return)\b/.test(line))) return []
      const after = lines
        .slice(i + 1)
        .findIndex((each) => /^ *[^\s]/.test(each) && !each.startsWith(`${indent} `) && !/^ *[)}\]].*[{(>]$/.test(each))
      const length = 1 + after + (/^ *[)}\]]/.test(lines[i + 1 + after]!) ? 1 : 0)
      const reason = lines.slice(Math.max(0, i - 8), i).some((each) => each.includes('Long: '))
      return length > LONGEST && !reason ? `${line.trim().slice(0, 60)} has ${length} lines` : []
    })
  }
  it('are measured from their first line to their last', () => {
    const body = Array.from({ length: LONGEST }, () => '  now()')
    expect(longIn(['function a({', '  b,', '}: {', '  b: 1', '}) {', ...body, '}'].join('\n'))).toHaveLength(1)
    expect(longIn(['const a = (b: 1) => {', ...body.slice(2), '}'].join('\n'))).toEqual([])
    expect(longIn(['/** Long: it is one. */', 'function a() {', ...body, '}'].join('\n'))).toEqual([])
  })
  it('are no longer than can be read at once, or say why', () => {
    const long = sources.flatMap((file) =>
      longIn(readFileSync(join(ROOT, file), 'utf8')).map((what) => `${file}: ${what}`),
    )
    expect(long).toEqual([])
  })
})

describe('tables', () => {
  it.each(tables.map((table) => [getTableConfig(table).name, getTableConfig(table)] as const))(
    '%s has company_id first in its keys, and the fence',
    (name, { primaryKeys, foreignKeys, policies, indexes }) => {
      if (policies.length === 0 && placeOf(name) !== 'company') return
      expect(primaryKeys.map((key) => key.columns[0]?.name)).toEqual(['company_id'])
      for (const key of foreignKeys) {
        const { columns, foreignColumns, foreignTable } = key.reference()
        const target = getTableConfig(foreignTable).name
        if (target === 'users') continue
        expect(columns[0]?.name, key.getName()).toBe('company_id')
        expect(foreignColumns[0]?.name, key.getName()).toBe(target === 'companies' ? 'id' : 'company_id')
      }
      expect(policies.map((policy) => policy.name)).toEqual(['company_fence'])
      for (const { config } of indexes) expect(config.name, 'an index without a name is left out').toBeTruthy()
    },
  )

  it('are on a cluster where their keys reach, and nowhere by oversight', () => {
    const configs = tables.map((table) => getTableConfig(table))
    const names = configs.map(({ name }) => name)
    expect([...ON_EVERY_NODE, ...ON_COORDINATOR].filter((name) => !names.includes(name))).toEqual([])
    const REACH = {
      company: ['company', 'everywhere'],
      everywhere: ['everywhere'],
      coordinator: ['coordinator', 'everywhere'],
    }
    const wrong = configs.flatMap(({ name, columns, foreignKeys, indexes, uniqueConstraints }) => {
      const place = placeOf(name)
      const far = foreignKeys
        .filter((key) => !REACH[place].includes(placeOf(getTableConfig(key.reference().foreignTable).name)))
        .map((key) => `${key.getName()} refers to what is on another node`)
      if (place !== 'company') return far
      if (!columns.some((column) => column.name === 'company_id'))
        return [`${name} is of no company, and named nowhere`]
      const unique = [
        ...indexes.filter(({ config }) => config.unique).map(({ config }) => [config.name, config.columns] as const),
        ...uniqueConstraints.map((each) => [each.getName(), each.columns] as const),
      ]
      const across = unique
        .filter(([, of]) => !of.some((column) => 'name' in column && column.name === 'company_id'))
        .map(([called]) => `${called} would have to look at every node`)
      return [...far, ...across]
    })
    expect(wrong).toEqual([])
  })

  it('are not changed by migrations in ways that a cluster refuses', () => {
    /** From here on there may be clusters; what came before was done before any table was spread. */
    const FIRST = '0027'
    const refusalOf = ({ AlterTableStmt: altered, CreateTrigStmt, RuleStmt }: Node): string[] => {
      if (CreateTrigStmt || RuleStmt) return ['a trigger or rule would be run by each node, for its own part']
      return (altered?.cmds ?? []).flatMap(({ AlterTableCmd: { subtype, name, def } }: Node) => {
        const kinds = [def?.Constraint, ...(def?.ColumnDef?.constraints ?? []).map((each: Node) => each.Constraint)]
        if (subtype === 'AT_AddIdentity' || kinds.some((kind) => kind?.contype === 'CONSTR_IDENTITY'))
          return ['a column that numbers itself is made with its table, not later']
        return name === 'company_id' ? ['what a table is spread by stays as it is'] : []
      })
    }
    const refusedIn = (text: string) => parseSync(text).stmts!.flatMap(({ stmt }) => refusalOf(stmt))
    expect(refusedIn('alter table a add id bigint generated by default as identity')).toHaveLength(1)
    expect(refusedIn('alter table a alter company_id type integer; alter table a add b bigint')).toHaveLength(1)
    expect(refusedIn('create trigger t after insert on a execute function f()')).toHaveLength(1)
    const folder = join(ROOT, 'server/migrations')
    const wrong = readdirSync(folder)
      .filter((file) => file.endsWith('.sql') && file >= FIRST)
      .flatMap((file) => refusedIn(readFileSync(join(folder, file), 'utf8')).map((why) => `${file}: ${why}`))
    expect(wrong).toEqual([])
  })

  it('match the migrations', async () => {
    const folder = join(ROOT, 'server/migrations/meta')
    const snapshots = readdirSync(folder).filter((file) => file.endsWith('_snapshot.json'))
    expect(snapshots, 'only the newest snapshot is kept').toHaveLength(1)
    const before = JSON.parse(readFileSync(join(folder, snapshots[0]!), 'utf8'))
    const now = generateDrizzleJson(Object.assign({}, ...tableModules.map(({ exports }) => exports)), before.id)
    expect(await generateMigration(before, now)).toEqual([])
  })
})

it('every list that a screen shows has the name by which the security log calls it', () => {
  const lists = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bendpoint=\{(\w+)\.(\w+)\}/g)].map((found) => found.slice(1)),
  )
  expect(lists.length).toBeGreaterThan(20)
  const nameless = lists.filter(([domain = '', name = '']) => {
    const calls: Record<string, Endpoint> | undefined = contract[domain as keyof typeof contract]
    return calls?.[name]?.title === undefined
  })
  expect(nameless).toEqual([])
})

it('an installed image carries no build tool: what builds the web application is a development package', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const config = readFileSync(join(ROOT, 'web/vite.config.ts'), 'utf8')
  const tools = [...config.matchAll(/^import .* from '([^'#.:][^']*)'$/gm)]
    .map(([, name]) => name!)
    .filter((name) => name in { ...dependencies, ...devDependencies })
  expect(tools).toContain('vite')
  expect(tools.filter((name) => name in dependencies)).toEqual([])
})
