import { Button } from '@mantine/core'
import { showNumber } from '#contract/base/money.ts'
import { MAX_PER_PAGE } from '#contract/base/wire.ts'
import styles from './reports.module.css'

interface MoreRowsProps {
  shown: number
  total: number
  busy: boolean
  onMore: () => void
}

/** More of a long list, up to where a spreadsheet serves better. */
export function MoreRows({ shown, total, busy, onMore }: MoreRowsProps) {
  if (shown >= total) return null
  return (
    <div className={styles.more}>
      <span>
        {showNumber(shown)} de {showNumber(total)}
      </span>
      {shown < MAX_PER_PAGE ? (
        <Button variant="default" size="xs" loading={busy} onClick={onMore}>
          Ver más
        </Button>
      ) : (
        <span>El resto está en el Excel.</span>
      )}
    </div>
  )
}
