import pg from 'pg'
import { expect, it } from 'vitest'
import { newDatabase } from './house.ts'
import { Functions } from './spread-functions.ts'
import { Judge } from './spread-statements.ts'

const judge = new Judge(['works', 'work_orders', 'trucks', 'sessions', 'workshops', 'companies'])
const rulesOf = (text: string) => judge.offencesOf(text).map(({ rule, where }) => `${rule}: ${where}`)

it('every table of a company is narrowed by it as a value, or by another of the same level that is', () => {
  const joined = 'select from works w join work_orders o on o.company_id = w.company_id'
  expect(rulesOf(`${joined} where w.company_id = $1`)).toEqual([])
  expect(rulesOf(`${joined} and o.company_id = $1::bigint`)).toEqual([])
  expect(rulesOf('select from companies c join works w on w.company_id = c.id where c.id = $1')).toEqual([])
  expect(
    rulesOf('delete from works w using trucks t where (w.company_id, w.id) = (t.company_id, 1) and t.company_id = $1'),
  ).toEqual([])
  expect(rulesOf(`${joined} where w.id = $1`)).toEqual([
    'narrowed: works beside work_orders works',
    'narrowed: work_orders beside work_orders works',
  ])
  expect(rulesOf('select from works where company_id = $1 or id = $2')).toEqual(['narrowed: works'])
  // What is on every node, or on the coordinator, needs no company.
  expect(rulesOf('select from sessions s join workshops w on w.id = s.id')).toEqual([])
})

it('a subquery says it itself', () => {
  const orders = (inside: string) =>
    `select (select count(*) from works w where ${inside}) from work_orders o where o.company_id = $1`
  expect(rulesOf(orders('w.company_id = o.company_id'))).toEqual(['narrowed: works'])
  expect(rulesOf(orders('w.company_id = $2'))).toEqual([])
  const derived =
    'select from trucks t join (select company_id from works where company_id = $1) x on x.company_id = t.company_id'
  expect(rulesOf(derived)).toEqual(['narrowed: trucks'])
  const named = 'with x as (select * from works where company_id = $1) select from x'
  expect(rulesOf(named)).toEqual([])
})

it('what is inserted says its company, and is no COPY', () => {
  expect(rulesOf('insert into works (company_id, id) values ($1, $2)')).toEqual([])
  expect(rulesOf('insert into works (id) values ($1)')).toEqual(['narrowed: works inserted'])
  expect(rulesOf('insert into works (company_id, id) values ($1, (select 1))')).toEqual(['nested: works'])
  const copied = 'insert into works (company_id, id) select $1::bigint, id from unnest($2::bigint[]) n (id)'
  expect(rulesOf(copied)).toEqual(['copied: works'])
  expect(rulesOf(`${copied} returning id`)).toEqual([])
  expect(rulesOf(`${copied} on conflict do nothing`)).toEqual([])
  const taken = (named: string) =>
    rulesOf(
      `insert into works ${named} (company_id, id) select o.company_id, o.id from work_orders o where o.company_id = $1 returning id`,
    )
  expect([taken(''), taken('as w')]).toEqual([['unnamed: works'], []])
})

it('a lock is taken in one place by everyone', () => {
  const lock = (key: string, from: string) => rulesOf(`select pg_advisory_xact_lock(hashtext('${key}' || $1)) ${from}`)
  const onNode = 'from (select id from works where company_id = $2) w'
  expect([lock('a', onNode), lock('b', ''), lock('a', `${onNode} limit 1`)]).toEqual([[], [], []])
  expect([lock('a', ''), lock('b', onNode)]).toEqual([['locked: a'], ['locked: b']])
})

it('nodes work out nothing that may differ between them', () => {
  const upsert = 'insert into works (company_id, at) values ($1, now()) on conflict (company_id) do update set at ='
  expect(rulesOf(`${upsert} now()`)).toEqual(['changing: works'])
  expect(rulesOf(`${upsert} excluded.at`)).toEqual([])
  const update = (at: string) => rulesOf(`update works set at = ${at} where company_id = $1`)
  expect([update('clock_timestamp()'), update('coalesce(at, now())'), update('now()')]).toEqual([
    ['changing: works'],
    ['changing: works'],
    [],
  ])
})

it('no function of what stands in a row, and none in what is returned, that is not immutable', async () => {
  const pool = new pg.Pool({ connectionString: await newDatabase(), max: 1 })
  const functions = await Functions.open(pool, judge.isOfCompany)
  const rulesOf = async (text: string) =>
    (await functions.offencesOf(text)).map(({ rule, where }) => `${rule}: ${where}`)
  const update = (set: string, and = 'true') => rulesOf(`update works set ${set} where company_id = $1 and ${and}`)
  expect(await update('start_time = now()')).toEqual([])
  expect(await update('start_time = $2::timestamptz + interval $$1 day$$')).toEqual([])
  expect(await update(`description = to_char(start_time, 'YYYY')`)).toEqual(['ofColumn: works by to_char'])
  expect(await update('description = start_time::text')).toEqual(['ofColumn: works by timestamptz_out'])
  expect(await update(`end_time = start_time + interval '1 day'`)).toEqual([
    'ofColumn: works by timestamptz_pl_interval',
  ])
  expect(await update('hours = 1', 'start_time::date = $2')).toEqual(['ofColumn: works by date'])
  expect(await update('hours = 1', `(start_time at time zone 'UTC')::date = $2`)).toEqual([])
  // What a subquery gives is asked before.
  const latest = `(select to_char(max(t.created_at), 'YYYY') from trucks t where t.company_id = $1)`
  expect(await update(`description = ${latest}`)).toEqual([])
  const deleted = 'delete from works where company_id = $1 returning'
  expect(await rulesOf(`${deleted} start_time::date`)).toEqual(['returned: works by date'])
  expect(await rulesOf(`${deleted} lower(description)`)).toEqual([])
  expect(await rulesOf(`with w as (${deleted} id, start_time) select to_char(start_time, 'YYYY') from w`)).toEqual([])
  functions.close()
  await pool.end()
})

it('no part of a statement reads what an earlier part of it changes', () => {
  const insert = 'with w as (insert into works (company_id, id) values ($1, $2) returning id)'
  expect(rulesOf(`${insert} select from w, (select count(*) from works where company_id = $1) n`)).toEqual([
    'sibling: works',
  ])
  expect(rulesOf(`${insert} select from w join trucks t on t.id = w.id where t.company_id = $1`)).toEqual([])
  const before = 'with w as (select id from works where company_id = $1)'
  expect(rulesOf(`${before} update works v set id = w.id from w where v.company_id = $1`)).toEqual([])
})

it('a temporary table is not changed by what is on a node', () => {
  expect(rulesOf('update incoming i set id = t.id from trucks t where t.company_id = $1')).toEqual(['mixed: incoming'])
  const before = 'with t as materialized (select id from trucks where company_id = $1)'
  expect(rulesOf(`${before} update incoming i set id = t.id from t`)).toEqual([])
  expect(rulesOf('update trucks t set id = i.id from incoming i where t.company_id = $1')).toEqual([])
})
