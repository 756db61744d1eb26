import { Button, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Activity, ActivityPage } from '#contract/base/activity.ts'
import { showMoment } from '#contract/base/dates.ts'
import { type Field, readAt, showField } from '#contract/base/fields.ts'
import { useZone } from '../platform/session.ts'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { Timeline, type TimelineEntry } from '../ui/timeline.tsx'

interface Words {
  /** What is said of each action: `editó el equipo`; or worked out from what changed. */
  actions: Record<string, string | ((changes: Activity['changes']) => string)>
  /** What a person reads of a change; the ids behind the names say nothing and are left out. */
  fields: Record<string, Field>
  empty: string
}

/** As it is read: who did what, and what each field was. */
export function entryOf(
  { id, at, user_name, action, changes }: Activity,
  { actions, fields }: Pick<Words, 'actions' | 'fields'>,
  zone: string,
): TimelineEntry {
  const said = actions[action] ?? action
  return {
    id,
    who: user_name ?? 'El sistema',
    what: typeof said === 'function' ? said(changes) : said,
    when: showMoment(at, zone),
    changes: Object.entries(fields).flatMap(([key, field]) => {
      const change = changes[readAt(fields, key)]
      if (!change) return []
      return { field: field.label, from: showField(field, change[0], zone), to: showField(field, change[1], zone) }
    }),
  }
}

/** Who changed what, newest first, in the words of its domain. */
export function ActivityTab(props: {
  queryKey: QueryKey
  read: (page: { page: number; per_page: number }, signal: AbortSignal) => Promise<z.infer<typeof ActivityPage>>
  words: Words
}) {
  const zone = useZone()
  const activity = useInfiniteQuery({
    queryKey: props.queryKey,
    queryFn: ({ pageParam, signal }) => props.read({ page: pageParam, per_page: 25 }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, per_page, total }) => (page * per_page < total ? page + 1 : undefined),
  })
  if (activity.isError && !activity.data)
    return <ErrorState error={activity.error} onRetry={() => void activity.refetch()} />
  if (!activity.data) return <Skeleton h={200} />
  const entries = activity.data.pages.flatMap(({ data }) => data).map((entry) => entryOf(entry, props.words, zone))
  if (entries.length === 0)
    return (
      <EmptyState icon={IconHistory} title="Sin actividad">
        {props.words.empty}
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
