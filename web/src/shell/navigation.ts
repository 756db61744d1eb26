import {
  IconBellRinging,
  IconBox,
  IconBuildingStore,
  IconBuildingWarehouse,
  IconClipboardList,
  IconHistory,
  IconReportAnalytics,
  IconSettings,
  IconShoppingCart,
  IconTool,
  IconTools,
  IconTruck,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Permission } from '#contract/base/permissions.ts'
import type { Me } from '#contract/identity/identity.ts'

/** Where `/` leads. */
export const HOME = '/ordenes-de-trabajo'

export interface Screen {
  label: string
  /** Where room is short. */
  short?: string
  to: string
  icon: TablerIcon
  may: Permission
  /** Not for everyone who may. */
  for?: (me: Me) => boolean
  create?: { label: string; to: string; may: Permission }
}

/** Every section of the product; a screen is shown to whom may read it. */
export const SECTIONS: { label: string; screens: Screen[] }[] = [
  {
    label: 'Taller',
    screens: [
      {
        label: 'Mis trabajos',
        to: '/mis-trabajos',
        icon: IconTool,
        may: 'work-orders.work',
        for: (me) => Boolean(me.specialist_id),
      },
      {
        label: 'Órdenes de trabajo',
        short: 'Órdenes',
        to: '/ordenes-de-trabajo',
        icon: IconClipboardList,
        may: 'work-orders.read',
        create: { label: 'Nueva orden de trabajo', to: '/ordenes-de-trabajo/nueva', may: 'work-orders.write' },
      },
      {
        label: 'Historial',
        to: '/historial-ordenes-de-trabajo',
        icon: IconHistory,
        may: 'work-orders.read',
      },
    ],
  },
  {
    label: 'Recursos',
    screens: [
      {
        label: 'Equipos',
        to: '/truck',
        icon: IconTruck,
        may: 'fleet.read',
        create: { label: 'Nuevo equipo', to: '/truck/create', may: 'fleet.write' },
      },
      { label: 'Alertas', to: '/maintenance-alerts', icon: IconBellRinging, may: 'alerts.read' },
      {
        label: 'Inventario',
        to: '/inventario',
        icon: IconBox,
        may: 'supplies.read',
        create: { label: 'Nuevo insumo', to: '/nuevo-insumo', may: 'supplies.write' },
      },
      {
        label: 'Proveedores',
        to: '/provider',
        icon: IconBuildingStore,
        may: 'providers.read',
        create: { label: 'Nuevo proveedor', to: '/provider/create', may: 'providers.write' },
      },
      {
        label: 'Bodegas',
        to: '/warehouse',
        icon: IconBuildingWarehouse,
        may: 'warehouses.read',
        create: { label: 'Nueva bodega', to: '/warehouse/create', may: 'warehouses.write' },
      },
    ],
  },
  {
    label: 'Análisis',
    screens: [{ label: 'Reportes', to: '/reportes', icon: IconReportAnalytics, may: 'reports.warehouse' }],
  },
  {
    label: 'Administración',
    screens: [{ label: 'Configuración', to: '/configuracion', icon: IconSettings, may: 'people.manage' }],
  },
]

export const screensFor = (me: Me, screens: Screen[]) =>
  screens.filter((screen) => me.permissions.includes(screen.may) && (screen.for?.(me) ?? true))

/** What the finder calls the kinds of things it finds. */
export const FOUND_KINDS: Record<string, { label: string; icon: TablerIcon }> = {
  work_order: { label: 'Órdenes de trabajo', icon: IconClipboardList },
  truck: { label: 'Equipos', icon: IconTruck },
  alert: { label: 'Alertas', icon: IconBellRinging },
  supply: { label: 'Insumos', icon: IconBox },
  provider: { label: 'Proveedores', icon: IconBuildingStore },
  service: { label: 'Servicios', icon: IconTools },
  warehouse: { label: 'Bodegas', icon: IconBuildingWarehouse },
  purchase_order: { label: 'Órdenes de compra', icon: IconShoppingCart },
}
