import { Button } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import Pad from 'signature_pad'
import styles from './signature.module.css'

const INK = 'rgb(18, 24, 38)'

/** Ink on white, in either theme: it is printed so. Hands over a PNG, or nothing while the box is empty. */
export function SignaturePad({ onChange }: { onChange: (image: string | undefined) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<Pad>(undefined)
  const [isEmpty, setEmpty] = useState(true)
  const latest = useRef(onChange)
  latest.current = onChange

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const made = new Pad(element, { penColor: INK, minWidth: 0.9, maxWidth: 2.6 })
    pad.current = made
    /** A turned tablet changes the box: what was drawn is drawn again. */
    const resize = () => {
      const ratio = Math.min(window.devicePixelRatio || 1, 2)
      const strokes = made.toData()
      element.width = element.offsetWidth * ratio
      element.height = element.offsetHeight * ratio
      element.getContext('2d')?.scale(ratio, ratio)
      made.clear()
      if (strokes.length > 0) made.fromData(strokes)
    }
    resize()
    const drawn = () => {
      setEmpty(made.isEmpty())
      latest.current(made.isEmpty() ? undefined : made.toDataURL('image/png'))
    }
    made.addEventListener('endStroke', drawn)
    const resized = new ResizeObserver(resize)
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.removeEventListener('endStroke', drawn)
      made.off()
    }
  }, [])

  const clear = () => {
    pad.current?.clear()
    setEmpty(true)
    onChange(undefined)
  }
  return (
    <div className={styles.box}>
      <canvas ref={canvas} className={styles.canvas} aria-label="Recuadro para firmar" role="img" />
      {isEmpty && (
        <span className={styles.hint} aria-hidden>
          Firme aquí con el dedo, lápiz o mouse
        </span>
      )}
      <Button
        variant="subtle"
        size="xs"
        className={styles.clear}
        leftSection={<IconEraser size={14} stroke={1.7} />}
        disabled={isEmpty}
        onClick={clear}
      >
        Borrar
      </Button>
    </div>
  )
}
