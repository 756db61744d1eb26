import type { schemes } from '../ui/tokens.ts'
import type { ChartSpec } from './chart-spec.ts'

type Colours = Record<keyof (typeof schemes)['dark'], string>

/** What can be pressed, and what it stands for. */
export interface Spot {
  x: number
  y: number
  width: number
  height: number
  index: number
  series: number
}

/** Where everything of a chart stands, in pixels. */
export interface Layout {
  width: number
  height: number
  plot: { left: number; top: number; right: number; bottom: number }
  ticks: number[]
  /** Of the first name, and what each takes along its axis. */
  band: number
  /** Where a value stands along its axis. */
  at: (value: number) => number
  /** One per series; its `index` means nothing. */
  legend: Spot[]
  bars: Spot[]
  points: (Spot | undefined)[][]
}

export const FONT = '12px Inter, system-ui, sans-serif'
const EDGE = { left: 8, right: 28, bottom: 8 }
const LETTERS = 14
const APART = 8
const LINE = 22
const ICON = 12
const INSET = 5
const LONGEST_NAME = 170
const WIDEST = { bars: 18, columns: 38 }
const POINT = 6
const STEPS = 5

/** A round step: 1, 2, 3 or 5 and zeros. */
function roundStep(span: number) {
  const power = 10 ** Math.floor(Math.log10(span))
  const first = span / power
  return power * (first < 1.5 ? 1 : first < 2.5 ? 2 : first < 4 ? 3 : first < 7 ? 5 : 10)
}

function ticksOf({ series, names, max }: ChartSpec, isHidden: (i: number) => boolean) {
  let [low, high] = [0, 0]
  for (const index of names.keys()) {
    const sums = new Map<unknown, [number, number]>()
    for (const [i, { values, stack, line }] of series.entries()) {
      const value = values[index]
      if (isHidden(i) || value == null) continue
      const sum = sums.get(line ? i : (stack ?? i)) ?? [0, 0]
      sum[value < 0 ? 0 : 1] += value
      sums.set(line ? i : (stack ?? i), sum)
    }
    for (const [below, above] of sums.values()) [low, high] = [Math.min(low, below), Math.max(high, above)]
  }
  const top = max ?? (high === 0 && low === 0 ? 1 : high)
  const step = roundStep((top - low) / STEPS)
  const from = Math.floor(low / step)
  const to = max === undefined ? Math.ceil(top / step - 1e-9) : Math.floor(top / step)
  return Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step)
}

export type Measure = (text: string) => number

/** As much of a text as there is room for. */
export function shortened(text: string, room: number, measure: Measure) {
  if (measure(text) <= room) return text
  let end = text.length
  while (end > 1 && measure(`${text.slice(0, end)}…`) > room) end -= 1
  return `${text.slice(0, end)}…`
}

function legendOf({ series }: ChartSpec, width: number, measure: Measure): Spot[] {
  let [x, y] = [INSET, INSET]
  return series.map(({ name }, i) => {
    const wide = ICON + 5 + measure(name)
    if (x > INSET && x + wide > width) [x, y] = [INSET, y + LINE]
    const spot = { x, y, width: wide, height: LETTERS, index: 0, series: i }
    x += wide + 10
    return spot
  })
}

