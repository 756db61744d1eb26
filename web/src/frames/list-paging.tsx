import { Pagination, Select } from '@mantine/core'
import { showNumber } from '#contract/base/money.ts'
import type { ListQuery } from './list-query.ts'
import styles from './list-screen.module.css'

const PAGE_SIZES = [25, 50, 100]
const CONTROLS = { first: 'Primera', previous: 'Página anterior', next: 'Página siguiente', last: 'Última' }

interface ListPagingProps {
  query: ListQuery
  /** Undefined while the first page is on its way. */
  total: number | undefined
  /** There are more than `total`. */
  atLeast?: boolean
  pages: number
  onChange: (next: Partial<ListQuery>) => void
}

/** Which rows of how many, and the way to the others. */
export function ListPaging({ query, total, atLeast = false, pages, onChange }: ListPagingProps) {
  const { page, per_page } = query
  const last = atLeast ? page * per_page : Math.min(page * per_page, total ?? 0)
  return (
    <footer className={styles.foot}>
      <span className={styles.range}>
        {total === undefined
          ? ' '
          : `${showNumber((page - 1) * per_page + 1)}–${showNumber(last)} de ${atLeast ? 'más de ' : ''}${showNumber(total)}`}
      </span>
      <div className={styles.size}>
        <span aria-hidden>Filas por página</span>
        <Select
          aria-label="Filas por página"
          data={[...new Set([...PAGE_SIZES, per_page])].sort((a, b) => a - b).map(String)}
          value={String(per_page)}
          onChange={(size) => size && onChange({ per_page: Number(size) })}
          allowDeselect={false}
          withCheckIcon={false}
          w={76}
        />
      </div>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={(page) => onChange({ page })}
          siblings={1}
          gap={6}
          getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
          getItemProps={(page) => ({ 'aria-label': `Página ${page}` })}
        />
      )}
    </footer>
  )
}
