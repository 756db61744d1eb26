import { showQuantity } from './money.ts'

const MEGABYTE = 1e6
/** As disks are sold: a thousand million bytes. */
export const GIGABYTE = 1e9

/** `16,2 GB`, `340 MB` */
export const showBytes = (bytes: number) =>
  bytes < GIGABYTE
    ? `${showQuantity(Math.round(bytes / MEGABYTE))} MB`
    : `${showQuantity(Math.round((bytes / GIGABYTE) * 10) / 10)} GB`
