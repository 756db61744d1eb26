import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconKeyboard, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ROLES } from '#contract/base/permissions.ts'
import { identity } from '#contract/identity/identity.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { SCREEN_GROUPS } from '../frames/domain.ts'
import { Additions } from '../frames/slots.tsx'
import { call } from '../platform/api.ts'
import { useLive } from '../platform/live.ts'
import { changeCompany, closeSession, preferencesQuery, useCompany, useMe, useWorkshop } from '../platform/session.ts'
import { keep, recall } from '../platform/storage.ts'
import { AppShell } from '../ui/app-shell.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { useKey } from '../ui/keys.ts'
import { NotFound } from '../ui/not-found.tsx'
import { SwitchMenu } from '../ui/switch-menu.tsx'
import { schemes } from '../ui/tokens.ts'
import { Banners, ConnectionSign } from './connection.tsx'
import { DOMAINS } from './domains.ts'
import { maySee, screensFor } from './navigation.ts'
import styles from './shell.module.css'

const additions = DOMAINS.flatMap(({ adds = [] }) => adds)

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx'))

const NeedsFactor = lazy(() => import('../identity/needs-factor.tsx'))

export default function Shell() {
  const me = useMe()
  if (!me.needs_factor) return <OpenShell />
  return (
    <Suspense fallback={null}>
      <NeedsFactor />
    </Suspense>
  )
}

function OpenShell() {
  const me = useMe()
  const { pathname } = useLocation()
  const [finding, setFinding] = useState(0)
  const [helping, setHelping] = useState(false)
  useLive(useQueryClient(), me.company_id)
  useThemeColour()
  usePreferences()
  // Fetched while nobody waits, so that the first letters typed after Ctrl+K are not lost.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 2_000)
    return () => clearTimeout(timer)
  }, [])

  const setTheme = useTheme()
  const scheme = useComputedColorScheme('dark')
  const switchWorkshop = useSwitchWorkshop()
  const find = () => setFinding((times) => times + 1)
  // No tags are passed over: Ctrl+K finds from inside a field too.
  useHotkeys([['mod+K', find]], [])
  useKey('?', () => setHelping(true))

  const mine = screensFor(me)
  const sections = SCREEN_GROUPS.map((label) => ({
    label,
    items: mine.filter(({ group }) => group === label),
  })).filter(({ items }) => items.length > 0)

  return (
    <AppShell
      name="Maestranza"
      sections={sections}
      onSearch={find}
      searchHint="Buscar OT, patente…"
      banner={<Banners />}
      header={
        <>
          <ConnectionSign />
          <CompanySwitch className={styles.company} />
          <WorkshopSwitch className={styles.workshop} />
          <ThemeToggle />
          <UserMenu onHelp={() => setHelping(true)} />
        </>
      }
      sheet={
        <div className={styles.sheet}>
          <CompanySwitch className={styles.wide} />
        </div>
      }
    >
      <ErrorBoundary resetKey={pathname}>
        <Additions value={additions}>
          {maySee(me, pathname) ? <Outlet /> : <NotFound title="Su rol no permite ver esta página" />}
        </Additions>
      </ErrorBoundary>
      <Suspense fallback={null}>
        {finding > 0 && (
          <Palette
            asked={finding}
            onHelp={() => setHelping(true)}
            onTheme={() => setTheme(scheme === 'dark' ? 'light' : 'dark')}
            onWorkshop={switchWorkshop}
          />
        )}
        {helping && <KeyboardHelp onClose={() => setHelping(false)} />}
      </Suspense>
    </AppShell>
  )
}

function CompanySwitch({ className }: { className?: string }) {
  const me = useMe()
  if (me.companies.length < 2) return null
  return (
    <SwitchMenu
      className={className}
      label="Empresa"
      choices={me.companies.map((company) => ({ value: company.id, label: company.name }))}
      value={me.company_id}
      onChange={(id) => {
        if (id !== me.company_id) changeCompany(id)
      }}
    />
  )
}

const EVERY = 0

