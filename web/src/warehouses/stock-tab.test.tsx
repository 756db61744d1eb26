// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import { listing } from '#contract/base/wire.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { readListQuery, writeListQuery } from '../frames/list-query.ts'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import { StockTab } from './stock-tab.tsx'

it('asks for its own number of rows', async () => {
  const sent = stubServer(({ path }) => ({
    body: path.endsWith('/me') ? ana : { data: [], total: 0, page: 1, per_page: 25 },
  }))
  await show(
    <Suspense>
      <StockTab warehouse={{ id: 7, name: 'Central', code: 'B1', workshop_id: 2 } as Warehouse} />
    </Suspense>,
  )
  await waitFor(() => expect(sent.find(({ path }) => path === '/api/v1/stock/7')?.query.per_page).toBe('25'))
})

it('keeps the size of a screen whatever the call gives by itself', () => {
  const schema = listing(['name'], {})
  expect(readListQuery(schema, {}, 40).per_page).toBe(40)
  expect(readListQuery(schema, { per_page: '50' }, 40).per_page).toBe(50)
  expect(writeListQuery(schema, readListQuery(schema, {}, 40), 40)).toEqual({})
})
