import { readXlsx } from 'hucre/xlsx'
import { expect, it } from 'vitest'
import {
  documentAmounts,
  lineAmounts,
  showCost,
  showMoney,
  showQuantity,
  TAX_TYPES,
  TAXES,
} from '#contract/base/money.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { Random } from '../../seeds/random.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { pdfText } from '../../test/pdf-text.ts'
import { sized } from '../../test/sized.ts'

/** The same figures wherever somebody reads them, to the peso. */

const house = openHouse()
const random = new Random('amounts')

const someLine = (supply_id: number) => ({
  supply_id,
  quantity: random.chance(0.3) ? random.int(1, 40) : random.int(1, 3_000_000) / 10_000,
  unit_cost: random.chance(0.3) ? random.int(0, 90_000) : random.int(1, 2_000_000_000) / 10_000,
  tax_type: random.pick(TAX_TYPES),
})

/** What the screen shows under a document and beside its lines. */
const onScreen = (lines: ReturnType<typeof someLine>[]) => {
  const amounts = lines.map(lineAmounts)
  return { lines: amounts, ...documentAmounts(amounts) }
}

const read = async (sql: string, id: number) =>
  (await house.owner.query(sql, [id])).rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])),
  )

it('of purchase orders with random lines agree on screen, on the wire, in the database, in the PDF and in the xlsx', async () => {
  const ana = await house.given.member()
  const supplies = []
  for (const i of times(8, (i) => i))
    supplies.push(await house.given.supply(ana, { code: `M${i}`, name: `Insumo${i}` }))
  const bodega = await house.given.warehouse(ana)
  const provider = await house.given.provider(ana)
  for (const _ of times(sized(6, 15), (i) => i)) {
    const lines = random
      .shuffle(supplies)
      .slice(0, random.int(1, 8))
      .map(({ id }) => someLine(id))
    const shown = onScreen(lines)
    const order = await house.given.purchaseOrder(ana, {
      warehouse_id: bodega.id,
      provider_id: provider.id,
      supplies: lines,
    })

    expect(order.supplies).toMatchObject(lines.map((line, i) => ({ ...line, ...shown.lines[i] })))
    expect(order).toMatchObject({ subtotal: shown.subtotal, tax: shown.tax, total: shown.total })

    const kept = await read(
      'select net_cost, tax, total_cost from purchase_order_lines where purchase_order_id = $1 order by id',
      order.id,
    )
    expect(kept).toEqual(shown.lines)
    const [header] = await read('select subtotal, tax, total from purchase_orders where id = $1', order.id)
    expect(header).toEqual({ subtotal: shown.subtotal, tax: shown.tax, total: shown.total })

    const pdf = await house.call(ana, purchasing.purchaseOrderPdf, { params: { id: order.id } })
    const text = pdfText(pdf.body)
    const rows = lines.map((line, i) => [
      order.supplies[i]!.code,
      order.supplies[i]!.name,
      showQuantity(line.quantity),
      showCost(line.unit_cost),
      TAXES[line.tax_type].label,
      showMoney(shown.lines[i]!.net_cost),
      showMoney(shown.lines[i]!.total_cost),
    ])
    const from = text.indexOf(rows[0]![0]!)
    expect(text.slice(from, from + rows.flat().length)).toEqual(rows.flat())
    const totals = text.indexOf('Subtotal')
    expect(text.slice(totals, totals + 6)).toEqual([
      'Subtotal',
      showMoney(shown.subtotal),
      'IVA',
      showMoney(shown.tax),
      'Total',
      showMoney(shown.total),
    ])

    const xlsx = await house.call(ana, purchasing.purchaseOrderXlsx, { params: { id: order.id } })
    const [, ...cells] = (await readXlsx(xlsx.body)).sheets[0]!.rows
    expect(cells.slice(0, lines.length).map((row) => [row[3], row[4], row[6], row[7], row[8]])).toEqual(
      lines.map((line, i) => [
        line.quantity,
        line.unit_cost,
        shown.lines[i]!.net_cost,
        shown.lines[i]!.tax,
        shown.lines[i]!.total_cost,
      ]),
    )
    expect(cells.slice(lines.length).map((row) => [row[7], row[8]])).toEqual([
      ['Subtotal', shown.subtotal],
      ['IVA', shown.tax],
      ['Total', shown.total],
    ])
  }
})

it('of entries with random lines agree on screen, on the wire, in the database, and with the kardex in its xlsx', async () => {
  const ana = await house.given.member()
  const supplies = []
  for (const _ of times(6, (i) => i)) supplies.push(await house.given.supply(ana))
  for (const _ of times(sized(5, 10), (i) => i)) {
    const lines = random
      .shuffle(supplies)
      .slice(0, random.int(1, 6))
      .map(({ id }) => someLine(id))
    const shown = onScreen(lines)
    const entry = await house.given.entry(ana, { supplies: lines })
    expect(entry.supplies).toMatchObject(lines.map((line, i) => ({ ...line, ...shown.lines[i] })))
    expect(entry).toMatchObject({ subtotal: shown.subtotal, tax: shown.tax, total: shown.total })
    expect(
      await read(
        'select net_cost, tax, total_cost from transaction_lines where transaction_id = $1 order by id',
        entry.id,
      ),
    ).toEqual(shown.lines)
    for (const [i, line] of lines.entries()) {
      const { body } = await house.call(ana, warehouses.downloadKardex, {
        query: { warehouse: entry.warehouse_id, supply: line.supply_id },
      })
      const [, row] = (await readXlsx(body)).sheets[0]!.rows
      // Stock is worth the exact product; the document is its whole pesos.
      expect([row?.[3], row?.[6], Math.round(Number(row?.[7]))]).toEqual([
        line.quantity,
        line.unit_cost,
        shown.lines[i]!.net_cost,
      ])
    }
  }
})
