import type { ReactNode } from 'react'
import styles from './document.module.css'

/** What a document says beside its lines; what it leaves open is left out. */
export const DocumentFacts = ({ rows }: { rows: [label: string, value: ReactNode][] }) => (
  <dl className={styles.facts}>
    {rows
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
