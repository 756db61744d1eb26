import { IconUsers } from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import { ROLES } from '#contract/base/permissions.ts'
import { USER_FIELDS } from '#contract/identity/fields.ts'
import { type Colleague, identity, USER_STATES, User } from '#contract/identity/identity.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { useZone } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { lazy } from '../ui/lazy.ts'
import { identityKey } from '../workshops/queries.ts'
import { SectionHead, useRosterScope } from '../workshops/roster.tsx'

const InviteDrawer = lazy(() => import('./invite-drawer.tsx'))
const UserDrawer = lazy(() => import('./user-drawer.tsx'))

const workshop = ({ workshop_name }: Colleague) => workshop_name ?? ALL_WORKSHOPS
const columnsOf = (zone: string) =>
  listColumns<Colleague, keyof typeof USER_FIELDS>(
    USER_FIELDS,
    {
      name: { card: 'title', sort: true, width: 210, rank: 1, fixed: true },
      email: { card: 'top', sort: true, width: 220, rank: 4 },
      role: { card: 'meta', sort: true, width: 150, rank: 2 },
      workshop_id: { card: 'end', sort: true, width: 160, rank: 6, cell: workshop, file: workshop },
      state: { card: 'state', sort: true, width: 110, rank: 3 },
      last_seen_at: { sort: true, width: 150, rank: 5 },
    },
    zone,
  )

const roles = choicesOf(ROLES)
const states = choicesOf(USER_STATES)
const filters: ListFilter[] = [
  { key: 'Role', label: USER_FIELDS.role.label, useChoices: () => roles },
  { key: 'State', label: USER_FIELDS.state.label, useChoices: () => states },
]

export default function UsersSection() {
  const { filter } = useRosterScope()
  const [opened, setOpened] = useState<User | 'new'>()
  const close = () => setOpened(undefined)
  const zone = useZone()
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
        columns={useMemo(() => columnsOf(zone), [zone])}
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
