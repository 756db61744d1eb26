import { Kbd, useComputedColorScheme } from '@mantine/core'
import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../platform/session.ts'
import { Drawer } from '../../ui/drawer.tsx'
import styles from './help.module.css'
import { manualOf } from './manual.ts'
import { HELP, pictureOf } from './pages.ts'

/** On every screen. */
const KEYS: [keys: string[], does: string][] = [
  [['Ctrl', 'K'], 'Buscar cualquier cosa, ir a una pantalla o hacer algo'],
  [['Ctrl', 'Enter'], 'Guardar el formulario que está encima'],
  [['Esc'], 'Cerrar lo que está encima'],
  [['?'], 'Mostrar esta ayuda'],
]

/** What this screen is for, what one can do here, by which rules and with which keys. */
export default function Help({ onClose }: { onClose: () => void }) {
  const route = useMatches({ select: (matches) => String(matches.at(-1)?.fullPath ?? '') }).replace(/\/$/, '')
  const theme = useComputedColorScheme('dark')
  const { role } = useMe()
  const [isMissing, setMissing] = useState(false)
  const page = HELP[route]
  return (
    <Drawer opened onClose={onClose} title={page ? `Ayuda: ${page.title}` : 'Ayuda'}>
      {page && (
        <div className={styles.page}>
          <p className={styles.about}>{page.about}</p>
          {!isMissing && (
            <img
              className={styles.picture}
              src={`/help/${pictureOf(route, theme)}`}
              alt={`La pantalla ${page.title}, con datos de ejemplo`}
              width={800}
              height={500}
              onError={() => setMissing(true)}
            />
          )}
          <h3>Qué puede hacer</h3>
          <ul>
            {page.can.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {page.rules && (
            <>
              <h3>Bueno saber</h3>
              <ul>
                {page.rules.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      <div className={styles.page}>
        <h3>Atajos de teclado</h3>
        <dl className={styles.keys}>
          {[...(page?.keys ?? []), ...KEYS].map(([keys, does]) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <Kbd key={key} className={styles.key}>
                    {key}
                  </Kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.manual}>
          <a href={manualOf(role)} target="_blank" rel="noreferrer">
            Manual para imprimir (PDF)
          </a>
        </p>
      </div>
    </Drawer>
  )
}
