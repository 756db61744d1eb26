import {
  IconBox,
  IconBuildingStore,
  IconBuildingWarehouse,
  IconReportAnalytics,
  IconSettings,
  IconShoppingCart,
  IconTools,
  IconTruck,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Permission } from '#contract/permissions.ts'

/** Where `/` leads. */
export const HOME = '/truck'

export interface Screen {
  label: string
  to: string
  icon: TablerIcon
  may: Permission
  create?: { label: string; to: string; may: Permission }
}

/** Every section of the product; a screen is shown to whom may read it. */
export const SECTIONS: { label: string; screens: Screen[] }[] = [
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

/** What the finder calls the kinds of things it finds. */
export const FOUND_KINDS: Record<string, { label: string; icon: TablerIcon }> = {
  truck: { label: 'Equipos', icon: IconTruck },
  supply: { label: 'Insumos', icon: IconBox },
  provider: { label: 'Proveedores', icon: IconBuildingStore },
  service: { label: 'Servicios', icon: IconTools },
  warehouse: { label: 'Bodegas', icon: IconBuildingWarehouse },
  purchase_order: { label: 'Órdenes de compra', icon: IconShoppingCart },
}
