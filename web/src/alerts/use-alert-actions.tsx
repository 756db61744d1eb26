import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type Alert, alerts } from '#contract/alerts/alerts.ts'
import { call } from '../platform/api.ts'
import { confirm } from '../ui/confirm.tsx'
import { lazy } from '../ui/lazy.ts'
import { say } from '../ui/snackbar.tsx'
import { alertsKey } from './queries.ts'

// Brings the calendar along.
const ExecuteDrawer = lazy(() => import('./execute-drawer.tsx'))

/** Executing and deleting, one or many; `dialog` goes beside whatever asked for it. */
export function useAlertActions(onDone: () => void) {
  const client = useQueryClient()
  const [executing, setExecuting] = useState<Alert[]>()

  const remove = async (chosen: Alert[]) => {
    const several = chosen.length > 1
    const sure = await confirm({
      title: several ? `¿Eliminar ${chosen.length} alertas?` : `¿Eliminar la alerta «${chosen[0]?.name}»?`,
      message: 'No se puede deshacer. Los correos ya enviados quedan en el registro.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    try {
      await call(alerts.deleteAlerts, { body: { ids: chosen.map(({ id }) => id) } })
      say(several ? 'Alertas eliminadas correctamente ✅' : 'Alerta eliminada correctamente ✅')
      onDone()
    } catch (error) {
      say('Error al eliminar alertas ⛔️', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      void client.invalidateQueries({ queryKey: alertsKey })
    }
  }

  const dialog = executing && (
    <Suspense fallback={null}>
      <ExecuteDrawer
        chosen={executing}
        onClose={() => setExecuting(undefined)}
        onDone={() => {
          setExecuting(undefined)
          onDone()
        }}
      />
    </Suspense>
  )
  return { execute: setExecuting, remove, dialog }
}
