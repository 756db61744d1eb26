import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { type Period, periodOf, yearsOf } from '#contract/reports/periods.ts'
import { MonthsQuery, type ReportFilter, ReportQuery } from '#contract/reports/reports.ts'
import { readListQuery } from '../frames/list-query.ts'
import { useWorkshop, useZone } from '../platform/session.ts'
import { keep, recall } from '../platform/storage.ts'

export interface Filters extends ReportFilter {
  BetweenYear?: string | undefined
}

const isSet = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
const schemas = { days: ReportQuery, years: MonthsQuery }

/** What was last asked for. A range of days is remembered for the day it was chosen on: tomorrow it is this month again. */
function recallFilters(today: string): Filters {
  try {
    const { on, filter } = JSON.parse(recall('list.reports') ?? '') as { on: string; filter: Filters }
    return on === today ? filter : { Truck: filter.Truck, WorkshopId: filter.WorkshopId }
  } catch {
    return {}
  }
}

/** The filters of a report: in the address, remembered from one report to the next. */
export function useReportFilters(kind: keyof typeof schemas) {
  const navigate = useNavigate()
  const workshop = useWorkshop()
  const today = dayOf(new Date(), useZone())
  const search = useSearch({ strict: false }) as { filter?: unknown }
  const isAsked = search.filter !== undefined
  const remembered = recallFilters(today)
  const read = (filter: unknown) => readListQuery(schemas[kind], { filter }).filter as Filters
  const filter = read(isAsked ? search.filter : remembered)

  const write = (next: Filters, replace: boolean) => {
    const other =
      kind === 'days'
        ? { BetweenYear: remembered.BetweenYear }
        : { BetweenDate: remembered.BetweenDate, CompareDate: remembered.CompareDate }
    keep('list.reports', JSON.stringify({ on: today, filter: { ...other, ...next } }))
    const some = Object.values(next).some(isSet) ? next : undefined
    void navigate({ to: '.', search: (now) => ({ ...now, filter: some }), replace })
  }
  const isRecalled = !isAsked && Object.values(filter).some(isSet)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the address says nothing
  useEffect(() => {
    if (isRecalled) write(filter, true)
  }, [isRecalled])

  const inUse = workshop.id === undefined ? undefined : [workshop.id]
  const range: Period = periodOf(filter.BetweenDate, today)
  return {
    today,
    filter,
    range,
    years: yearsOf(filter.BetweenYear, today),
    /** What the server is asked: the workshop of the header where the address names none. */
    asked: { ...filter, WorkshopId: filter.WorkshopId?.length ? filter.WorkshopId : inUse } as Filters,
    change: (next: Filters) => write(next, false),
    active: [
      filter.BetweenDate,
      filter.CompareDate,
      filter.BetweenYear,
      filter.Truck,
      workshop.mayChoose ? filter.WorkshopId : undefined,
    ].filter(isSet).length,
  }
}
export type ReportFilters = ReturnType<typeof useReportFilters>

export const showPeriod = ({ from, to }: Period) => (from === to ? showDay(from) : `${showDay(from)} – ${showDay(to)}`)
