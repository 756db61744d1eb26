import { Button, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { useMe, useZone } from '../platform/session.ts'
import { say } from '../ui/snackbar.tsx'
import { identityKey, sessionsQuery } from '../workshops/queries.ts'
import styles from '../workshops/section.module.css'
import { deviceOf } from './device.ts'

/** Where somebody is logged in, and a way to end it. */
export function SessionList({ user }: { user: number }) {
  const zone = useZone()
  const client = useQueryClient()
  const own = useMe().id === user
  const [withKeys, setWithKeys] = useState(false)
  const sessions = useQuery({ ...sessionsQuery(user), retry: false })
  const end = async (ending: Promise<unknown>, done: string) => {
    try {
      await ending
      say(done)
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
                {session.current ? 'Esta sesión' : `Usada el ${showMoment(session.last_seen_at, zone)}`} ·{' '}
                {session.address}
              </span>
            </div>
            {!session.current && (
              <Button
                variant="default"
                size="xs"
                onClick={() => void end(call(identity.endSession, { params: { id: session.id } }), 'Sesión cerrada')}
              >
                Cerrar<span className="only-read-aloud"> sesión de {deviceOf(session.agent)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {own && sessions.data.length > 1 && (
        <div className={styles.endOthers}>
          <Switch
            label="Eliminar también mis claves de API"
            checked={withKeys}
            onChange={(event) => setWithKeys(event.currentTarget.checked)}
          />
          <Button
            variant="default"
            onClick={() =>
              void end(
                call(identity.endOtherSessions, { query: { end_api_tokens: withKeys ? 'true' : 'false' } }),
                'Las demás sesiones se cerraron',
              )
            }
          >
            Cerrar las demás
          </Button>
        </div>
      )}
    </section>
  )
}
