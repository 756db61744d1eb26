import styles from './status-pill.module.css'
import type { Tone } from './tokens.ts'

/** A state: a dot and a word in its colour, never the colour alone. */
export function StatusPill({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles.pill} style={{ color: `var(--${tone})`, backgroundColor: `var(--${tone}-tint)` }}>
      <span className={styles.dot} />
      {children}
    </span>
  )
}
