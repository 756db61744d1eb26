import { IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { ROLE_NAMES, ROLES } from '#contract/base/permissions.ts'
import { type Colleague, identity, USER_STATES, User } from '#contract/identity/identity.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useZone } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { identityKey } from '../workshops/queries.ts'
import { SectionHead, useRosterScope, workshopColumn } from '../workshops/roster.tsx'

const InviteDrawer = lazy(() => import('./invite-drawer.tsx'))
const UserDrawer = lazy(() => import('./user-drawer.tsx'))

const columns: Column<Colleague>[] = [
  {
    key: 'name',
    card: 'title',
    label: 'Nombre',
    sort: true,
    width: 210,
    rank: 1,
    fixed: true,
    cell: (user) => user.name,
    file: (user) => user.name,
  },
  {
    key: 'email',
    card: 'top',
    label: 'Correo',
    sort: true,
    width: 220,
    rank: 4,
    cell: (user) => user.email,
    file: (user) => user.email ?? null,
  },
  {
    key: 'role',
    card: 'meta',
    label: 'Rol',
    sort: true,
    width: 150,
    rank: 2,
    cell: ({ role }) => role && ROLES[role].label,
    file: ({ role }) => (role ? ROLES[role].label : null),
  },
  ...workshopColumn<Colleague>(ALL_WORKSHOPS),
  {
    key: 'state',
    card: 'state',
    label: 'Estado',
    sort: true,
    width: 110,
    rank: 3,
    cell: ({ state }) => state && <StatusPill tone={USER_STATES[state].tone}>{USER_STATES[state].label}</StatusPill>,
    file: ({ state }) => (state ? USER_STATES[state].label : null),
  },
  {
    key: 'last_seen_at',
    label: 'Última vez',
    sort: true,
    width: 150,
    rank: 5,
    cell: ({ last_seen_at }) => last_seen_at && <Moment at={last_seen_at} />,
    file: ({ last_seen_at }) => last_seen_at ?? null,
  },
]

function Moment({ at }: { at: string }) {
  return <span className="figures">{showMoment(at, useZone())}</span>
}

const roles = ROLE_NAMES.map((value) => ({ value, label: ROLES[value].label }))
const states = choicesOf(USER_STATES)
const filters: ListFilter[] = [
  { key: 'Role', label: 'Rol', useChoices: () => roles },
  { key: 'State', label: 'Estado', useChoices: () => states },
]

export default function UsersSection() {
  const { filter } = useRosterScope()
  const [opened, setOpened] = useState<User | 'new'>()
  const close = () => setOpened(undefined)
  return (
    <>
      <SectionHead title="Usuarios">
        Quienes entran a Maestranza, con qué rol y en qué taller. Un cambio vale desde su siguiente clic.
      </SectionHead>
      <ListScreen
        name="users"
        title="Usuarios"
        noun={{ one: 'usuario', many: 'usuarios', none: 'Ningún' }}
        icon={IconUsers}
        about="Quienes entran a Maestranza, con qué rol y en qué taller."
        endpoint={identity.listUsers}
        queryKey={identityKey}
        columns={columns}
        filters={[filter, ...filters]}
        searchLabel="Nombre o correo"
        open={(person) => setOpened(User.parse(person))}
        create={{ label: 'Invitar', act: () => setOpened('new') }}
        inside
      />
      <Suspense fallback={null}>
        {opened === 'new' ? (
          <InviteDrawer onClose={close} />
        ) : (
          opened && <UserDrawer key={opened.id} user={opened} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
