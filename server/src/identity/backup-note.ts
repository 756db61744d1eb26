interface Owner {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Whoever holds a copy holds everything: each company can read that there is one. */
export async function noteBackup(owner: Owner, detail: string) {
  await owner.query(
    `insert into security_events (company_id, kind, user_name, detail)
     select id, 'backup', 'Quien opera el servidor', $1 from companies`,
    [detail],
  )
}
