import { IconConfetti, IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { alertSections } from '../alerts/sections.ts'
import { fleetSections } from '../fleet/sections.ts'
import { SECTION_GROUPS, type Section } from '../frames/domain.ts'
import { identitySections } from '../identity/sections.ts'
import { useMe } from '../platform/session.ts'
import { providerSections } from '../providers/sections.ts'
import { reportSections } from '../reports/sections.ts'
import { supplySections } from '../supplies/sections.ts'
import { ScreenSkeleton } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { NotFound } from '../ui/not-found.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { warehouseSections } from '../warehouses/sections.ts'
import { webhookSections } from '../webhooks/sections.ts'
import { workOrderSections } from '../work-orders/sections.ts'
import styles from '../workshops/section.module.css'
import { workshopSections } from '../workshops/sections.ts'
import { houseQuery, isLocal } from './house.ts'

/** Made of several domains. */
const ownSections: Section[] = [
  {
    group: 'Empresa',
    rank: 4,
    slug: 'primeros-pasos',
    label: 'Primeros pasos',
    icon: IconListCheck,
    may: 'company.manage',
    content: lazy(async () => ({ default: (await import('./home/start.tsx')).StartSection })),
  },
]

/** Only where the demonstration is, and nobody else's. */
const demoSections: Section[] = [
  {
    group: 'Empresa',
    rank: 6,
    slug: 'demostracion',
    label: 'Demostración',
    icon: IconConfetti,
    may: 'company.manage',
    content: lazy(() => import('./demo-section.tsx')),
  },
]

const SECTIONS = [
  ...ownSections,
  ...workshopSections,
  ...identitySections,
  ...fleetSections,
  ...supplySections,
  ...providerSections,
  ...warehouseSections,
  ...workOrderSections,
  ...alertSections,
  ...reportSections,
  ...webhookSections,
].sort((a, b) => a.rank - b.rank)

/** Everything a company keeps about itself, each section shown to those who may change it. */
export default function Configuration() {
  const { permissions } = useMe()
  const { section } = useParams({ strict: false }) as { section?: string }
  const house = useQuery(houseQuery).data
  const isDemo = house?.demo && !house.public_demo && isLocal
  const mine = [...SECTIONS, ...(isDemo ? demoSections : [])].filter(
    ({ may }) => may === undefined || permissions.includes(may),
  )
  const groups = SECTION_GROUPS.map((label) => ({
    label,
    sections: mine.filter(({ group }) => group === label),
  })).filter(({ sections }) => sections.length > 0)
  const all = groups.flatMap(({ sections }) => sections)
  const current = section === undefined ? all[0] : all.find(({ slug }) => slug === section)
  const strip = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the parts stand in one line, the one that is open is in sight
  useEffect(() => {
    const here = strip.current?.querySelector<HTMLElement>('[aria-current]')
    if (here) strip.current?.scrollTo({ left: here.offsetLeft - 24 })
  }, [current?.slug])
  if (!current) return <NotFound />
  const Content = current.content
  return (
    <>
      <PageHeader title="Configuración" />
      <div className={styles.frame}>
        <nav ref={strip} className={styles.side} aria-label="Partes de la configuración">
          {groups.map(({ label, sections }) => [
            <span key={label} className={styles.group}>
              {label}
            </span>,
            ...sections.map(({ slug, label, icon: Icon }) => (
              <Link
                key={slug}
                to="/configuracion/$section"
                params={{ section: slug }}
                search={{}}
                className={styles.link}
                data-current={slug === current.slug || undefined}
                aria-current={slug === current.slug ? 'page' : undefined}
              >
                <Icon size={16} stroke={1.7} aria-hidden />
                {label}
              </Link>
            )),
          ])}
        </nav>
        <div className={styles.content} key={current.slug}>
          <Suspense fallback={<ScreenSkeleton />}>
            <Content />
          </Suspense>
        </div>
      </div>
    </>
  )
}
