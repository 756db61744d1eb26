import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from './queries.ts'

/** The workshops of the company share their trucks. */
export const useSharedFleet = () =>
  useQuery(settingsQuery).data?.some(({ name, pivot }) => name === 'shared_fleet' && pivot.setting_value === true) ??
  false
