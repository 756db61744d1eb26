import { showShare } from '#contract/base/money.ts'
import styles from './budget-used.module.css'

/** How much of a budget was spent: a bar that ends at all of it, and turns red beyond. */
export function Used({ cost, budget }: { cost: number; budget: number }) {
  const share = budget > 0 ? cost / budget : cost > 0 ? Number.POSITIVE_INFINITY : 0
  const over = share > 1
  return (
    <span className={styles.used} data-over={over || undefined}>
      <span className={styles.bar} aria-hidden>
        <span style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span className={styles.share}>
        {Number.isFinite(share) ? showShare(share) : 'Sin presupuesto'}
        {over && <span className="only-read-aloud">, sobre el presupuesto</span>}
      </span>
    </span>
  )
}
