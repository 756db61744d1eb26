import { daysAgo, insertRows, takeIds, type World } from './world.ts'

interface Template {
  name: string
  type: string
  /** Codes of tasks, or words, and hours. */
  works: [string, number][]
  /** Start of a supply's name, and how many. */
  supplies: [string, number][]
}

const TEMPLATES: Template[] = [
  {
    name: 'Mantención 15.000 km',
    type: 'PREVENTIVE',
    works: [
      ['MP-ACE', 1.5],
      ['MP-COM', 0.5],
      ['MP-ENG', 1],
      ['MP-NIV', 0.5],
      ['Revisar correas, mangueras y luces', 0.5],
    ],
    supplies: [
      ['Aceite motor 15W40', 36],
      ['Filtro de aceite', 1],
      ['Filtro de combustible', 1],
      ['Filtro separador de agua', 1],
      ['Grasa de litio', 2],
    ],
  },
  {
    name: 'Cambio de frenos eje trasero',
    type: 'CORRECTIVE',
    works: [
      ['FR-BAL', 4],
      ['FR-REG', 1],
      ['Probar frenos en ruta', 0.5],
    ],
    supplies: [['Juego de balatas eje trasero', 2]],
  },
  {
    name: 'Preparar revisión técnica',
    type: 'PREVENTIVE',
    works: [
      ['RV-PRE', 1],
      ['EL-LUC', 1],
      ['FR-REG', 1],
    ],
    supplies: [],
  },
]

/** Maintenance that comes again and again, to fill orders with. */
export async function templatesPart(world: World) {
  const company_id = world.company.id
  const { client } = world
  const at = daysAgo(world, 200)
  const ids = await takeIds(world, 'maintenance_templates', TEMPLATES.length)
  const idsOf = async (table: string) =>
    new Map(
      (
        await client.query<{ code: string; id: string }>(`select code, id from ${table} where company_id = $1`, [
          company_id,
        ])
      ).rows.map(({ code, id }) => [code, Number(id)]),
    )
  const [types, tasks] = [await idsOf('maintenance_types'), await idsOf('tasks')]
  const supplies = (
    await client.query<{ code: string; name: string }>(
      // Those first that every workshop has.
      `select code, min(name) as name from supplies where company_id = $1 and state = 'active'
       group by code order by count(*) desc, code`,
      [company_id],
    )
  ).rows
  await insertRows(
    world,
    'maintenance_templates',
    TEMPLATES.map(({ name, type }, i) => ({
      company_id,
      id: ids[i],
      name,
      type_maintenance_id: types.get(type),
      state: 'active',
      created_at: at,
      updated_at: at,
    })),
  )
  const works = TEMPLATES.flatMap((template, i) =>
    template.works.map(([what, hours]) => ({
      template_id: ids[i],
      task_id: tasks.get(what) ?? null,
      description: tasks.has(what) ? null : what,
      hours,
    })),
  )
  const lines = TEMPLATES.flatMap((template, i) =>
    template.supplies.flatMap(([start, count]) => {
      const supply = supplies.find(({ name }) => name.startsWith(start))
      return supply ? [{ template_id: ids[i], code: supply.code, name: supply.name, count }] : []
    }),
  )
  for (const [table, rows] of [
    ['maintenance_template_works', works],
    ['maintenance_template_supplies', lines],
  ] as const) {
    const lineIds = await takeIds(world, table, rows.length)
    await insertRows(
      world,
      table,
      rows.map((row, i) => ({ company_id, id: lineIds[i], ...row })),
    )
  }
}
