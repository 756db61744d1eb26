import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { showMoment } from '#contract/base/dates.ts'
import { identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { say } from '../ui/snackbar.tsx'
import { identityKey, sessionsQuery } from '../workshops/queries.ts'
import styles from '../workshops/section.module.css'

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'Mac'],
  [/Linux/, 'Linux'],
]
const known = (names: [RegExp, string][], agent: string) => names.find(([sign]) => sign.test(agent))?.[1]
const deviceOf = (agent: string) =>
  [known(BROWSERS, agent), known(SYSTEMS, agent)].filter(Boolean).join(' en ') || 'Otro programa'

/** Where somebody is logged in, and a way to end it. */
export function SessionList({ user }: { user: number }) {
  const zone = useZone()
  const client = useQueryClient()
  const sessions = useQuery({ ...sessionsQuery(user), retry: false })
  const end = async (id: number) => {
    try {
      await call(identity.endSession, { params: { id } })
      say('Sesión cerrada')
    } catch (error) {
      say('No se pudo cerrar la sesión', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
    void client.invalidateQueries({ queryKey: identityKey })
  }
  if (sessions.isError) return <p className={styles.quiet}>{sessions.error.message}</p>
  if (!sessions.data) return null
  return (
    <section aria-label="Sesiones abiertas">
      <h3 className={styles.sessionsTitle}>Sesiones abiertas</h3>
      {sessions.data.length === 0 && <p className={styles.quiet}>Ninguna.</p>}
      <ul className={styles.sessions}>
        {sessions.data.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{deviceOf(session.agent)}</strong>
              <span className={styles.quiet}>
                {session.current ? 'Esta sesión' : showMoment(session.last_seen_at, zone)} · {session.address}
              </span>
            </div>
            {!session.current && (
              <Button variant="default" size="xs" onClick={() => void end(session.id)}>
                Cerrar<span className="only-read-aloud"> sesión de {deviceOf(session.agent)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
