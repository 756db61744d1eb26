import { useMediaQuery } from '@mantine/hooks'

/** Where the shell has its bar at the foot. */
export const useIsPhone = () => useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
