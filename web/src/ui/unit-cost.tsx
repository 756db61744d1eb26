import { showCost, showMoney } from '#contract/base/money.ts'

/** What one unit costs, in whole pesos; to the ten-thousandth for those who rest the pointer on it. */
export const UnitCost = ({ value }: { value: number | null }) => <span title={showCost(value)}>{showMoney(value)}</span>
