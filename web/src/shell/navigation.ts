import { IconHome, IconSettings } from '@tabler/icons-react'
import type { Me } from '#contract/identity/identity.ts'
import type { Screen } from '../frames/domain.ts'
import { DOMAINS } from './domains.ts'

const SCREENS: Screen[] = [
  { group: 'Taller', label: 'Inicio', to: '/inicio', icon: IconHome, may: 'work-orders.read' },
  ...DOMAINS.flatMap(({ screens = [] }) => screens),
  { group: 'Administración', label: 'Configuración', to: '/configuracion', icon: IconSettings, may: 'people.manage' },
]

/** The screens that somebody may read, in the order of the navigation. */
export const screensFor = (me: Me) =>
  SCREENS.filter((screen) => me.permissions.includes(screen.may) && (screen.for?.(me) ?? true))

const within = (path: string, to: string) => path === to || path.startsWith(`${to}/`)

/** Whether somebody may read the screen at an address. Configuration is where everyone's own profile is, too. */
export function maySee(me: Me, path: string) {
  const screen = SCREENS.find(({ to, things = to }) => within(path, to) || within(path, things))
  return !screen || screen.to === '/configuracion' || me.permissions.includes(screen.may)
}
