import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { SCREEN_GROUPS } from '../frames/domain.ts'
import { Additions } from '../frames/slots.tsx'
import { calm } from '../platform/calm.ts'
import { useLive } from '../platform/live.ts'
import { changeCompany, chooseWorkshop, preferencesQuery, useCompany, useMe, useWorkshop } from '../platform/session.ts'
import { keep, recall } from '../platform/storage.ts'
import { AppShell } from '../ui/app-shell.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { useKey } from '../ui/keys.ts'
import { lazy } from '../ui/lazy.ts'
import { InPieces } from '../ui/lazy-screen.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { SwitchMenu } from '../ui/switch-menu.tsx'
import { schemes } from '../ui/tokens.ts'
import { Banners, ConnectionSign } from './connection.tsx'
import { DOMAINS } from './domains.ts'
import { maySee, screensFor } from './navigation.ts'
import styles from './shell.module.css'
import { useTheme } from './theme.ts'

const additions = DOMAINS.flatMap(({ adds = [] }) => adds)

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)
// With what it counts, once the first screen is there.
const Bell = lazy(() => calm.then(() => import('./bell.tsx')))
const UserMenu = lazy(() => calm.then(() => import('./user-menu.tsx')))
const Help = lazy(() => import('./help/help.tsx'))
const News = lazy(() => import('./news/news.tsx'))
/** As wide as help and menu: what stands beside them stays where it is when they come. */
const MENU_PLACE = (
  <>
    <span className={`${styles.bellPlace} ${styles.theme}`} />
    <span className={styles.avatar} />
  </>
)

const NeedsFactor = lazy(() => import('../identity/needs-factor.tsx'))

export default function Shell() {
  const me = useMe()
  if (!me.needs_factor)
    return (
      <InPieces>
        <OpenShell />
      </InPieces>
    )
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
  const [isNewsOpen, setNewsOpen] = useState(false)
  const [counts, setCounts] = useState<Record<string, number | undefined>>({})
  useLive(useQueryClient(), me.company_id)
  useThemeColour()
  // Fetched while nobody waits, so that the first letters typed after Ctrl+K are not lost.
  useEffect(() => void calm.then(loadPalette).catch(() => {}), [])

  const setTheme = useTheme()
  const scheme = useComputedColorScheme('dark')
  const switchWorkshop = useSwitchWorkshop()
  const find = () => setFinding((times) => times + 1)
  // No tags are passed over: Ctrl+K finds from inside a field too.
  useHotkeys([['mod+K', find]], [])
  useKey('?', () => setHelping(true))

  const sections = useMemo(() => {
    const mine = screensFor(me)
    return SCREEN_GROUPS.map((label) => ({
      label,
      items: mine.filter(({ group }) => group === label).map((item) => ({ ...item, count: counts[item.to] })),
    })).filter(({ items }) => items.length > 0)
  }, [me, counts])

  return (
    <AppShell
      name="Maestranza"
      sections={sections}
      onSearch={find}
      searchHint="Buscar OT, patente…"
      banner={<Banners />}
      header={
        <>
          <Preferences />
          <ConnectionSign />
          {/* It comes after the screen, maybe when the line is gone: no reason to lose the screen. */}
          <ErrorBoundary instead={<span className={styles.bellPlace} />}>
            <Suspense fallback={<span className={styles.bellPlace} />}>
              <Bell onCounts={setCounts} />
            </Suspense>
          </ErrorBoundary>
          <CompanySwitch className={styles.company} />
          <WorkshopSwitch className={styles.workshop} />
          <ThemeToggle />
          <ErrorBoundary instead={MENU_PLACE}>
            <Suspense fallback={MENU_PLACE}>
              <UserMenu onHelp={() => setHelping(true)} onNews={() => setNewsOpen(true)} />
            </Suspense>
          </ErrorBoundary>
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
        {helping && <Help onClose={() => setHelping(false)} />}
        {isNewsOpen && <News onClose={() => setNewsOpen(false)} />}
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
  const navigate = useNavigate()
  return (id: number | undefined) => {
    chooseWorkshop(id)
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
function Preferences() {
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
  return null
}

/** The bars a phone draws around the page take its colour. */
function useThemeColour() {
  const scheme = useComputedColorScheme('dark')
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', schemes[scheme].panel)
  }, [scheme])
}
