import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { PlannerItem } from '#contract/work-orders/planner.ts'
import { showHours } from '../words.ts'
import { type CardActs, TrayCard } from './card.tsx'
import { keyOf } from './model.ts'
import styles from './planner.module.css'

interface TrayProps {
  items: PlannerItem[]
  zone: string
  acts?: CardActs | undefined
  held?: string | undefined
  /** What is carried would come back here. */
  isTarget: boolean
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F·\s-]/g, '')
    .toLowerCase()

/** What has no hour yet, the most urgent first. */
export function Tray({ items, zone, acts, held, isTarget }: TrayProps) {
  const [search, setSearch] = useState('')
  const wanted = plain(search)
  const shown = items.filter(({ title, patent, code }) =>
    plain(`${showPatent(patent)}${title}${code}`).includes(wanted),
  )
  const hours = items.reduce((sum, item) => sum + (item.hours ?? 0), 0)
  return (
    <section className={styles.trayBox} aria-label="Sin programar" data-tray data-target={isTarget || undefined}>
      <header>
        <h2>
          Sin programar <span>{items.length}</span>
        </h2>
        {hours > 0 && <p>{showHours(hours)} por ubicar</p>}
        <TextInput
          aria-label="Buscar en lo que no tiene hora"
          placeholder="Patente o texto"
          leftSection={<IconSearch size={15} stroke={1.7} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </header>
      <ul className={styles.trayList}>
        {shown.map((item) => (
          <TrayCard key={keyOf(item)} item={item} zone={zone} acts={acts} held={held === keyOf(item)} />
        ))}
        {shown.length === 0 && (
          <li className={styles.none}>{search ? 'Nada con ese texto.' : 'Todo tiene su hora.'}</li>
        )}
      </ul>
      {acts && (
        <p className={styles.hint}>
          Arrastre una orden a su carril o, con el teclado: <kbd>P</kbd> la programa en el primer hueco libre.
        </p>
      )}
    </section>
  )
}
