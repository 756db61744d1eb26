import type { ReactNode } from 'react'
import styles from './reports.module.css'

interface FigureProps {
  name: string
  text: ReactNode
  onOpen?: (() => void) | undefined
}

/** A figure; pressed, it opens the rows it is made of. */
export function Figure({ name, text, onOpen }: FigureProps) {
  if (text === null || text === undefined) return <span className={styles.none}>—</span>
  if (!onOpen) return text
  return (
    <button
      type="button"
      className={styles.figure}
      onClick={onOpen}
      aria-label={`${name}: ${String(text)}. Ver detalle`}
    >
      {text}
    </button>
  )
}
