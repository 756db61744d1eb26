import { Random } from './random.ts'
import { DAY, daysAgo, HISTORY_DAYS, insertRows, scaled, takeIds, type World } from './world.ts'

const UNITS = ['Unidad', 'Litro', 'Kilogramo', 'Metro', 'Juego', 'Par', 'Caja', 'Galón', 'Tambor']

/** What a workshop of trucks keeps: category, start of the code, and its items with unit and range of price. */
const FAMILIES: [category: string, prefix: string, items: [name: string, unit: string, from: number, to: number][]][] =
  [
    [
      'Filtros',
      'FLT',
      [
        ['Filtro de aceite', 'Unidad', 8900, 38900],
        ['Filtro de aire primario', 'Unidad', 24900, 89900],
        ['Filtro de aire secundario', 'Unidad', 18900, 52900],
        ['Filtro de combustible', 'Unidad', 9900, 45900],
        ['Filtro separador de agua', 'Unidad', 14900, 62900],
        ['Filtro secador de aire', 'Unidad', 29900, 68900],
        ['Filtro de cabina', 'Unidad', 7900, 24900],
      ],
    ],
    [
      'Lubricantes',
      'LUB',
      [
        ['Aceite motor 15W40', 'Litro', 3490, 6990],
        ['Aceite motor 10W30 sintético', 'Litro', 6490, 11990],
        ['Aceite de caja 75W90', 'Litro', 7990, 14990],
        ['Aceite diferencial 85W140', 'Litro', 4990, 9490],
        ['Grasa de litio multipropósito', 'Kilogramo', 4290, 8990],
        ['Refrigerante rojo 50/50', 'Litro', 2290, 4490],
        ['AdBlue', 'Litro', 690, 1290],
      ],
    ],
    [
      'Frenos',
      'FRN',
      [
        ['Juego de balatas eje delantero', 'Juego', 48900, 139900],
        ['Juego de balatas eje trasero', 'Juego', 52900, 149900],
        ['Pastillas de freno', 'Juego', 59900, 169900],
        ['Disco de freno', 'Unidad', 69900, 189900],
        ['Tambor de freno', 'Unidad', 89900, 229900],
        ['Pulmón de freno 30/30', 'Unidad', 34900, 79900],
        ['Válvula relé', 'Unidad', 39900, 119900],
      ],
    ],
    [
      'Neumáticos',
      'NEU',
      [
        ['Neumático 295/80 R22.5 direccional', 'Unidad', 219900, 389900],
        ['Neumático 295/80 R22.5 tracción', 'Unidad', 239900, 419900],
        ['Neumático 11R22.5 mixto', 'Unidad', 229900, 399900],
        ['Recauchaje 295/80', 'Unidad', 99900, 149900],
        ['Válvula para llanta', 'Unidad', 1490, 3990],
      ],
    ],
    [
      'Suspensión y dirección',
      'SUS',
      [
        ['Pulmón de suspensión', 'Unidad', 69900, 159900],
        ['Amortiguador delantero', 'Unidad', 45900, 119900],
        ['Terminal de dirección', 'Unidad', 29900, 84900],
        ['Buje de paquete', 'Unidad', 8900, 24900],
        ['Hoja maestra', 'Unidad', 79900, 189900],
        ['Barra estabilizadora', 'Unidad', 89900, 199900],
      ],
    ],
    [
      'Eléctrico',
      'ELE',
      [
        ['Batería 12V 150Ah', 'Unidad', 119900, 189900],
        ['Ampolleta H7 24V', 'Unidad', 3490, 8990],
        ['Foco lateral LED', 'Unidad', 4990, 14990],
        ['Alternador 24V', 'Unidad', 189900, 429900],
        ['Motor de partida', 'Unidad', 219900, 489900],
        ['Fusible 20A', 'Caja', 2490, 5990],
        ['Cable automotriz 2,5 mm', 'Metro', 690, 1490],
      ],
    ],
    [
      'Motor',
      'MOT',
      [
        ['Correa alternador', 'Unidad', 12900, 49900],
        ['Tensor de correa', 'Unidad', 39900, 99900],
        ['Bomba de agua', 'Unidad', 89900, 249900],
        ['Termostato', 'Unidad', 19900, 54900],
        ['Empaquetadura de culata', 'Juego', 79900, 229900],
        ['Inyector', 'Unidad', 249900, 589900],
        ['Turbo', 'Unidad', 689900, 1489900],
      ],
    ],
    [
      'Transmisión',
      'TRA',
      [
        ['Kit de embrague', 'Juego', 389900, 889900],
        ['Cruceta de cardán', 'Unidad', 24900, 69900],
        ['Soporte de cardán', 'Unidad', 34900, 89900],
        ['Retén de masa', 'Unidad', 12900, 38900],
        ['Rodamiento de masa', 'Unidad', 39900, 109900],
      ],
    ],
    [
      'Pernos y ferretería',
      'FER',
      [
        ['Perno grado 8 M12', 'Caja', 8900, 24900],
        ['Tuerca de rueda', 'Unidad', 1290, 3490],
        ['Abrazadera inoxidable', 'Unidad', 890, 2990],
        ['Amarra plástica 30 cm', 'Caja', 2990, 6990],
        ['Electrodo 6011', 'Kilogramo', 3990, 6990],
        ['Disco de corte 4 1/2', 'Unidad', 890, 1990],
      ],
    ],
    [
      'Seguridad y aseo',
      'SEG',
      [
        ['Guante de nitrilo', 'Caja', 6990, 12990],
        ['Lente de seguridad', 'Unidad', 1990, 4990],
        ['Huaipe', 'Kilogramo', 1490, 2990],
        ['Desengrasante', 'Galón', 8990, 18990],
        ['Absorbente de derrames', 'Kilogramo', 1990, 3990],
      ],
    ],
  ]
