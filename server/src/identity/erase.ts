import { blankPerson, type Owner } from '../platform/operations/seals.ts'

/**
 * A person who asks to be erased: an account without name, address or password stays where others' work refers to it.
 * Run by the owner of the database, in every company at once. How many lines of the activity lost the name, if there is
 * such a person.
 */
export async function erasePerson(owner: Owner, email: string): Promise<number | undefined> {
  await owner.query('begin')
  try {
    const found = await owner.query<{ id: string }>('select id from users where lower(email) = lower($1) for update', [
      email,
    ])
    const id = found.rows[0]?.id
    if (id === undefined) return undefined
    await owner.query(
      `update users set name = 'Persona eliminada', email = 'eliminada-' || id || '@invalid', password_hash = null,
         active = false, updated_at = now() where id = $1`,
      [id],
    )
    await owner.query(
      `update memberships set state = 'inactive', invited_name = null, preferences = '{}', updated_at = now()
       where user_id = $1`,
      [id],
    )
    for (const table of ['sessions', 'devices', 'one_time_links'])
      await owner.query(`delete from ${table} where user_id = $1`, [id])
    await owner.query(
      `update security_events set user_name = 'Persona eliminada', detail = null, address = null, agent = null
       where user_id = $1`,
      [id],
    )
    return await blankPerson(owner, id)
  } finally {
    await owner.query('commit')
  }
}
