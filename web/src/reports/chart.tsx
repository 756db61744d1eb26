import { type MouseEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useDrawnScheme } from '../ui/print.ts'
import { schemes } from '../ui/tokens.ts'
import { indexAt, isInside, type Laid, layChart, markAt, SQUARE } from './chart-layout.ts'
import type { ChartSpec } from './chart-spec.ts'
import styles from './reports.module.css'

/** Takes its picture. */
export type TakePicture = () => Promise<Blob | null>

interface ChartProps {
  spec: ChartSpec
  label: string
  height: number
  picture: RefObject<TakePicture | undefined>
}

const FONT = '12px Inter, system-ui, sans-serif'
const PICTURE = 2

let measuring: CanvasRenderingContext2D | null | undefined
function measure(text: string) {
  measuring ??= document.createElement('canvas').getContext('2d')
  if (!measuring) return text.length * 7
  measuring.font = FONT
  return measuring.measureText(text).width
}

/** How wide its place is, anew when letters have come: they are measured as they are drawn. */
function useSize(height: number) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [letters, setLetters] = useState(0)
  // Told once the page around it has its place, and before anybody sees it: asking would have it placed for that alone.
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([seen]) => flushSync(() => setWidth(seen?.contentRect.width ?? 0)))
    if (box.current) watch.observe(box.current)
    const come = () => setLetters((times) => times + 1)
    document.fonts?.addEventListener('loadingdone', come)
    return () => {
      watch.disconnect()
      document.fonts?.removeEventListener('loadingdone', come)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other letters, another size
  const size = useMemo(() => ({ width, height }), [width, height, letters])
  return { box, size }
}

export function Chart({ spec, label, height, picture }: ChartProps) {
  const { box, size } = useSize(height)
  const canvas = useRef<HTMLCanvasElement>(null)
  const scheme = useDrawnScheme()
  const [aside, setAside] = useState<readonly number[]>([])
  const [pointer, setPointer] = useState<{ x: number; y: number }>()
  // The screen around it is drawn more often than its figures change.
  const figures = JSON.stringify(spec)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn of it
  const laid = useMemo(() => layChart(spec, size, aside, measure), [figures, size, aside])
  const pointed = pointer && indexAt(laid, spec.kind === 'bars', pointer)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn of it
  useLayoutEffect(() => {
    const drawn = { spec, laid, scheme, aside, ...size }
    if (canvas.current) draw(canvas.current, { ...drawn, pointed }, devicePixelRatio)
    picture.current = () => {
      const taken = document.createElement('canvas')
      draw(taken, drawn, PICTURE, schemes[scheme].surface)
      return new Promise((done) => taken.toBlob(done, 'image/png'))
    }
  }, [figures, laid, scheme, pointed])
  const at = ({ clientX, clientY }: MouseEvent) => {
    const { left, top } = box.current!.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const namedAt = (point: { x: number; y: number }) => laid.legend.find((one) => isInside(one.box, point))
  const click = (event: MouseEvent) => {
    const point = at(event)
    const named = namedAt(point)
    const picked = markAt(laid, point)
    if (named)
      setAside(aside.includes(named.series) ? aside.filter((one) => one !== named.series) : [...aside, named.series])
    else if (picked) spec.onPick?.(picked.index, picked.series)
  }
  const leads = pointer && (namedAt(pointer) || (spec.onPick && markAt(laid, pointer)))
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its figures are in the table, each with what it opens
    <div
      ref={box}
      className={styles.chart}
      style={{ height, cursor: leads ? 'pointer' : undefined }}
      role="img"
      aria-label={label}
      onClick={click}
      onMouseMove={(event) => setPointer(at(event))}
      onMouseLeave={() => setPointer(undefined)}
    >
      {size.width > 0 && <canvas ref={canvas} />}
      {pointer && pointed !== undefined && <Tip spec={spec} aside={aside} index={pointed} at={pointer} within={size} />}
    </div>
  )
}

interface TipProps {
  spec: ChartSpec
  aside: readonly number[]
  index: number
  at: { x: number; y: number }
  within: { width: number; height: number }
}

