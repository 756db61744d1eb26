import pg from 'pg'
import { NAMING } from '../outside/files.ts'
import { type Key, Lost, openChecked, type Store } from '../outside/store.ts'

interface Named extends Key {
  size: number
  /** For people: which row of which table. */
  name: string
}

/** Every file that a row of any company names, as the owner of the tables sees them; each once. */
export async function namedFiles(owner: pg.ClientBase): Promise<Named[]> {
  const { rows: naming } = await owner.query<{ table: string; columns: string[] }>(NAMING)
  if (naming.length === 0) return []
  const parts = naming.map(({ table, columns }) => {
    const [company, hash] = columns.map((column) => `t.${pg.escapeIdentifier(column)}`)
    return `select ${company} as company_id, ${hash} as hash,
      concat_ws(' ', '${table}', to_jsonb(t)->>'id', to_jsonb(t)->>'work_order_id', to_jsonb(t)->>'kind', to_jsonb(t)->>'name') as name
      from ${pg.escapeIdentifier(table)} t where ${hash} is not null`
  })
  const { rows } = await owner.query<{ company_id: string; hash: string; size: string; name: string }>(
    `select company_id, hash, f.size, min(n.name) as name from (${parts.join(' union all ')}) n
     join files f using (company_id, hash) group by company_id, hash, f.size order by company_id, hash`,
  )
  return rows.map(({ company_id, hash, size, name }) => ({
    company_id: Number(company_id),
    hash,
    size: Number(size),
    name: `empresa ${company_id}: ${name} (${hash})`,
  }))
}

/** Those that are not in the store, or are not what they were. */
export async function lostFiles(owner: pg.ClientBase, store: Store): Promise<string[]> {
  const lost: string[] = []
  for (const file of await namedFiles(owner))
    try {
      for await (const _ of await openChecked(store, file));
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      lost.push(`${file.name}: ${error.why}`)
    }
  return lost
}
