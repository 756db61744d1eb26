import { describe, expect, it } from 'vitest'
import type { Activity } from '#contract/base/activity.ts'
import { statesPassed } from './track.tsx'

type Change = Pick<Activity, 'action' | 'at' | 'changes'>
const CREATED = '2026-11-01T12:00:00Z'
const ENTERED = '2026-11-02T12:00:00Z'
const created = (status?: string): Change => ({
  action: 'created',
  at: CREATED,
  changes: status ? { status: [null, status] } : {},
})
const moved = (from: string, to: string): Change => ({
  action: 'moved',
  at: '2026-11-03T12:00:00Z',
  changes: { status: [from, to] },
})
const passed = (order: object, ...activity: Change[]) => [
  ...statesPassed({ status: 'FINALIZED', created_at: CREATED, workshop_entry_at: null, ...order }, activity).keys(),
]

describe('the states an order has passed', () => {
  it('are not those it skipped on its way from Pendiente to Finalizada', () => {
    for (const first of [created(), created('PENDING')])
      expect(passed({}, moved('PENDING', 'FINALIZED'), first).toSorted()).toEqual(['FINALIZED', 'PENDING'])
    expect(passed({ workshop_entry_at: ENTERED }, moved('PENDING', 'FINALIZED'), created()).toSorted()).toEqual([
      'FINALIZED',
      'PENDING',
    ])
  })

  it('are those its moves tell', () => {
    const order = { status: 'IN_PROCESS', workshop_entry_at: ENTERED }
    const moves = [moved('PENDING', 'IN_PROCESS'), created()]
    expect(passed(order, ...moves).toSorted()).toEqual(['IN_PROCESS', 'PENDING'])
  })

  it('are all up to where it is, for a truck that came in and whose moves were not all read', () => {
    const all = ['FINALIZED', 'IN_PROCESS', 'IN_REVIEW', 'PENDING']
    expect(passed({ workshop_entry_at: ENTERED }, moved('IN_PROCESS', 'FINALIZED')).toSorted()).toEqual(all)
    expect(passed({ workshop_entry_at: ENTERED }).toSorted()).toEqual(all)
    expect(passed({}).toSorted()).toEqual(['PENDING'])
    const came = statesPassed({ status: 'IN_PROCESS', created_at: CREATED, workshop_entry_at: ENTERED }, [])
    expect(came.get('IN_REVIEW')).toBe(ENTERED)
  })
})
