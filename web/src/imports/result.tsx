import { Button } from '@mantine/core'
import { IconCircleCheck, IconCopy } from '@tabler/icons-react'
import { showNumber } from '#contract/base/money.ts'
import { IMPORT_KINDS, type ImportKind, type ImportResult } from '#contract/imports/imports.ts'
import { say } from '../ui/snackbar.tsx'
import styles from './import-drawer.module.css'
import { madeWords } from './review.tsx'

/** Plain http on a workshop's network has no clipboard of its own. */
async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }
}

export function Result({ kind, result }: { kind: ImportKind; result: ImportResult }) {
  const { noun } = IMPORT_KINDS[kind]
  const made = madeWords(result)
  const copyCode = async () => {
    await copy(result.unique_key)
    say('Código copiado al portapapeles')
  }
  return (
    <div className={styles.result}>
      <IconCircleCheck size={34} stroke={1.5} className={styles.good} aria-hidden />
      <strong className={styles.resultTitle}>Importación lista</strong>
      <p className={styles.quiet}>
        {showNumber(result.new_count)} {result.new_count === 1 ? `${noun.one} nuevo` : `${noun.many} nuevos`},{' '}
        {showNumber(result.updated_count)} {result.updated_count === 1 ? 'actualizado' : 'actualizados'}
        {made && ` y ${made}`}.
      </p>
      <div className={styles.keyBox}>
        <span className={styles.quiet}>Código de la importación</span>
        <output className={styles.key}>{result.unique_key}</output>
        <Button variant="default" leftSection={<IconCopy size={16} stroke={1.7} aria-hidden />} onClick={copyCode}>
          Copiar código
        </Button>
      </div>
      <p className={styles.quiet}>Guárdelo: con este código puede deshacer la importación cuando quiera.</p>
    </div>
  )
}
