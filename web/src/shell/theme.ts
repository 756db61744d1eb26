import { useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { preferencesQuery } from '../platform/session.ts'

/** The theme, here and now, and in the person's own preferences for their other browsers. */
export function useTheme() {
  const { setColorScheme } = useMantineColorScheme()
  const client = useQueryClient()
  return (theme: 'dark' | 'light') => {
    setColorScheme(theme)
    void client
      .fetchQuery(preferencesQuery)
      .then((preferences) => call(identity.updatePreferences, { body: { ...preferences, theme } }))
      .then((preferences) => client.setQueryData(preferencesQuery.queryKey, preferences))
      // Without a connection it holds for this browser only.
      .catch(() => {})
  }
}
