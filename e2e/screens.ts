import { HELP } from '#web/shell/help/pages.ts'

/** One of each kind of screen, as the owner of the demonstration sees it. */
export const PARTS = {
  orders: [
    '/ordenes-de-trabajo',
    '/ordenes-de-trabajo/calendario',
    '/ordenes-de-trabajo/nueva',
    '/ordenes-de-trabajo/1200',
    '/historial-ordenes-de-trabajo',
    '/facturas-por-pagar',
    '/configuracion/tareas',
    '/configuracion/tipos-de-mantencion',
    '/configuracion/plantillas',
  ],
  trucks: [
    '/truck',
    '/truck/1',
    '/truck/create',
    '/truck/5?tab=general',
    '/truck/5?tab=mileage',
    '/truck/5?tab=coupled',
    '/truck/5?tab=alerts',
    '/truck/5?tab=activity',
  ],
  'alerts and providers': [
    '/maintenance-alerts',
    '/maintenance-alerts?filter[Status]=executed',
    '/maintenance-alerts/correos',
    '/provider',
    '/provider/1',
    '/provider/1?tab=data',
    '/provider/1?tab=activity',
    '/provider/1/services',
    '/provider/create',
  ],
  'supplies and warehouses': [
    '/inventario',
    '/insumo/1',
    '/nuevo-insumo',
    '/warehouse',
    '/warehouse/1',
    '/warehouse/1?tab=stock',
    '/warehouse/1?tab=purchases',
    '/warehouse/1?tab=movement-orders',
    '/warehouse/1?tab=purchases-orders',
    '/warehouse/1?tab=sales',
    '/warehouse/create',
  ],
  'the start and the reports': [
    '/inicio',
    '/reportes',
    '/reportes/expenses-by-truck',
    '/reportes/expenses-by-suppliers',
    '/reportes/historical-expenses',
    '/reportes/expenses-by-category',
    '/reportes/expenses-by-month',
    '/reportes/cost-supplies-by-truck',
    '/reportes/equipment-availability',
    '/reportes/hours-by-specialist',
  ],
  'the configuration': [
    '/configuracion',
    '/configuracion/perfil',
    '/configuracion/empresa',
    '/configuracion/talleres',
    '/configuracion/ajustes',
    '/configuracion/usuarios',
    '/configuracion/permisos',
    '/configuracion/conductores',
    '/configuracion/marcas',
    '/configuracion/categorias-de-alerta',
    '/configuracion/webhooks',
    '/no-existe',
  ],
}
export const SCREENS = [...Object.values(PARTS).flat(), '/mis-trabajos']

/** A path of the demonstration for each route that has help. */
export const helpPathOf = (route: string) =>
  route.replace('$section', 'usuarios').replace('$id', route.startsWith('/ordenes') ? '1200' : '1')
export const HELP_PATHS = Object.keys(HELP).map(helpPathOf)

/** What opens over them: each kind of drawer, menu and dialog once, by the button that opens it. */
export const OPENED: Record<string, (string | RegExp)[]> = {
  '/inicio': [/^Avisos/, /Cuenta de/, 'Ayuda de esta pantalla', /^Gasto de este mes: .*Ver detalle$/],
  '/ordenes-de-trabajo': [/^Acciones de OT/, /^Vistas/],
  '/ordenes-de-trabajo/nueva': ['Agregar trabajo', 'Usar plantilla', 'Repetir una orden'],
  '/ordenes-de-trabajo/1200': ['Más acciones', /^Firmar/],
  '/historial-ordenes-de-trabajo': ['Columnas'],
  '/configuracion/tareas': ['Nueva tarea'],
  '/configuracion/tipos-de-mantencion': ['Nuevo tipo'],
  '/configuracion/plantillas': ['Nueva plantilla'],
  '/truck': ['Importar'],
  '/truck/1': ['Registrar kilometraje', 'Más acciones'],
  '/truck/create': ['Nuevo tipo', 'Nueva marca', 'Nuevo centro de costo'],
  '/provider': ['Importar', 'Nuevo servicio'],
  '/nuevo-insumo': ['Nueva categoría', 'Nueva unidad'],
  '/warehouse/1?tab=stock': ['Etiquetas', 'Conteos', 'Asociar insumos'],
  '/warehouse/1?tab=purchases': ['Nueva entrada'],
}
/** Those of a phone, which have little room. */
export const OPENED_ON_PHONE: Record<string, (string | RegExp)[]> = {
  '/inicio': ['Menú', /^Avisos/, /Cuenta de/],
  '/ordenes-de-trabajo/nueva': ['Usar plantilla'],
  '/ordenes-de-trabajo/1200': ['Más acciones'],
  '/truck': ['Filtros', 'Ordenar', 'Vistas guardadas'],
  '/truck/1': ['Registrar kilometraje'],
  '/warehouse/1?tab=purchases': ['Nueva entrada'],
}
/** What a screen also shows, at no address of its own: by the words that are pressed, one after the other. */
export const FACES: Record<string, string[]> = {
  '/ordenes-de-trabajo/calendario': ['Semana', 'Por mecánico', 'Día'],
}
export const SIZES = [
  [1440, 900],
  [1280, 800],
  [820, 1180],
  [360, 740],
] as const
