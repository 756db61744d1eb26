import { verifierOf } from '#contract/base/rut.ts'
import { Random } from './random.ts'
import { daysAgo, HISTORY_DAYS, insertRows, scaled, takeIds, type World } from './world.ts'

const CATEGORIES: [string, string][] = [
  ['Neumáticos', 'Recauchaje, montaje, balanceo y alineación'],
  ['Motor y diésel', 'Rectificado, inyección y turbos'],
  ['Frenos y suspensión', 'Tambores, balatas, paquetes de resortes'],
  ['Eléctrico y electrónica', 'Alternadores, motores de partida, escáner y tacógrafos'],
  ['Hidráulica', 'Cilindros, bombas y tomas de fuerza'],
  ['Carrocería y pintura', 'Desabolladura, pintura, fibra y encarpado'],
  ['Soldadura y tornería', 'Chasis, ganchos y piezas a medida'],
  ['Grúa y rescate', 'Rescate en ruta y traslados'],
  ['Lavado y sanitización', 'Chasis, motor y cabina'],
  ['Inspección y certificación', 'Opacidad, frenómetro y enganches'],
]

/** What a firm of each trade does: code, name, category, cost. A trade without services sells parts. */
const TRADES: Record<string, { word: string; services: [string, string, number, number][] }> = {
  tyres: {
    word: 'Neumáticos',
    services: [
      ['REC-295', 'Recauchaje 295/80 R22.5', 0, 118_000],
      ['MON-22', 'Montaje y balanceo aro 22.5', 0, 14_500],
      ['ALI-3E', 'Alineación de tres ejes', 0, 72_000],
      ['VUL-01', 'Reparación de pinchazo', 0, 12_000],
      ['TER-01', 'Asistencia de neumático en terreno', 0, 85_000],
    ],
  },
  engine: {
    word: 'Rectificadora',
    services: [
      ['REC-CUL', 'Rectificado de culata', 1, 285_000],
      ['REC-BLK', 'Rectificado de block 6 cilindros', 1, 690_000],
      ['ENC-CIG', 'Encamisado por cilindro', 1, 96_000],
      ['PRU-HID', 'Prueba hidráulica de culata', 1, 48_000],
    ],
  },
  diesel: {
    word: 'Diésel',
    services: [
      ['INY-LIM', 'Limpieza y calibración de inyector', 1, 65_000],
      ['BOM-CAL', 'Calibración de bomba inyectora', 1, 240_000],
      ['TUR-REP', 'Reparación de turbo', 1, 410_000],
      ['DPF-REG', 'Regeneración de filtro de partículas', 1, 155_000],
    ],
  },
  brakes: {
    word: 'Frenos',
    services: [
      ['TAM-REC', 'Rectificado de tambor', 2, 38_000],
      ['BAL-REM', 'Remachado de balatas por eje', 2, 54_000],
      ['PUL-CAM', 'Cambio de pulmón de freno', 2, 32_000],
      ['PAQ-ARM', 'Armado de paquete de resortes', 2, 128_000],
    ],
  },
  electric: {
    word: 'Electricidad automotriz',
    services: [
      ['ALT-REP', 'Reparación de alternador', 3, 95_000],
      ['PAR-REP', 'Reparación de motor de partida', 3, 110_000],
      ['ESC-DIA', 'Diagnóstico con escáner', 3, 45_000],
      ['TAC-CAL', 'Calibración de tacógrafo', 3, 68_000],
    ],
  },
  hydraulics: {
    word: 'Hidráulica',
    services: [
      ['CIL-SEL', 'Cambio de sellos de cilindro de tolva', 4, 320_000],
      ['BOM-REP', 'Reparación de bomba hidráulica', 4, 275_000],
      ['FLE-FAB', 'Fabricación de flexible hidráulico', 4, 42_000],
    ],
  },
  body: {
    word: 'Desabolladura y pintura',
    services: [
      ['CAB-PIN', 'Pintura de cabina completa', 5, 1_450_000],
      ['PAR-DES', 'Desabolladura de parachoques', 5, 180_000],
      ['CAR-REP', 'Reparación de carpa de rampla', 5, 135_000],
      ['VID-CAM', 'Cambio de parabrisas', 5, 210_000],
    ],
  },
  welding: {
    word: 'Maestranza',
    services: [
      ['CHA-SOL', 'Soldadura de chasis por hora', 6, 38_000],
      ['PIE-TOR', 'Pieza a medida en torno', 6, 85_000],
      ['QUI-CAM', 'Cambio de quinta rueda', 6, 260_000],
    ],
  },
  crane: {
    word: 'Grúas',
    services: [
      ['RES-URB', 'Rescate urbano', 7, 140_000],
      ['RES-RUT', 'Rescate en ruta hasta 100 km', 7, 390_000],
      ['TRA-KM', 'Traslado, por kilómetro adicional', 7, 2_400],
    ],
  },
  washing: {
    word: 'Lavados',
    services: [
      ['LAV-CHA', 'Lavado de chasis y motor', 8, 45_000],
      ['LAV-CAB', 'Lavado y sanitización de cabina', 8, 28_000],
      ['LAV-EST', 'Lavado de estanque con certificado', 8, 95_000],
    ],
  },
  inspection: {
    word: 'Certificaciones',
    services: [
      ['OPA-01', 'Medición de opacidad', 9, 24_000],
      ['FRE-01', 'Prueba en frenómetro', 9, 32_000],
      ['ENG-01', 'Certificación de enganche y quinta rueda', 9, 58_000],
    ],
  },
  parts: { word: 'Repuestos', services: [] },
}
type Trade = keyof typeof TRADES & string

