import {
  IconAdjustments,
  IconArrowsExchange,
  IconBellRinging,
  IconBuilding,
  IconBuildingWarehouse,
  IconCarGarage,
  IconCategory,
  IconChecklist,
  IconCoins,
  IconHeartbeat,
  IconId,
  IconListCheck,
  IconLock,
  IconRuler2,
  IconShieldCheck,
  IconSteeringWheel,
  IconTag,
  IconTool,
  IconTruck,
  IconUserCircle,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import type { Permission } from '#contract/base/permissions.ts'
import { useMe } from '../platform/session.ts'
import { ScreenSkeleton } from '../ui/faces.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { CatalogueSection } from '../workshops/catalogue-section.tsx'
import { CATALOGUES } from '../workshops/catalogues.ts'
import styles from '../workshops/section.module.css'

interface Part {
  slug: string
  label: string
  icon: TablerIcon
  /** Left out: everyone's. */
  may?: Permission
  content: ComponentType
}

const catalogue = (slug: keyof typeof CATALOGUES, icon: TablerIcon): Part => ({
  slug,
  label: CATALOGUES[slug].title,
  icon,
  may: 'people.manage',
  content: () => <CatalogueSection key={slug} slug={slug} />,
})

const GROUPS: { label: string; parts: Part[] }[] = [
  {
    label: 'Empresa',
    parts: [
      {
        slug: 'empresa',
        label: 'Empresa',
        icon: IconBuilding,
        may: 'company.manage',
        content: lazy(() => import('../workshops/company-section.tsx')),
      },
      {
        slug: 'talleres',
        label: 'Talleres',
        icon: IconCarGarage,
        may: 'company.manage',
        content: lazy(() => import('../workshops/workshops-section.tsx')),
      },
      {
        slug: 'ajustes',
        label: 'Ajustes',
        icon: IconAdjustments,
        may: 'company.manage',
        content: lazy(() => import('../workshops/settings-section.tsx')),
      },
      {
        slug: 'primeros-pasos',
        label: 'Primeros pasos',
        icon: IconListCheck,
        may: 'company.manage',
        content: lazy(() => import('../workshops/first-steps-section.tsx')),
      },
      {
        slug: 'cierre-de-meses',
        label: 'Cierre de meses',
        icon: IconLock,
        may: 'company.manage',
        content: lazy(() => import('../warehouses/closed-months-section.tsx')),
      },
    ],
  },
  {
    label: 'Personas',
    parts: [
      {
        slug: 'usuarios',
        label: 'Usuarios',
        icon: IconUsers,
        may: 'people.manage',
        content: lazy(() => import('../identity/users-section.tsx')),
      },
      {
        slug: 'especialistas',
        label: 'Especialistas',
        icon: IconId,
        may: 'people.manage',
        content: lazy(() => import('../workshops/specialists-section.tsx')),
      },
      {
        slug: 'conductores',
        label: 'Conductores',
        icon: IconSteeringWheel,
        may: 'people.manage',
        content: lazy(() => import('../workshops/drivers-section.tsx')),
      },
      {
        slug: 'permisos',
        label: 'Permisos',
        icon: IconShieldCheck,
        content: lazy(() => import('../identity/permissions-section.tsx')),
      },
    ],
  },
  {
    label: 'Catálogos',
    parts: [
      {
        slug: 'boxes',
        label: 'Boxes',
        icon: IconBuildingWarehouse,
        may: 'people.manage',
        content: lazy(() => import('../workshops/boxes-section.tsx')),
      },
      {
        slug: 'tareas',
        label: 'Tareas',
        icon: IconChecklist,
        may: 'company.manage',
        content: lazy(() => import('../work-orders/tasks-section.tsx')),
      },
      {
        slug: 'tipos-de-mantencion',
        label: 'Tipos de mantención',
        icon: IconHeartbeat,
        may: 'company.manage',
        content: lazy(() => import('../work-orders/maintenance-types-section.tsx')),
      },
      catalogue('marcas', IconTag),
      catalogue('tipos-de-equipo', IconTruck),
      catalogue('centros-de-costo', IconCoins),
      catalogue('categorias-de-insumo', IconCategory),
      catalogue('unidades-de-medida', IconRuler2),
      catalogue('categorias-de-servicio', IconTool),
      {
        slug: 'categorias-de-alerta',
        label: 'Categorías de alerta',
        icon: IconBellRinging,
        may: 'people.manage',
        content: lazy(() => import('../alerts/categories-section.tsx')),
      },
      {
        slug: 'tipos-de-movimiento',
        label: 'Tipos de movimiento',
        icon: IconArrowsExchange,
        may: 'people.manage',
        content: lazy(() => import('../warehouses/transaction-types-section.tsx')),
      },
    ],
  },
  {
    label: 'Mi cuenta',
    parts: [
      {
        slug: 'perfil',
        label: 'Mi perfil',
        icon: IconUserCircle,
        content: lazy(() => import('../identity/profile-section.tsx')),
      },
    ],
  },
]

/** Everything a company keeps about itself, each part for who may change it. */
export default function Configuration() {
  const { permissions } = useMe()
  const { section } = useParams({ strict: false }) as { section?: string }
  const groups = GROUPS.map(({ label, parts }) => ({
    label,
    parts: parts.filter(({ may }) => may === undefined || permissions.includes(may)),
  })).filter(({ parts }) => parts.length > 0)
  const all = groups.flatMap(({ parts }) => parts)
  const current = section === undefined ? all[0] : all.find(({ slug }) => slug === section)
  if (!current) return <NotFound />
  const Content = current.content
  return (
    <>
      <PageHeader title="Configuración" />
      <div className={styles.frame}>
        <nav className={styles.side} aria-label="Partes de la configuración">
          {groups.map(({ label, parts }) => [
            <span key={label} className={styles.group}>
              {label}
            </span>,
            ...parts.map(({ slug, label, icon: Icon }) => (
              <Link
                key={slug}
                to="/configuracion/$section"
                params={{ section: slug }}
                search={{} as never}
                className={styles.link}
                data-current={slug === current.slug || undefined}
                aria-current={slug === current.slug ? 'page' : undefined}
              >
                <Icon size={16} stroke={1.7} aria-hidden />
                {label}
              </Link>
            )),
          ])}
        </nav>
        <div className={styles.content} key={current.slug}>
          <Suspense fallback={<ScreenSkeleton />}>
            <Content />
          </Suspense>
        </div>
      </div>
    </>
  )
}