function useSwitchWorkshop() {
  const { choose } = useWorkshop()
  const navigate = useNavigate()
  return (id: number | undefined) => {
    choose(id)
    // A filter by workshop in the address would contradict what was just chosen.
    void navigate({
      to: '.',
      search: ({ filter, page: _, ...rest }) => ({
        ...rest,
        filter: { ...filter, WorkshopId: undefined },
      }),
      replace: true,
    })
  }
}

function WorkshopSwitch({ className }: { className?: string }) {
  const company = useCompany()
  const workshop = useWorkshop()
  const switchTo = useSwitchWorkshop()
  if (!workshop.mayChoose)
    return (
      <span className={styles.fixed} title={company.workshop_name ?? undefined}>
        {company.workshop_name}
      </span>
    )
  return (
    <SwitchMenu
      className={className}
      label="Taller"
      choices={[
        { value: EVERY, label: ALL_WORKSHOPS },
        ...workshop.list.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={workshop.id ?? EVERY}
      onChange={(id) => switchTo(id === EVERY ? undefined : id)}
    />
  )
}

/** The theme, here and now, and in the person's own preferences for their other browsers. */
function useTheme() {
  const { setColorScheme } = useMantineColorScheme()
  const client = useQueryClient()
  return (theme: 'dark' | 'light') => {
    setColorScheme(theme)
    void client
      .fetchQuery(preferencesQuery)
      .then((preferences) => call(identity.updatePreferences, { body: { ...preferences, theme } }))
      .then((preferences) => client.setQueryData(preferencesQuery.queryKey, preferences))
      // Without a connection it holds for this browser only.
      .catch(() => {})
  }
}

function ThemeToggle() {
  const setTheme = useTheme()
  const scheme = useComputedColorScheme('dark')
  const other = scheme === 'dark' ? 'light' : 'dark'
  const label = other === 'light' ? 'Tema claro' : 'Tema oscuro'
  return (
    <ActionIcon className={styles.theme} title={label} aria-label={label} onClick={() => setTheme(other)}>
      {other === 'light' ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
    </ActionIcon>
  )
}

/** A browser that meets this person for the first time takes over what they chose elsewhere, where nothing was chosen in it. */
function usePreferences() {
  const me = useMe()
  const workshop = useWorkshop()
  const { setColorScheme } = useMantineColorScheme()
  const whose = `${me.id} ${me.company_id}`
  const strange = recall('preferences') !== whose
  const preferences = useQuery({ ...preferencesQuery, enabled: strange }).data
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when they arrive
  useEffect(() => {
    if (!preferences || !strange) return
    keep('preferences', whose)
    if (recall('theme') === null) setColorScheme(preferences.theme)
    if (recall('list.density') === null) keep('list.density', JSON.stringify(preferences.density))
    if (workshop.mayChoose && workshop.id === undefined && preferences.default_workshop_id !== null)
      workshop.choose(preferences.default_workshop_id)
  }, [preferences])
}

/** The bars a phone draws around the page take its colour. */
function useThemeColour() {
  const scheme = useComputedColorScheme('dark')
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', schemes[scheme].panel)
  }, [scheme])
}

function UserMenu({ onHelp }: { onHelp: () => void }) {
  const me = useMe()
  const navigate = useNavigate()
  const setTheme = useTheme()
  const scheme = useComputedColorScheme('dark')
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button type="button" className={styles.avatar}>
          <span aria-hidden>{initials(me.name)}</span>
          <span className="only-read-aloud">Cuenta de {me.name}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <strong>{me.name}</strong>
          <span>{me.email}</span>
          <span>{ROLES[me.role].label}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          className={styles.phoneOnly}
          leftSection={scheme === 'dark' ? <IconSun size={16} stroke={1.7} /> : <IconMoon size={16} stroke={1.7} />}
          onClick={() => setTheme(scheme === 'dark' ? 'light' : 'dark')}
        >
          {scheme === 'dark' ? 'Tema claro' : 'Tema oscuro'}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUserCircle size={16} stroke={1.7} />}
          onClick={() => void navigate({ to: '/configuracion/$section', params: { section: 'perfil' } })}
        >
          Mi perfil
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} stroke={1.7} />} onClick={onHelp}>
          Atajos de teclado
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.7} />}
          onClick={() => void closeSession(() => navigate({ to: '/login' }))}
        >
          Cerrar sesión
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('')
