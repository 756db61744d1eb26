import { expect, it } from 'vitest'
import { levelled } from './truck-life.tsx'

it('keeps the labels of events apart, also near the right edge, where they lean to the left', () => {
  const label = 0.3
  const pins = [0.21, 0.26, 0.47, 0.72, 0.9].map((at) => ({ at }))
  const spans = levelled(pins, label).map(({ at, level, leans }) => ({ level, begin: leans ? at - label : at }))
  for (const [i, one] of spans.entries())
    for (const other of spans.slice(i + 1))
      if (one.level === other.level) expect(Math.abs(one.begin - other.begin)).toBeGreaterThanOrEqual(label)
})
