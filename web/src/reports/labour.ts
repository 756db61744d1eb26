import { showMoney } from '#contract/base/money.ts'

/* Labour beside the rest, where it counts. */

interface Costs {
  labour: number | null
  total_with_labour: number | null
}
type Lines = (title: string, more: object) => void

export const LABOUR_ROWS = { Kind: ['labour'] }
export const ALL_ROWS = { Kind: ['supply', 'service', 'labour'] }

export const labourStats = ({ labour, total_with_labour }: Costs, lines: Lines, more: object = {}) =>
  labour === null || total_with_labour === null
    ? []
    : [
        {
          label: 'Mano de obra',
          value: showMoney(labour),
          onOpen: () => lines('Mano de obra', { ...more, ...LABOUR_ROWS }),
        },
        {
          label: 'Total con mano de obra',
          value: showMoney(total_with_labour),
          onOpen: () => lines('Gastos con mano de obra', { ...more, ...ALL_ROWS }),
        },
      ]

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
