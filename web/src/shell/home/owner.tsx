import { MorningPart } from '../../reports/summary.tsx'
import { Approvals } from './approvals.tsx'
import { WrongStrip } from './chief.tsx'
import styles from './home.module.css'
import { Greeting } from './parts.tsx'

/** What is wrong today, and what the month costs so far. */
export default function OwnerHome() {
  return (
    <div className={styles.page}>
      <Greeting />
      <WrongStrip />
      <MorningPart />
      <Approvals />
    </div>
  )
}
