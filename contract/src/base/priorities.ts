/** How urgent an order is: of work or of purchase. */
export const PRIORITIES = {
  high: { label: 'Alta', level: 3 },
  medium: { label: 'Media', level: 2 },
  low: { label: 'Baja', level: 1 },
} as const
export type Priority = keyof typeof PRIORITIES
export const PRIORITY_NAMES = Object.keys(PRIORITIES) as [Priority, ...Priority[]]
