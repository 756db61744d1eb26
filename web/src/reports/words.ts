import { showNumber, showShortMoney } from '#contract/base/money.ts'
import type { ReportName } from '#contract/reports/reports.ts'

/** `1 orden`, `12 órdenes` */
export const showCount = (count: number, one: string, many: string) =>
  `${showNumber(count)} ${count === 1 ? one : many}`

/** By how much a figure moved, as a share of what it was or, in points, by the difference; null where it was nothing. */
export const changeOf = (now: number, before: number, points = false) =>
  points ? now - before : before === 0 ? null : (now - before) / before

export const pathOfReport = (name: ReportName) => `/reportes/${name}`

/** Along an axis. */
export const onAxis = (pesos: number) => (pesos === 0 ? '$0' : showShortMoney(pesos))
