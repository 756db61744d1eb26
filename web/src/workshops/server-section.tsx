import { useQuery } from '@tanstack/react-query'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { serverQuery } from './queries.ts'
import styles from './section.module.css'

/** The server that the product runs on, as far as its administrators have to care. */
export default function ServerSection() {
  const server = useQuery(serverQuery)
  return (
    <>
      <header className={styles.head}>
        <h2>Servidor</h2>
        <p>Lo que conviene saber a quien mantiene Maestranza en marcha.</p>
      </header>
      {server.isError ? (
        <ErrorState error={server.error} onRetry={() => void server.refetch()} />
      ) : server.data ? (
        <section className={styles.card} aria-label="Base de datos">
          <h3>Base de datos</h3>
          <p className={styles.hint}>
            PostgreSQL {server.data.database.version},{' '}
            {server.data.database.embedded
              ? 'el incluido: sus correcciones llegan con cada versión de Maestranza.'
              : 'propio: sus correcciones las instala quien cuida ese servidor.'}
          </p>
          {server.data.database.message && (
            <p className={styles.warning} role="status">
              {server.data.database.message}
            </p>
          )}
        </section>
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}
