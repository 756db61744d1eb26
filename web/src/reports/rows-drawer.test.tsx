// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { reportRows } from '#contract/reports/rows.ts'
import { useWorkshop } from '../platform/session.ts'
import { keep } from '../platform/storage.ts'
import { ana } from '../test/ana.ts'
import { type Sent, show, stubServer } from '../test/stage.tsx'
import { Figure } from './figure.tsx'
import { useReportFilters } from './filters.ts'
import { compared, equals, type Opened, part, type Rows, worked } from './opened.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame } from './report-frame.tsx'
import RowsDrawer from './rows-drawer.tsx'
import { MorningPart } from './summary.tsx'
import { changeOf } from './words.ts'

const truck = { truck_id: 7, truck_code: 'T-007', patent: 'SSJL18' }
const range = { from: '2026-10-01', to: '2026-10-31' }

const expense = (id: number) => ({
  kind: 'supply',
  id,
  work_order_id: 3,
  order_code: 'OT-000003',
  ...truck,
  day: '2026-10-12',
  code: 'F-1',
  name: `Filtro ${id}`,
  category: null,
  provider: null,
  count: 2,
  amount: 1000,
})
const reading = {
  ...truck,
  from_at: '2026-09-30T12:00:00Z',
  from_km: 10_000,
  to_at: '2026-10-30T12:00:00Z',
  to_km: 15_000,
  kilometers: 5000,
}
const ANSWERS: Record<string, (page: number) => object> = {
  '/api/v1/me': () => ana,
  '/api/v1/report_rows': (page) => ({
    data: Array.from({ length: page === 1 ? 50 : 10 }, (_, i) => expense((page - 1) * 50 + i + 1)),
    total: 60,
    page,
    per_page: 50,
    totals: { count: 120, amount: 60_000 },
    range,
  }),
  '/api/v1/report_kilometers': (page) => ({
    data: [reading],
    total: 1,
    page,
    per_page: 50,
    totals: { kilometers: 5000 },
    range,
  }),
}
let asked: Sent[]
beforeEach(() => {
  keep('token', 'good')
  keep('me', JSON.stringify(ana))
  asked = stubServer(({ path, query }) => {
    const answer = ANSWERS[path]
    return answer && { body: answer(Number(query.page ?? 1)) }
  })
})
const askedFor = (path: string) => asked.filter((sent) => sent.path === path).map(({ query }) => query.filter)

const october: Rows = { of: 'expenses', filter: { BetweenDate: '2026-10-01,2026-10-31', Truck: [7] } }
const kilometers: Rows = { of: 'kilometers', filter: october.filter }
const drawer = async (opened: Opened) => {
  await show(<RowsDrawer opened={opened} onClose={() => {}} />)
  return within(await screen.findByRole('dialog', { name: opened.title }))
}
const rows = (inside: Awaited<ReturnType<typeof drawer>>) =>
  within(inside.getByRole('list', { name: 'Detalle' })).getAllByRole('listitem')

it('a figure is a button with a name, and text where there is nothing behind it', async () => {
  const open = vi.fn()
  await show(
    <>
      <Figure name="Órdenes" text="12" onOpen={open} />
      <Figure name="Servicios" text="0" />
    </>,
  )
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Órdenes: 12. Ver detalle' }))
  expect(open).toHaveBeenCalledOnce()
  expect(screen.getAllByRole('button')).toHaveLength(1)
})

it('a count opens its lines, with the filters of the report, and the rest of them when asked', async () => {
  const inside = await drawer({ title: 'Insumos', ...october, shows: 'lines' })
  expect(await inside.findByText('60 líneas')).toBeTruthy()
  expect(askedFor('/api/v1/report_rows')).toEqual([{ BetweenDate: '2026-10-01,2026-10-31', Truck: '7' }])
  expect(rows(inside)).toHaveLength(50)
  await userEvent.click(inside.getByRole('button', { name: 'Ver más' }))
  await waitFor(() => expect(rows(inside)).toHaveLength(60))
  expect(inside.queryByRole('button', { name: 'Ver más' })).toBeNull()
  expect(inside.queryByRole('region', { name: 'Cómo se calcula' })).toBeNull()
})

it('a ratio says how it is worked out, and each part of it leads to its rows', async () => {
  const inside = await drawer(
    worked('Costo por km', [
      part('$60.000 de gasto', october),
      ' ÷ ',
      part('5.000 km', kilometers),
      equals('$12 por km'),
    ]),
  )
  const sum = inside.getByRole('region', { name: 'Cómo se calcula' })
  expect(sum.textContent).toBe('$60.000 de gasto ÷ 5.000 km =\u00a0$12 por km')
  const [spent, driven] = within(sum).getAllByRole('button')
  expect([spent, driven].map((button) => button?.getAttribute('aria-pressed'))).toEqual(['true', 'false'])
  expect(await inside.findByText('$60.000')).toBeTruthy()
  await userEvent.click(driven!)
  expect(await inside.findByText('1 equipo')).toBeTruthy()
  expect(driven!.getAttribute('aria-pressed')).toBe('true')
  expect(rows(inside)).toHaveLength(1)
  expect(rows(inside)[0]!.textContent).toContain('15.000 km el 30 oct 2026')
  expect(rows(inside)[0]!.textContent).toContain('− 10.000 km el 30 sep 2026')
  expect(askedFor('/api/v1/report_kilometers')).toEqual(askedFor('/api/v1/report_rows'))
})

