import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import {
  IconBuildingWarehouse,
  IconFileSearch,
  IconHelpCircle,
  IconMoon,
  IconPlus,
  IconSearch,
  type TablerIcon,
} from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Found, finder } from '#contract/base/finder.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { type Domain, SCREEN_GROUPS } from '../frames/domain.ts'
import { call } from '../platform/api.ts'
import { useMe, useWorkshop } from '../platform/session.ts'
import { DOMAINS } from './domains.ts'
import { screensFor } from './navigation.ts'
import styles from './palette.module.css'

const FOUND_KINDS = Object.assign({}, ...DOMAINS.map(({ finds }) => finds)) as NonNullable<Domain['finds']>

/** What each domain does with what is found, fetched with the first search. */
const actsQuery = queryOptions({
  queryKey: ['acts'],
  queryFn: () => Promise.all(DOMAINS.flatMap(({ acts }) => (acts ? [acts().then((made) => made.default)] : []))),
  staleTime: Number.POSITIVE_INFINITY,
})

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

const [store, spotlight] = createSpotlight()

/** The library marks what Enter opens in the page itself, and leaves the mark where it is when results arrive. */
function markFirst() {
  const list = document.getElementById(store.getState().listId)
  const [first] = list?.querySelectorAll<HTMLElement>('[data-action]') ?? []
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  first?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: first ? 0 : -1 }))
  return first
}

interface PaletteProps {
  /** Grows every time somebody asks for it. */
  asked: number
  onHelp: () => void
  /** The other theme. */
  onTheme: () => void
  onWorkshop: (id: number | undefined) => void
}

/** The first ones found are those that were meant: only they are acted on. */
const ACTED_ON = 2

/** What the text stands for besides what is found by it: what to do, and where to go. */
function useOffered(text: string, results: Found[], on: Omit<PaletteProps, 'asked'>) {
  const me = useMe()
  const client = useQueryClient()
  const workshop = useWorkshop()
  const navigate = useNavigate()
  const acts = useQuery(actsQuery).data
  const matches = (label: string) => plain(label).includes(plain(text.trim()))
  const screens = SCREEN_GROUPS.flatMap((label) => screensFor(me).filter(({ group }) => group === label))
  const go = (href: string) => void navigate({ href })
  const actions = [
    ...screens.flatMap(({ create }) =>
      create && me.permissions.includes(create.may)
        ? [{ label: create.label, icon: IconPlus, act: () => go(create.to) }]
        : [],
    ),
    { label: 'Ayuda y atajos de teclado', icon: IconHelpCircle, act: on.onHelp },
    { label: 'Cambiar de tema', icon: IconMoon, act: on.onTheme },
    ...(workshop.mayChoose
      ? [{ id: undefined, name: ALL_WORKSHOPS }, ...workshop.list]
          .filter(({ id }) => id !== workshop.id)
          .map(({ id, name }) => ({
            label: `Cambiar a ${name}`,
            icon: IconBuildingWarehouse,
            act: () => on.onWorkshop(id),
          }))
      : []),
  ].filter((action) => matches(action.label))
  const withFound = results.slice(0, ACTED_ON).flatMap((thing) =>
    (acts ?? [])
      .flatMap((of) => of[thing.kind]?.(thing) ?? [])
      .filter(({ may }) => me.permissions.includes(may))
      .map(({ label, icon, to, run }) => ({
        label,
        icon,
        act: () => (to ? go(to) : void run?.(client, { go, workshop: workshop.id })),
      })),
  )
  const places = screens.filter((screen) => matches(screen.label))
  return { go, withFound, actions, places }
}

/** Ctrl+K: jumps to screens, does things, and finds anything the person may read. */
export default function Palette({ asked, onHelp, onTheme, onWorkshop }: PaletteProps) {
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text.trim(), 180)
  /** Enter came before the answer. */
  const [entered, setEntered] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: opens whenever it is asked for
  useEffect(() => {
    setText('')
    setEntered(false)
    spotlight.open()
  }, [asked])

  const found = useQuery({
    queryKey: ['finder', wanted],
    queryFn: async ({ signal }) => (await call(finder.find, { query: { text: wanted }, signal })).data,
    enabled: wanted.length >= 2,
    placeholderData: keepPreviousData,
  })
  const results = text.trim().length >= 2 ? (found.data ?? []) : []
  const searching = text.trim().length >= 2 && (wanted !== text.trim() || found.isFetching)

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever other results stand there
  useEffect(() => {
    const first = text.trim() === '' ? undefined : markFirst()
    if (!entered || searching) return
    setEntered(false)
    first?.click()
  }, [found.data, searching, entered])

  const { go, withFound, actions, places } = useOffered(text, results, { onHelp, onTheme, onWorkshop })
  const nothing = results.length + actions.length + places.length === 0

  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={(value) => {
        setText(value)
        setEntered(false)
      }}
      shortcut={null}
      // Emptied when it opens: emptying it as it closes can come late, and take the first letters of the next search.
      clearQueryOnClose={false}
      attributes={{ content: { 'aria-label': 'Buscar o ir a' } }}
      scrollable
      maxHeight={460}
      size={600}
      centered={false}
      yOffset="12dvh"
      overlayProps={{ blur: 0, backgroundOpacity: 1, color: 'var(--veil)' }}
      transitionProps={{ duration: 120 }}
      classNames={{
        content: styles.content,
        body: styles.body,
        search: styles.search,
        actionsList: styles.list,
        actionsGroup: styles.group,
        action: styles.action,
        actionSection: styles.icon,
        actionLabel: styles.label,
        actionDescription: styles.detail,
        empty: styles.empty,
      }}
    >
      <Spotlight.Search
        placeholder="Buscar OT, patente, código, pantalla…"
        aria-label="Buscar"
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || !searching) return
          event.preventDefault()
          event.stopPropagation()
          setEntered(true)
        }}
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {grouped(results).map(([label, things]) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {things.map((thing) => (
              <Spotlight.Action
                key={`${thing.kind}-${thing.id}`}
                label={thing.title}
                description={thing.detail}
                leftSection={<Icon of={FOUND_KINDS[thing.kind]?.icon ?? IconFileSearch} />}
                onClick={() => go(thing.path)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        <Group label="Acciones" things={[...withFound, ...actions]} />
        <Group label="Ir a" things={places.map(({ label, icon, to }) => ({ label, icon, act: () => go(to) }))} />
        {nothing && (
          <Spotlight.Empty>
            {found.isError
              ? 'No se pudo buscar. Revise la conexión.'
              : searching
                ? 'Buscando…'
                : `Nada coincide con «${text.trim()}»`}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

interface Choice {
  label: string
  icon: TablerIcon
  act: () => void
}

function Group({ label, things }: { label: string; things: Choice[] }) {
  if (things.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={label}>
      {things.map((thing) => (
        <Spotlight.Action
          key={thing.label}
          label={thing.label}
          leftSection={<Icon of={thing.icon} />}
          onClick={thing.act}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

function Icon({ of: Shape }: { of: TablerIcon }) {
  return <Shape size={18} stroke={1.7} aria-hidden />
}

function grouped(results: Found[]): [string, Found[]][] {
  const groups = new Map<string, Found[]>()
  for (const thing of results) {
    const label = FOUND_KINDS[thing.kind]?.label ?? 'Otros'
    groups.set(label, [...(groups.get(label) ?? []), thing])
  }
  return [...groups]
}
