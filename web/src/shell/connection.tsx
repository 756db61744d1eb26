import { Button } from '@mantine/core'
import { IconCloud, IconCloudCheck, IconCloudOff, IconRefresh, IconWifiOff } from '@tabler/icons-react'
import { useConnection, useOnline } from '../platform/live.ts'
import { useNewerVersion } from '../platform/service-worker.ts'
import { useNoticeable } from '../ui/faces.tsx'
import styles from './shell.module.css'

const STATES = {
  live: { icon: IconCloudCheck, text: '', hint: 'Al día: lo que otros cambian se ve al instante' },
  connecting: { icon: IconCloud, text: '', hint: 'Conectando…' },
  lost: { icon: IconCloudOff, text: 'Reconectando…', hint: 'Se perdió la conexión con el servidor' },
  offline: { icon: IconCloudOff, text: 'Sin conexión', hint: 'Sin conexión a la red' },
} as const

/** Whether what is on screen follows what others do. */
export function ConnectionSign() {
  const connection = useConnection()
  const online = useOnline()
  // A line that comes back at once is not worth a word.
  const noticed = useNoticeable(connection === 'lost', 3_000)
  const lost = !online || noticed
  const state = STATES[!online ? 'offline' : connection === 'lost' && !noticed ? 'connecting' : connection]
  const Icon = state.icon
  return (
    <span
      className={styles.sign}
      data-state={lost ? 'lost' : undefined}
      title={state.hint}
      role="status"
      aria-label={state.hint}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      {lost && <span className={styles.signText}>{state.text}</span>}
    </span>
  )
}

/** What the person should know about the page itself: no network, a newer version. */
export function Banners() {
  const online = useOnline()
  const lost = useNoticeable(useConnection() === 'lost', 10_000)
  const newer = useNewerVersion()
  return (
    <>
      {(!online || lost) && (
        <div className={styles.banner} data-tone="warning" role="status">
          <IconWifiOff size={16} stroke={1.7} aria-hidden />
          <span>
            {online
              ? 'El servidor no responde. Lo que ve puede no estar al día; se reintenta solo.'
              : 'Sin conexión. Lo que ve puede no estar al día, y por ahora no se puede guardar.'}
          </span>
        </div>
      )}
      {newer && (
        <div className={styles.banner} data-tone="info" role="status">
          <IconRefresh size={16} stroke={1.7} aria-hidden />
          <span>Hay una versión nueva de Maestranza.</span>
          <Button variant="subtle" className={styles.bannerAction} onClick={newer.later}>
            Después
          </Button>
          <Button className={styles.bannerAction} ml={0} onClick={newer.take}>
            Actualizar
          </Button>
        </div>
      )}
    </>
  )
}
