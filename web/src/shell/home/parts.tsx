import { IconChevronRight, type TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayOf, localOf, sayDay } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { useMe, useZone } from '../../platform/session.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Plate } from '../../ui/plate.tsx'
import styles from './home.module.css'

/** The hour of the day says how one is met. */
function greeting(zone: string) {
  const hour = Number(localOf(new Date(), zone).slice(11, 13))
  if (hour < 12) return 'Buenos días'
  return hour < 20 ? 'Buenas tardes' : 'Buenas noches'
}

export function Greeting({ about, actions }: { about?: string; actions?: ReactNode }) {
  const zone = useZone()
  const { name } = useMe()
  const today = dayOf(new Date(), zone)
  return (
    <PageHeader
      title={`${greeting(zone)}, ${name.split(/\s+/)[0]}`}
      aside={[sayDay(today), about].filter(Boolean).join(' · ')}
      actions={actions}
    />
  )
}

interface WrongTileProps {
  icon: TablerIcon
  label: string
  count: number | undefined
  tone: 'danger' | 'warning'
  /** The worst of them. */
  worst?: { patent: string; text: string; age?: string }
  link: Pick<LinkProps, 'to' | 'search'>
}

/** How many of a kind are wrong, the worst of them, and the way to all. */
export function WrongTile({ icon: Icon, label, count, tone, worst, link }: WrongTileProps) {
  const isFine = count === 0
  return (
    <Link
      {...link}
      className={styles.tile}
      data-tone={isFine || count === undefined ? undefined : tone}
      aria-busy={count === undefined || undefined}
    >
      <span className={styles.tileHead}>
        <Icon size={20} stroke={1.7} aria-hidden />
        <strong>{count ?? '…'}</strong>
        <span>{label}</span>
        <IconChevronRight size={16} stroke={1.7} aria-hidden />
      </span>
      <span className={styles.tileWorst}>
        {isFine && 'Todo al día'}
        {!isFine && worst && (
          <>
            <Plate text={showPatent(worst.patent)} />
            <span>{worst.text}</span>
            {worst.age && <em>{worst.age}</em>}
          </>
        )}
      </span>
    </Link>
  )
}

interface HomeCardProps {
  title: string
  count?: number
  aside?: ReactNode
  children: ReactNode
}

export function HomeCard({ title, count, aside, children }: HomeCardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.cardHead}>
        <h2>{title}</h2>
        {count !== undefined && <span className={styles.count}>{count}</span>}
        <span className={styles.cardAside}>{aside}</span>
      </header>
      {children}
    </section>
  )
}
