import pg from 'pg'
import { ignore } from '../ignore.ts'
import { APP_ROLE, isCluster } from './db.ts'

/**
 * Where each table is on a cluster (Citus): every one is fenced by its company and spread by it, so that all of a company
 * lies on one node, or is named here.
 */

/** On every node: what belongs to no company, and who works where, which is asked before a company is chosen. */
export const ON_EVERY_NODE = ['companies', 'users', 'workshops', 'specialists', 'memberships']

/** On the coordinator only: ways in, and what is of the house itself. */
export const ON_COORDINATOR = [
  'sessions',
  'one_time_links',
  'login_attempts',
  'devices',
  'factors',
  'recovery_codes',
  'challenges',
  'api_tokens',
  'oidc_flows',
  'setup',
  'maintenance',
]

interface Table {
  name: string
  fenced: boolean
  done: boolean
  needs: string[]
}

/**
 * Spreads what is not spread yet over the nodes of a cluster, rows included, all of it or nothing; gives the names. Elsewhere, and
 * when everything is, it does nothing. Into how many parts says the cluster (`citus.shard_count`), once and for all.
 */
export async function spread(client: pg.ClientBase): Promise<string[]> {
  if (!(await isCluster(client))) return []
  await client.query('begin')
  try {
    // Tables of the coordinator stay ordinary ones, although they refer to some that are on every node.
    await client.query('set local citus.enable_local_reference_table_foreign_keys = off')
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await client.query('set local client_min_messages = warning')
    await dropFarKeys(client)
    const moved = await spreadTables(client)
    // Nodes are reached as whoever asks.
    await client.query(`do $$ begin if not (select rolcanlogin from pg_roles where rolname = '${APP_ROLE}') then
      alter role ${APP_ROLE} login; end if; end $$`)
    await client.query('commit')
    return moved
  } catch (error) {
    await client.query('rollback').catch(ignore('The first error is the one to report.'))
    throw error
  }
}

/**
 * The coordinator would hold a key of its own tables to one that is on every node by asking itself from outside, and wait for
 * itself where both are written at once. They refer to people and companies, which are never deleted.
 */
async function dropFarKeys(client: pg.ClientBase) {
  const { rows } = await client.query<{ table: string; key: string }>(
    `select k.conrelid::regclass::text as table, k.conname as key from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
     where k.contype = 'f' and c.relname = any($1) and r.relname = any($2)`,
    [ON_COORDINATOR, ON_EVERY_NODE],
  )
  for (const { table, key } of rows)
    await client.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(key)}`)
}

async function spreadTables(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<Table>(
    `select c.relname as name, c.relrowsecurity as fenced,
       exists (select from pg_dist_partition p where p.logicalrelid = c.oid) as done,
       array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  )
  const strangers = tables.filter(({ name, fenced }) => !fenced && placeOf(name) === 'company')
  if (strangers.length > 0) throw new Error(`Of no company, and named nowhere: ${strangers.map(({ name }) => name)}`)
  const there = new Set(tables.filter(({ done }) => done).map(({ name }) => name))
  const moved: string[] = []
  let waiting = tables.filter(({ name, done }) => !done && placeOf(name) !== 'coordinator')
  while (waiting.length > 0) {
    // Those that others refer to come first.
    const ready = waiting.filter(({ needs }) => needs.every((name) => there.has(name)))
    if (ready.length === 0) throw new Error(`Tables that wait for each other: ${waiting.map(({ name }) => name)}`)
    for (const { name } of ready) {
      await spreadTable(client, name)
      there.add(name)
      moved.push(name)
    }
    waiting = waiting.filter((table) => !ready.includes(table))
  }
  return moved
}

async function spreadTable(client: pg.ClientBase, name: string) {
  const table = pg.escapeIdentifier(name)
  if (placeOf(name) === 'everywhere') await client.query('select create_reference_table($1)', [table])
  if (placeOf(name) !== 'company') return
  const { rows } = await client.query(
    `select logicalrelid::text as beside from pg_dist_partition where partmethod = 'h' order by 1 limit 1`,
  )
  const how = `select create_distributed_table($1, 'company_id', colocate_with => $2)`
  await client.query(how, [table, rows[0]?.beside ?? 'none'])
}

/** How many nodes were not told that `like` may be asked before the fence: searches of orders use no index there. */
export async function nodesThatSearchSlowly(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ result: string }>(
    `select result from run_command_on_all_nodes(
       'select proleakproof from pg_proc where oid = ''textlike(text, text)''::regprocedure')`,
  )
  return rows.filter(({ result }) => result !== 't').length
}

/**
 * The owner's connection to a cluster, for migrations: a new table is spread as soon as it is made, because keys that follow
 * in the same migration reach no further. In a database that is not spread yet, as on one server, nothing is.
 */
export async function forMigrations(client: pg.Client): Promise<pg.Client> {
  if (!(await isCluster(client))) return client
  // Parts of tables that refer to each other are changed one after the other.
  await client.query(`set citus.multi_shard_modify_mode = 'sequential'`)
  await client.query('set citus.enable_local_reference_table_foreign_keys = off')
  const { rowCount } = await client.query('select from pg_dist_partition limit 1')
  if (!rowCount) return client
  return Object.create(client, {
    query: {
      async value(what: pg.QueryConfig, values?: unknown[]) {
        const answer = await client.query(what, values)
        const [, made] = /^\s*create table "?(\w+)"? ?\(/i.exec(what.text) ?? []
        if (made) await spreadTable(client, made)
        return answer
      },
    },
  })
}

export const placeOf = (table: string): 'everywhere' | 'coordinator' | 'company' =>
  ON_EVERY_NODE.includes(table) ? 'everywhere' : ON_COORDINATOR.includes(table) ? 'coordinator' : 'company'