const FITS = [
  'Volvo FH',
  'Scania serie R',
  'Mercedes-Benz Actros',
  'Freightliner Cascadia',
  'Kenworth T800',
  'MAN TGX',
  'Iveco Stralis',
  'Hino 500',
]

const PRODUCTS = FITS.flatMap((fits) =>
  FAMILIES.flatMap(([category, prefix, items]) =>
    items.map(([name, unit, from, to]) => ({ category, prefix, name, fits, unit, from, to })),
  ),
)

async function choices(world: World, table: string, names: string[]) {
  const ids = await takeIds(world, table, names.length)
  const at = daysAgo(world, HISTORY_DAYS + 20)
  await insertRows(
    world,
    table,
    names.map((name, i) => ({
      company_id: world.company.id,
      id: ids[i],
      workshop_id: null,
      name,
      created_at: at,
      updated_at: at,
    })),
  )
  return new Map(names.map((name, i) => [name, ids[i]!]))
}

/** To a figure that somebody would write on a price list. */
const priced = (pesos: number) => (pesos < 2000 ? Math.round(pesos / 10) * 10 : Math.round(pesos / 100) * 100 - 10)

/** Supplies of each workshop, and what they have cost: prices move every few months, mostly up. */
export async function suppliesPart(world: World) {
  const random = new Random(`supplies ${world.company.seed}`)
  const company_id = world.company.id
  const categories = await choices(
    world,
    'categories',
    FAMILIES.map(([category]) => category),
  )
  const units = await choices(world, 'measurement_units', UNITS)
  const count = scaled(world, 800)
  const ids = await takeIds(world, 'supplies', count)
  const rows: (Record<string, unknown> & {
    id: number
    workshop_id: number
    name: string
    cost: number
    state: string
  })[] = []
  const costs: object[] = []
  const buyer = world.users[0]!
  const by = { user_id: buyer.id, user_name: buyer.name }
  ids.forEach((id, i) => {
    const workshop_id = world.workshops[i % world.workshops.length]!.id
    const nth = Math.floor(i / world.workshops.length)
    const product = PRODUCTS[nth % PRODUCTS.length]!
    const again = Math.floor(nth / PRODUCTS.length)
    const start = HISTORY_DAYS + random.int(1, 12)
    const created_at = daysAgo(world, start)
    let cost = priced(product.from + random.next() * (product.to - product.from))
    let last = created_at
    costs.push({ company_id, supply_id: id, at: created_at, cost, source: 'manual', reference: null, ...by })
    for (let day = start - random.int(40, 160); day > 2; day -= random.int(60, 200)) {
      cost = priced(cost * (random.chance(0.85) ? 1 + random.next() * 0.09 : 1 - random.next() * 0.06)) || cost
      last = new Date(daysAgo(world, day).getTime() - random.int(0, DAY / 2))
      costs.push({
        company_id,
        supply_id: id,
        at: last,
        cost,
        source: random.chance(0.7) ? 'purchase' : 'manual',
        reference: null,
        ...by,
      })
    }
    rows.push({
      company_id,
      id,
      workshop_id,
      code: `${product.prefix}-${String(nth + 1).padStart(5, '0')}`,
      name: `${product.name} ${product.fits}${again > 0 ? ` (${again + 1})` : ''}`,
      description: random.chance(0.3)
        ? `Compatible con ${product.fits}. Revisar número de parte antes de comprar.`
        : null,
      cost,
      category_id: categories.get(product.category),
      measurement_units_id: units.get(product.unit),
      state: random.chance(0.03) ? 'inactive' : 'active',
      created_at,
      updated_at: last,
    })
  })
  await insertRows(world, 'supplies', rows)
  const costIds = await takeIds(world, 'supply_costs', costs.length)
  await insertRows(
    world,
    'supply_costs',
    costs.map((cost, i) => ({ id: costIds[i], ...cost })),
  )
  world.supplies = rows.filter(({ state }) => state === 'active')
}
