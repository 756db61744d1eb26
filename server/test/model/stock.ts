import { documentAmounts, lineAmounts, taxOf } from '#contract/base/money.ts'
import { Corrections } from './corrections.ts'
import { beginOf, dayOf, endOf } from './days.ts'
import { Ledger, type Movement, type NewMovement, plain, scaled, times, unitOf } from './ledger.ts'
import type { Months } from './months.ts'
import type { Line, Operation, Rule } from './operations.ts'

/* Documents of the warehouse: what each moves, when, and what it says in pesos. */

export interface Paper {
  id: number
  kind: 'entry' | 'exit' | 'return' | 'provider-return' | 'note' | 'transfer' | 'loss'
  warehouse: number
  date: string
  provider: number | null
  /** A purchase, a note of one or a return of one: it counts in what was bought, with this sign. */
  bought: 0 | 1 | -1
  /** The document whose goods go back, or whose price a note changes. */
  of: number | null
  /** The other document of a transfer, or the write-off of a receipt: they are undone together. */
  beside: number | null
  voided: boolean
  /** The day on which a document of a closed month was voided. */
  takenBack: string | null
  cash: boolean
  lines: PaperLine[]
}
export interface PaperLine {
  supply: number
  quantity: number
  tax: '19' | '21' | 'exempt'
  /** A note says an amount and no price. */
  net: number | null
  /** The price that was typed; null if its movement says what it cost. */
  unit_cost: number | null
}
type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>

export class Stock {
  readonly ledger: Ledger
  readonly papers = new Map<number, Paper>()
  readonly #broken: ReadonlySet<Rule>
  readonly #months: Months
  readonly #corrections: Corrections

  constructor(months: Months, broken: ReadonlySet<Rule>) {
    this.#months = months
    this.#broken = broken
    this.ledger = new Ledger(broken)
    this.#corrections = new Corrections(this.ledger, this.papers)
  }

