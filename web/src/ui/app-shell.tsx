import { IconMenu2, IconSearch, type TablerIcon } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { memo, type ReactNode, Suspense, useState } from 'react'
import styles from './app-shell.module.css'
import { lazy } from './lazy.ts'
import { Mark } from './mark.tsx'

const PhoneSheet = lazy(() => import('./phone-sheet.tsx'))

export interface NavItem {
  label: string
  /** Where room is short. */
  short?: string
  to: string
  icon: TablerIcon
  /** How much there is behind it. */
  count?: number
}

export interface NavSection {
  label: string
  items: NavItem[]
}

interface AppShellProps {
  name: string
  sections: NavSection[]
  onSearch: () => void
  searchHint: string
  /** At the right of the header, on any screen. */
  header: ReactNode
  /** What a phone has no room for in its header. */
  sheet: ReactNode
  banner?: ReactNode
  children: ReactNode
}

/** Navigation beside the page; a rail where it is narrow; a bar and a sheet at the foot of a phone. */
export function AppShell({ name, sections, onSearch, searchHint, header, sheet, banner, children }: AppShellProps) {
  const [sheetOpened, setSheetOpened] = useState(false)
  const items = sections.flatMap((section) => section.items)
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Saltar al contenido
      </a>
      <nav className={styles.nav} aria-label="Secciones">
        <Link to="/" className={styles.brand} aria-label={`${name}, inicio`}>
          <Mark size={28} />
          <span className={styles.name}>{name}</span>
        </Link>
        {sections.map((section) => (
          <div key={section.label} className={styles.section}>
            <div className={styles.sectionLabel}>{section.label}</div>
            {section.items.map((item) => (
              <NavLink key={item.to} item={item} />
            ))}
          </div>
        ))}
      </nav>

      <header className={styles.header}>
        <Link to="/" className={styles.phoneBrand} aria-label={`${name}, inicio`}>
          <Mark size={28} />
        </Link>
        <button type="button" className={styles.find} onClick={onSearch}>
          <IconSearch size={16} stroke={1.7} aria-hidden />
          <span className={styles.findText}>{searchHint}</span>
          <kbd className={styles.findKey} aria-hidden>
            Ctrl K
          </kbd>
        </button>
        <div className={styles.headerEnd}>{header}</div>
      </header>

      <div className={styles.middle}>
        {banner}
        <main id="content" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>

      <nav className={styles.bar} aria-label="Barra inferior">
        {items.slice(0, 3).map((item) => (
          <NavLink key={item.to} item={item} brief />
        ))}
        <button type="button" className={styles.item} onClick={onSearch}>
          <IconSearch size={20} stroke={1.7} aria-hidden />
          <span>Buscar</span>
        </button>
        <button
          type="button"
          className={styles.item}
          aria-haspopup="dialog"
          aria-expanded={sheetOpened}
          onClick={() => setSheetOpened(true)}
        >
          <IconMenu2 size={20} stroke={1.7} aria-hidden />
          <span>Menú</span>
        </button>
      </nav>

      {sheetOpened && (
        <Suspense fallback={null}>
          <PhoneSheet onClose={() => setSheetOpened(false)}>
            {sections.map((section) => (
              <div key={section.label} className={styles.section}>
                <div className={styles.sectionLabel}>{section.label}</div>
                {section.items.map((item) => (
                  <NavLink key={item.to} item={item} />
                ))}
              </div>
            ))}
            {sheet}
          </PhoneSheet>
        </Suspense>
      )}
    </div>
  )
}

const NavLink = memo(function NavLink({ item, brief = false }: { item: NavItem; brief?: boolean }) {
  const here = useLocation({ select: ({ pathname }) => pathname === item.to || pathname.startsWith(`${item.to}/`) })
  const Icon = item.icon
  return (
    <Link to={item.to} className={styles.item} data-here={here || undefined} aria-current={here ? 'page' : undefined}>
      <Icon size={18} stroke={1.7} aria-hidden />
      <span>{brief ? (item.short ?? item.label) : item.label}</span>
      {item.count ? <span className={styles.count}>{item.count}</span> : null}
    </Link>
  )
})
