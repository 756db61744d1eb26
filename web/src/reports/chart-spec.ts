import type { schemes } from '../ui/tokens.ts'

export type ChartColour = keyof (typeof schemes)['dark']

/** What a chart shows; how it looks is the same for all. */
export interface ChartSpec {
  /** Bars lie, for names that are long; columns stand, for time. */
  kind: 'bars' | 'columns'
  names: string[]
  series: { name: string; tone: ChartColour; values: (number | null)[]; stack?: string; line?: boolean }[]
  /** Whole, where it is pointed at. */
  show: (value: number) => string
  /** Short, along the axis. */
  axis: (value: number) => string
  max?: number
  onPick?: (index: number, series: number) => void
}
