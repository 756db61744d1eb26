import { expect, it } from 'vitest'
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

it('a temporary table is not changed by what is on a node', () => {
  expect(rulesOf('update incoming i set id = t.id from trucks t where t.company_id = $1')).toEqual(['mixed: incoming'])
  const before = 'with t as materialized (select id from trucks where company_id = $1)'
  expect(rulesOf(`${before} update incoming i set id = t.id from t`)).toEqual([])
  expect(rulesOf('update trucks t set id = i.id from incoming i where t.company_id = $1')).toEqual([])
})
