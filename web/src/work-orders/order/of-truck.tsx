import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { dayOf, showDay } from '#contract/base/dates.ts'
import type { Truck } from '#contract/fleet/fleet.ts'
import { PLACES } from '#contract/work-orders/orders.ts'
import { useZone } from '../../platform/session.ts'
import { useKey } from '../../ui/keys.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { openOfTruckQuery } from '../queries.ts'

/* What orders add to the page of a truck. */

/** It cannot be used: since when, and where it is. */
export function InWorkshop({ truck }: { truck: Truck }) {
  const zone = useZone()
  const [first] = (useQuery(openOfTruckQuery(truck.id)).data?.data ?? [])
    .flatMap(({ workshop_entry_at, place }) => (workshop_entry_at ? [{ since: workshop_entry_at, place }] : []))
    .sort((a, b) => a.since.localeCompare(b.since))
  if (!first) return null
  const where = first.place === 'WORKSHOP' ? 'En taller' : PLACES[first.place].label
  return (
    <StatusPill tone="info">{`${where} desde el ${showDay(dayOf(first.since, zone)).slice(0, 6).replace(/^0/, '')}`}</StatusPill>
  )
}

export function NewOfTruck({ truck }: { truck: Truck }) {
  const navigate = useNavigate()
  useKey('n', () => void navigate({ to: '/ordenes-de-trabajo/nueva', search: { truck: truck.id } }))
  return (
    <ButtonLink
      to="/ordenes-de-trabajo/nueva"
      search={{ truck: truck.id }}
      leftSection={<IconPlus size={16} stroke={1.7} />}
    >
      Nueva orden
    </ButtonLink>
  )
}