export function layOut(
  spec: ChartSpec,
  width: number,
  height: number,
  measure: Measure,
  hidden: ReadonlySet<number>,
): Layout {
  const isFlat = spec.kind === 'bars'
  const ticks = ticksOf(spec, (i) => hidden.has(i))
  const legend = legendOf(spec, width, measure)
  const beside = isFlat
    ? Math.min(LONGEST_NAME, Math.max(0, ...spec.names.map(measure)))
    : Math.max(...ticks.map((tick) => measure(spec.axis(tick))))
  const plot = {
    left: EDGE.left + beside + APART,
    top: 36 + (legend.at(-1)?.y ?? INSET) - INSET,
    right: Math.max(width - EDGE.right, EDGE.left + beside + APART + 1),
    bottom: height - EDGE.bottom - LETTERS - APART,
  }
  const [from, to] = isFlat ? [plot.left, plot.right] : [plot.bottom, plot.top]
  const [low, high] = [ticks[0]!, spec.max ?? ticks.at(-1)!]
  const at = (value: number) => from + ((value - low) / (high - low)) * (to - from)
  const band = (isFlat ? plot.bottom - plot.top : plot.right - plot.left) / Math.max(1, spec.names.length)
  const start = isFlat ? plot.top : plot.left

  const shown = spec.series.map((one, i) => ({ ...one, i })).filter(({ i }) => !hidden.has(i))
  const slots = [...new Set(shown.filter(({ line }) => !line).map(({ stack, i }) => stack ?? i))]
  const thick = Math.min(WIDEST[spec.kind], (band * 0.8) / (slots.length + 0.3 * (slots.length - 1)))
  const group = thick * (slots.length + 0.3 * (slots.length - 1))
  const bars: Spot[] = []
  for (const index of spec.names.keys()) {
    const sums = new Map<unknown, [number, number]>()
    for (const { values, stack, line, i } of shown) {
      const value = values[index]
      if (line || value == null) continue
      const slot = slots.indexOf(stack ?? i)
      const sum = sums.get(slot) ?? [0, 0]
      sums.set(slot, sum)
      const side = value < 0 ? 0 : 1
      const [one, other] = [at(sum[side]), at((sum[side] += value))]
      const across = start + (index + 0.5) * band - group / 2 + slot * thick * 1.3
      const [along, long] = [Math.min(one, other), Math.abs(one - other)]
      bars.push(
        isFlat
          ? { x: along, y: across, width: long, height: thick, index, series: i }
          : { x: across, y: along, width: thick, height: long, index, series: i },
      )
    }
  }
  const points = spec.series.map(({ values, line }, series) =>
    line && !hidden.has(series)
      ? values.slice(0, spec.names.length).map((value, index) => {
          if (value == null) return undefined
          const [along, across] = [at(value), start + (index + 0.5) * band]
          const [x, y] = isFlat ? [along, across] : [across, along]
          return { x: x - POINT / 2, y: y - POINT / 2, width: POINT, height: POINT, index, series }
        })
      : [],
  )
  return { width, height, plot, ticks, band, at, legend, bars, points }
}

const middle = ({ x, y, width, height }: Spot) => [x + width / 2, y + height / 2] as const

/** The names that stand beside each other without touching: every one, every second… */
const stepOf = (names: string[], band: number, measure: Measure) =>
  Math.max(1, Math.ceil((Math.max(0, ...names.map(measure)) + APART / 2) / band))

interface Drawn {
  colours: Colours
  hidden: ReadonlySet<number>
  /** Where it is pointed at. */
  pointed?: number
  measure: Measure
}

function drawAxes(pen: CanvasRenderingContext2D, spec: ChartSpec, layout: Layout, { colours, measure }: Drawn) {
  const { plot, ticks, at, band } = layout
  const isFlat = spec.kind === 'bars'
  const line = (x1: number, y1: number, x2: number, y2: number, colour: string) => {
    pen.strokeStyle = colour
    pen.lineWidth = 1
    pen.beginPath()
    pen.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5)
    pen.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5)
    pen.stroke()
  }
  pen.textBaseline = 'middle'
  const under = plot.bottom + APART + LETTERS / 2
  let taken = Number.NEGATIVE_INFINITY
  for (const tick of ticks) {
    const place = at(tick)
    if (isFlat) line(place, plot.top, place, plot.bottom, colours.line)
    else line(plot.left, place, plot.right, place, colours.line)
    pen.fillStyle = colours['text-2']
    pen.textAlign = isFlat ? 'center' : 'right'
    const text = spec.axis(tick)
    if (!isFlat) pen.fillText(text, plot.left - APART, place)
    else if (place - measure(text) / 2 > taken) {
      pen.fillText(text, place, under)
      taken = place + measure(text) / 2 + 4
    }
  }
  const zero = at(0)
  if (isFlat) line(zero, plot.top, zero, plot.bottom, colours['line-strong'])
  else line(plot.left, zero, plot.right, zero, colours['line-strong'])
  pen.fillStyle = colours['text-1']
  pen.textAlign = isFlat ? 'right' : 'center'
  const step = isFlat ? 1 : stepOf(spec.names, band, measure)
  for (let i = 0; i < spec.names.length; i += step) {
    const along = (isFlat ? plot.top : plot.left) + (i + 0.5) * band
    if (isFlat) pen.fillText(shortened(spec.names[i]!, LONGEST_NAME, measure), plot.left - APART, along)
    else pen.fillText(spec.names[i]!, along, under)
  }
}

