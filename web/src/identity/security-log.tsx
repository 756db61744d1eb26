import { IconShieldLock } from '@tabler/icons-react'
import { useMemo } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { SECURITY_EVENTS, type SecurityEvent, security } from '#contract/identity/security.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useZone } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { identityKey } from '../workshops/queries.ts'
import { SectionHead } from '../workshops/roster.tsx'
import { deviceOf } from './device.ts'

const deviceIn = ({ agent }: SecurityEvent) => (agent === null ? null : deviceOf(agent))

const columnsIn = (zone: string): Column<SecurityEvent>[] => [
  {
    key: 'at',
    label: 'Fecha',
    sort: true,
    width: 150,
    rank: 2,
    fixed: true,
    cell: ({ at }) => <span className="figures">{showMoment(at, zone)}</span>,
    file: ({ at }) => showMoment(at, zone),
  },
  {
    key: 'kind',
    label: 'Qué pasó',
    sort: true,
    plain: true,
    width: 220,
    rank: 3,
    cell: ({ kind }) => <StatusPill tone={SECURITY_EVENTS[kind].tone}>{SECURITY_EVENTS[kind].label}</StatusPill>,
    file: ({ kind }) => SECURITY_EVENTS[kind].label,
  },
  {
    key: 'user_name',
    label: 'Persona',
    sort: true,
    width: 170,
    rank: 1,
    cell: ({ user_name }) => user_name,
    file: ({ user_name }) => user_name,
  },
  {
    key: 'detail',
    label: 'Detalle',
    width: 260,
    rank: 4,
    cell: ({ detail }) => detail,
    file: ({ detail }) => detail,
  },
  {
    key: 'by_name',
    label: 'Hecho por',
    width: 160,
    rank: 5,
    cell: ({ by_name }) => by_name,
    file: ({ by_name }) => by_name,
  },
  {
    key: 'address',
    label: 'Dirección',
    sort: true,
    width: 140,
    rank: 7,
    cell: ({ address }) => address && <span className="figures">{address}</span>,
    file: ({ address }) => address,
  },
  { key: 'agent', label: 'Equipo', width: 160, rank: 6, cell: deviceIn, file: deviceIn },
]

const kinds = choicesOf(SECURITY_EVENTS)
const filters: ListFilter[] = [
  { key: 'Kind', label: 'Qué pasó', useChoices: () => kinds },
  { key: 'BetweenDate', label: 'Fechas', dates: 'range' },
]

/** Who came in, who failed to, and what was changed of who may. */
export default function SecurityLog() {
  const zone = useZone()
  return (
    <>
      <SectionHead title="Registro de seguridad">
        Ingresos, contraseñas, roles y descargas. Nadie lo puede cambiar ni borrar.
      </SectionHead>
      <ListScreen
        name="security-events"
        title="Registro de seguridad"
        noun={{ one: 'anotación', many: 'anotaciones', none: 'Ninguna' }}
        icon={IconShieldLock}
        about="Cada ingreso, intento fallido y cambio de acceso queda aquí."
        endpoint={security.listEvents}
        queryKey={[...identityKey, 'security']}
        columns={useMemo(() => columnsIn(zone), [zone])}
        filters={filters}
        searchLabel="Persona, detalle o dirección"
        inside
      />
    </>
  )
}
