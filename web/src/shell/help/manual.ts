import { PERMISSIONS, type Permission, type Role } from '#contract/base/permissions.ts'
import { REPORTS } from '#contract/reports/reports.ts'
import { HELP, type HelpPage } from './pages.ts'

/** The printed manual of a role has the help of every screen that the role may open, in the order of a working day. */

interface Chapter {
  title: string
  pages: [route: string, may?: Permission][]
}

export const CHAPTERS: Chapter[] = [
  { title: 'El día', pages: [['/inicio'], ['/mis-trabajos', 'work-orders.work']] },
  {
    title: 'Órdenes de trabajo',
    pages: [
      ['/ordenes-de-trabajo', 'work-orders.read'],
      ['/ordenes-de-trabajo/calendario', 'work-orders.read'],
      ['/ordenes-de-trabajo/nueva', 'work-orders.write'],
      ['/ordenes-de-trabajo/$id', 'work-orders.read'],
      ['/historial-ordenes-de-trabajo', 'work-orders.read'],
      ['/facturas-por-pagar', 'payables.read'],
    ],
  },
  {
    title: 'Equipos y alertas',
    pages: [
      ['/truck', 'fleet.read'],
      ['/truck/create', 'fleet.write'],
      ['/truck/$id', 'fleet.read'],
      ['/maintenance-alerts', 'alerts.read'],
      ['/maintenance-alerts/correos', 'alerts.write'],
    ],
  },
  {
    title: 'Insumos y bodegas',
    pages: [
      ['/inventario', 'supplies.read'],
      ['/nuevo-insumo', 'supplies.write'],
      ['/insumo/$id', 'supplies.read'],
      ['/warehouse', 'warehouses.read'],
      ['/warehouse/create', 'warehouses.write'],
      ['/warehouse/$id', 'warehouses.read'],
    ],
  },
  {
    title: 'Proveedores',
    pages: [
      ['/provider', 'providers.read'],
      ['/provider/create', 'providers.write'],
      ['/provider/$id', 'providers.read'],
      ['/provider/$id/services', 'providers.read'],
    ],
  },
  {
    title: 'Reportes',
    pages: [
      ['/reportes', 'reports.warehouse'],
      ...Object.entries(REPORTS).map(([name, { may }]): [string, Permission] => [`/reportes/${name}`, may]),
    ],
  },
  { title: 'Configuración', pages: [['/configuracion'], ['/configuracion/$section', 'people.manage']] },
]

const mayOpen = (role: Role, may?: Permission) => !may || (PERMISSIONS[may].roles as readonly Role[]).includes(role)

/** The chapters of a role's manual, without those that are empty for it. */
export const chaptersOf = (role: Role) =>
  CHAPTERS.map(({ title, pages }) => ({
    title,
    pages: pages
      .filter(([, may]) => mayOpen(role, may))
      .map(([route]): { route: string; page: HelpPage } => ({ route, page: HELP[route]! })),
  })).filter(({ pages }) => pages.length > 0)

export const manualOf = (role: Role) => `/manual/${role}.pdf`
