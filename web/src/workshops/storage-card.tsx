import { useQuery } from '@tanstack/react-query'
import { showBytes } from '#contract/base/bytes.ts'
import { isStorageLow } from '#contract/workshops/company.ts'
import { storageQuery } from './queries.ts'
import styles from './section.module.css'

/** How much room photos, documents, signatures and the logo take. */
export function StorageCard() {
  const storage = useQuery(storageQuery).data
  if (!storage) return null
  const { used, quota } = storage
  return (
    <section className={styles.card} aria-label="Archivos">
      <h3>Archivos</h3>
      <p className={styles.hint}>
        Fotos, documentos y firmas usan {showBytes(used)}
        {quota === null ? '' : ` de ${showBytes(quota)}`}. Lo que se elimina sigue ocupando espacio hasta que el
        servidor lo borra, semanas después.
      </p>
      {quota !== null && isStorageLow(storage) && (
        <p className={styles.warning} data-full={used >= quota || undefined} role="status">
          {used >= quota
            ? 'No queda espacio: no se pueden subir fotos, documentos ni firmas. Pida más a quien administra Maestranza.'
            : 'Queda poco espacio. Pida más a quien administra Maestranza antes de que se acabe.'}
        </p>
      )}
    </section>
  )
}