const FIRMS: [name: string, trade: Trade, address: string, area: string][] = [
  ['Neumáticos y Recauchajes Ñuñoa SpA', 'tyres', 'Av. Irarrázaval 4120, Ñuñoa', '2'],
  ['Rectificadora Lo Espejo Ltda.', 'engine', 'Camino a Melipilla 7715, Cerrillos', '2'],
  ['Diésel Andino SpA', 'diesel', 'Av. Américo Vespucio 1540, Quilicura', '2'],
  ['Frenos y Embragues Carrascal Ltda.', 'brakes', 'Carrascal 5230, Quinta Normal', '2'],
  ['Electricidad Automotriz Sepúlveda E.I.R.L.', 'electric', 'Gran Avenida 8890, La Cisterna', '2'],
  ['Hidráulica Mapocho SpA', 'hydraulics', 'Av. Presidente Balmaceda 2875, Santiago', '2'],
  ['Comercial Repuestos Truck Chile S.A.', 'parts', 'Av. Lo Espejo 3030, San Bernardo', '2'],
  ['Lubricantes del Pacífico S.A.', 'parts', 'Av. Eduardo Frei Montalva 9710, Quilicura', '2'],
  ['Grúas Pesadas Araya Ltda.', 'crane', 'Panamericana Norte km 18, Colina', '2'],
  ['Desabolladura y Pintura Maipú SpA', 'body', 'Av. Pajaritos 4410, Maipú', '2'],
  ['Maestranza Hermanos Contreras Ltda.', 'welding', 'Santa Rosa 12450, La Pintana', '2'],
  ['Neumáticos del Desierto SpA', 'tyres', 'Av. Edmundo Pérez Zujovic 6120, Antofagasta', '55'],
  ['Rectificaciones La Negra Ltda.', 'engine', 'Barrio Industrial La Negra, sitio 14, Antofagasta', '55'],
  ['Laboratorio Diésel Calama SpA', 'diesel', 'Av. Balmaceda 2960, Calama', '55'],
  ['Grúas y Rescates Salar E.I.R.L.', 'crane', 'Ruta 25 km 12, Calama', '55'],
  ['Hidráulica Minera Norte S.A.', 'hydraulics', 'Av. Industria 890, Antofagasta', '55'],
  ['Lavados Industriales El Loa Ltda.', 'washing', 'Av. Circunvalación 1515, Calama', '55'],
  ['Frenos Biobío Ltda.', 'brakes', 'Av. Cristóbal Colón 9210, Talcahuano', '41'],
  ['Electro Diésel San Vicente SpA', 'electric', 'Av. Gran Bretaña 1840, Talcahuano', '41'],
  ['Recauchajes Concepción S.A.', 'tyres', 'Camino a Penco 3340, Concepción', '41'],
  ['Maestranza y Tornería Hualpén Ltda.', 'welding', 'Av. Curanilahue 720, Hualpén', '41'],
  ['Carrocerías y Carpas del Sur E.I.R.L.', 'body', 'Ruta 160 km 8, San Pedro de la Paz', '41'],
  ['Repuestos Forestales Los Ángeles SpA', 'parts', 'Av. Alemania 1290, Los Ángeles', '43'],
  ['Certificaciones Vehiculares Austral SpA', 'inspection', 'Av. Jorge Alessandri 2680, Concepción', '41'],
  ['Distribuidora de Filtros y Baterías Rumbo Ltda.', 'parts', 'San Pablo 9870, Pudahuel', '2'],
]
const PLACES = [
  'Maule',
  'Aconcagua',
  'Elqui',
  'Ranco',
  'Llanquihue',
  'Atacama',
  'Cachapoal',
  'Malleco',
  'Limarí',
  'Arauco',
]
const OWNERS = [
  'Vergara',
  'Inostroza',
  'Paredes',
  'Cárcamo',
  'Henríquez',
  'Barrientos',
  'Ulloa',
  'Zúñiga',
  'Retamal',
  'Oyarzún',
]
const FORMS = ['SpA', 'Ltda.', 'S.A.', 'E.I.R.L.']
const STREETS = ['Av. Central', 'Camino Real', 'Los Industriales', 'San Martín', 'Arturo Prat']

