import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { schemes } from '../ui/tokens.ts'
import { drawChart, FONT, type Layout, layOut, nameAt, spotAt } from './chart-drawing.ts'
import type { ChartSpec } from './chart-spec.ts'
import styles from './reports.module.css'

/** The chart as a picture, on the ground it stands on. */
export type Picture = () => HTMLCanvasElement | undefined

interface ChartProps {
  spec: ChartSpec
  label: string
  height: number
  picture: RefObject<Picture | null>
}

/** Letters are measured with the font that is coming, once it is there. */
function useFont() {
  const [loaded, setLoaded] = useState(false)
  useEffect(() => {
    void document.fonts?.ready.then(() => setLoaded(true))
  }, [])
  return loaded
}

const AROUND = 4
const toggled = (set: ReadonlySet<number>, one: number) =>
  new Set(set.has(one) ? [...set].filter((other) => other !== one) : [...set, one])

export function Chart({ spec, label, height, picture }: ChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const laid = useRef<Layout>(undefined)
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [pointed, setPointed] = useState<{ index: number; x: number; y: number }>()
  const font = useFont()
  const colours = schemes[useComputedColorScheme('dark')]

  const draw = (target: HTMLCanvasElement, ratio: number, ground?: string) => {
    const pen = width > 0 ? target.getContext('2d') : null
    if (!pen) return undefined
    target.width = width * ratio
    target.height = height * ratio
    pen.scale(ratio, ratio)
    pen.font = FONT
    const measure = (text: string) => pen.measureText(text).width
    const layout = layOut(spec, width, height, measure, hidden)
    if (ground) {
      pen.fillStyle = ground
      pen.fillRect(0, 0, width, height)
    }
    drawChart(pen, spec, layout, { colours, hidden, measure, pointed: ground ? undefined : pointed?.index })
    return layout
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever it is drawn from
  useEffect(() => {
    if (canvas.current) laid.current = draw(canvas.current, window.devicePixelRatio)
  }, [spec, width, height, hidden, pointed?.index, colours, font])
  useImperativeHandle(picture, () => () => {
    const target = document.createElement('canvas')
    return draw(target, 2, colours.surface) && target
  })

  const spotUnder = (x: number, y: number) => {
    const layout = laid.current
    return layout && (spotAt(layout.points.flat(), x, y, AROUND) ?? spotAt(layout.bars, x, y))
  }
  const place = (event: PointerEvent) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  return (
    <div
      ref={ref}
      className={styles.chart}
      style={{ height }}
      role="img"
      aria-label={label}
      onPointerMove={(event) => {
        const { x, y } = place(event)
        const layout = laid.current
        if (!layout) return
        const index = nameAt(spec, layout, x, y)
        const presses = spotAt(layout.legend, x, y, AROUND) ?? (spec.onPick && spotUnder(x, y))
        event.currentTarget.style.cursor = presses ? 'pointer' : ''
        setPointed(index === undefined ? undefined : { index, x, y })
      }}
      onPointerLeave={() => setPointed(undefined)}
      onPointerUp={(event) => {
        const { x, y } = place(event)
        const layout = laid.current
        const named = layout && spotAt(layout.legend, x, y, AROUND)
        if (event.button !== 0) return
        if (named) return setHidden(toggled(hidden, named.series))
        const spot = spotUnder(x, y)
        if (spot) spec.onPick?.(spot.index, spot.series)
      }}
    >
      <canvas ref={canvas} style={{ width: '100%', height }} />
      {pointed && <Pointed spec={spec} hidden={hidden} {...pointed} width={width} height={height} />}
    </div>
  )
}

interface PointedProps {
  spec: ChartSpec
  hidden: ReadonlySet<number>
  index: number
  x: number
  y: number
  width: number
  height: number
}

/** What stands where it is pointed at, beside the pointer and never outside. */
function Pointed({ spec, hidden, index, x, y, width, height }: PointedProps) {
  const [toLeft, toTop] = [x > width / 2, y > height / 2]
  const style = {
    [toLeft ? 'right' : 'left']: (toLeft ? width - x : x) + 14,
    [toTop ? 'bottom' : 'top']: (toTop ? height - y : y) + 14,
  }
  return (
    <div className={styles.pointed} style={style} aria-hidden>
      <div>{spec.names[index]}</div>
      <dl>
        {spec.series.map(({ name, tone, values }, i) => {
          const value = values[index]
          if (hidden.has(i)) return null
          return (
            <div key={name}>
              <dt>
                <span className={styles.pointedDot} style={{ backgroundColor: `var(--${tone})` }} />
                {name}
              </dt>
              <dd>{value == null ? '—' : spec.show(value)}</dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}
