import { verifierOf } from '#contract/base/rut.ts'
import { Random } from './random.ts'
import { DAY, daysAgo, HISTORY_DAYS, insertRows, scaled, takeIds, type World } from './world.ts'

const NAMES = [
  'Luis',
  'Pedro',
  'José Miguel',
  'Cristian',
  'Patricio',
  'Marcos',
  'Sergio',
  'Hernán',
  'Claudia',
  'Manuel',
  'Víctor',
  'Ricardo',
  'Daniela',
  'Eduardo',
  'Francisco Javier',
  'Nelson',
]
const SURNAMES = [
  'Gatica',
  'Muñoz',
  'Sepúlveda',
  'Contreras',
  'Araya',
  'Cárdenas',
  'Oyarzún',
  'Henríquez',
  'Catalán',
  'Vergara',
  'Huenchullán',
  'Tapia',
  'Espinoza',
  'Ñanco',
  'Pizarro',
  'Zúñiga',
]
const POSITIONS = ['Mecánico', 'Mecánico senior', 'Eléctrico automotriz', 'Soldador', 'Vulcanizador', 'Lubricador']
const BOXES = ['Box 1', 'Box 2', 'Box 3', 'Box lubricación', 'Box frenos']
/** Times the size of the demonstration that one more hall is built for. */
const FACTOR_OF_A_HALL = 8
const LICENCES = ['A5', 'A5', 'A5', 'A4', 'A2']

/** Boxes of each workshop, who works in them, and who drives what they mend. */
export async function rosterPart(world: World) {
  const random = new Random(`roster ${world.company.seed}`)
  const company_id = world.company.id
  const stamps = { created_at: daysAgo(world, HISTORY_DAYS + 25), updated_at: daysAgo(world, HISTORY_DAYS + 25) }
  const person = (number: number) => ({
    names: random.pick(NAMES),
    last_name_p: random.pick(SURNAMES),
    last_name_m: random.pick(SURNAMES),
    dni: `${number}-${verifierOf(number)}`,
  })
  const add = async (table: string, rows: { workshop_id: number }[]) => {
    const ids = await takeIds(world, table, rows.length)
    const made = rows.map((row, i) => ({ company_id, id: ids[i]!, ...row, state: 'active', ...stamps }))
    await insertRows(world, table, made)
    return made.map(({ id, workshop_id }) => ({ id, workshop_id }))
  }
  const perWorkshop = (count: number) =>
    world.workshops.flatMap(({ id }) => Array.from({ length: count }, (_, i) => ({ workshop_id: id, i })))
  // A large carrier mends in larger workshops, and not every truck of theirs in one box.
  const halls = Math.ceil(world.factor / FACTOR_OF_A_HALL)

  world.boxes = await add(
    'boxes',
    perWorkshop(BOXES.length * halls).map(({ workshop_id, i }) => {
      const [name, hall] = [BOXES[i % BOXES.length], Math.floor(i / BOXES.length)]
      return { workshop_id, name: hall > 0 ? `${name}, galpón ${hall + 1}` : name }
    }),
  )
  world.specialists = await add(
    'specialists',
    perWorkshop(POSITIONS.length * halls).map(({ workshop_id, i }, n) => ({
      workshop_id,
      ...person(12_100_000 + n * 41_389 + random.int(0, 900)),
      position: POSITIONS[i % POSITIONS.length],
    })),
  )
  world.drivers = await add(
    'drivers',
    perWorkshop(Math.ceil(scaled(world, 66) / world.workshops.length)).map(({ workshop_id }, n) => ({
      workshop_id,
      ...person(9_400_000 + n * 1_387 + random.int(0, 900)),
      phone: `+56 9 ${random.int(4000, 9999)} ${random.int(1000, 9999)}`,
      licence_class: random.pick(LICENCES),
      licence_expires_on: new Date(world.now.getTime() + random.int(-20, 1400) * DAY).toISOString().slice(0, 10),
    })),
  )
  // The mechanic who logs in is one of the specialists of their workshop.
  const mine = world.specialists[0]!
  await world.client.query(
    `update memberships set specialist_id = $1 where company_id = $2 and role = 'specialist' and workshop_id = $3`,
    [mine.id, company_id, mine.workshop_id],
  )
  await world.client.query(
    `update specialists s set names = split_part(u.name, ' ', 1), last_name_p = split_part(u.name, ' ', 2),
       last_name_m = split_part(u.name, ' ', 3)
     from memberships m join users u on u.id = m.user_id
     where m.company_id = s.company_id and m.specialist_id = s.id and s.company_id = $1`,
    [company_id],
  )
}
