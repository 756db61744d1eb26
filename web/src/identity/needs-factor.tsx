import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { factors } from '#contract/identity/factors.ts'
import { call, gates } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { closeSession, meQuery, useCompany } from '../platform/session.ts'
import { Mark } from '../ui/mark.tsx'
import { identityKey } from '../workshops/queries.ts'
import styles from './factors.module.css'
import { Factors } from './factors.tsx'

/** In place of everything, until the session has shown the second factor that the company asks of the role. */
export default function NeedsFactor() {
  useDocumentTitle('Segundo factor · Maestranza')
  const company = useCompany()
  const navigate = useNavigate()
  const own = useQuery({
    queryKey: [...identityKey, 'factors'],
    queryFn: ({ signal }) => call(factors.listFactors, { signal }),
  })
  // Once begun, adding one is ended here: its recovery codes are still to be seen.
  const adding = useRef(false)
  if (own.data?.total === 0) adding.current = true
  const has = !adding.current && own.data !== undefined
  const show = async () => {
    if (await gates.confirm()) await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <main className={styles.page}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Mark size={32} />
          <span>Maestranza</span>
          <Button variant="subtle" onClick={() => void closeSession(() => navigate({ to: '/login', search: {} }))}>
            Salir
          </Button>
        </div>
        <h1>Falta su segundo factor</h1>
        <p className={styles.text}>
          {company.name} pide a su rol algo más que la contraseña.{' '}
          {has ? 'Muéstrelo para continuar.' : 'Active uno para continuar.'}
        </p>
        {has ? (
          <div className={styles.buttons}>
            <Button onClick={() => void show()}>Mostrar segundo factor</Button>
          </div>
        ) : (
          own.data && <Factors />
        )}
      </div>
    </main>
  )
}