  /** Entries of a past day come first on it, exits last; of today they come when they were typed. */
  #momentOf({ at, date }: { at: number; date: string }, isEntry: boolean) {
    if (date === dayOf(at)) return at
    return isEntry ? beginOf(date) : endOf(date) - 1
  }

  #file(
    paper: Omit<Paper, 'voided' | 'takenBack' | 'cash' | 'beside' | 'of' | 'provider' | 'bought'> & Partial<Paper>,
  ) {
    this.papers.set(paper.id, {
      voided: false,
      takenBack: null,
      cash: false,
      beside: null,
      of: null,
      provider: null,
      bought: 0,
      ...paper,
    })
  }
  #unpriced = (lines: Line[], tax: PaperLine['tax'] = 'exempt'): PaperLine[] =>
    lines.map(({ supply, quantity }) => ({ supply, quantity, tax, net: null, unit_cost: null }))

  /** `isLate`: it changed what something before it costs. `adjustments`: those of today that it booked. */
  apply(op: Operation) {
    const added = this.#movementsOf(op)
    const isLate = added.length > 0 && this.ledger.add(added).late
    return { isLate, adjustments: added.filter(({ worth }) => worth.by === 'adjustment') }
  }

  #movementsOf(op: Operation): NewMovement[] {
    switch (op.kind) {
      case 'entry':
        return this.#entry(op)
      case 'exit':
        return this.#exit(op)
      case 'return':
        return this.#return(op)
      case 'provider-return':
        return this.#providerReturn(op)
      case 'note':
        return this.#note(op)
      case 'void':
        return this.#void(op)
      case 'transfer': {
        const at = op.at
        const out = op.lines.map((line) => this.#move(op.from, line, -1n, { at, document: op.exit }))
        const exits = this.ledger.add(out).made
        const lines = this.#unpriced(op.lines)
        this.#file({ id: op.exit, kind: 'transfer', warehouse: op.from, date: dayOf(at), lines, beside: op.entry })
        this.#file({ id: op.entry, kind: 'transfer', warehouse: op.to, date: dayOf(at), lines, beside: op.exit })
        return op.lines.map((line, i) => ({
          ...this.#move(op.to, line, 1n, { at, document: op.entry }),
          worth: { by: 'arrival', exit: exits[i]!, part: scaled(line.quantity) },
        }))
      }
      case 'send': {
        const lines = this.#unpriced(op.lines)
        this.#file({ id: op.id, kind: 'transfer', warehouse: op.warehouse, date: dayOf(op.at), lines })
        return op.lines.map((line) => this.#move(op.warehouse, line, -1n, { at: op.at, document: op.id }))
      }
      case 'receive':
        return this.#receive(op)
      case 'count':
        return this.#count(op)
      default:
        return []
    }
  }

  #move(
    warehouse: number,
    { supply, quantity }: Line,
    sign: 1n | -1n,
    { at, document, exit = null }: { at: number; document: number; exit?: number | null },
  ): NewMovement {
    const worth = { by: 'average' } as const
    return { at, warehouse, supply, quantity: sign * scaled(quantity), worth, document, order: null, exit }
  }

  #entry(op: Of<'entry'>) {
    const at = this.#momentOf(op, true)
    const lines = op.lines.map((line) => ({ ...line, net: null }))
    const { id, warehouse, date, provider, cash } = op
    this.#file({ id, kind: 'entry', warehouse, date, provider, cash, bought: op.bought ? 1 : 0, lines })
    return op.lines.map(
      (line): NewMovement => ({
        ...this.#move(warehouse, line, 1n, { at, document: id }),
        worth: { by: 'price', value: times(scaled(line.quantity), scaled(line.unit_cost)) },
      }),
    )
  }

  #exit(op: Of<'exit'>) {
    const { id, warehouse, date } = op
    const at = this.#momentOf(op, false)
    this.#file({ id, kind: 'exit', warehouse, date, lines: this.#unpriced(op.lines) })
    return op.lines.map((line) => this.#move(warehouse, line, -1n, { at, document: id, exit: id }))
  }

  #return(op: Of<'return'>) {
    const { id, warehouse, date, of } = op
    this.#file({ id, kind: 'return', warehouse, date, of, lines: this.#unpriced(op.lines, '19') })
    return op.lines.map((line): NewMovement => {
      const left = this.ledger.ofDocument(of).find(({ supply, quantity }) => supply === line.supply && quantity < 0n)!
      const at = Math.max(left.at, this.#momentOf(op, true))
      return { ...this.#move(warehouse, line, 1n, { at, document: id, exit: of }), worth: { by: 'exit' } }
    })
  }

  /** Leaves at what its entry cost, notes included; an adjustment before it keeps the rest at what it was worth. */
  #providerReturn(op: Of<'provider-return'>) {
    const { id, warehouse, date, of } = op
    const bought = this.papers.get(of)!
    const at = this.#momentOf(op, false)
    const priced = op.lines.map((line) => {
      const own = bought.lines.find(({ supply }) => supply === line.supply)!
      const noted = this.#standingNotes(of).flatMap(({ bought, lines }) =>
        lines.filter(({ supply }) => supply === line.supply).map(({ net }) => scaled(net! * bought)),
      )
      const sum = noted.reduce((all, one) => all + one, 0n)
      const unit = scaled(own.unit_cost!) + (sum === 0n ? 0n : unitOf(sum, scaled(own.quantity)))
      return { line, unit, value: times(scaled(line.quantity), unit) }
    })
    const lines = priced.map(
      ({ line, unit }): PaperLine => ({ ...line, tax: 'exempt', net: null, unit_cost: plain(unit) }),
    )
    const { provider } = bought
    this.#file({ id, kind: 'provider-return', warehouse, date, provider, bought: bought.bought ? -1 : 0, of, lines })
    const own = { at, document: id }
    const settles = priced.map(
      ({ line, value }): NewMovement => ({
        ...this.#move(warehouse, line, -1n, own),
        quantity: 0n,
        worth: { by: 'settle', quantity: -scaled(line.quantity), value: -value },
      }),
    )
    const exits = priced.map(
      ({ line, value }): NewMovement => ({
        ...this.#move(warehouse, line, -1n, own),
        worth: { by: 'price', value: -value },
      }),
    )
    return [...settles, ...exits]
  }

  #standingNotes = (of: number) =>
    [...this.papers.values()].filter((paper) => paper.kind === 'note' && paper.of === of && !paper.voided)

  /** Another price, at the moment of the entry. */
  #note(op: Of<'note'>) {
    const entry = this.papers.get(op.of)!
    const { warehouse, provider } = entry
    const lines = op.lines.map(({ supply, amount }): PaperLine => {
      const { quantity, tax } = entry.lines.find((line) => line.supply === supply)!
      return { supply, quantity, tax, net: amount, unit_cost: null }
    })
    this.#file({ id: op.id, kind: 'note', warehouse, date: op.date, provider, bought: op.sign, of: op.of, lines })
    const own = op.lines.map(({ supply, amount }): NewMovement => {
      const came = this.#cameWith(op.of, supply)
      const value = this.#broken.has('price note') ? 0n : BigInt(op.sign) * scaled(amount)
      return {
        ...this.#move(warehouse, { supply, quantity: 0 }, 1n, { at: came.at, document: op.id }),
        worth: { by: 'price', value },
      }
    })
    if (this.#broken.has('closed note') || !this.#isClosed(own)) return own
    return this.#corrections.today(
      op,
      own.map((one) => ({ ...one, at: op.at })),
      this.ledger.rehearse([own])!,
    )
  }

  #cameWith = (entry: number, supply: number) =>
    this.ledger.ofDocument(entry).find((one) => one.supply === supply && one.quantity > 0n)!
  #isClosed = (movements: { at: number }[]) => movements.some(({ at }) => this.#months.isClosed(dayOf(at)))

  /** The opposite of each movement: beside it, or today if its month is closed or later exits needed the goods. */
  #void({ id, at }: Of<'void'>) {
    const paper = this.papers.get(id)!
    // The write-off of a receipt brings nothing if it is undone: it goes first.
    const ids = paper.beside === null ? [id] : [paper.beside, id]
    const sides = ids.map((one) => {
      const side = this.papers.get(one)!
      side.voided = true
      side.takenBack = this.#months.isClosed(side.date) ? dayOf(at) : null
      return this.ledger.ofDocument(one).filter(({ worth }) => worth.by !== 'undo')
    })
    if (paper.kind === 'return') this.ledger.release(sides.flat())
    if (this.#broken.has('void')) return []
    const undone = sides.flat()
    const first = undone[0]!
    const entry = paper.kind === 'note' ? this.#cameWith(paper.of!, first.supply) : first
    const isToday = !this.#broken.has('closed void') && (this.#isClosed(undone) || entry.at !== first.at)
    const beside = sides.flatMap((side) => [
      side.filter(({ quantity }) => quantity !== 0n).map((of) => opposite(of)),
      side.filter(({ quantity }) => quantity === 0n).map((of) => opposite(of)),
    ])
    // A note is taken out where its entry is, although it may have been written later.
    const steps =
      paper.kind === 'note' ? [undone.map((of) => opposite(of, this.#cameWith(paper.of!, of.supply).at))] : beside
    const changed = this.ledger.rehearse(steps)
    if (!isToday && changed) return beside.flat()
    const differences = changed ?? (paper.kind === 'note' ? [] : this.#corrections.sharedOut(undone, id))
    return this.#corrections.today(
      { at },
      undone.map((of) => opposite(of, at)),
      differences,
    )
  }

  /** All that was sent comes in, and what is missing goes out again at its share of the same value. */
  #receive(op: Of<'receive'>) {
    const at = op.at
    const exits = this.ledger.ofDocument(op.of).filter(({ worth }) => worth.by !== 'undo')
    const exitOf = (supply: number) => exits.find((exit) => exit.supply === supply)!
    const arrival = (
      line: (typeof op.lines)[number],
      quantity: number,
      sign: 1n | -1n,
      document: number,
    ): NewMovement => ({
      ...this.#move(op.warehouse, { supply: line.as, quantity }, sign, { at, document }),
      worth: { by: 'arrival', exit: exitOf(line.supply), part: sign * scaled(quantity) },
    })
    const missing = op.lines
      .map((line) => ({ line, quantity: plain(scaled(line.sent) - scaled(line.received)) }))
      .filter(({ quantity }) => quantity > 0)
    const filed = (id: number, kind: 'transfer' | 'loss', lines: Line[], beside: number | null) =>
      this.#file({ id, kind, warehouse: op.warehouse, date: dayOf(at), lines: this.#unpriced(lines), beside })
    const came = op.lines.map(({ as, sent }) => ({ supply: as, quantity: sent }))
    filed(op.entry!, 'transfer', came, op.loss)
    if (op.loss !== null) {
      const lost = missing.map(({ line, quantity }) => ({ supply: line.as, quantity }))
      filed(op.loss, 'loss', lost, null)
    }
    return [
      ...op.lines.map((line) => arrival(line, line.sent, 1n, op.entry!)),
      ...missing.map(({ line, quantity }) => arrival(line, quantity, -1n, op.loss!)),
    ]
  }

  #count(op: Of<'count'>): NewMovement[] {
    const { at, warehouse } = op
    const date = dayOf(at)
    if (op.entry !== null) this.#file({ id: op.entry, kind: 'entry', warehouse, date, lines: this.#unpriced(op.found) })
    if (op.exit !== null) this.#file({ id: op.exit, kind: 'exit', warehouse, date, lines: this.#unpriced(op.missing) })
    return [
      ...op.found.map((line): NewMovement => {
        const { average } = this.ledger.level(`${warehouse} ${line.supply}`)
        const posted = times(scaled(line.quantity), average > 0n ? average : scaled(line.cost))
        return {
          ...this.#move(warehouse, line, 1n, { at, document: op.entry! }),
          worth: { by: 'surplus', posted },
        }
      }),
      ...op.missing.map((line) => this.#move(warehouse, line, -1n, { at, document: op.exit!, exit: op.exit! })),
    ]
  }

  /** Totals of a document in pesos. */
  amountsOf(paper: Paper) {
    const own = this.ledger.ofDocument(paper.id).filter(({ worth, quantity }) => worth.by !== 'undo' && quantity !== 0n)
    const lines = paper.lines.map(({ supply, quantity, tax, net, unit_cost }) => {
      if (net !== null) return { net_cost: net, tax: taxOf(net, tax), total_cost: net + taxOf(net, tax) }
      const moved = own.find((one) => one.supply === supply)
      const unit = unit_cost ?? (moved ? plain(moved.unit!) : 0)
      return lineAmounts({ quantity, unit_cost: unit, tax_type: tax })
    })
    return documentAmounts(lines)
  }
}

const opposite = (of: Movement, at = of.at): NewMovement => ({
  at,
  warehouse: of.warehouse,
  supply: of.supply,
  quantity: -of.quantity,
  worth: { by: 'undo', of },
  document: of.document,
  order: null,
  exit: of.exit,
})
