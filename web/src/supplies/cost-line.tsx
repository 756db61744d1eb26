import { useElementSize } from '@mantine/hooks'
import { showDate } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import type { SupplyCost } from '#contract/supplies/supplies.ts'
import { useZone } from '../platform/session.ts'
import styles from './cost-line.module.css'

interface CostLineProps {
  /** Newest first. */
  costs: Pick<SupplyCost, 'at' | 'cost'>[]
  /** What was paid, beside what it costs since: each is a point with its words. */
  points?: { at: string; cost: number; words: string }[]
  height: number
  /** With its scale; without, only the shape. */
  scaled?: boolean
}

/** The price over time: it stays until it changes, so the line goes in steps, up to today. */
export function CostLine({ costs, points: paid = [], height, scaled = false }: CostLineProps) {
  const zone = useZone()
  const { ref, width } = useElementSize<HTMLElement>()
  const points = costs.map(({ at, cost }) => ({ at: Date.parse(at), cost })).reverse()
  const bought = paid.map((point) => ({ ...point, at: Date.parse(point.at) }))
  const all = [...points, ...bought].sort((a, b) => a.at - b.at)
  const first = all[0]
  const last = points.at(-1) ?? all.at(-1)
  if (!first || !last) return null
  const today = Date.now()
  const low = Math.min(...all.map((point) => point.cost))
  const high = Math.max(...all.map((point) => point.cost))
  const left = scaled ? 76 : 4
  const [right, top, bottom] = scaled ? [14, 12, 24] : [4, 6, 6]
  const x = (at: number) => left + ((at - first.at) / Math.max(today - first.at, 1)) * (width - left - right)
  const y = (cost: number) => top + (1 - (cost - low) / Math.max(high - low, 1)) * (height - top - bottom)
  const line = points.map(({ at, cost }, i) =>
    i === 0 ? `M${x(at).toFixed(1)} ${y(cost).toFixed(1)}` : `H${x(at).toFixed(1)}V${y(cost).toFixed(1)}`,
  )
  return (
    <figure ref={ref} className={styles.figure} style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`Costo: de ${showMoney(first.cost)} el ${showDate(new Date(first.at), zone)} a ${showMoney(last.cost)} hoy`}
        >
          {scaled &&
            [...new Set([high, low])].map((cost) => (
              <g key={cost}>
                <line className={styles.grid} x1={left} x2={width - right} y1={y(cost)} y2={y(cost)} />
                <text className={styles.label} x={left - 10} y={y(cost) + 4} textAnchor="end">
                  {showMoney(cost)}
                </text>
              </g>
            ))}
          {line.length > 0 && <path className={styles.line} d={`${line.join('')}H${x(today).toFixed(1)}`} />}
          {bought.map(({ at, cost, words }) => (
            <circle key={words} className={styles.paid} cx={x(Math.min(at, today))} cy={y(cost)} r={4}>
              <title>{words}</title>
            </circle>
          ))}
          {scaled &&
            bought.length === 0 &&
            points.length <= 60 &&
            points.map(({ at, cost }) => <circle key={at} className={styles.dot} cx={x(at)} cy={y(cost)} r={3} />)}
          <circle className={styles.last} cx={x(today)} cy={y(last.cost)} r={3.5} />
          {scaled && (
            <>
              <text className={styles.label} x={left} y={height - 4}>
                {showDate(new Date(first.at), zone)}
              </text>
              <text className={styles.label} x={width - right} y={height - 4} textAnchor="end">
                Hoy
              </text>
            </>
          )}
        </svg>
      )}
    </figure>
  )
}
