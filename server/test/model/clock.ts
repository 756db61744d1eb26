import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createApp } from '../../src/app.ts'
import { Secrets } from '../../src/platform/operations/secrets.ts'
import { Given } from '../given.ts'
import { closeHouse, type House, newDatabase, send, testLog } from '../house.ts'

/*
 * A product whose clock can be moved: `Date` in this process and `now()` in the database show another time, and go on from
 * there. The database finds our `now()` first, because its schema precedes `pg_catalog` in the search path.
 */

const RealDate = Date
let ahead = 0

class MovedDate extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + ahead)
    else super(...(parts as [number]))
  }
  static override now = () => RealDate.now() + ahead
}

const FUNCTIONS = `
  create schema moved;
  create table moved.clock (ahead interval not null);
  insert into moved.clock values ('0');
  create function moved.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + (select ahead from moved.clock)';
  create function moved.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + (select ahead from moved.clock)';
  grant usage on schema moved to public;
  grant select on moved.clock to public;
  do $$ declare d record; begin
    execute format('alter database %I set search_path = moved, pg_catalog, public', current_database());
    for d in select c.oid::regclass as name, a.attname, pg_get_expr(x.adbin, x.adrelid) as was
      from pg_attrdef x join pg_class c on c.oid = x.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = x.adnum
      where c.relnamespace = 'public'::regnamespace and pg_get_expr(x.adbin, x.adrelid) = 'now()' loop
      execute format('alter table %s alter column %I set default moved.now()', d.name, d.attname);
    end loop; end $$`

const MOVE = 'update moved.clock set ahead = make_interval(secs => $1)'

export interface MovableHouse extends House {
  /** Shows a time from now on; it must not be before what the clock shows already. */
  moveTo(at: number): Promise<void>
  close(): Promise<void>
}

export async function openMovableHouse(start: number): Promise<MovableHouse> {
  const url = await newDatabase()
  const setUp = new pg.Client({ connectionString: url })
  await setUp.connect()
  await setUp.query(FUNCTIONS)
  ahead = start - RealDate.now()
  await setUp.query(MOVE, [ahead / 1000])
  await setUp.end()
  globalThis.Date = MovedDate as DateConstructor
  const owner = new pg.Pool({ connectionString: url, max: 4 })
  const dataDir = await mkdtemp(join(tmpdir(), 'maestranza-model-'))
  const app = await createApp({ databaseUrl: url, dataDir, checkReplies: true, log: testLog })
  app.database.context.secrets = new Secrets('una clave de pruebas, no un secreto')
  const house: MovableHouse = {
    app,
    url,
    dataDir,
    owner,
    given: undefined as never,
    call: (who, endpoint, args) => send(app, who, endpoint, args),
    async moveTo(at) {
      // People stay logged in, however far the clock is moved.
      await owner.query(`update sessions set created_at = $1, expires_at = $1, last_seen_at = $1, confirmed_at = $1`, [
        '2099-01-01',
      ])
      ahead = at - RealDate.now()
      await owner.query(MOVE, [ahead / 1000])
    },
    async close() {
      // Still at its own time, which the invariants look at.
      try {
        await closeHouse(house)
      } finally {
        ahead = 0
        globalThis.Date = RealDate
      }
    },
  }
  house.given = new Given(house)
  return house
}
