import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: string
  /** Beside the title: a count, a hint. */
  aside?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, aside, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Maestranza`)
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{title}</h1>
      {aside && <span className={styles.aside}>{aside}</span>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
