// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { keep } from '../platform/storage.ts'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import { Comparable, comparedSince, NOT_COMPARABLE } from './comparable.tsx'
import { Moved } from './page-parts.tsx'
import { Change } from './report-frame.tsx'

beforeEach(() => {
  keep('token', 'good')
  keep('me', JSON.stringify(ana))
})

const shown = (from: string | null, since: string) => {
  stubServer(async ({ path }) => {
    if (path === '/api/v1/me') return { body: ana }
    if (path === '/api/v1/report_data_from') return { body: { from } }
    return undefined
  })
  return show(
    <Comparable since={since} workshops={undefined}>
      <Change name="Gasto" now={183} before={100} />
      <Moved now={183} then={100} than="2025" over="sobre" under="bajo" />
    </Comparable>,
  )
}

it('measures nothing by a year of which only a part was recorded', async () => {
  await shown('2025-05-21', '2025-01-01')
  expect(await screen.findAllByText(NOT_COMPARABLE)).toHaveLength(2)
  expect(screen.queryByText(/%/)).toBeNull()
})

it('measures by a period that is covered from its first day', async () => {
  await shown('2025-05-21', '2025-05-21')
  expect(await screen.findByText(/▲ 83/)).toBeTruthy()
  expect(screen.getByText(/sobre 2025/)).toBeTruthy()
  expect(screen.queryByText(NOT_COMPARABLE)).toBeNull()
})

it('finds the first day of what is compared, also of years', () => {
  expect(comparedSince({ before: { from: 2025, to: 2025 } })).toBe('2025-01-01')
  expect(comparedSince({ before: { from: '2026-10-01', to: '2026-10-18' } })).toBe('2026-10-01')
  expect(comparedSince({})).toBeUndefined()
})
