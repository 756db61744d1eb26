import { Button, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Activity } from '#contract/activity.ts'
import { showMoment } from '#contract/dates.ts'
import { showMoney } from '#contract/money.ts'
import { SUPPLY_STATES, type Supply, type SupplyState, supplies } from '#contract/supplies.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { Timeline, type TimelineEntry } from '../ui/timeline.tsx'
import { suppliesKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el insumo',
  updated: 'editó el insumo',
  deleted: 'eliminó el insumo',
  imported: 'importó el insumo',
  import_undone: 'deshizo la importación del insumo',
}

const text = (value: unknown) => String(value)
const money = (value: unknown) => showMoney(Number(value))

/** What a person reads of a change; the ids behind the names say nothing and are left out. */
const FIELDS: Record<string, { label: string; show: (value: unknown) => string }> = {
  code: { label: 'Código', show: text },
  name: { label: 'Nombre', show: text },
  cost: { label: 'Costo', show: money },
  unit_cost: { label: 'Costo', show: money },
  category_name: { label: 'Categoría', show: text },
  measurement_unit_name: { label: 'Unidad', show: text },
  description: { label: 'Descripción', show: text },
  state: { label: 'Estado', show: (value) => SUPPLY_STATES[value as SupplyState]?.label ?? text(value) },
  workshop_name: { label: 'Ubicación', show: text },
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

export function ActivityTab({ supply }: { supply: Supply }) {
  const zone = useZone()
  const activity = useInfiniteQuery({
    queryKey: [...suppliesKey, 'activity', supply.id],
    queryFn: ({ pageParam, signal }) =>
      call(supplies.supplyActivity, { params: { id: supply.id }, query: { page: pageParam, per_page: 25 }, signal }),
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
        Cada cambio del insumo queda aquí: quién, cuándo y qué había antes.
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
