import { Button, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Activity } from '#contract/activity.ts'
import { showMoment } from '#contract/dates.ts'
import { PROVIDER_STATES, type Provider, type ProviderState, providers } from '#contract/providers.ts'
import { showDni } from '#contract/rut.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { Timeline, type TimelineEntry } from '../ui/timeline.tsx'
import { providersKey } from './queries.ts'

const ACTIONS: Record<string, string> = {
  created: 'creó el proveedor',
  updated: 'editó el proveedor',
  deleted: 'eliminó el proveedor',
}

const text = (value: unknown) => String(value)

/** What a person reads of a change; the ids behind the names say nothing and are left out. */
const FIELDS: Record<string, { label: string; show: (value: unknown) => string }> = {
  name: { label: 'Nombre', show: text },
  dni: { label: 'RUT', show: (value) => showDni(text(value)) },
  phone: { label: 'Teléfono', show: text },
  email: { label: 'Correo', show: text },
  address: { label: 'Dirección', show: text },
  workshop_name: { label: 'Taller', show: text },
  state: { label: 'Estado', show: (value) => PROVIDER_STATES[value as ProviderState]?.label ?? text(value) },
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

export function ActivityTab({ provider }: { provider: Provider }) {
  const zone = useZone()
  const activity = useInfiniteQuery({
    queryKey: [...providersKey, 'activity', provider.id],
    queryFn: ({ pageParam, signal }) =>
      call(providers.providerActivity, {
        params: { id: provider.id },
        query: { page: pageParam, per_page: 25 },
        signal,
      }),
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
        Cada cambio del proveedor queda aquí: quién, cuándo y qué había antes.
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
