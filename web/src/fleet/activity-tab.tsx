import { Button, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Activity } from '#contract/activity.ts'
import { showMoment } from '#contract/dates.ts'
import { fleet, showPatent, TRUCK_STATES, type Truck, type TruckState } from '#contract/fleet.ts'
import { showKm } from '#contract/money.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { Timeline, type TimelineEntry } from '../ui/timeline.tsx'
import { fleetKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el equipo',
  updated: 'editó el equipo',
  deleted: 'eliminó el equipo',
  imported: 'importó el equipo',
  import_undone: 'deshizo la importación del equipo',
  meter_read: 'registró el kilometraje',
  meter_corrected: 'corrigió el kilometraje',
}

const text = (value: unknown) => String(value)

/** What a person reads of a change; the ids behind the names say nothing and are left out. */
const FIELDS: Record<string, { label: string; show: (value: unknown) => string }> = {
  code: { label: 'Código', show: text },
  patent: { label: 'Patente', show: (value) => showPatent(text(value)) },
  state: { label: 'Estado', show: (value) => TRUCK_STATES[value as TruckState]?.label ?? text(value) },
  mileage: { label: 'Kilometraje', show: (value) => showKm(Number(value)) },
  type_name: { label: 'Tipo', show: text },
  brand_name: { label: 'Marca', show: text },
  cost_center_name: { label: 'Centro de costo', show: text },
  coupled_patent: { label: 'Acoplado', show: (value) => showPatent(text(value)) },
  workshop_name: { label: 'Taller', show: text },
}

function entryOf({ id, at, user_name, action, changes }: Activity, zone: string): TimelineEntry {
  const shown = (field: string, value: unknown) =>
    value === null || value === undefined ? null : (FIELDS[field]?.show(value) ?? null)
  return {
    id,
    who: user_name ?? 'El sistema',
    what: ACTIONS[action] ?? action,
    when: showMoment(at, zone),
    changes: Object.keys(FIELDS)
      .filter((field) => changes[field])
      .map((field) => ({
        field: FIELDS[field]!.label,
        from: shown(field, changes[field]?.[0]),
        to: shown(field, changes[field]?.[1]),
      })),
  }
}

export function ActivityTab({ truck }: { truck: Truck }) {
  const zone = useZone()
  const activity = useInfiniteQuery({
    queryKey: [...fleetKey, 'activity', truck.id],
    queryFn: ({ pageParam, signal }) =>
      call(fleet.truckActivity, { params: { id: truck.id }, query: { page: pageParam, per_page: 25 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, per_page, total }) => (page * per_page < total ? page + 1 : undefined),
  })
  if (activity.isError && !activity.data)
    return <ErrorState error={activity.error} onRetry={() => void activity.refetch()} />
  if (!activity.data) return <Skeleton h={200} />
  const entries = activity.data.pages.flatMap(({ data }) => data).map((entry) => entryOf(entry, zone))
  if (entries.length === 0)
    return (
      <EmptyState icon={IconHistory} title="Sin actividad">
        Cada cambio del equipo queda aquí: quién, cuándo y qué había antes.
      </EmptyState>
    )
  return (
    <Timeline
      entries={entries}
      foot={
        activity.hasNextPage && (
          <Button variant="default" loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            Ver más
          </Button>
        )
      }
    />
  )
}
