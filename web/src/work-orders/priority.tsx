import { PRIORITIES, type Priority } from '#contract/base/priorities.ts'
import styles from './priority.module.css'

/** Three bars, as many of them lit as it is urgent; the word beside them, or read aloud. */
export function PriorityBars({ priority, word = false }: { priority: Priority; word?: boolean }) {
  const { label, level } = PRIORITIES[priority]
  return (
    <span className={styles.priority} data-level={level} title={`Prioridad ${label.toLowerCase()}`}>
      <svg width="13" height="12" viewBox="0 0 13 12" aria-hidden>
        {[1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={(bar - 1) * 5}
            y={12 - bar * 4}
            width="3"
            height={bar * 4}
            rx="1"
            data-lit={bar <= level || undefined}
          />
        ))}
      </svg>
      <span className={word ? undefined : 'only-read-aloud'}>{word ? label : `Prioridad ${label.toLowerCase()}`}</span>
    </span>
  )
}
