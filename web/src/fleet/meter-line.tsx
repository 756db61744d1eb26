import { useElementSize } from '@mantine/hooks'
import { useId } from 'react'
import { showDate } from '#contract/base/dates.ts'
import { showKm, showNumber } from '#contract/base/money.ts'
import type { Reading } from '#contract/fleet/meter.ts'
import { useZone } from '../platform/session.ts'
import styles from './meter-line.module.css'

interface MeterLineProps {
  readings: Reading[]
  height: number
  /** With its scale; without, only the shape. */
  scaled?: boolean
}

const STEPS = [1, 2, 2.5, 5, 10]
/** Round figures that cover the range in two to five steps. */
function ticksOf(low: number, high: number) {
  const rough = Math.max(high - low, 1) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power
  const ticks: number[] = []
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick)
  return ticks
}

/** One reading is a point, not a line. */
export const makesLine = (readings: Reading[]) => readings.filter((reading) => !reading.superseded).length > 1

/** Kilometres over time. Readings taken back by a correction are hollow and off the line. */
export function MeterLine({ readings, height, scaled = false }: MeterLineProps) {
  const zone = useZone()
  const fill = useId()
  const { ref, width } = useElementSize<HTMLElement>()
  const points = readings.map(({ date, km, superseded }) => ({ at: Date.parse(date), km, superseded })).reverse()
  const counted = points.filter((point) => !point.superseded)
  const first = counted[0]
  const last = counted.at(-1)
  if (!first || !last) return null

  const left = scaled ? 64 : 4
  const [right, top, bottom] = scaled ? [14, 10, 24] : [4, 6, 4]
  const span = { from: points[0]!.at, to: points.at(-1)!.at }
  const low = Math.min(...points.map((point) => point.km))
  const high = Math.max(...points.map((point) => point.km))
  const x = (at: number) => left + ((at - span.from) / Math.max(span.to - span.from, 1)) * (width - left - right)
  const y = (km: number) => top + (1 - (km - low) / Math.max(high - low, 1)) * (height - top - bottom)
  const line = counted.map((point, index) => `${index ? 'L' : 'M'}${x(point.at).toFixed(1)} ${y(point.km).toFixed(1)}`)
  const foot = height - bottom
  const dotted = scaled && counted.length <= 60

  return (
    <figure ref={ref} className={styles.figure} style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`Kilometraje: de ${showKm(first.km)} el ${showDate(new Date(first.at), zone)} a ${showKm(last.km)} el ${showDate(new Date(last.at), zone)}`}
        >
          <defs>
            <linearGradient id={fill} x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" className={styles.fillTop} />
              <stop offset="1" className={styles.fillFoot} />
            </linearGradient>
          </defs>
          {scaled &&
            ticksOf(low, high).map((tick) => (
              <g key={tick}>
                <line className={styles.grid} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
                <text className={styles.label} x={left - 10} y={y(tick) + 4} textAnchor="end">
                  {showNumber(tick)}
                </text>
              </g>
            ))}
          <path
            d={`${line.join('')}L${x(last.at).toFixed(1)} ${foot}L${x(first.at).toFixed(1)} ${foot}Z`}
            fill={`url(#${fill})`}
          />
          <path className={styles.line} d={line.join('')} />
          {dotted &&
            counted.map((point) => (
              <circle key={point.at} className={styles.dot} cx={x(point.at)} cy={y(point.km)} r={2.5} />
            ))}
          {scaled &&
            points
              .filter((point) => point.superseded)
              .map((point) => (
                <circle
                  key={`${point.at}-${point.km}`}
                  className={styles.hollow}
                  cx={x(point.at)}
                  cy={y(point.km)}
                  r={3}
                />
              ))}
          <circle className={styles.last} cx={x(last.at)} cy={y(last.km)} r={3.5} />
          {scaled && (
            <>
              <text className={styles.label} x={left} y={height - 4}>
                {showDate(new Date(span.from), zone)}
              </text>
              <text className={styles.label} x={width - right} y={height - 4} textAnchor="end">
                {showDate(new Date(span.to), zone)}
              </text>
            </>
          )}
        </svg>
      )}
    </figure>
  )
}
