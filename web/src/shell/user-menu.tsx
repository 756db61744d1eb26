import { ActionIcon, Menu, useComputedColorScheme } from '@mantine/core'
import {
  IconConfetti,
  IconHelpCircle,
  IconLogout,
  IconMoon,
  IconSparkles,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ROLES } from '#contract/base/permissions.ts'
import { closeSession, useMe } from '../platform/session.ts'
import { AskedMenu } from '../ui/asked-menu.tsx'
import { initials } from '../ui/initials.ts'
import { useIsPhone } from '../ui/is-phone.ts'
import { houseQuery, isLocal } from './house.ts'
import { RELEASES } from './news/releases.ts'
import styles from './shell.module.css'
import { useTheme } from './theme.ts'

export default function UserMenu({ onHelp, onNews }: { onHelp: () => void; onNews: () => void }) {
  const me = useMe()
  const navigate = useNavigate()
  const setTheme = useTheme()
  const isDemo = useQuery(houseQuery).data?.demo && isLocal && me.permissions.includes('company.manage')
  const scheme = useComputedColorScheme('dark')
  // What is only hidden keeps its place among the arrow keys, and nobody gets past it.
  const isPhone = useIsPhone()
  const button = (
    <button type="button" className={styles.avatar}>
      <span aria-hidden>{initials(me.name)}</span>
      <span className="only-read-aloud">Cuenta de {me.name}</span>
    </button>
  )
  return (
    <>
      <ActionIcon
        className={styles.theme}
        title="Ayuda de esta pantalla (?)"
        aria-label="Ayuda de esta pantalla"
        onClick={onHelp}
      >
        <IconHelpCircle size={18} stroke={1.7} />
      </ActionIcon>
      <AskedMenu position="bottom-end" width={240} button={button}>
        <Menu.Dropdown>
          <div className={styles.who}>
            <strong>{me.name}</strong>
            <span>{me.email}</span>
            <span>{ROLES[me.role].label}</span>
          </div>
          <Menu.Divider />
          {isPhone && (
            <Menu.Item
              leftSection={scheme === 'dark' ? <IconSun size={16} stroke={1.7} /> : <IconMoon size={16} stroke={1.7} />}
              onClick={() => setTheme(scheme === 'dark' ? 'light' : 'dark')}
            >
              {scheme === 'dark' ? 'Tema claro' : 'Tema oscuro'}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconUserCircle size={16} stroke={1.7} />}
            onClick={() => void navigate({ to: '/configuracion/$section', params: { section: 'perfil' } })}
          >
            Mi perfil
          </Menu.Item>
          {isDemo && (
            <Menu.Item
              leftSection={<IconConfetti size={16} stroke={1.7} />}
              onClick={() => void navigate({ to: '/configuracion/$section', params: { section: 'demostracion' } })}
            >
              Dejar la demostración
            </Menu.Item>
          )}
          {isPhone && (
            <Menu.Item leftSection={<IconHelpCircle size={16} stroke={1.7} />} onClick={onHelp}>
              Ayuda de esta pantalla
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconSparkles size={16} stroke={1.7} />} onClick={onNews}>
            Novedades
            <span className={styles.version}>versión {RELEASES[0].version}</span>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} stroke={1.7} />}
            onClick={() => void closeSession(() => navigate({ to: '/login' }))}
          >
            Cerrar sesión
          </Menu.Item>
        </Menu.Dropdown>
      </AskedMenu>
    </>
  )
}
