import styles from './mark.module.css'

/** The sign of the house: a hexagonal nut whose opening is an M. */
export function Mark({ size }: { size: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden role="presentation">
      <rect className={styles.ground} width="32" height="32" rx="8" />
      <path
        className={styles.nut}
        d="M16 4.5 25.96 10.25V21.75L16 27.5 6.04 21.75V10.25ZM10.6 11.2V20.8H13.3V15.6L16 19.1 18.7 15.6V20.8H21.4V11.2H18.9L16 15.1 13.1 11.2Z"
      />
    </svg>
  )
}
