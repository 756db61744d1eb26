import { useQuery } from '@tanstack/react-query'
import { useMay } from '../platform/session.ts'
import { settingsQuery } from './queries.ts'

/** The company counts labour. */
export const useLabourCounts = () =>
  useQuery(settingsQuery).data?.some(({ name, pivot }) => name === 'labour_counts' && pivot.setting_value === true) ??
  false

/** And the person may see what it costs. */
export const useSeesLabour = () => {
  const counts = useLabourCounts()
  return useMay('labour.read') && counts
}
