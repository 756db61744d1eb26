// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { keep } from '../platform/storage.ts'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import SuppliesByTruck from './supplies-by-truck.tsx'

/** A busy machine, which draws what came some time after it came. */
vi.mock('../ui/faces.tsx', async (original) => ({
  ...(await original()),
  useArrived: (what: unknown) => {
    const [arrived, setArrived] = useState<unknown>()
    useEffect(() => void setTimeout(() => setArrived(what), 50), [what])
    return arrived
  },
}))

const truck = { truck_id: 7, truck_code: 'T-007', patent: 'SSJL18' }
const range = { from: '2026-10-01', to: '2026-10-31' }
const chart = {
  data: [{ ...truck, count: 2, amount: 5000, before: 0 }],
  total: 1,
  totals: { count: 2, amount: 5000, before: 0 },
  range,
  before: { from: '2026-09-01', to: '2026-09-30' },
}
const used = {
  ...truck,
  truck_workshop: null,
  supply_id: 3,
  code: 'F-1',
  name: 'Filtro de aire',
  category: null,
  unit: null,
  count: 2,
  amount: 5000,
}
const list = { ...chart, data: [used], page: 1, per_page: 50, totals: { count: 2, amount: 5000 } }

beforeEach(() => {
  keep('token', 'good')
  keep('me', JSON.stringify(ana))
})

const shown = (listed: { status?: number; body: object }) => {
  stubServer(async ({ path }) => {
    if (path === '/api/v1/me') return { body: ana }
    if (path === '/api/v1/chart_cost_supplies_by_truck') return { body: chart }
    if (path !== '/api/v1/list_cost_supplies_by_truck') return undefined
    // The rows come later than the chart, as over a network.
    await new Promise((done) => setTimeout(done, 20))
    return listed
  })
  return show(<SuppliesByTruck />)
}

it('shows its rows, also those that come while the chart is drawn', async () => {
  await shown({ body: list })
  const table = await screen.findByRole('table', { name: 'Insumos por equipo' })
  expect(await within(table).findByText('Filtro de aire')).toBeTruthy()
})

it('says that its rows could not be had', async () => {
  await shown({ status: 422, body: { message: 'Así no.' } })
  expect(await screen.findByText('Así no.')).toBeTruthy()
  expect(screen.getByRole('img', { name: /^Gráfico/ })).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})
