import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ROLES, type Role } from '#contract/base/permissions.ts'
import { identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { safePath } from '../platform/safe-path.ts'
import { openSession } from '../platform/session.ts'
import { say } from '../ui/snackbar.tsx'
import styles from './login.module.css'
import { demoEntriesQuery } from './queries.ts'

/** One button for each role, without a password, while the demonstration is public. */
export function DemoEntries({ next }: { next: unknown }) {
  const router = useRouter()
  const entries = useQuery(demoEntriesQuery).data
  const [entering, setEntering] = useState<Role>()
  if (!entries || entries.data.length === 0) return null
  const enter = async (role: Role) => {
    setEntering(role)
    try {
      const { user, ...session } = await call(identity.enterDemo, { body: { role } })
      openSession(session, user)
      router.history.replace(safePath(next))
    } catch (error) {
      setEntering(undefined)
      say('No se pudo entrar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  return (
    <section className={styles.demo} aria-label="Entrar a la demostración">
      <h2 className={styles.part}>O entre a la demostración</h2>
      <p className={styles.hint}>Sin contraseña y con datos inventados: no escriba datos reales.</p>
      <ul className={styles.roles}>
        {entries.data.map(({ role, name }) => (
          <li key={role}>
            <Button
              variant="default"
              fullWidth
              justify="space-between"
              className={styles.role}
              loading={entering === role}
              disabled={entering !== undefined && entering !== role}
              rightSection={<span className={styles.person}>{name}</span>}
              onClick={() => void enter(role)}
            >
              {ROLES[role].label}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
