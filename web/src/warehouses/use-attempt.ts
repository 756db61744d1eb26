import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { say } from '../ui/snackbar.tsx'
import { warehousesKey } from './queries.ts'

/** Runs a call, and says what went wrong. */
export function useAttempt() {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const attempt = async <T>(act: () => Promise<T>, failed: string): Promise<T | undefined> => {
    setPending(true)
    try {
      return await act()
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
      return undefined
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: warehousesKey })
    }
  }
  return { attempt, isPending }
}
