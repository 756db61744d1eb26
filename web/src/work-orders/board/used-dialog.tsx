import { Button } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { showAmount } from '#contract/base/units.ts'
import type { PlannedSupply } from '#contract/work-orders/lines.ts'
import styles from '../../ui/confirm-dialog.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { FigureInput } from '../../ui/figure-input.tsx'

export interface Used {
  supply_id: number
  count: number
}

/** Line by line, what was used of what the warehouse kept for the order. */
export const usedDialog =
  (
    code: string,
    kept: PlannedSupply[],
    said: (used: Used[]) => void,
  ): ComponentType<{ answer: (yes: boolean) => void }> =>
  ({ answer }) => {
    const [counts, setCounts] = useState<(number | null)[]>(kept.map(({ reserved }) => reserved))
    const isWrong = (i: number) => (counts[i] ?? 0) > kept[i]!.reserved
    const accept = () => {
      said(kept.flatMap(({ supply_id }, i) => (counts[i] ? [{ supply_id, count: counts[i] }] : [])))
      answer(true)
    }
    return (
      <Dialog opened onClose={() => answer(false)} title={`¿Qué se usó en ${code}?`} size={440} zIndex={400}>
        <div className={styles.message}>
          Estaba apartado para la orden. Lo que no se usó queda en la bodega, disponible para otras.
        </div>
        {kept.map(({ id, name, reserved, unit }, i) => (
          <FigureInput
            key={id}
            label={name}
            description={`Apartado: ${showAmount(reserved, unit)}`}
            mt={12}
            value={counts[i] ?? null}
            onFigure={(count) => setCounts(counts.with(i, count))}
            error={isWrong(i) ? 'Es más de lo que hay apartado.' : undefined}
            decimals={4}
          />
        ))}
        <div className={styles.buttons}>
          <Button variant="subtle" onClick={() => answer(false)}>
            Cancelar
          </Button>
          <Button onClick={accept} disabled={kept.some((_, i) => isWrong(i))} data-autofocus>
            Finalizar
          </Button>
        </div>
      </Dialog>
    )
  }
