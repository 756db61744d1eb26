import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { oidc } from '#contract/identity/oidc.ts'
import { call } from '../platform/api.ts'
import { useMe } from '../platform/session.ts'
import { say } from '../ui/snackbar.tsx'
import { identityKey } from '../workshops/queries.ts'
import section from '../workshops/section.module.css'
import { goToProvider } from './entry.ts'
import styles from './factors.module.css'

/** The account of the company's identity provider; nothing where the company has none. */
export function OwnLink() {
  const me = useMe()
  const client = useQueryClient()
  const own = useQuery({
    queryKey: [...identityKey, 'own-link'],
    queryFn: ({ signal }) => call(oidc.ownLink, { signal }),
  })
  if (!own.data?.label) return null
  const act = async (work: Promise<unknown>, done?: string) => {
    try {
      await work
      if (done) say(done)
    } catch (error) {
      say('No se pudo cambiar la cuenta', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    }
    void client.invalidateQueries({ queryKey: identityKey })
  }
  return (
    <section className={section.card} aria-label="Cuenta de la empresa">
      <h3>Cuenta de la empresa</h3>
      <p className={styles.text}>
        {own.data.linked
          ? `Puede entrar con «${own.data.label}».`
          : `Vincule su cuenta para entrar con «${own.data.label}», sin contraseña.`}
      </p>
      <div className={styles.buttons}>
        {own.data.linked ? (
          <Button variant="default" onClick={() => void act(call(oidc.removeLink), 'Cuenta desvinculada')}>
            Desvincular
          </Button>
        ) : (
          <Button onClick={() => void act(goToProvider('link', me.company_id))}>Vincular mi cuenta</Button>
        )}
      </div>
    </section>
  )
}
