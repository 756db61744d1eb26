import { sql } from 'drizzle-orm'
import { wholeAt } from '../platform/database/columns.ts'

/** Lists beside each other as the database sends them: trucks and supplies, four bytes each; counts and amounts, eight. */
export interface Taken {
  pairs: Buffer
  counts: Buffer
  amounts: Buffer
}

/** Rows of truck_id, supply_id, count, in ten-thousandths, and amount, as such lists. */
export const TAKEN = sql`string_agg(int4send(truck_id::int) || int4send(supply_id::int), '') as pairs,
  string_agg(int8send(count), '') as counts, string_agg(int8send(amount), '') as amounts`

const viewOf = (bytes: Buffer) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/**
 * What trucks took of supplies, added up by both. There may be hundreds of thousands: a table of their places in bare lists,
 * because as many objects, or a Map of Maps, keep the collector of garbage busy for longer than adding takes.
 */
export class TakenSums {
  size = 0
  trucks = new Int32Array(1 << 12)
  supplies = new Int32Array(1 << 12)
  /** Ten-thousandths, and so whole. */
  counts = new Float64Array(1 << 12)
  amounts = new Float64Array(1 << 12)
  /** Where each is, counted from 1: twice as many as fit, so that some are always empty. */
  #places = new Int32Array(1 << 13)

  add({ pairs, counts, amounts }: Taken, isCounted: (truck: number) => boolean) {
    const [both, count, amount] = [viewOf(pairs), viewOf(counts), viewOf(amounts)]
    let [last, isLast] = [0, false]
    for (let at = 0; at < pairs.length; at += 8) {
      const truck = both.getInt32(at)
      if (truck !== last) [last, isLast] = [truck, isCounted(truck)]
      if (!isLast) continue
      const place = this.#placeOf(truck, both.getInt32(at + 4))
      this.counts[place]! += wholeAt(count, at)
      this.amounts[place]! += wholeAt(amount, at)
    }
  }

  #placeOf(truck: number, supply: number) {
    const slot = this.#slotOf(truck, supply)
    if (this.#places[slot]! > 0) return this.#places[slot]! - 1
    const place = this.size++
    this.trucks[place] = truck
    this.supplies[place] = supply
    this.#places[slot] = this.size
    if (this.size === this.trucks.length) this.#grow()
    return place
  }

  #slotOf(truck: number, supply: number) {
    const last = this.#places.length - 1
    const mixed = Math.imul(Math.imul(truck, 0x9e3779b1) ^ supply, 0x85ebca6b)
    let slot = (mixed ^ (mixed >>> 15)) & last
    for (let place = this.#places[slot]!; place > 0; place = this.#places[slot]!) {
      if (this.trucks[place - 1] === truck && this.supplies[place - 1] === supply) break
      slot = (slot + 1) & last
    }
    return slot
  }

  #grow() {
    const twice = <L extends Int32Array | Float64Array>(list: L, longer: L) => {
      longer.set(list)
      return longer
    }
    const length = this.size * 2
    this.trucks = twice(this.trucks, new Int32Array(length))
    this.supplies = twice(this.supplies, new Int32Array(length))
    this.counts = twice(this.counts, new Float64Array(length))
    this.amounts = twice(this.amounts, new Float64Array(length))
    this.#places = new Int32Array(length * 2)
    for (let place = 0; place < this.size; place++)
      this.#places[this.#slotOf(this.trucks[place]!, this.supplies[place]!)] = place + 1
  }
}
