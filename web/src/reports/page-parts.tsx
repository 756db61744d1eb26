import { Skeleton } from '@mantine/core'
import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { showMonth } from '#contract/base/dates.ts'
import { showShare } from '#contract/base/money.ts'
import { NOT_COMPARABLE, useComparable } from './comparable.tsx'
import styles from './pages.module.css'

/* What the pages of a truck, a supply, a provider and a warehouse open with is made of these. */

interface TileProps {
  label: string
  value: string
  aside?: ReactNode
  children?: ReactNode
  onOpen?: (() => void) | undefined
}

export function Tile({ label, value, aside, children, onOpen }: TileProps) {
  return (
    <section className={styles.tile} aria-label={label}>
      <h3>{label}</h3>
      <div className={styles.figure}>
        {onOpen ? (
          <button type="button" onClick={onOpen} aria-label={`${label}: ${value}. Ver detalle`}>
            {value}
          </button>
        ) : (
          <b>{value}</b>
        )}
        <span className={styles.aside}>{aside}</span>
      </div>
      {children}
    </section>
  )
}

interface MovedProps {
  now: number
  then: number | null
  than: string
  over: string
  under: string
  /** Where what it is compared with is said above: only by how much. */
  brief?: boolean
}

/** `8 % bajo 2025`: less is good. */
export function Moved({ now, then, than, over, under, brief = false }: MovedProps) {
  const isComparable = useComparable()
  if (!then || isComparable === undefined) return null
  if (!isComparable) return <>{NOT_COMPARABLE}</>
  const share = (now - then) / then
  const words = `${showShare(Math.abs(share))} ${share > 0 ? over : under} ${than}`
  if (Math.abs(share) < 0.0005) return brief ? <>Igual</> : <>igual que {than}</>
  const Icon = share > 0 ? IconTrendingUp : IconTrendingDown
  return (
    <span className={styles.moved} data-tone={share > 0 ? 'warning' : 'success'}>
      <Icon size={14} stroke={1.9} aria-hidden />
      {brief ? (
        <>
          {showShare(Math.abs(share))}
          <span className="only-read-aloud">
            {' '}
            {share > 0 ? over : under} {than}
          </span>
        </>
      ) : (
        words
      )}
    </span>
  )
}

interface CardProps {
  title: string
  count?: number
  aside?: ReactNode
  /** At the end of its head: where the rest of it is. */
  end?: ReactNode
  /** What is said where there is nothing in it. */
  nothing?: string | false | undefined
  children?: ReactNode
}

export function Card({ title, count, aside, end, nothing, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {count !== undefined && <span className={styles.count}>{count}</span>}
        {aside}
        {end}
      </header>
      {nothing ? <p className={styles.nothing}>{nothing}</p> : children}
    </section>
  )
}

interface MonthTableProps {
  label: string
  months: string[]
  /** Stacked, the first at the bottom. */
  bars: number[][]
  rows: { label: string; values: ReactNode[] }[]
  onMonth?: ((month: string) => void) | undefined
  /** Before the month's name, for those who hear it. */
  opens?: string
}

/** Bars that stand over their own columns: chart and table are one thing. */
export function MonthTable({ label, months, bars, rows, onMonth, opens }: MonthTableProps) {
  const sums = months.map((_, i) => bars.reduce((sum, values) => sum + Math.max(0, values[i] ?? 0), 0))
  const most = Math.max(...sums, 1e-9)
  const current = months.at(-1)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.months}>
        <thead>
          <tr aria-hidden className={styles.bars}>
            <td />
            {months.map((month, i) => (
              <td key={month} data-now={month === current || undefined}>
                <div data-stacked>
                  {bars.map((values, part) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a bar stay where they are
                    <span key={part} style={{ height: `${(Math.max(0, values[i] ?? 0) / most) * 100}%` }} />
                  ))}
                </div>
              </td>
            ))}
          </tr>
          <tr>
            <td />
            {months.map((month) => (
              <th key={month} scope="col" data-now={month === current || undefined}>
                {onMonth ? (
                  <button type="button" aria-label={`${opens} ${showMonth(month)}`} onClick={() => onMonth(month)}>
                    {showMonth(month).slice(0, 3)}
                  </button>
                ) : (
                  showMonth(month).slice(0, 3)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {months.map((month, i) => (
                <td key={month}>{values[i]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What the parts of stacked bars are. */
export const Legend = ({ names }: { names: string[] }) => (
  <span className={styles.legend}>
    {names.map((name) => (
      <span key={name}>
        <i aria-hidden />
        {name}
      </span>
    ))}
  </span>
)

export const daysOf = (month: string) => {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return `${month}-01,${month}-${last}`
}

export function Waiting() {
  return (
    <div className={styles.summary} role="status" aria-label="Cargando">
      <div className={styles.tiles}>
        {[0, 1, 2, 3].map((tile) => (
          <Skeleton key={tile} h={112} />
        ))}
      </div>
      <Skeleton h={280} />
    </div>
  )
}
