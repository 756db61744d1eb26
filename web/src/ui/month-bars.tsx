import { showMonth } from '#contract/base/dates.ts'
import { showMoney, showShortMoney } from '#contract/base/money.ts'
import styles from './month-bars.module.css'

interface MonthBarsProps {
  label: string
  /** Oldest first, each month once: `2026-11`. */
  months: { month: string; total: number }[]
}

const TALLEST = 140

/** Pesos by month, each bar with its amount: it is chart and table at once. */
export function MonthBars({ label, months }: MonthBarsProps) {
  const most = Math.max(...months.map(({ total }) => total), 1)
  return (
    <ol className={styles.bars} aria-label={label}>
      {months.map(({ month, total }) => (
        <li key={month} title={`${showMonth(month)}: ${showMoney(total)}`}>
          <span className={styles.amount} aria-hidden>
            {total > 0 && showShortMoney(total)}
          </span>
          <span
            className={styles.bar}
            style={{ height: Math.round((total / most) * TALLEST) }}
            data-none={total === 0}
          />
          <span className={styles.month} aria-hidden>
            {showMonth(month).slice(0, 3)}
            <span className={styles.year}>{month.slice(2, 4)}</span>
          </span>
          <span className="only-read-aloud">{`${showMonth(month)}: ${showMoney(total)}`}</span>
        </li>
      ))}
    </ol>
  )
}
