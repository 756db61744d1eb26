import { Button } from '@mantine/core'
import { Dialog } from '../ui/dialog.tsx'
import { saveFile } from '../ui/save-file.ts'
import styles from './factors.module.css'

/** Shown once: whoever loses the telephone comes in with one of these. */
export default function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const save = () =>
    saveFile(
      new Blob([`Códigos de recuperación de Maestranza. Cada uno sirve una vez.\n\n${codes.join('\n')}\n`], {
        type: 'text/plain;charset=utf-8',
      }),
      'maestranza-codigos-de-recuperacion.txt',
    )
  return (
    <Dialog opened onClose={onClose} title="Códigos de recuperación" size={480} closeOnClickOutside={false}>
      <div className={styles.stack}>
        <p className={styles.text}>
          Con uno de estos entra si pierde su teléfono o su llave; cada uno sirve una vez. Guárdelos ahora: no se
          muestran de nuevo.
        </p>
        <ul className={styles.codes} aria-label="Códigos">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={styles.end}>
          <Button variant="default" onClick={save}>
            Descargar
          </Button>
          <Button onClick={onClose}>Ya los guardé</Button>
        </div>
      </div>
    </Dialog>
  )
}
