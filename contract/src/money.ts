/** Amounts and quantities as people in Chile read them. */

const whole = new Intl.NumberFormat('es-CL', { maximumFractionDigits: 0, useGrouping: true })

/** `1234567` → `1.234.567` */
export const showNumber = (n: number) => whole.format(n)
/** `$1.234.567` */
export const showMoney = (pesos: number) => (pesos < 0 ? `-$${showNumber(-pesos)}` : `$${showNumber(pesos)}`)
/** `182.340 km` */
export const showKm = (km: number) => `${showNumber(km)} km`
