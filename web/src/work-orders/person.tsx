import { initials } from '../ui/initials.ts'
import styles from './card.module.css'

const HUES = 5
/** The same person has the same colour everywhere. */
const hueOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES

/** Somebody's initials; the name is said by the title, or by the words beside it. */
export const Face = ({ name, named = false }: { name: string; named?: boolean }) => (
  <span className={styles.who} data-hue={hueOf(name)} title={named ? undefined : name}>
    <span aria-hidden>{initials(name)}</span>
    {!named && <span className="only-read-aloud">{name}</span>}
  </span>
)
