import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showDni } from '#contract/base/rut.ts'
import type { LikeProvider } from '#contract/providers/providers.ts'
import styles from './duplicates.module.css'
import { likeQuery } from './queries.ts'

const TYPING = 300

/** Who is already there, while name and RUT are being typed. */
export function useDuplicates(name: string, dni: string, except?: number) {
  const [settled] = useDebouncedValue({ name: name.trim(), dni: dni.trim() }, TYPING)
  const asks = settled.name.length > 3 || settled.dni.length > 6
  const found = useQuery({
    ...likeQuery({ ...settled, except }),
    enabled: asks,
    placeholderData: keepPreviousData,
    // A hint that does not come is no reason to stop anybody.
    retry: false,
  }).data
  const shown = asks ? (found ?? []) : []
  return {
    byName: shown.filter((like) => like.because === 'name'),
    byDni: shown.filter((like) => like.because === 'dni'),
  }
}

interface DuplicatesProps {
  of: LikeProvider[]
  because: 'name' | 'dni'
}

/** Under the field: the providers that look the same, each a link. */
export function Duplicates({ of, because }: DuplicatesProps) {
  return (
    <div aria-live="polite">
      {of.length > 0 && (
        <div className={styles.hint}>
          <IconAlertTriangle size={14} stroke={1.9} aria-hidden />
          <div>
            {because === 'dni' ? 'Este RUT ya está en ' : 'Se parece a '}
            {of.map((like, i) => (
              <span key={like.id ?? 'hidden'}>
                {i > 0 && (i === of.length - 1 ? ' y ' : ', ')}
                {like.id === null ? (
                  'otro taller de la empresa'
                ) : (
                  <Link to="/provider/$id" params={{ id: String(like.id) }}>
                    {like.name}
                  </Link>
                )}
                {because === 'name' && like.dni && ` (${showDni(like.dni)})`}
                {like.state === 'inactive' && ', inactivo'}
              </span>
            ))}
            .
          </div>
        </div>
      )}
    </div>
  )
}
