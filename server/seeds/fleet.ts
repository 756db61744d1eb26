import { Random } from './random.ts'
import { DAY, daysAgo, HISTORY_DAYS, insertRows, scaled, takeIds, type World } from './world.ts'

const BRANDS = [
  'Volvo',
  'Scania',
  'Mercedes-Benz',
  'MAN',
  'Freightliner',
  'Kenworth',
  'International',
  'Hino',
  'Iveco',
  'DAF',
]
const TYPES = ['Tractocamión', 'Camión tolva', 'Camión rampla', 'Camión 3/4', 'Camión pluma', 'Camión aljibe']
const COST_CENTERS: [string, string][] = [
  ['Distribución Santiago', 'Reparto en la Región Metropolitana'],
  ['Minería Norte', 'Contratos con faenas de Antofagasta y Calama'],
  ['Forestal Sur', 'Transporte de madera y celulosa'],
  ['Retail', 'Centros de distribución y tiendas'],
  ['Carga general', 'Viajes sin contrato fijo'],
]
/** Letters of Chilean plates: no vowels, and none that look like another. */
const LETTERS = 'BCDFGHJKLPRSTVWXYZ'

/** The n-th plate of a series that never repeats. */
const patentOf = (n: number, letters: number, digits: number) => {
  const spread = (n * 4_256_233 + 1_047_297) % (LETTERS.length ** letters * 10 ** digits)
  let rest = Math.floor(spread / 10 ** digits)
  let text = ''
  for (let i = 0; i < letters; i++) {
    text = LETTERS[rest % LETTERS.length]! + text
    rest = Math.floor(rest / LETTERS.length)
  }
  return text + String(spread % 10 ** digits).padStart(digits, '0')
}

async function catalogue(world: World, table: string, rows: object[]) {
  const ids = await takeIds(world, table, rows.length)
  const stamps = { created_at: daysAgo(world, HISTORY_DAYS + 20), updated_at: daysAgo(world, HISTORY_DAYS + 20) }
  await insertRows(
    world,
    table,
    rows.map((row, i) => ({ company_id: world.company.id, id: ids[i], workshop_id: null, ...row, ...stamps })),
  )
  return ids
}

/** Trucks that drive, units they pull, and what their meters showed every week. */
export async function fleetPart(world: World) {
  const random = new Random(`fleet ${world.company.seed}`)
  const company_id = world.company.id
  const brands = await catalogue(
    world,
    'brands',
    BRANDS.map((name) => ({ name })),
  )
  const types = await catalogue(
    world,
    'truck_types',
    TYPES.map((name) => ({ name })),
  )
  const centers = await catalogue(
    world,
    'cost_centers',
    COST_CENTERS.map(([name, description]) => ({ name, description })),
  )

  const count = scaled(world, 60)
  const ids = await takeIds(world, 'trucks', count)
  const trucks: (Record<string, unknown> & {
    id: number
    workshop_id: number
    mileage: number
    state: string
    isTractor: boolean
  })[] = []
  const readings: object[] = []
  const activity: object[] = []
  const chief = world.users[0]!
  const by = { user_id: chief.id, user_name: chief.name }
  ids.forEach((id, i) => {
    const workshop = world.workshops[i % world.workshops.length]!
    const isTractor = random.chance(0.65)
    const age = random.int(0, 11)
    const kmPerDay = isTractor ? random.int(280, 620) : random.int(70, 240)
    const start = HISTORY_DAYS + random.int(1, 6)
    let km = age * 300 * kmPerDay + random.int(500, 9000)
    for (let day = start; day >= 0; day -= 7) {
      const date = new Date(daysAgo(world, day).getTime() - random.int(0, DAY / 2))
      const initial = day === start
      readings.push({
        company_id,
        truck_id: id,
        date,
        km,
        source: 'manual',
        correction: false,
        superseded: false,
        initial,
        note: null,
        ...by,
        created_at: date,
      })
      // A week in the workshop now and then.
      if (day >= 7)
        km += random.chance(0.06) ? random.int(0, kmPerDay) : Math.round(kmPerDay * (5.2 + random.next() * 1.6))
    }
    const code = `${isTractor ? 'T' : 'C'}-${String(i + 1).padStart(3, '0')}`
    const patent = patentOf(i + company_id * 131, 4, 2)
    const created_at = daysAgo(world, start)
    trucks.push({
      company_id,
      id,
      workshop_id: workshop.id,
      code,
      patent,
      state: random.chance(0.05) ? 'inactive' : 'active',
      mileage: km,
      type_of_truck_id: isTractor ? types[0]! : random.pick(types.slice(1)),
      brand_id: random.pick(brands),
      cost_center_id: random.pick(centers),
      created_at,
      updated_at: daysAgo(world, random.int(0, 20)),
      isTractor,
    })
    activity.push({
      company_id,
      at: created_at,
      ...by,
      entity: 'truck',
      entity_id: id,
      action: 'created',
      changes: { code: [null, code], patent: [null, patent] },
    })
  })
  await insertRows(
    world,
    'trucks',
    trucks.map(({ isTractor: _, ...truck }) => ({
      ...truck,
      retired_at: truck.state === 'inactive' ? truck.updated_at : null,
    })),
  )
  await insertIdentified(world, 'truck_readings', readings)
  await insertIdentified(world, 'activity', activity)
  world.trucks = trucks

  await couplings(
    world,
    random,
    trucks.filter((truck) => truck.isTractor),
  )
}

/** Rows nobody refers to: they only need an id. */
async function insertIdentified(world: World, table: string, rows: object[]) {
  const ids = await takeIds(world, table, rows.length)
  await insertRows(
    world,
    table,
    rows.map((row, i) => ({ id: ids[i], ...row })),
  )
}

/** In each season the units of a workshop are dealt out anew among its tractors. */
async function couplings(world: World, random: Random, tractors: { id: number; workshop_id: number }[]) {
  const company_id = world.company.id
  const ids = await takeIds(world, 'coupled', scaled(world, 40))
  const units = ids.map((id, i) => ({ id, workshop_id: world.workshops[i % world.workshops.length]!.id }))
  const created_at = daysAgo(world, HISTORY_DAYS + 10)
  await insertRows(
    world,
    'coupled',
    units.map((unit, i) => ({
      company_id,
      ...unit,
      patent: patentOf(i + company_id * 977, 2, 4),
      created_at,
      updated_at: created_at,
    })),
  )
  const seasons = [HISTORY_DAYS, 420, 290, 150, 40].map((days) => daysAgo(world, days))
  const intervals: object[] = []
  for (const workshop of world.workshops) {
    const pullers = tractors.filter((truck) => truck.workshop_id === workshop.id)
    const pulled = units.filter((unit) => unit.workshop_id === workshop.id)
    seasons.forEach((from_at, season) => {
      const dealt = random.shuffle(pullers)
      random.shuffle(pulled).forEach((unit, i) => {
        const truck = dealt[i]
        if (truck && random.chance(0.85))
          intervals.push({
            company_id,
            truck_id: truck.id,
            coupled_id: unit.id,
            from_at,
            until_at: seasons[season + 1] ?? null,
          })
      })
    })
  }
  await insertIdentified(world, 'couplings', intervals)
}
