import type { ChartSpec } from './chart-spec.ts'

/* Where each thing of a chart is. */

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** What stands for one figure: where a click on it leads is asked of its index and its series. */
export interface Mark {
  index: number
  series: number
  box: Box
}

export interface Laid {
  legend: { series: number; box: Box }[]
  plot: Box
  /** Along the axis of values. */
  ticks: { text: string; at: number }[]
  zero: number
  names: { text: string; at: number }[]
  /** How much of the other axis each name has. */
  band: number
  bars: Mark[]
  lines: { series: number; points: { index: number; x: number; y: number }[] }[]
}

export const SQUARE = 12
const LEGEND_ROW = 20
const LEGEND_GAP = 14
const LETTERS = 16
const LONGEST_NAME = 170
/** The part of its place that a bar leaves to the ones beside it. */
const BETWEEN = 0.3
const THICKEST = { bars: 18, columns: 38 }

type Measure = (text: string) => number
type Extent = { least: number; most: number; step: number }

/** About five of them, each a round figure. */
export function extentOf(values: number[], max?: number): Extent {
  const [least, most] = [Math.min(0, ...values), max ?? Math.max(0, ...values)]
  if (most === least) return { least: 0, most: 1, step: 1 }
  const rough = (most - least) / 5
  const ten = 10 ** Math.floor(Math.log10(rough))
  const times = rough / ten
  const step = ten * (times < 1.5 ? 1 : times < 2.5 ? 2 : times < 4 ? 3 : times < 7 ? 5 : 10)
  return { least: Math.floor(least / step) * step, most: max ?? Math.ceil(most / step) * step, step }
}

/** From where to where each bar goes: those of a stack begin where the one before ends. */
function spansOf({ series, names }: ChartSpec, isShown: (series: number) => boolean) {
  const ends = new Map<string, number>()
  return series.flatMap(({ values, stack, line }, of) =>
    line || !isShown(of)
      ? []
      : names.flatMap((_, index) => {
          const value = values[index]
          if (value === null || value === undefined) return []
          const pile = `${stack} ${index} ${value < 0}`
          const from = stack === undefined ? 0 : (ends.get(pile) ?? 0)
          ends.set(pile, from + value)
          return [{ series: of, index, from, to: from + value }]
        }),
  )
}

function layLegend({ series }: ChartSpec, width: number, measure: Measure) {
  let [x, y] = [5, 2]
  return series.map(({ name }, of) => {
    const box = { x, y, width: SQUARE + 5 + measure(name), height: LEGEND_ROW }
    if (x + box.width > width && x > 5) Object.assign(box, { x: 5, y: (y += LEGEND_ROW) })
    x = box.x + box.width + LEGEND_GAP
    return { series: of, box }
  })
}

/** As much of a name as has room. */
function cut(text: string, room: number, measure: Measure) {
  if (measure(text) <= room) return text
  let shown = text
  while (shown && measure(`${shown}…`) > room) shown = shown.slice(0, -1)
  return `${shown.trimEnd()}…`
}

/** Every one, or every second, third…: as many as do not touch. */
function apart<T extends { text: string; at: number }>(labels: T[], measure: Measure) {
  const widest = Math.max(0, ...labels.map(({ text }) => measure(text)))
  const between = labels.length > 1 ? labels[1]!.at - labels[0]!.at : 0
  const every = between > 0 ? Math.ceil((widest + 4) / between) : 1
  return labels.filter((_, i) => i % every === 0)
}

/** All of it, without the series that were put aside. */
export function layChart(
  spec: ChartSpec,
  size: { width: number; height: number },
  aside: readonly number[],
  measure: Measure,
): Laid {
  const isFlat = spec.kind === 'bars'
  const isShown = (series: number) => !aside.includes(series)
  const legend = layLegend(spec, size.width, measure)
  const spans = spansOf(spec, isShown)
  const lines = spec.series.flatMap(({ line, values }, series) => (line && isShown(series) ? [{ series, values }] : []))
  const all = [...spans.map(({ to }) => to), ...lines.flatMap(({ values }) => values.filter((v) => v !== null))]
  const { least, most, step } = extentOf(all, spec.max)
  const figures = Array.from({ length: Math.floor((most - least) / step + 1.001) }, (_, i) => least + i * step)
  const room = Math.min(LONGEST_NAME, size.width * 0.45)
  const names = isFlat ? spec.names.map((name) => cut(name, room, measure)) : spec.names
  const left = 16 + Math.max(0, ...(isFlat ? names : figures.map(spec.axis)).map(measure))
  const top = (legend.at(-1)?.box.y ?? 0) + LEGEND_ROW + 14
  const plot = { x: left, y: top, width: size.width - left - 28, height: size.height - top - 8 - LETTERS }

  const share = (value: number) => (value - least) / (most - least)
  const at = (value: number) =>
    isFlat ? plot.x + share(value) * plot.width : plot.y + (1 - share(value)) * plot.height
  const [start, length] = isFlat ? [plot.y, plot.height] : [plot.x, plot.width]
  const band = length / Math.max(1, names.length)
  const middle = (index: number) => start + (index + 0.5) * band

  const stacks = [...new Set(spans.map(({ series }) => spec.series[series]?.stack ?? series))]
  const beside = stacks.length + (stacks.length - 1) * 0.1
  const thick = Math.max(1, Math.min(THICKEST[spec.kind], (band * (1 - BETWEEN)) / Math.max(1, beside)))
  const bars = spans.map(({ series, index, from, to }) => {
    const place = stacks.indexOf(spec.series[series]?.stack ?? series)
    const across = middle(index) - (beside * thick) / 2 + place * thick * 1.1
    const [low, high] = [Math.min(at(from), at(to)), Math.max(at(from), at(to))]
    const box = isFlat
      ? { x: low, y: across, width: high - low, height: thick }
      : { x: across, y: low, width: thick, height: high - low }
    return { index, series, box }
  })

  const ticks = figures.map((figure) => ({ text: spec.axis(figure), at: at(figure) }))
  const named = names.map((text, index) => ({ text, at: middle(index) }))
  return {
    legend,
    plot,
    ticks: isFlat ? apart(ticks, measure) : ticks,
    zero: at(0),
    names: isFlat ? named : apart(named, measure),
    band,
    bars,
    lines: lines.map(({ series, values }) => ({
      series,
      points: values.flatMap((value, index) => (value === null ? [] : [{ index, x: middle(index), y: at(value) }])),
    })),
  }
}

export const isInside = ({ x, y, width, height }: Box, at: { x: number; y: number }, more = 0) =>
  at.x >= x - more && at.x <= x + width + more && at.y >= y - more && at.y <= y + height + more

const REACH = 7

/** The figure that stands there: points of a line lie over the bars. */
export function markAt({ lines, bars }: Laid, at: { x: number; y: number }): Omit<Mark, 'box'> | undefined {
  for (const { series, points } of lines.toReversed())
    for (const { index, x, y } of points)
      if (isInside({ x, y, width: 0, height: 0 }, at, REACH)) return { index, series }
  return bars.find(({ box }) => isInside(box, at, 1))
}

/** Which of the names is pointed at. */
export function indexAt({ plot, band, names }: Laid, isFlat: boolean, at: { x: number; y: number }) {
  if (names.length === 0 || !isInside(plot, at)) return undefined
  return Math.floor((isFlat ? at.y - plot.y : at.x - plot.x) / band)
}
