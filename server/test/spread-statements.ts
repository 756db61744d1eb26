import { loadModule, parseSync } from 'libpg-query'
import { placeOf } from '../src/platform/database/spread.ts'

/**
 * What a cluster would do badly or refuse, found in a statement without one. Every table of a company has to be narrowed by
 * the company, as a value, in the very select, update or delete that names it: only then does all of it go to one node.
 */
export interface Offence {
  rule: keyof typeof RULES
  /** The table, and those beside it: the same for all statements that one place of the code makes. */
  where: string
}

export const RULES = {
  narrowed: 'a table of a company is not narrowed by the company as a value',
  nested: 'a subquery among the values of an INSERT',
  copied: 'INSERT … SELECT without RETURNING or ON CONFLICT is a COPY, which row-level security forbids',
  unnamed:
    'INSERT … SELECT that takes the company from its rows returns something, and its table has no other name (AS)',
  changing: 'a function that is not immutable, where nodes would each work it out: a value instead',
  ofColumn: 'a function that is not immutable, of what stands in a row that is changed',
  returned: 'a function that is not immutable, in what is returned',
  sibling: 'a part reads what an earlier part of the same statement changes, and may find it changed',
  mixed: 'a temporary table, or one of the coordinator, is changed by what is on another node',
  locked:
    'a lock that some take on the node of a company and others on the coordinator, where neither waits for the other',
  fenceless: 'a function that looks through the fence asks the nodes from inside a statement that is on one',
} as const

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree, walked by the names of its nodes.
export type Node = any
type Named = Set<string>

await loadModule()

const STATEMENTS = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']
const VOLATILE = ['clock_timestamp', 'nextval', 'random', 'gen_random_uuid', 'timeofday']
const STABLE = ['now', 'current_setting', 'statement_timestamp', 'transaction_timestamp']
const LOOKS_THROUGH = ['providers_alike']

export class Judge {
  readonly #known: Named
  readonly #judged = new Map<string, Offence[]>()
  /** By the words of its key, whether a lock is taken on a node. */
  readonly #locks = new Map<string, boolean>()

  /** `tables`: all that the product has; others are temporary. */
  constructor(tables: Iterable<string>) {
    this.#known = new Set(tables)
  }

  offencesOf(text: string): Offence[] {
    const known = this.#judged.get(text)
    if (known) return known
    const found: Offence[] = []
    for (const { stmt } of parseSync(text).stmts ?? []) this.#visit(stmt, new Set(), found)
    const distinct = [...new Map(found.map((each) => [`${each.rule} ${each.where}`, each])).values()]
    this.#judged.set(text, distinct)
    return distinct
  }

  isOfCompany = (table: string) => this.#known.has(table) && placeOf(table) === 'company'

