import type { Role } from '#contract/base/permissions.ts'
import { hashPassword } from '../src/identity/passwords.ts'
import { daysAgo, HISTORY_DAYS, insertRows, takeIds, type World } from './world.ts'

export const PASSWORD = 'maestranza'

export interface Cast {
  /** Chooses the random figures, so that the data is the same whichever id the database gives the company. */
  seed: number
  company: { name: string; dni: string }
  workshops: [name: string, address: string][]
  /** `workshop`: place in the list above; none for those who work in all. */
  people: { email: string; name: string; role: Role; workshop?: number }[]
}

export const CARRIER: Cast = {
  seed: 1,
  company: { name: 'Transportes Cordillera SpA', dni: '76.418.203-0' },
  workshops: [
    ['Taller Quilicura', 'Av. Lo Echevers 781, Quilicura'],
    ['Taller Antofagasta', 'Av. Pedro Aguirre Cerda 9640, Antofagasta'],
    ['Taller Talcahuano', 'Camino a Lenga 2250, Talcahuano'],
  ],
  people: [
    { email: 'admin@maestranza.demo', name: 'Marcela Riquelme Soto', role: 'super-admin' },
    { email: 'jefe@maestranza.demo', name: 'Juan Pablo Fuentes', role: 'admin', workshop: 0 },
    { email: 'bodega@maestranza.demo', name: 'Carmen Saavedra Lagos', role: 'warehouse', workshop: 0 },
    { email: 'mecanico@maestranza.demo', name: 'Luis Gatica Muñoz', role: 'specialist', workshop: 0 },
    { email: 'consulta@maestranza.demo', name: 'Andrea Valdés Pinto', role: 'viewer', workshop: 0 },
  ],
}

export const QUARRY: Cast = {
  seed: 2,
  company: { name: 'Áridos del Maipo Ltda.', dni: '77.105.882-5' },
  workshops: [['Taller Puente Alto', 'Camino El Volcán 3120, Puente Alto']],
  people: [{ email: 'admin@aridos.demo', name: 'Rodrigo Pizarro Vega', role: 'super-admin' }],
}

/** The company itself, its workshops and who logs in. */
export async function peoplePart(world: World, cast: Cast) {
  const [company_id] = await takeIds(world, 'companies', 1)
  world.company.id = company_id!
  const created_at = daysAgo(world, HISTORY_DAYS + 30)
  await insertRows(world, 'companies', [
    { id: company_id, ...cast.company, time_zone: 'America/Santiago', created_at, updated_at: created_at },
  ])
  const workshopIds = await takeIds(world, 'workshops', cast.workshops.length)
  world.workshops = cast.workshops.map(([name], i) => ({ id: workshopIds[i]!, name }))
  await insertRows(
    world,
    'workshops',
    cast.workshops.map(([name, address], i) => ({
      company_id,
      id: workshopIds[i],
      name,
      address,
      active: true,
      created_at,
      updated_at: created_at,
    })),
  )
  const userIds = await takeIds(world, 'users', cast.people.length)
  world.users = cast.people.map(({ name }, i) => ({ id: userIds[i]!, name }))
  const password_hash = await hashPassword(PASSWORD)
  await insertRows(
    world,
    'users',
    cast.people.map(({ email, name }, i) => ({
      id: userIds[i],
      email,
      name,
      password_hash,
      active: true,
      created_at,
      updated_at: created_at,
    })),
  )
  await insertRows(
    world,
    'memberships',
    cast.people.map(({ role, workshop }, i) => ({
      company_id,
      user_id: userIds[i],
      role,
      workshop_id: workshop === undefined ? null : workshopIds[workshop],
      created_at,
      updated_at: created_at,
    })),
  )
  await insertRows(world, 'settings', [{ company_id, name: 'shared_fleet', setting_value: true }])
}
