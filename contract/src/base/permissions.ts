/** Who may do what: the one table that server, screens and tests read. */

export const ROLES = {
  'super-admin': { label: 'Super administrador', everyWorkshop: true },
  admin: { label: 'Jefe de taller', everyWorkshop: false },
  warehouse: { label: 'Bodeguero', everyWorkshop: false },
  specialist: { label: 'Mecánico', everyWorkshop: false },
  viewer: { label: 'Consulta', everyWorkshop: false },
} as const
export type Role = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]]

const everyone = ROLE_NAMES
const readers: Role[] = ['super-admin', 'admin', 'warehouse', 'viewer']
const chiefs: Role[] = ['super-admin', 'admin']
const keepers: Role[] = ['super-admin', 'admin', 'warehouse']

export const PERMISSIONS = {
  'fleet.read': { label: 'Ver equipos', roles: everyone },
  'fleet.write': { label: 'Crear y editar equipos', roles: chiefs },
  'work-orders.read': { label: 'Ver órdenes de trabajo', roles: everyone },
  'work-orders.write': { label: 'Crear y editar órdenes de trabajo', roles: chiefs },
  'work-orders.work': {
    label: 'Trabajos propios, mover tarjetas, notas y fotos',
    roles: ['super-admin', 'admin', 'specialist'],
  },
  'costs.read': { label: 'Ver costos', roles: readers },
  'labour.read': { label: 'Ver el costo de la mano de obra', roles: ['super-admin', 'admin', 'viewer'] },
  'labour.rates': { label: 'Ver y editar el costo por hora de cada especialista', roles: chiefs },
  'alerts.read': { label: 'Ver alertas', roles: everyone },
  'alerts.write': { label: 'Crear y editar alertas', roles: chiefs },
  'providers.read': { label: 'Ver proveedores', roles: readers },
  'providers.write': { label: 'Crear y editar proveedores', roles: chiefs },
  'supplies.read': { label: 'Ver insumos', roles: readers },
  'supplies.write': { label: 'Crear y editar insumos', roles: keepers },
  'warehouses.read': { label: 'Ver bodegas y stock', roles: readers },
  'warehouses.write': { label: 'Entradas, salidas y órdenes de compra', roles: keepers },
  'transfers.send': { label: 'Enviar insumos a otro taller', roles: keepers },
  'transfers.receive': { label: 'Recibir insumos de otro taller', roles: keepers },
  'purchasing.approve': { label: 'Aprobar órdenes de compra', roles: chiefs },
  'payables.read': { label: 'Ver facturas por pagar', roles: readers },
  'payables.approve': { label: 'Aprobar y reclamar facturas, y decir cuándo vencen', roles: chiefs },
  'payables.pay': { label: 'Marcar facturas como pagadas', roles: chiefs },
  'reports.read': { label: 'Ver y descargar reportes', roles: ['super-admin', 'admin', 'viewer'] },
  'reports.warehouse': { label: 'Ver y descargar reportes de bodega', roles: readers },
  'imports.supplies': { label: 'Importar insumos y deshacerlo', roles: keepers },
  'imports.trucks': { label: 'Importar equipos y deshacerlo', roles: chiefs },
  'imports.providers': { label: 'Importar proveedores y deshacerlo', roles: chiefs },
  'imports.limits': { label: 'Importar mínimos y máximos de stock y deshacerlo', roles: keepers },
  'people.manage': { label: 'Personas y catálogos del taller', roles: chiefs },
  'security.read': { label: 'Ver el registro de seguridad', roles: chiefs },
  'webhooks.manage': { label: 'Avisos a otros sistemas', roles: ['super-admin'] },
  'company.manage': { label: 'Talleres, usuarios y configuración de la empresa', roles: ['super-admin'] },
} as const satisfies Record<string, { label: string; roles: readonly Role[] }>
export type Permission = keyof typeof PERMISSIONS
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]

export const permissionsOf = (role: Role): Permission[] =>
  PERMISSION_NAMES.filter((name) => (PERMISSIONS[name].roles as readonly Role[]).includes(role))