  /** Every statement inside of a node, the node itself among them. */
  #visit(node: Node, ctes: Named, found: Offence[]) {
    if (node === null || typeof node !== 'object') return
    for (const [name, value] of Object.entries<Node>(node))
      if (STATEMENTS.includes(name)) this.#statement(name, value, ctes, found)
      else this.#visit(value, ctes, found)
  }

  #statement(type: string, body: Node, outer: Named, found: Offence[]) {
    const { withClause, larg, rarg, ...rest } = body
    const ctes = new Set(outer)
    for (const { CommonTableExpr: cte } of withClause?.ctes ?? []) {
      if (withClause.recursive) ctes.add(cte.ctename)
      this.#visit(cte.ctequery, ctes, found)
      ctes.add(cte.ctename)
    }
    if (withClause) this.#siblings(body, found)
    for (const half of [larg, rarg]) if (half) this.#statement('SelectStmt', half, ctes, found)
    this.#visit(rest, ctes, found)
    this.#level(body, ctes, found)
    if (type === 'InsertStmt') this.#insert(body, ctes, found)
    if (type === 'UpdateStmt' && this.isOfCompany(body.relation.relname)) this.#update(body, found)
    if (type !== 'SelectStmt') this.#changed(body, ctes, found)
    if (type === 'SelectStmt') this.#locked(rest, ctes, found)
    const asked = callsIn(rest).filter((name) => LOOKS_THROUGH.includes(name))
    if (asked.length > 0 && this.#tablesIn(rest, ctes).length > 0)
      found.push({ rule: 'fenceless', where: String(asked) })
  }

  #locked(body: Node, ctes: Named, found: Offence[]) {
    const locks = nodesIn(body.targetList, 'FuncCall').filter(({ funcname }) =>
      funcname.at(-1).String.sval.startsWith('pg_advisory_'),
    )
    const isOnNode = this.#tablesIn(body, ctes).length > 0
    for (const lock of locks) {
      const key = nodesIn(lock, 'A_Const').flatMap(({ sval }) => sval?.sval ?? [])[0] ?? ''
      if ((this.#locks.get(key) ?? isOnNode) !== isOnNode) found.push({ rule: 'locked', where: key })
      this.#locks.set(key, isOnNode)
    }
  }

  /** One PostgreSQL looks at all as it was before; a cluster may do one part after the other, in their order. */
  #siblings({ withClause, ...main }: Node, found: Offence[]) {
    const parts = [...withClause.ctes.map(({ CommonTableExpr }: Node) => CommonTableExpr.ctequery), main]
    const written = parts.map((part) => nodesIn(part, 'relation').map(({ relname }) => relname as string))
    for (const [i, part] of parts.entries())
      for (const table of this.#tablesIn([...nodesIn(part, 'fromClause'), ...nodesIn(part, 'usingClause')], new Set()))
        if (written.some((names, j) => j < i && names.includes(table))) found.push({ rule: 'sibling', where: table })
  }

  /** The tables that one select, update or delete names, and what it says of their company. */
  #level(body: Node, ctes: Named, found: Offence[]) {
    const level = new Level()
    const add = (item: Node) => {
      const { RangeVar: table, JoinExpr: join } = item
      if (table && !ctes.has(table.relname) && !table.schemaname) level.add(table)
      if (!join) return
      add(join.larg)
      add(join.rarg)
      level.hold(join.quals)
      if (join.usingClause?.some((name: Node) => name.String.sval === 'company_id')) level.unite()
    }
    if (body.relation && !body.selectStmt && !body.cols) add({ RangeVar: body.relation })
    for (const item of [...(body.fromClause ?? []), ...(body.usingClause ?? [])]) add(item)
    level.hold(body.whereClause)
    const beside = [...level.tables.values()].sort().join(' ')
    for (const table of level.loose(this.isOfCompany))
      found.push({ rule: 'narrowed', where: `${table}${beside === table ? '' : ` beside ${beside}`}` })
  }

  #insert(body: Node, ctes: Named, found: Offence[]) {
    const { relation, cols, selectStmt, returningList, returningClause, onConflictClause } = body
    const where = relation.relname
    if (!this.isOfCompany(where)) return
    const at = (cols ?? []).findIndex(({ ResTarget }: Node) => ResTarget.name === 'company_id')
    const { valuesLists, targetList } = selectStmt?.SelectStmt ?? {}
    const given = valuesLists
      ? valuesLists.map((row: Node) => row.List.items[at])
      : [targetList?.[at]?.ResTarget.val].filter((value) => value && !isCompany(value))
    if (at < 0 || given.some((value: Node) => !isValue(value)))
      found.push({ rule: 'narrowed', where: `${where} inserted` })
    if (valuesLists && nodesIn(valuesLists, 'SubLink').length > 0) found.push({ rule: 'nested', where })
    if (!valuesLists && !returningList && !returningClause && !onConflictClause) found.push({ rule: 'copied', where })
    const isReturned = returningList || returningClause
    const isOfRows = isCompany(targetList?.[at]?.ResTarget.val) && this.#tablesIn(selectStmt, ctes).length > 0
    if (isReturned && isOfRows && !onConflictClause && !relation.alias) found.push({ rule: 'unnamed', where })
    const changing = onConflictClause && callsIn(onConflictClause.targetList).some(isChanging)
    if (changing || lazyCallsIn(valuesLists).some(isChanging)) found.push({ rule: 'changing', where })
  }

  #update({ relation, targetList, whereClause }: Node, found: Offence[]) {
    const asked = callsIn([targetList, whereClause])
    if (asked.some((name) => VOLATILE.includes(name)) || lazyCallsIn(targetList).some(isChanging))
      found.push({ rule: 'changing', where: relation.relname })
  }

  #changed(body: Node, ctes: Named, found: Offence[]) {
    const { relname } = body.relation
    if (this.#known.has(relname) && placeOf(relname) !== 'coordinator') return
    if (body.selectStmt) return
    // What is worked out before is no more than a value.
    const others = this.#tablesIn({ ...body, withClause: undefined }, ctes)
    if (others.length > 0) found.push({ rule: 'mixed', where: relname })
  }

  #tablesIn(node: Node, ctes: Named): string[] {
    const names = namesIn(node).filter((name) => !ctes.has(name) && this.isOfCompany(name))
    return [...new Set(names)].sort()
  }
}

