import type { ReactNode } from 'react'
import { ErrorState } from '../../ui/faces.tsx'
import styles from './order.module.css'
import page from './page.module.css'

interface OrderSectionProps {
  /** Its place in the page: the index links to it. */
  id: string
  title: string
  aside?: ReactNode
  children: ReactNode
}

export function OrderSection({ id, title, aside, children }: OrderSectionProps) {
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <header className={styles.sectionHead}>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

interface CardProps {
  id: string
  title: string
  /** How many there are. */
  count?: ReactNode
  /** More about all of them. */
  about?: ReactNode
  /** What is done here, quiet at the right. */
  action?: ReactNode
  children: ReactNode
}

/** A part of the order as it is read. */
export function Card({ id, title, count, about, action, children }: CardProps) {
  return (
    <section id={id} className={page.card} aria-labelledby={`${id}-title`}>
      <header className={page.cardHead}>
        <h2 id={`${id}-title`}>{title}</h2>
        {count && <span className={page.cardCount}>{count}</span>}
        {about}
        <span className={page.cardAction}>{action}</span>
      </header>
      {children}
    </section>
  )
}

/** An order cannot be written without knowing whether it takes from a warehouse. */
export const NoSettings = (props: { error: unknown; onRetry: () => void }) => (
  <ErrorState title="Error al cargar las configuraciones." {...props} />
)
