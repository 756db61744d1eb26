import { showMoney } from '#contract/base/money.ts'

/* Labour beside the rest, where it counts. */

interface Costs {
  labour: number | null
  total_with_labour: number | null
}
interface Compared extends Costs {
  before_cost: number
  before_with_labour: number | null
}
type Lines = (title: string, more: object) => void
/** Opens how a figure moved, of rows of some kind. */
type Moved = (title: string, now: number, before: number, more: object) => void

export const LABOUR_TONE = 'success'

export const LABOUR_ROWS = { Kind: ['labour'] }
export const ALL_ROWS = { Kind: ['supply', 'service', 'labour'] }

export function labourStats(
  { labour, total_with_labour, before_cost, before_with_labour }: Compared,
  lines: Lines,
  moved: Moved,
) {
  if (labour === null || total_with_labour === null || before_with_labour === null) return []
  const stat = (label: string, title: string, now: number, before: number, rows: object) => ({
    label,
    value: showMoney(now),
    now,
    before,
    onOpen: () => lines(title, rows),
    onCompare: () => moved(label, now, before, rows),
  })
  return [
    stat('Mano de obra', 'Mano de obra', labour, before_with_labour - before_cost, LABOUR_ROWS),
    stat('Total con mano de obra', 'Gastos con mano de obra', total_with_labour, before_with_labour, ALL_ROWS),
  ]
}

/** The columns of it, by what a row is called and what it is asked for with. */
export const labourColumns = <Row>(
  { labour }: Costs,
  lines: Lines,
  titleOf: (row: Row) => string,
  of: (row: Row) => object,
) =>
  labour === null
    ? {}
    : {
        labour: {
          open: (row: Row) => () => lines(`Mano de obra de ${titleOf(row)}`, { ...of(row), ...LABOUR_ROWS }),
          openTotal: () => lines('Mano de obra', LABOUR_ROWS),
        },
        total_with_labour: {
          open: (row: Row) => () => lines(`Gastos con mano de obra de ${titleOf(row)}`, { ...of(row), ...ALL_ROWS }),
          openTotal: () => lines('Gastos con mano de obra', ALL_ROWS),
        },
      }
