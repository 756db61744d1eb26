import type { ReactNode } from 'react'
import styles from './timeline.module.css'

export interface TimelineEntry {
  id: number
  who: string
  what: string
  when: string
  changes: { field: string; from: string | null; to: string | null }[]
}

/** Who did what, newest first. */
export function Timeline({ entries, foot }: { entries: TimelineEntry[]; foot?: ReactNode }) {
  return (
    <>
      <ol className={styles.list}>
        {entries.map((entry) => (
          <li key={entry.id} className={styles.entry}>
            <div className={styles.head}>
              <strong>{entry.who}</strong> {entry.what}
              <time className={styles.when}>{entry.when}</time>
            </div>
            {entry.changes.length > 0 && (
              <dl className={styles.changes}>
                {entry.changes.map(({ field, from, to }) => (
                  <div key={field}>
                    <dt>{field}</dt>
                    <dd>
                      {from !== null && (
                        <>
                          <del>{from}</del>
                          <span className={styles.arrow} aria-hidden>
                            →
                          </span>
                          <span className="only-read-aloud"> pasó a </span>
                        </>
                      )}
                      <span>{to ?? 'nada'}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ol>
      {foot}
    </>
  )
}
