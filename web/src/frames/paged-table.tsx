import { Button, Skeleton } from '@mantine/core'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { Key } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { ErrorState } from '../ui/faces.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import styles from './paged-table.module.css'

interface Page<Row> {
  data: Row[]
  total: number
  page: number
  per_page: number
}

interface PagedTableProps<Row> {
  label: string
  queryKey: QueryKey
  read: (query: { page: number; per_page: number }, signal: AbortSignal) => Promise<Page<Row>>
  columns: TableColumn<Row>[]
  keyOf: (row: Row) => Key
  faded?: (row: Row) => boolean
  /** What is said where there is nothing. */
  empty: string
  perPage?: number
}

/** A table inside a page that shows the first rows and more of them when asked. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { queryKey, read, empty, perPage = 10, ...table } = props
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ page: pageParam, per_page: perPage }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, per_page, total }) => (page * per_page < total ? page + 1 : undefined),
  })
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <Skeleton h={160} />
  const rows = list.data.pages.flatMap(({ data }) => data)
  const total = list.data.pages.at(-1)?.total ?? 0
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <>
      <Table {...table} rows={rows} />
      {list.hasNextPage && (
        <div className={styles.more}>
          <span>
            {showNumber(rows.length)} de {showNumber(total)}
          </span>
          <Button
            variant="default"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Ver más
          </Button>
        </div>
      )}
    </>
  )
}
