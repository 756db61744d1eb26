import { Tabs } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './detail-frame.module.css'
import { AtOnce, InTurn } from './turns.tsx'

export interface DetailTab {
  value: string
  label: string
  content: ReactNode
  /** How many things wait there, and what they wait for. */
  count?: { value: number; about: string }
  /** Its own address, where it has one; the first tab's is then that of the page. */
  path?: string
  /** Stays as it is while another tab is looked at: it holds what somebody is typing. */
  keep?: boolean
  /** Comes before those of the page itself. */
  first?: true | undefined
}

interface DetailFrameProps {
  back: { to: string; label: string }
  header: ReactNode
  actions?: ReactNode
  /** The first one is the default, and leaves no trace in the address. */
  tabs: DetailTab[]
}

const inOrder = (tabs: DetailTab[]) => [...tabs.filter(({ first }) => first), ...tabs.filter(({ first }) => !first)]

/** One thing and its sides: header, and tabs that live in the address. */
export function DetailFrame({ back, header, actions, tabs: given }: DetailFrameProps) {
  const tabs = inOrder(given)
  const search = useSearch({ strict: false }) as { tab?: unknown }
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [first] = tabs
  const byPath = tabs.find((tab) => tab !== first && tab.path === pathname)
  const current = byPath ?? tabs.find((tab) => tab.value === search.tab) ?? first
  const list = useRef<HTMLDivElement>(null)
  const isScrolled = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: where there is no room for all, the one that is open is in sight
  useEffect(() => {
    if (!isScrolled.current && current === first) return
    isScrolled.current = true
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ inline: 'center', block: 'nearest' })
  }, [current?.value, tabs.map(({ label, count }) => `${label} ${count?.value}`).join()])
  const open = (value: string | null) => {
    const tab = tabs.find((one) => one.value === value)
    const to = tab?.path ?? first?.path ?? '.'
    void navigate({ to, search: tab === first || tab?.path ? {} : { tab: tab?.value }, replace: true })
  }
  return (
    <article className={styles.frame}>
      <Link to={back.to} className={styles.back}>
        <IconArrowLeft size={14} stroke={1.9} aria-hidden />
        {back.label}
      </Link>
      <header className={styles.header}>
        <div className={styles.heading}>{header}</div>
        {actions && (
          <div className={styles.actions}>
            <InTurn cost={0.5}>{actions}</InTurn>
          </div>
        )}
      </header>
      <Tabs value={current?.value ?? null} onChange={open}>
        <Tabs.List ref={list} className={styles.tabs}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.value} value={tab.value}>
              {tab.label}
              {tab.count && (
                <span className={styles.count}>
                  {tab.count.value}
                  <span className="only-read-aloud"> {tab.count.about}</span>
                </span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Panel key={tab.value} value={tab.value} keepMounted={tab.keep ?? false} className={styles.panel}>
            {(tab.keep || tab === current) && (
              <AtOnce value={tab !== current}>
                <InTurn>{tab.content}</InTurn>
              </AtOnce>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </article>
  )
}

/** A titled box of a detail page. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <header className={styles.sectionHead}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** Names and values, read only. */
export function Facts({ rows }: { rows: [label: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '—'}</dd>
        </div>
      ))}
    </dl>
  )
}
