import type { Pool } from 'pg'

/** The slot in which PostgreSQL keeps the log for the continuous copy; what follows is the name of its chain. */
export const ARCHIVE_SLOT = 'maestranza_archive_'

/** Seconds since the continuous copy last moved; null where there is none, Infinity where it lost what it needs. */
export async function archiveAge(pool: Pick<Pool, 'query'>): Promise<number | null> {
  const { rows } = await pool.query(
    `select restart_lsn is null or wal_status = 'lost' as lost,
       case when active then 0 else extract(epoch from now() - inactive_since)::float8 end as age
     from pg_replication_slots where starts_with(slot_name, $1) and database is null`,
    [ARCHIVE_SLOT],
  )
  if (rows.length === 0) return null
  return Math.max(...rows.map(({ lost, age }) => (lost ? Number.POSITIVE_INFINITY : Number(age))))
}
