import type pg from 'pg'
import type { Offence } from './spread-statements.ts'

/**
 * What nodes would each work out for themselves: functions that are not immutable, casts and operators among them, where rows
 * are changed or returned. Which function is meant depends on types, so PostgreSQL is asked: it tells how it reads a statement.
 */
export class Functions {
  readonly #client: pg.PoolClient
  /** Those that are not immutable, and what types are written and read with. */
  readonly #unsteady: Map<string, string>
  readonly #types: Map<string, { typinput: string; typoutput: string }>
  /** The tables of companies, by their numbers. */
  readonly #tables: Map<string, string>
  #read = ''

  private constructor(client: pg.PoolClient, asked: [Row[], Row[], Row[]]) {
    this.#client = client
    const [functions, types, tables] = asked
    this.#unsteady = new Map(functions.map(({ oid, name }) => [oid!, name!]))
    this.#types = new Map(
      types.map(({ oid, typinput, typoutput }) => [oid!, { typinput: typinput!, typoutput: typoutput! }]),
    )
    this.#tables = new Map(tables.map(({ oid, name }) => [oid!, name!]))
    client.on('notice', ({ message, detail }) => {
      if (message === 'parse tree:' && !detail?.startsWith(UTILITY)) this.#read = detail ?? ''
    })
  }

  static async open(pool: pg.Pool, isOfCompany: (table: string) => boolean): Promise<Functions> {
    const client = await pool.connect()
    const ask = async (text: string) => (await client.query<Row>(text)).rows
    const asked = [
      await ask(`select oid::text, proname as name from pg_proc where provolatile <> 'i'`),
      await ask('select oid::text, typinput::oid::text, typoutput::oid::text from pg_type'),
      await ask(`select oid::text, relname as name from pg_class where relnamespace = 'public'::regnamespace`),
    ] as [Row[], Row[], Row[]]
    asked[2] = asked[2].filter(({ name }) => isOfCompany(name!))
    await client.query('set debug_pretty_print = off; set client_min_messages = log; set debug_print_parse = on')
    return new Functions(client, asked)
  }

  /** Its connection is of no use to others. */
  close() {
    this.#client.release(true)
  }

  async offencesOf(text: string): Promise<Offence[]> {
    if (!/\b(update|delete|insert)\b/i.test(text)) return []
    try {
      await this.#client.query(`prepare said as ${text}; deallocate said`)
    } catch (error) {
      // On a temporary table, which is gone.
      if ((error as pg.DatabaseError).code === UNKNOWN_TABLE) return []
      throw error
    }
    const tree = treeOf(this.#read)
    const found: Offence[] = []
    for (const query of nodesIn(tree)) if (query.type === 'QUERY') this.#query(query, found)
    return found
  }

  #query(query: Tree, found: Offence[]) {
    const [command, at] = [query.of('commandType'), query.of('resultRelation')]
    const target = (query.fields.get('rtable')?.[0] as Value[] | undefined)?.[Number(at) - 1]
    const where = target instanceof Tree ? this.#tables.get(target.of('relid')) : undefined
    if (!where || command === SELECT) return
    const say = (rule: Offence['rule'], names: Iterable<string>) => {
      for (const name of new Set(names)) found.push({ rule, where: `${where} by ${name}` })
    }
    if (command !== INSERT)
      say(
        'ofColumn',
        this.#unsteadyIn(
          ['targetList', 'jointree', 'rtable'].map((of) => query.fields.get(of)),
          true,
        ),
      )
    say('changing', this.#unsteadyIn(query.fields.get('onConflict'), false))
    say('returned', this.#unsteadyIn(query.fields.get('returningList'), false))
  }

  /** The functions that are not immutable; only those of columns, if so asked. A subquery among the values is asked before. */
  *#unsteadyIn(node: unknown, ofColumns: boolean): Generator<string> {
    for (const each of nodesIn(node, ['SUBLINK', 'COMMONTABLEEXPR'])) {
      const name = this.#functionsOf(each).find((of) => this.#unsteady.has(of))
      if (name && (!ofColumns || nodesIn(each).some(({ type }) => type === 'VAR'))) yield this.#unsteady.get(name)!
    }
  }

  #functionsOf(node: Tree): string[] {
    const named = node.of('funcid') || node.of('opfuncid')
    if (named) return [named]
    if (node.type !== 'COERCEVIAIO') return []
    const [from] = node.fields.get('arg') as [Tree]
    const type = ['vartype', 'consttype', 'paramtype', 'funcresulttype', 'opresulttype']
      .map((of) => from.of(of))
      .find(Boolean)
    return [this.#types.get(type ?? '')?.typoutput, this.#types.get(node.of('resulttype'))?.typinput].filter(
      (of) => of !== undefined,
    )
  }
}

type Row = Partial<Record<'oid' | 'name' | 'typinput' | 'typoutput', string>>
const [SELECT, INSERT] = ['1', '3']
const UNKNOWN_TABLE = '42P01'
/** PREPARE and DEALLOCATE themselves. */
const UTILITY = '{QUERY :commandType 6 '

type Value = string | Tree | Value[]
class Tree {
  readonly type: string
  readonly fields = new Map<string, Value[]>()

  constructor(type: string) {
    this.type = type
  }

  /** The only word of a field. */
  of(name: string): string {
    const [value] = this.fields.get(name) ?? []
    return typeof value === 'string' ? value : ''
  }
}

/** As PostgreSQL writes what it has read: `{TYPE :field value :field (list)}`. */
function treeOf(text: string): Value {
  const words = text.matchAll(/[{}()]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}])+/gs)
  const next = () => words.next().value?.[0]
  const read = (word: string | undefined): Value => {
    if (word === '(') {
      const list: Value[] = []
      for (let each = next(); each !== undefined && each !== ')'; each = next()) list.push(read(each))
      return list
    }
    if (word !== '{') return word ?? ''
    const tree = new Tree(next() ?? '')
    let values: Value[] = []
    for (let each = next(); each !== undefined && each !== '}'; each = next())
      if (each.startsWith(':')) tree.fields.set(each.slice(1), (values = []))
      else values.push(read(each))
    return tree
  }
  return read(next())
}

/** Collected in one list: a generator inside a generator costs each value once for every level above it. */
function nodesIn(value: unknown, except: string[] = [], found: Tree[] = []): Tree[] {
  if (Array.isArray(value)) for (const each of value) nodesIn(each, except, found)
  if (!(value instanceof Tree) || except.includes(value.type)) return found
  found.push(value)
  for (const field of value.fields.values()) nodesIn(field, except, found)
  return found
}