/** The figures of what is pointed at, whole. */
function Tip({ spec: { names, series, show }, aside, index, at, within }: TipProps) {
  const tip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!tip.current) return
    const { offsetWidth, offsetHeight, style } = tip.current
    style.left = `${Math.max(0, Math.min(at.x + 16, within.width - offsetWidth))}px`
    style.top = `${Math.max(0, Math.min(at.y + 16, within.height - offsetHeight))}px`
  })
  return (
    <div ref={tip} className={styles.tip}>
      {names[index]}
      {series.map(({ name, tone, values }, i) =>
        aside.includes(i) ? null : (
          <span key={name}>
            <i style={{ backgroundColor: `var(--${tone})` }} />
            {name} <strong>{typeof values[index] === 'number' ? show(values[index]) : '—'}</strong>
          </span>
        ),
      )}
    </div>
  )
}

interface Drawn {
  spec: ChartSpec
  laid: Laid
  scheme: 'dark' | 'light'
  aside: readonly number[]
  pointed?: number | undefined
  width: number
  height: number
}

function draw(canvas: HTMLCanvasElement, drawn: Drawn, ratio: number, ground?: string) {
  const { laid, scheme, width, height } = drawn
  const pen = canvas.getContext('2d')
  if (!pen) return
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high })
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` })
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  pen.clearRect(0, 0, width, height)
  pen.font = FONT
  pen.textBaseline = 'middle'
  if (ground) {
    pen.fillStyle = ground
    pen.fillRect(0, 0, width, height)
  }
  drawAxes(pen, drawn)
  const colours = schemes[scheme]
  const toneOf = (series: number) => colours[drawn.spec.series[series]!.tone]
  for (const { series, box } of laid.bars) {
    pen.fillStyle = toneOf(series)
    pen.fillRect(box.x, box.y, box.width, box.height)
  }
  for (const { series, points } of laid.lines) drawLine(pen, points, toneOf(series), colours.surface)
}

function drawAxes(pen: CanvasRenderingContext2D, { spec, laid, scheme, aside, pointed }: Drawn) {
  const colours = schemes[scheme]
  const { plot, ticks, zero, names, band, legend } = laid
  const isFlat = spec.kind === 'bars'
  const rule = (at: number, colour: string) => {
    pen.fillStyle = colour
    if (isFlat) pen.fillRect(Math.round(at), plot.y, 1, plot.height)
    else pen.fillRect(plot.x, Math.round(at), plot.width, 1)
  }
  const write = (text: string, x: number, y: number, align: CanvasTextAlign, colour: string) => {
    pen.textAlign = align
    pen.fillStyle = colour
    pen.fillText(text, x, y)
  }
  const [under, left] = [plot.y + plot.height + 14, plot.x - 8]
  if (pointed !== undefined) {
    pen.fillStyle = colours.raised
    if (isFlat) pen.fillRect(plot.x, plot.y + pointed * band, plot.width, band)
    else pen.fillRect(plot.x + pointed * band, plot.y, band, plot.height)
  }
  for (const { text, at } of ticks) {
    rule(at, colours.line)
    write(text, isFlat ? at : left, isFlat ? under : at, isFlat ? 'center' : 'right', colours['text-2'])
  }
  rule(zero, colours['line-strong'])
  for (const { text, at } of names)
    write(text, isFlat ? left : at, isFlat ? at : under, isFlat ? 'right' : 'center', colours['text-1'])
  for (const { series, box } of legend) {
    const { name, tone } = spec.series[series]!
    const isAside = aside.includes(series)
    const middle = box.y + box.height / 2
    pen.fillStyle = isAside ? colours['line-strong'] : colours[tone]
    pen.beginPath()
    pen.roundRect(box.x, middle - SQUARE / 2, SQUARE, SQUARE, 3)
    pen.fill()
    write(name, box.x + SQUARE + 5, middle, 'left', isAside ? colours['text-3'] : colours['text-2'])
  }
}

function drawLine(
  pen: CanvasRenderingContext2D,
  points: Laid['lines'][number]['points'],
  colour: string,
  inside: string,
) {
  pen.strokeStyle = colour
  pen.lineWidth = 2
  pen.setLineDash([5, 4])
  pen.beginPath()
  // A day without a figure is a gap.
  points.forEach(({ index, x, y }, i) => {
    if (points[i - 1]?.index === index - 1) pen.lineTo(x, y)
    else pen.moveTo(x, y)
  })
  pen.stroke()
  pen.setLineDash([])
  pen.fillStyle = inside
  for (const { x, y } of points) {
    pen.beginPath()
    pen.arc(x, y, 3, 0, 2 * Math.PI)
    pen.fill()
    pen.stroke()
  }
}
