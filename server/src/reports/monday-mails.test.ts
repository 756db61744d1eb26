import { expect, it } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import { openHouse } from '../../test/house.ts'
import { lastWeek, mailReports } from './files/monday-mails.ts'

const house = openHouse()
const MONDAY = new Date('2026-11-16T11:00:00Z')

it('a week is from Monday to Sunday, and over', () => {
  for (const day of ['2026-11-16', '2026-11-18', '2026-11-22'])
    expect(lastWeek(day)).toEqual({ from: '2026-11-09', to: '2026-11-15' })
})

it('brings each one the reports they asked for, once, and none they may not see', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const keeper = await house.given.member({ role: 'warehouse', company_id: boss.company_id })
  const asks = (who: typeof boss, ...names: string[]) =>
    house.call(who, identity.updatePreferences, {
      body: { monday_reports: names.map((report) => ({ report, workshop_id: null })) },
    })
  const every = [
    'expenses-by-truck',
    'expenses-by-suppliers',
    'historical-expenses',
    'expenses-by-category',
    'expenses-by-month',
    'equipment-availability',
    'cost-supplies-by-truck',
    'hours-by-specialist',
  ]
  expect((await asks(boss, ...every)).status).toBe(200)
  await asks(keeper, 'expenses-by-truck', 'expenses-by-category', 'no-such-report')
  await mailReports(house.app.database, boss.company_id, MONDAY)
  await mailReports(house.app.database, boss.company_id, MONDAY)
  const { rows } = await house.owner.query(
    `select m.subject, m.text, m.attachment_name, f.size from mails m
     join files f on f.company_id = m.company_id and f.hash = m.attachment_hash
     where m.company_id = $1 and m.topic = 'reports' order by m.id`,
    [boss.company_id],
  )
  expect(rows.length).toBe(every.length + 1)
  expect(rows[0]).toMatchObject({
    subject: expect.stringMatching(/^Gastos por equipo, 09 nov 2026 – 15 nov 2026/),
    attachment_name: 'Gastos por equipo 2026-11-09 a 2026-11-15.xlsx',
    text: expect.stringContaining('{{address}}/reportes/expenses-by-truck?filter'),
  })
  expect(rows.map(({ subject }) => subject)).toContain('Gastos por mes, 2026 al 15 nov 2026')
  for (const { size } of rows) expect(Number(size)).toBeGreaterThan(1000)
  expect(rows.filter(({ subject }) => subject.startsWith('Gastos por categoría')).length).toBe(2)
})
