import { Button } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import type { Difference } from './merge.ts'
import styles from './order.module.css'

export type Answer = 'merge' | 'overwrite' | undefined

interface ConflictDialogProps {
  code: string
  differences: Difference[]
  onAnswer: (answer: Answer) => void
}

/** Somebody saved meanwhile: what they changed, and the ways on. In none of them is anything typed here lost. */
export function ConflictDialog({ code, differences, onAnswer }: ConflictDialogProps) {
  return (
    <Dialog opened onClose={() => onAnswer(undefined)} title={`Otra persona guardó cambios en ${code}`} size={520}>
      <div className={styles.conflict}>
        {differences.length > 0 && (
          <>
            <p>Cambió:</p>
            <ul>
              {differences.map(({ label, both }) => (
                <li key={label}>
                  {label}
                  {both && <span className={styles.both}> — usted también lo cambió</span>}
                </li>
              ))}
            </ul>
          </>
        )}
        <p>Lo que usted escribió sigue aquí. Puede traer esos cambios y revisar, o guardar lo suyo encima.</p>
        <div className={styles.conflictButtons}>
          <Button variant="subtle" onClick={() => onAnswer(undefined)}>
            Seguir editando
          </Button>
          <Button variant="default" onClick={() => onAnswer('overwrite')}>
            Guardar lo mío encima
          </Button>
          <Button onClick={() => onAnswer('merge')} data-autofocus>
            Traer sus cambios
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
