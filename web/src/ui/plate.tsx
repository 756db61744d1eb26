import styles from './plate.module.css'

interface PlateProps {
  /** As people write it, parts separated by `·`. */
  text: string
  size?: 'sm' | 'lg'
}

/** A licence plate, as it looks on the road. */
export function Plate({ text, size = 'sm' }: PlateProps) {
  const parts = text.split('·')
  return (
    <span className={styles.plate} data-size={size}>
      <span className={styles.text}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a plate never move
          <span key={index}>
            {index > 0 && <span className={styles.dot}>·</span>}
            {part}
          </span>
        ))}
      </span>
      {size === 'lg' && (
        <span className={styles.country} aria-hidden>
          CHILE
        </span>
      )}
    </span>
  )
}