function drawLine(pen: CanvasRenderingContext2D, points: (Spot | undefined)[], colour: string, inside: string) {
  pen.strokeStyle = colour
  pen.lineWidth = 2
  pen.setLineDash([4, 4])
  pen.beginPath()
  let isDown = false
  for (const point of points) {
    if (point && isDown) pen.lineTo(...middle(point))
    else if (point) pen.moveTo(...middle(point))
    isDown = point !== undefined
  }
  pen.stroke()
  pen.setLineDash([])
  pen.fillStyle = inside
  for (const point of points) {
    if (!point) continue
    pen.beginPath()
    pen.arc(...middle(point), POINT / 2, 0, 2 * Math.PI)
    pen.fill()
    pen.stroke()
  }
}

/** The chart as it was laid out, on a canvas whose pixels the pen already knows. */
export function drawChart(pen: CanvasRenderingContext2D, spec: ChartSpec, layout: Layout, drawn: Drawn) {
  const { colours, hidden, pointed } = drawn
  const { plot, band } = layout
  pen.font = FONT
  drawAxes(pen, spec, layout, drawn)
  if (pointed !== undefined) {
    pen.fillStyle = colours['text-2']
    pen.globalAlpha = 0.18
    if (spec.kind === 'bars') pen.fillRect(plot.left, plot.top + pointed * band, plot.right - plot.left, band)
    else pen.fillRect(plot.left + pointed * band, plot.top, band, plot.bottom - plot.top)
    pen.globalAlpha = 1
  }
  for (const { x, y, width, height, series } of layout.bars) {
    pen.fillStyle = colours[spec.series[series]!.tone]
    pen.fillRect(x, y, width, height)
  }
  for (const [i, points] of layout.points.entries())
    drawLine(pen, points, colours[spec.series[i]!.tone], colours.surface)
  pen.textAlign = 'left'
  pen.textBaseline = 'middle'
  for (const { x, y, height, series } of layout.legend) {
    const { name, tone } = spec.series[series]!
    pen.fillStyle = hidden.has(series) ? colours['line-strong'] : colours[tone]
    pen.beginPath()
    pen.roundRect(x, y + 1, ICON, ICON, 3)
    pen.fill()
    pen.fillStyle = hidden.has(series) ? colours['text-3'] : colours['text-2']
    pen.fillText(name, x + ICON + 5, y + height / 2)
  }
}

/** What lies under a point, with some room around what is small. */
export const spotAt = (spots: (Spot | undefined)[], x: number, y: number, around = 0) =>
  spots.findLast(
    (spot) =>
      spot &&
      x >= spot.x - around &&
      x <= spot.x + spot.width + around &&
      y >= spot.y - around &&
      y <= spot.y + spot.height + around,
  )

/** Of which name something is pointed at; undefined outside the plot. */
export function nameAt({ kind, names }: ChartSpec, { plot, band }: Layout, x: number, y: number) {
  if (x < plot.left || x > plot.right || y < plot.top || y > plot.bottom) return undefined
  const index = Math.floor((kind === 'bars' ? y - plot.top : x - plot.left) / band)
  return index < names.length ? index : undefined
}
