import { showDay } from '#contract/base/dates.ts'
import { Drawer } from '../../ui/drawer.tsx'
import styles from './news.module.css'
import { RELEASES } from './releases.ts'

/** Lists the changes of each version, newest first. */
export default function News({ onClose }: { onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} title="Novedades">
      {RELEASES.map(({ version, date, news }) => (
        <section key={version} className={styles.release} aria-label={`Versión ${version}`}>
          <h3>
            Versión {version} <span>{date ? showDay(date) : 'en preparación'}</span>
          </h3>
          <ul>
            {news.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      ))}
    </Drawer>
  )
}
