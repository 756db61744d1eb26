import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { Drawer } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { isPart, isSame, type Opened, type Rows, rowsOf, type Sum } from './opened.ts'
import { reportsKey } from './queries.ts'
import styles from './reports.module.css'
import { SOURCES } from './row-sources.tsx'

const AT_ONCE = 50

interface Found {
  data: unknown[]
  total: number
  page?: number
  per_page?: number
}

/** What is behind a figure: how it is worked out, where it is, and the rows of what was pressed. */
export default function RowsDrawer({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  const [shown, setShown] = useState<Rows>(() => rowsOf(opened))
  return (
    <Drawer opened onClose={onClose} title={opened.title} width={500}>
      {opened.sum && <SumLine sum={opened.sum} shown={shown} onShow={(rows) => setShown(rowsOf(rows))} />}
      <RowList key={JSON.stringify(shown)} rows={shown} />
    </Drawer>
  )
}

/** The sum in words and figures; each part leads to its rows. */
function SumLine({ sum, shown, onShow }: { sum: Sum; shown: Rows; onShow: (rows: Rows) => void }) {
  return (
    <section className={styles.worked} aria-label="Cómo se calcula">
      {sum.map((piece, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sum stay where they are
        <Fragment key={i}>
          {isPart(piece) ? (
            <button
              type="button"
              className={styles.figure}
              aria-pressed={isSame(piece, shown)}
              onClick={() => onShow(piece)}
            >
              {piece.words}
            </button>
          ) : (
            piece
          )}
        </Fragment>
      ))}
    </section>
  )
}

function RowList({ rows }: { rows: Rows }) {
  const zone = useZone()
  const [limit, setLimit] = useState(AT_ONCE)
  const { endpoint, head, line, keyOf } = SOURCES[rows.of]
  const shows = rows.of === 'trucks' ? undefined : rows.shows
  const list = useInfiniteQuery({
    queryKey: [...reportsKey, 'rows', rows],
    queryFn: async ({ pageParam, signal }): Promise<Found> => {
      if (rows.of === 'trucks') return { data: rows.trucks, total: rows.trucks.length }
      const query = { filter: rows.filter, page: pageParam, per_page: AT_ONCE }
      return (await call(endpoint!, { query: query as never, signal })) as Found
    },
    initialPageParam: 1,
    // What comes whole has no pages.
    getNextPageParam: ({ page = 1, per_page = Number.POSITIVE_INFINITY, total }) =>
      page * per_page < total ? page + 1 : undefined,
  })
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  const last = list.data?.pages.at(-1)
  if (!last) return <Skeleton h={240} />
  const found = list.data?.pages.flatMap(({ data }) => data) ?? []
  const [main, more] = head(last, shows)
  const listed = found.slice(0, limit)
  const onMore = () => {
    setLimit(limit + AT_ONCE)
    if (found.length < limit + AT_ONCE && list.hasNextPage) void list.fetchNextPage()
  }
  return (
    <>
      <p className={styles.sum}>
        <strong>{main}</strong>
        <span>{more}</span>
      </p>
      {found.length === 0 && <p className={styles.nothing}>No hay nada detrás de esta cifra.</p>}
      <ul className={styles.rows} aria-label="Detalle">
        {listed.map((row) => (
          <Fragment key={keyOf(row)}>{line(row, zone, shows)}</Fragment>
        ))}
      </ul>
      {listed.length < last.total && (
        <div className={styles.more}>
          <span>
            {showNumber(listed.length)} de {showNumber(last.total)}
          </span>
          <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={onMore}>
            Ver más
          </Button>
        </div>
      )}
    </>
  )
}
