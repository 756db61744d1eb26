import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { dataFromQuery } from './queries.ts'

export const NOT_COMPARABLE = 'Sin datos comparables'

/** Whether the compared period is covered by data from its first day; `undefined` until that is known. */
const Covered = createContext<boolean | undefined>(true)

interface ComparableProps {
  /** The first day of the period that the figures inside are compared with. */
  since: string | undefined
  workshops: number[] | undefined
  children: ReactNode
}

/** Figures inside are not measured by a period of which only a part was recorded. */
export function Comparable({ since, workshops, children }: ComparableProps) {
  const begins = useQuery(dataFromQuery(workshops)).data
  const isCovered = begins === undefined ? undefined : since === undefined || (begins !== null && begins <= since)
  return <Covered value={isCovered}>{children}</Covered>
}

export const useComparable = () => use(Covered)

/** The first day of what a report is compared with, which may be years. */
export function comparedSince(data: unknown): string | undefined {
  const before = typeof data === 'object' && data !== null && 'before' in data ? data.before : undefined
  const from = typeof before === 'object' && before !== null && 'from' in before ? before.from : undefined
  return typeof from === 'number' ? `${from}-01-01` : typeof from === 'string' ? from : undefined
}
