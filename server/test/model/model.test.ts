import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sized } from '../sized.ts'
import { differences, figuresOf } from './compare.ts'
import { replay } from './model.ts'
import { RULES, type Rule } from './operations.ts'
import { type Run, runRandomly } from './run.ts'

const SEED = process.env.MODEL_SEED ?? 'maestranza'
const COUNT = Number(process.env.MODEL_COUNT ?? sized(200, 10_000))
const SHOWN = 40

let run: Run
beforeAll(async () => {
  run = await runRandomly(SEED, COUNT)
}, 3_600_000)
afterAll(() => run?.house.close())

/** What model and product say otherwise in all companies, with rules of the model broken. */
const differencesWith = (broken: Rule[] = []) =>
  run.companies.flatMap(({ company, recorded }) =>
    differences(figuresOf(replay(company.hands.world, company.hands.log, broken), recorded), recorded.figures),
  )

describe(`after ${COUNT} random operations (MODEL_SEED=${SEED})`, () => {
  it('every figure of the product is that of the model', () => {
    const [large, small] = run.companies.map(({ company }) => company)
    expect(large!.accepted).toBeGreaterThan(COUNT / 4)
    expect(small!.accepted).toBeGreaterThan(COUNT / 20)
    expect(differencesWith().slice(0, SHOWN)).toEqual([])
  })

  it('a closed month says what it said when it was closed', () => {
    expect(run.closed.length).toBeGreaterThan(5)
    for (const { company, before } of run.closed) {
      const { recorded } = run.companies.find((one) => one.company === company)!
      const now = [...before.figures].filter(
        ([name, amount]) => Math.abs((recorded.figures.get(name) ?? 0) - amount) > 0.02,
      )
      expect(now.map(([name, amount]) => `${name}: ${amount}, now ${recorded.figures.get(name)}`)).toEqual([])
    }
  })

  it.each(RULES)('a model with another rule of "%s" is found out', (rule) => {
    expect(differencesWith([rule])).not.toEqual([])
  })
})
