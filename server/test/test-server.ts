import pg from 'pg'

/**
 * Where the tests' databases are made: a server, or every node of a cluster. A database of a cluster is one of the same name
 * on each of its nodes, so that it is copied as any other.
 */
export async function nodesOf(url: string): Promise<string[]> {
  const known = await asking(url, async (client) => {
    const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`)
    if (!rowCount) return []
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by 1, 2',
    )
    return rows
  })
  const nodes = known.map(({ host, port }) => {
    const node = new URL(url)
    node.hostname = host
    node.port = String(port)
    return node.toString()
  })
  return [url, ...nodes]
}

export async function makeDatabase(nodes: string[], name: string, template?: string) {
  for (const node of nodes)
    await asking(node, async (client) => {
      if (template && nodes.length > 1) await leave(client, template)
      await client.query(`create database ${name}${template ? ` template ${template}` : ''}`)
    })
}

/** Makes a new database part of a cluster, where there is one. */
export async function joinNodes(nodes: string[], name: string) {
  if (nodes.length === 1) return
  for (const node of nodes) await asking(databaseUrl(node, name), (client) => client.query('create extension citus'))
  const [coordinator, ...others] = nodes.map((node) => new URL(node))
  await asking(databaseUrl(nodes[0]!, name), async (client) => {
    // Few parts: each is a table of its own in every copy.
    await client.query(`alter database ${name} set citus.shard_count = 2`)
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator!.hostname, Number(coordinator!.port)])
    for (const { hostname, port } of others)
      await client.query('select citus_add_node($1, $2)', [hostname, Number(port)])
  })
}

export async function dropDatabases(nodes: string[], pattern: string) {
  for (const node of nodes)
    await asking(node, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select datname as name from pg_database where datname ~ $1',
        [pattern],
      )
      for (const { name } of rows) await client.query(`drop database ${name} with (force)`)
    })
}

export async function renameDatabase(nodes: string[], name: string, to: string) {
  for (const node of nodes)
    await asking(node, async (client) => {
      if (nodes.length > 1) await leave(client, name)
      await client.query(`alter database ${name} rename to ${to}`)
    })
}

/** A cluster looks after each of its databases; one that is copied or renamed must have nobody in it. */
async function leave(client: pg.Client, name: string) {
  await client.query(`alter database ${name} with allow_connections false`)
  for (;;) {
    const { rowCount } = await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    )
    if (!rowCount) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function asking<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}

export function databaseUrl(serverUrl: string, database: string) {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.toString()
}
