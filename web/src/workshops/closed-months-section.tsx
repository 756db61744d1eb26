import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, showMoment, showMonth } from '#contract/base/dates.ts'
import { months as monthCalls } from '#contract/workshops/months.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import { closedMonthsActivityQuery, closedMonthsQuery } from './queries.ts'
import { SectionHead } from './roster.tsx'

const SHOWN = 18

/** `2026-01`, −1 → `2025-12` */
const monthFrom = (month: string, step: number) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7)
}

/** Up to where nothing may change any more, month by month, and who said so. */
export default function ClosedMonthsSection() {
  const client = useQueryClient()
  const now = dayOf(new Date(), useZone()).slice(0, 7)
  const closed = useQuery(closedMonthsQuery)
  const [pending, setPending] = useState<string>()

  const put = async (month: string, closed_through: string | null, done: string) => {
    setPending(month)
    try {
      client.setQueryData(closedMonthsQuery.queryKey, await call(monthCalls.closeMonths, { body: { closed_through } }))
      say(done)
    } catch (error) {
      say('No se pudo cambiar el cierre', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(undefined)
      // What may be changed is different now, on every screen.
      void client.invalidateQueries()
    }
  }
  const close = async (month: string) => {
    const sure = await confirm({
      title: `¿Cerrar hasta ${showMonth(month)}?`,
      message:
        'Lo de ese mes y de los anteriores ya no cambia: existencias, gastos, facturas y kilometraje. Sus reportes quedan guardados.',
      accept: 'Cerrar',
    })
    if (sure) await put(month, month, `Cerrado hasta ${showMonth(month)} ✅`)
  }
  const reopen = async (month: string) => {
    const sure = await confirm({
      title: `¿Reabrir desde ${showMonth(month)}?`,
      message:
        'Se podrá cambiar lo de ese mes y de los que siguen, y sus reportes con ello; los costos posteriores se recalculan. Queda registrado quién lo hizo.',
      accept: 'Reabrir',
      danger: true,
    })
    if (sure) await put(month, monthFrom(month, -1), `Abierto desde ${showMonth(month)} ✅`)
  }

  const through = closed.data?.closed_through ?? ''
  const months = Array.from({ length: SHOWN }, (_, i) => monthFrom(now, -i))
  return (
    <>
      <SectionHead title="Cierre de meses">
        En un mes cerrado nada cambia: existencias, gastos de órdenes, facturas y kilometraje se fechan después, y sus
        reportes quedan como están. El mes en curso no se cierra.
      </SectionHead>
      {closed.isError ? (
        <ErrorState error={closed.error} onRetry={() => void closed.refetch()} />
      ) : !closed.data ? (
        <ScreenSkeleton />
      ) : (
        <Table
          label="Meses"
          rows={months}
          keyOf={(month) => month}
          columns={[
            { label: 'Mes', grows: true, cell: (month) => showMonth(month) },
            {
              label: 'Estado',
              cell: (month) =>
                month === now ? (
                  <StatusPill tone="info">En curso</StatusPill>
                ) : month <= through ? (
                  <StatusPill tone="slate">Cerrado</StatusPill>
                ) : (
                  <StatusPill tone="success">Abierto</StatusPill>
                ),
            },
            {
              label: 'Acción',
              align: 'end',
              cell: (month) =>
                month === now ? (
                  ''
                ) : month <= through ? (
                  <Button
                    variant="subtle"
                    size="xs"
                    aria-label={`Reabrir desde ${showMonth(month)}`}
                    loading={pending === month}
                    onClick={() => void reopen(month)}
                  >
                    Reabrir desde aquí
                  </Button>
                ) : (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={`Cerrar hasta ${showMonth(month)}`}
                    loading={pending === month}
                    onClick={() => void close(month)}
                  >
                    Cerrar hasta aquí
                  </Button>
                ),
            },
          ]}
        />
      )}
      <History />
    </>
  )
}

const SAID: Record<string, string> = { closed: 'cerró hasta', reopened: 'reabrió: quedó cerrado hasta' }

function History() {
  const zone = useZone()
  const activity = useQuery(closedMonthsActivityQuery).data
  if (!activity?.length) return null
  const through = (month: unknown) => (typeof month === 'string' ? showMonth(month) : 'ningún mes')
  return (
    <>
      <SectionHead title="Quién cerró y reabrió">Lo más reciente primero.</SectionHead>
      <Table
        label="Cierres y reaperturas"
        rows={activity}
        keyOf={(line) => line.id}
        columns={[
          { label: 'Cuándo', cell: (line) => showMoment(line.at, zone) },
          {
            label: 'Qué',
            grows: true,
            cell: (line) =>
              `${line.user_name ?? 'Sistema'} ${SAID[line.action] ?? SAID.closed} ${through(line.changes.closed_through?.[1])}`,
          },
        ]}
      />
    </>
  )
}
