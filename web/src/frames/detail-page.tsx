import { Skeleton } from '@mantine/core'
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiFailure } from '../platform/api.ts'
import { ErrorState, useArrived, useNoticeable } from '../ui/faces.tsx'
import { NotFound } from '../ui/not-found.tsx'
import styles from './detail-page.module.css'

interface DetailPageProps<Row, Key extends QueryKey> {
  query: (id: number) => UseQueryOptions<Row, Error, Row, Key>
  /** What is said where the address names nothing: "Este equipo no existe". */
  missing: string
  children: (row: Row) => ReactNode
}

/** The thing that the address names, once it has been read. */
export function DetailPage<Row, Key extends QueryKey>({ query, missing, children }: DetailPageProps<Row, Key>) {
  const { id } = useParams({ strict: false })
  const known = Number.isSafeInteger(Number(id)) && Number(id) > 0
  const read = useQuery({ ...query(Number(id)), enabled: known })
  const row = useArrived(read.data)
  if (!known || (read.error instanceof ApiFailure && read.error.status === 404)) return <NotFound title={missing} />
  if (row !== undefined) return children(row)
  if (read.isError && read.data === undefined)
    return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  return <Waiting />
}

function Waiting() {
  const shown = useNoticeable(true)
  if (!shown) return null
  return (
    <div className={styles.stack} role="status" aria-label="Cargando">
      <Skeleton h={14} w={90} />
      <div className={styles.words}>
        <Skeleton h={22} w={280} maw="100%" />
        <Skeleton h={12} w={360} maw="100%" />
      </div>
      <Skeleton h={36} w={380} maw="100%" />
      <Skeleton h={320} />
    </div>
  )
}