/** Which companies are the same as which, as far as the conditions of one level say. */
class Level {
  /** By what they are called. */
  readonly tables = new Map<string, string>()
  readonly #same: Set<string>[] = []

  add({ relname, alias }: Node) {
    this.tables.set(alias?.aliasname ?? relname, relname)
  }

  unite() {
    this.#same.push(new Set(this.tables.keys()))
  }

  hold(condition: Node) {
    const { BoolExpr: bool, A_Expr: expr } = condition ?? {}
    if (bool?.boolop === 'AND_EXPR') for (const each of bool.args) this.hold(each)
    if (expr?.kind !== 'AEXPR_OP' || expr.name[0].String.sval !== '=') return
    const [left, right] = [expr.lexpr, expr.rexpr]
    const pairs =
      left?.RowExpr && right?.RowExpr
        ? left.RowExpr.args.map((each: Node, i: number) => [each, right.RowExpr.args[i]])
        : [[left, right]]
    for (const pair of pairs) {
      const sides = pair.map((side: Node) => (isValue(side) ? '$' : this.#whose(side)))
      if (sides.every((side: string | undefined) => side !== undefined) && sides.join() !== '$,$')
        this.#same.push(new Set(sides))
    }
  }

  /** Whose company a column is; of a company itself, its id. */
  #whose(side: Node): string | undefined {
    const fields = side?.ColumnRef?.fields.map((field: Node) => field.String?.sval) ?? []
    const column = fields.pop()
    const called = fields.pop()
    const alias = called ?? [...this.tables.keys()][0]
    if (!this.tables.has(alias)) return undefined
    return column === (this.tables.get(alias) === 'companies' ? 'id' : 'company_id') ? alias : undefined
  }

  loose(isOfCompany: (table: string) => boolean): string[] {
    const known = new Set(['$'])
    for (let before = 0; before < known.size; ) {
      before = known.size
      for (const same of this.#same)
        if ([...same].some((each) => known.has(each))) for (const each of same) known.add(each)
    }
    return [...this.tables]
      .filter(([alias, table]) => isOfCompany(table) && !known.has(alias))
      .map(([, table]) => table)
  }
}

const isValue = (node: Node): boolean =>
  Boolean(node?.ParamRef || node?.A_Const) || (node?.TypeCast !== undefined && isValue(node.TypeCast.arg))
const isCompany = (node: Node): boolean => node?.ColumnRef?.fields.at(-1)?.String?.sval === 'company_id'
const isChanging = (name: string) => VOLATILE.includes(name) || STABLE.includes(name)

/** Collected in one list: a generator inside a generator costs each value once for every level above it. */
function nodesIn(node: Node, name: string, found: Node[] = []): Node[] {
  if (node === null || typeof node !== 'object') return found
  for (const key in node) {
    const value = node[key]
    if (key === name) found.push(value)
    nodesIn(value, name, found)
  }
  return found
}
const callsIn = (node: Node): string[] =>
  nodesIn(node, 'FuncCall').map(({ funcname }) => funcname.at(-1).String.sval as string)
/** Those that are made only in some cases. */
const lazyCallsIn = (node: Node): string[] =>
  ['CoalesceExpr', 'CaseExpr'].flatMap((name) => nodesIn(node, name).flatMap(callsIn))
const namesIn = (node: Node): string[] => nodesIn(node, 'RangeVar').map(({ relname }) => relname as string)