/** The n-th firm: the written ones first, then as many as are asked for, no two alike. */
function firmOf(n: number): [name: string, trade: Trade, address: string, area: string] {
  const written = FIRMS[n]
  if (written) return written
  const trades = Object.keys(TRADES)
  const pick = <T>(list: readonly T[], at: number) => list[Math.floor(at) % list.length]!
  const trade = pick(trades, n)
  const [place, owner, form] = [pick(PLACES, n / 12), pick(OWNERS, n / 120), pick(FORMS, n / 7)]
  const series = Math.floor(n / 1200)
  const name = `${TRADES[trade]!.word} ${owner} ${place}${series > 0 ? ` ${series + 1}` : ''} ${form}`
  return [name, trade, `${pick(STREETS, n / 3)} ${100 + ((n * 37) % 9000)}, ${place}`, pick(['2', '55', '41', '73'], n)]
}

/** Company numbers that never repeat, spread over those given out since 2010. */
const rutOf = (n: number) => {
  const number = 76_000_000 + ((n * 104_729 + 318_407) % 1_900_000)
  return `${number}-${verifierOf(number)}`
}

const SMALL_WORDS = ['y', 'de', 'del', 'la', 'los', 'el', 'spa', 'ltda', 'sa', 'eirl']
const LONGEST = 18

function mailOf(name: string) {
  const plain = name.normalize('NFD').replace(/[\p{Diacritic}.]/gu, '')
  const words = plain
    .toLowerCase()
    .split(' ')
    .filter((word) => !SMALL_WORDS.includes(word))
  const [first = '', second = ''] = words
  const domain = [first + second, first + words.at(-1)].find((pair) => pair.length <= LONGEST) ?? first
  return `${['ventas', 'contacto', 'servicios'][name.length % 3]}@${domain}.cl`
}

/** Firms that sell parts and do what the workshops do not; nationwide ones serve them all. */
export async function providersPart(world: World) {
  const random = new Random(`providers ${world.company.seed}`)
  const company_id = world.company.id
  const created_at = daysAgo(world, HISTORY_DAYS + 15)
  const by = { user_id: world.users[0]!.id, user_name: world.users[0]!.name }

  const categories = await takeIds(world, 'service_categories', CATEGORIES.length)
  await insertRows(
    world,
    'service_categories',
    CATEGORIES.map(([name, description], i) => ({
      company_id,
      id: categories[i],
      workshop_id: null,
      name,
      description,
      created_at,
      updated_at: created_at,
    })),
  )

  const ids = await takeIds(world, 'providers', scaled(world, 25))
  const providers: (Record<string, unknown> & { id: number; workshop_id: number | null })[] = []
  const services: (Record<string, unknown> & { provider_id: number; code: string; unit_price: number })[] = []
  ids.forEach((id, n) => {
    const [name, trade, address, area] = firmOf(n)
    // By area code: Santiago, the north and the south each have a workshop; who sells parts delivers everywhere.
    const home = { 2: 0, 55: 1 }[area] ?? 2
    const workshop_id =
      trade === 'parts' || trade === 'inspection' ? null : world.workshops[home % world.workshops.length]!.id
    const state = trade !== 'parts' && n >= 3 && random.chance(0.06) ? 'inactive' : 'active'
    const updated_at = daysAgo(world, random.int(1, 400))
    const phone = random.chance(0.4)
      ? `+56 9 ${random.int(5000, 9899)} ${random.int(1000, 9999)}`
      : `+56 ${area} ${random.int(2200, 2999)} ${random.int(1000, 9999)}`
    providers.push({
      company_id,
      id,
      workshop_id,
      name,
      dni: rutOf(n + company_id * 10_007),
      phone,
      email: mailOf(name),
      address,
      state,
      created_at,
      updated_at,
    })
    for (const [code, service, category, price] of TRADES[trade]!.services)
      services.push({
        company_id,
        provider_id: id,
        workshop_id,
        category_id: categories[category],
        code,
        name: service,
        description: null,
        unit_price: Math.round((price * (0.88 + random.next() * 0.26)) / 100) * 100,
        state: 'active',
        created_at,
        updated_at,
      })
  })
  await insertRows(world, 'providers', providers)
  const serviceIds = await takeIds(world, 'provider_services', services.length)
  await insertRows(
    world,
    'provider_services',
    services.map((service, i) => ({ id: serviceIds[i], ...service })),
  )
  const activity = await takeIds(world, 'activity', providers.length)
  await insertRows(
    world,
    'activity',
    providers.map(({ id, name, dni }, i) => ({
      company_id,
      id: activity[i],
      at: created_at,
      ...by,
      entity: 'provider',
      entity_id: id,
      action: 'created',
      changes: { name: [null, name], dni: [null, dni] },
    })),
  )
  world.providers = providers
    .filter(({ state }) => state === 'active')
    .map(({ id, workshop_id }) => ({
      id,
      workshop_id,
      services: services.flatMap(({ provider_id, code, unit_price }, i) =>
        provider_id === id ? [{ id: serviceIds[i]!, code, unit_price }] : [],
      ),
    }))
}
