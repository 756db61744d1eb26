import { Random } from '../../seeds/random.ts'
import { type MovableHouse, openMovableHouse } from './clock.ts'
import { periodsSince, type Recorded, recordProduct, recordReports } from './compare.ts'
import { beginOf, DAY } from './days.ts'
import { Company } from './generate.ts'
import { makeWorld } from './world.ts'

/** The first day: 200 days from here have a leap day and both changes of the clock. */
export const FIRST = '2024-02-20'
const DAYS = 203

export interface Run {
  house: MovableHouse
  companies: { company: Company; recorded: Recorded }[]
  /** Figures of closed months: just after they were closed, and at the end. */
  closed: { month: string; before: Recorded; company: Company }[]
  count: number
}

/** So many random operations over some 200 days, in two companies, and then every figure of the product. */
export async function runRandomly(seed: string, count: number): Promise<Run> {
  const start = beginOf(FIRST) + 8 * 3_600_000
  const house = await openMovableHouse(start)
  const random = new Random(seed)
  const large = await makeWorld(house, { workshops: 2, supplies: 4, trucks: 4 })
  const small = await makeWorld(house, { workshops: 1, supplies: 3, trucks: 2 })
  const companies = [large, small].map(({ who, world }) => new Company(house, who, world, random))
  for (const company of companies) await company.begin()
  let closed: Run['closed'] = []
  const sent = () => companies.reduce((all, { accepted, refused }) => all + accepted + refused, 0)
  let at = start
  while (sent() < count) {
    const [first, second] = companies
    // Trucks stand, clocks run and months end between one operation and the next.
    const left = start + DAYS * DAY - at
    at += (left / Math.max(1, count - sent())) * 2 * random.next()
    await house.moveTo(Math.max(at, Date.now()))
    for (const company of companies) {
      const month = await company.closeMonth()
      if (!month) continue
      closed.push({ month, company, before: await recordReports(company.hands, ofMonth(company, month)) })
      await company.correctClosedMonth()
    }
    const acting = random.chance(0.75) ? first! : second!
    if (random.chance(0.015)) {
      const month = await acting.reopenMonth()
      closed = closed.filter((one) => one.company !== acting || one.month !== month)
    } else await acting.act()
  }
  await house.moveTo(Math.max(start + DAYS * DAY, Date.now()))
  const all = []
  for (const company of companies)
    all.push({ company, recorded: await recordProduct(company.hands, periodsSince(FIRST, company.hands.world)) })
  return { house, companies: all, closed, count: sent() }
}

const ofMonth = ({ hands }: Company, month: string) =>
  periodsSince(FIRST, hands.world).filter(({ from, to }) => from.startsWith(month) && to.startsWith(month))
