import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { addDays, showDay } from '#contract/base/dates.ts'
import { type Lanes, mondayOf, showRange, weekNumber, wholeDayOf } from './model.ts'
import styles from './planner.module.css'

export type PlanView = 'month' | 'week' | 'day'

interface ToolbarProps {
  view: 'week' | 'day'
  day: string
  today: string
  lanes: Lanes
  onDay: (day: string) => void
  onView: (view: PlanView) => void
  onLanes: (lanes: Lanes) => void
  /** What waits, where it stands behind a button. */
  children?: React.ReactNode
}

const STEPS = { week: 7, day: 1 }
const UNITS = { week: ['Semana anterior', 'Semana siguiente'], day: ['Día anterior', 'Día siguiente'] }

export function Toolbar({ view, day, today, lanes, onDay, onView, onLanes, children }: ToolbarProps) {
  const monday = mondayOf(day)
  const [before, after] = UNITS[view]
  return (
    <div className={styles.toolbar}>
      <Button variant="default" onClick={() => onDay(today)}>
        Hoy
      </Button>
      <ActionIcon size={34} aria-label={before} onClick={() => onDay(addDays(day, -STEPS[view]))}>
        <IconChevronLeft size={18} stroke={1.7} />
      </ActionIcon>
      <ActionIcon size={34} aria-label={after} onClick={() => onDay(addDays(day, STEPS[view]))}>
        <IconChevronRight size={18} stroke={1.7} />
      </ActionIcon>
      <h2 aria-live="polite">
        {view === 'week'
          ? showRange(monday, addDays(monday, 6))
          : `${wholeDayOf(day)} ${showDay(day).replace(/^0/, '')}`}
      </h2>
      <span className={styles.week}>Semana {weekNumber(day)}</span>
      <div className={styles.switches}>
        {children}
        <SegmentedControl<Lanes>
          aria-label="Carriles"
          value={lanes}
          onChange={onLanes}
          data={[
            { value: 'box', label: 'Por box' },
            { value: 'mechanic', label: 'Por mecánico' },
          ]}
        />
        <SegmentedControl<PlanView>
          aria-label="Vista"
          value={view}
          onChange={onView}
          data={[
            { value: 'month', label: 'Mes' },
            { value: 'week', label: 'Semana' },
            { value: 'day', label: 'Día' },
          ]}
        />
      </div>
    </div>
  )
}