it('trucks that were counted are listed without asking', async () => {
  const inside = await drawer({
    title: 'Equipos detenidos ahora',
    of: 'trucks',
    trucks: [{ ...truck, end: '8 d', order: { id: 3, code: 'OT-000003' }, more: 'Frenos' }],
  })
  expect(await inside.findByText('1 equipo')).toBeTruthy()
  expect(inside.getByRole('link', { name: 'OT-000003' }).getAttribute('href')).toBe('/ordenes-de-trabajo/3')
  expect(asked.filter(({ path }) => path.includes('report'))).toEqual([])
})

it('against the period before, what opens is the period before', () => {
  const before: Rows = { of: 'expenses', filter: { BetweenDate: '2026-09-01,2026-09-30' } }
  const pesos = (n: number) => `$${n}`
  const words = ({ sum = [] }: Opened) => sum.map((piece) => (typeof piece === 'string' ? piece : piece.words)).join('')
  const moved = compared('Gasto', { now: 90, before: 120, show: pesos }, october, before)
  expect(moved).toMatchObject({ ...before, title: 'Gasto, contra el período comparado' })
  expect(words(moved)).toBe('($90 − $120 del período comparado) ÷ $120 =\u00a0−25,0 %')
  const share = (n: number) => `${n * 100} %`
  expect(words(compared('D', { now: 0.75, before: 0.5, show: share, points: true }, october, before))).toBe(
    '75 % − 50 % del período comparado =\u00a0+25,0 puntos',
  )
  // Nothing cannot be divided by.
  expect(words(compared('Gasto', { now: 90, before: 0, show: pesos }, october, before))).toBe(
    '$90 contra $0 del período comparado',
  )
  expect(changeOf(90, 0)).toBeNull()
})

/** A report of one figure, and a way to other days. */
function Spent() {
  const filters = useReportFilters('days')
  const report = useQuery(reportQuery(reportRows.expenseRows, { filter: filters.asked }))
  return (
    <>
      <button type="button" onClick={() => filters.change({ BetweenDate: '2026-09-01,2026-09-30' })}>
        Septiembre
      </button>
      <ReportFrame
        name="expenses-by-truck"
        filters={filters}
        query={report}
        before={() => ''}
        isEmpty={() => false}
        download={() => Promise.reject()}
      >
        {({ totals }, open) => (
          <Figure
            name="Gasto"
            text={totals.amount}
            onOpen={() => open({ title: 'Gastos', of: 'expenses', filter: { ...filters.asked } })}
          />
        )}
      </ReportFrame>
    </>
  )
}

it('a figure of the filters before opens nothing while that of the next is on its way', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  stubServer(async ({ path, query }) => {
    const isNext = (query.filter as { BetweenDate?: string } | undefined)?.BetweenDate?.startsWith('2026-09')
    if (isNext) await arrived
    const answer = ANSWERS[path]?.(1)
    return answer && { body: isNext ? { ...answer, totals: { count: 3, amount: 7000 } } : answer }
  })
  await show(<Spent />, '/?filter[BetweenDate]=2026-10-01,2026-10-31')
  const before = await screen.findByRole('button', { name: 'Gasto: 60000. Ver detalle' })
  await userEvent.click(screen.getByRole('button', { name: 'Septiembre' }))
  await waitFor(() => expect(before.closest('[aria-busy="true"]')).toBeTruthy())
  await userEvent.click(before)
  arrive()
  const next = await screen.findByRole('button', { name: 'Gasto: 7000. Ver detalle' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(next)
  expect(await screen.findByRole('dialog', { name: 'Gastos' })).toBeTruthy()
})

/** The morning, and a way to another workshop. */
function Morning() {
  const { choose } = useWorkshop()
  return (
    <>
      <button type="button" onClick={() => choose(2)}>
        Taller 2
      </button>
      <MorningPart />
    </>
  )
}

it('nor does one of the morning, while that of the next workshop is on its way', async () => {
  const owner = { ...ana, role: 'super-admin', workshop_id: null }
  keep('me', JSON.stringify(owner))
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  stubServer(async ({ path, query }) => {
    if (path === '/api/v1/me') return { body: owner }
    if (path !== '/api/v1/report_summary') return undefined
    const isNext = query.filter !== undefined
    if (isNext) await arrived
    const nothing = { expenses: null, budget: null, trucks: null, stopped: [], overdue_alerts: null, orders: null }
    return { body: { range, before: range, ...nothing, below_minimum: isNext ? 3 : 60 } }
  })
  await show(<Morning />)
  const before = await screen.findByRole('button', { name: 'Insumos bajo el mínimo: 60. Ver detalle' })
  await userEvent.click(screen.getByRole('button', { name: 'Taller 2' }))
  await userEvent.click(before)
  arrive()
  const next = await screen.findByRole('button', { name: 'Insumos bajo el mínimo: 3. Ver detalle' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(next)
  expect(await screen.findByRole('dialog', { name: 'Insumos bajo el mínimo' })).toBeTruthy()
})
