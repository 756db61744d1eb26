import { IconApi, IconKey, IconShieldCheck, IconShieldLock, IconUserCircle, IconUsers } from '@tabler/icons-react'
import type { Section } from '../frames/domain.ts'
import { lazy } from '../ui/lazy.ts'

export const identitySections: Section[] = [
  {
    group: 'Personas',
    rank: 1,
    slug: 'usuarios',
    label: 'Usuarios',
    icon: IconUsers,
    may: 'people.manage',
    content: lazy(() => import('./users-section.tsx')),
  },
  {
    group: 'Personas',
    rank: 4,
    slug: 'permisos',
    label: 'Permisos',
    icon: IconShieldCheck,
    content: lazy(() => import('./permissions-section.tsx')),
  },
  {
    group: 'Empresa',
    rank: 6,
    slug: 'acceso',
    label: 'Acceso',
    icon: IconKey,
    may: 'company.manage',
    content: lazy(() => import('./access-rules-section.tsx')),
  },
  {
    group: 'Personas',
    rank: 5,
    slug: 'registro-de-seguridad',
    label: 'Registro de seguridad',
    icon: IconShieldLock,
    may: 'security.read',
    content: lazy(() => import('./security-log.tsx')),
  },
  {
    group: 'Mi cuenta',
    rank: 1,
    slug: 'perfil',
    label: 'Mi perfil',
    icon: IconUserCircle,
    content: lazy(() => import('./profile-section.tsx')),
  },
  {
    group: 'Mi cuenta',
    rank: 2,
    slug: 'claves-de-api',
    label: 'Claves de API',
    icon: IconApi,
    content: lazy(() => import('./api-tokens-section.tsx')),
  },
]
