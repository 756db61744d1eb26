import { Tooltip } from '@mantine/core'
import { IconGaugeOff, IconRepeat } from '@tabler/icons-react'
import { ALERT_STATES, type Alert, OVERDUE, REPEAT_UNITS, UNREAD_DAYS } from '#contract/alerts/alerts.ts'
import { showKm } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import styles from './alerts.module.css'

/** What is past its due point says so instead of that it is active. */
export function AlertPill({ alert }: { alert: Pick<Alert, 'status' | 'overdue'> }) {
  const { tone, label } = alert.overdue ? OVERDUE : ALERT_STATES[alert.status]
  return <StatusPill tone={tone}>{label}</StatusPill>
}

export const stateWord = (alert: Pick<Alert, 'status' | 'overdue'>) =>
  alert.overdue ? OVERDUE.label : ALERT_STATES[alert.status].label

export function UnitName({ of }: { of: Pick<Alert, 'code' | 'patent'> }) {
  return (
    <span className={styles.unit}>
      {of.code ? <span className="mono">{of.code}</span> : <span className={styles.quiet}>Acoplado</span>}
      <Plate text={showPatent(of.patent)} />
    </span>
  )
}

export const unitText = (of: Pick<Alert, 'code' | 'patent'>) => `${of.code ?? 'Acoplado'} ${showPatent(of.patent)}`

export const UNREAD = `Sin lecturas hace más de ${UNREAD_DAYS} días: el pronóstico puede estar lejos de la realidad.`

export function Unread() {
  return (
    <Tooltip label={UNREAD} multiline w={240}>
      <span className={styles.unread} role="img" aria-label={UNREAD}>
        <IconGaugeOff size={15} stroke={1.7} aria-hidden />
      </span>
    </Tooltip>
  )
}

/** `Cada 6 meses`, `Cada 10.000 km`; nothing where it does not repeat. */
export function repeatText({ repeatSettings: { every, unit, kilometers } }: Pick<Alert, 'repeatSettings'>) {
  const parts = [
    every !== null && `${every} ${every === 1 ? { days: 'día', months: 'mes' }[unit] : REPEAT_UNITS[unit].label}`,
    kilometers !== null && showKm(kilometers),
  ].filter(Boolean)
  return parts.length > 0 ? `Cada ${parts.join(' o ')}` : null
}

export function Repeats({ alert }: { alert: Pick<Alert, 'repeatSettings'> }) {
  const text = repeatText(alert)
  if (!text) return null
  return (
    <Tooltip label={text}>
      <span className={styles.repeats} role="img" aria-label={text}>
        <IconRepeat size={14} stroke={1.7} aria-hidden />
      </span>
    </Tooltip>
  )
}
