import { showKm, showNumber } from '#contract/base/money.ts'
import { IMPORT_KINDS, type ImportKind, type ImportPreview } from '#contract/imports/imports.ts'
import styles from './import-drawer.module.css'

const MADE: [keyof ImportPreview, string, string][] = [
  ['new_category_count', 'categoría', 'categorías'],
  ['new_unit_count', 'unidad de medida', 'unidades de medida'],
  ['new_brand_count', 'marca', 'marcas'],
  ['new_type_count', 'tipo', 'tipos'],
  ['new_coupled_count', 'acoplado', 'acoplados'],
]

/** What would be made on the way, in words; empty when nothing. */
export const madeWords = (counts: object) =>
  MADE.flatMap(([key, one, many]) => {
    const count = (counts as Record<string, number>)[key] ?? 0
    return count > 0 ? [`${showNumber(count)} ${count === 1 ? one : many}`] : []
  }).join(', ')

/** The dry run: what would happen, before anything does. */
export function Review({ kind, preview }: { kind: ImportKind; preview: ImportPreview }) {
  const { noun } = IMPORT_KINDS[kind]
  const made = madeWords(preview)
  return (
    <>
      <p className={styles.lead}>
        Aún no se ha guardado nada. Al guardar, con {showNumber(preview.row_count)}{' '}
        {preview.row_count === 1 ? noun.one : noun.many}:
      </p>
      <dl className={styles.counts}>
        <Count label="Nuevos" value={preview.new_count} tone="success" />
        <Count label="Cambian" value={preview.updated_count} tone="warning" />
        <Count label="Iguales" value={preview.same_count} tone="slate" />
        <Count label="Con errores" value={preview.wrong_count} tone="danger" />
      </dl>
      {made && <p className={styles.quiet}>También se crearán: {made}.</p>}
      {preview.leaps.length > 0 && (
        <section>
          <h3 className={styles.heading}>Kilometrajes que saltan</h3>
          <ul className={styles.changes}>
            {preview.leaps.map(({ row, value, reason }) => (
              <li key={row}>
                <div className={styles.changeHead}>
                  <span>{showKm(Number(value))}</span>
                  <span className={styles.quiet}>Fila {row}</span>
                </div>
                <div className={styles.quiet}>{reason}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {preview.changes.length > 0 && (
        <section>
          <h3 className={styles.heading}>
            Qué cambia
            {preview.updated_count > preview.changes.length && ` (los primeros ${preview.changes.length})`}
          </h3>
          <ul className={styles.changes}>
            {preview.changes.map(({ row, code, fields }) => (
              <li key={row}>
                <div className={styles.changeHead}>
                  <span className="mono">{code}</span>
                  <span className={styles.quiet}>Fila {row}</span>
                </div>
                {fields.map(({ field, before, after }) => (
                  <div key={field} className={styles.change}>
                    <span className={styles.quiet}>{field}</span>
                    <span>
                      <del>{before || 'vacío'}</del> → <ins>{after || 'vacío'}</ins>
                    </span>
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Count({ label, value, tone }: { label: string; value: number; tone: string }) {
  return (
    <div data-tone={value > 0 ? tone : undefined}>
      <dt>{label}</dt>
      <dd>{showNumber(value)}</dd>
    </div>
  )
}
