import { readFile } from 'node:fs/promises'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BAD_FILE } from '#contract/base/workbook.ts'
import { imports } from '#contract/imports/imports.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { excelWorkbook } from '../../test/excel-workbook.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { PATIENCE } from '../../test/listen.ts'
import { sized } from '../../test/sized.ts'
import { SUPPLY_HEADERS, workbook } from '../../test/workbooks.ts'
import { zip } from '../../test/zip.ts'

const house = openHouse()

const workshopName = async (who: Member) =>
  (await house.owner.query('select name from workshops where id = $1', [who.workshop_id])).rows[0].name as string
const importFile = (who: Member, file: File, more: object = {}) =>
  house.call(who, imports.importSupplies, { body: { file, ...more } })
const all = async (who: Member) =>
  (await house.call(who, supplies.listSupplies, { query: { per_page: 500, sort: 'code' } })).body.data

/** The parts of the smallest workbook, with a sheet written by hand. */
const parts = (sheet: string | Buffer, more: Record<string, string | Buffer> = {}) => ({
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
  '_rels/.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  'xl/workbook.xml':
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Hoja1" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/worksheets/sheet1.xml': sheet,
  ...more,
})
const fileOf = (bytes: Uint8Array, name = 'insumos.xlsx') => new File([new Uint8Array(bytes)], name)
const SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'

describe('what people really send', () => {
  it('merged titles, blank rows, unmapped columns, formulas, dates and hidden sheets', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const file = await workbook([], {
      sheets: [
        {
          name: 'Listas',
          hidden: true,
          rows: [
            ['Código', 'Ubicación', 'Nombre', 'Costo'],
            ['NO', at, 'Oculta', 1],
          ],
        },
        {
          name: 'Inventario',
          merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 5 }],
          rows: [
            ['Inventario de repuestos'],
            [],
            ['Código', 'Nombre', 'Taller', 'Precio', ...times(20, (i) => `Sobra ${i}`)],
            ['00123', '  Perno  ', at, '1.234,56', ...times(20, (i) => i)],
            [],
            [null, null, null, null],
            [77, new Date('2026-03-01T00:00:00Z'), at, 12990],
            ['F-1', 'Con fórmula', at, null],
            [null, '   '],
            [],
          ],
          cells: new Map([
            ['7,3', { formula: '2*1000/3', formulaResult: 666.66666667, type: 'formula', value: 666.66666667 }],
          ]),
        },
      ],
    })
    const { status, body, failure } = await importFile(ana, file)
    expect([status, failure?.rows]).toEqual([200, undefined])
    expect(body.new_count).toBe(3)
    expect((await all(ana)).map(({ code, name, cost }) => [code, name, cost])).toEqual([
      ['00123', 'Perno', 1234.56],
      ['77', '01-03-2026', 12990],
      ['F-1', 'Con fórmula', 666.6667],
    ])
  })

  it('a workbook that LibreOffice wrote, with a title, a formula, dates and a blank row', async () => {
    const ana = await house.given.member()
    await house.owner.query(`update workshops set name = 'Táller' where id = $1`, [ana.workshop_id])
    const bytes = await readFile(new URL('../../test/fixtures/libreoffice.xlsx', import.meta.url))
    const { status, body } = await importFile(ana, fileOf(bytes))
    expect([status, body.new_count]).toEqual([200, 3])
    expect((await all(ana)).map(({ code, name, cost }) => [code, name, cost])).toEqual([
      ['00123', 'Filtro de aceite', 1234.56],
      ['LO-2', 'Correa ñandú', 12990],
      ['LO-3', 'Suma', 666.6667],
    ])
  })

  it('a workbook as Excel writes it: shared and rich texts, styled dates, shared formulas, a filter and a hidden sheet', async () => {
    const ana = await house.given.member()
    const file = fileOf(excelWorkbook(await workshopName(ana)))
    const matched = {
      code: 'Código',
      location: 'Ubicación',
      name: 'Nombre del insumo',
      unit_cost: 'Costo unitario',
      measurement_unit_name: 'Unidad de medida',
      description: 'Última compra',
    }
    const { status, body, failure } = await importFile(ana, file, { matched })
    expect([status, failure?.rows]).toEqual([200, undefined])
    expect(body).toMatchObject({ new_count: 4, new_unit_count: 1 })
    expect((await all(ana)).map((s) => [s.code, s.name, s.cost, s.measurement_unit_name, s.description])).toEqual([
      ['00123', 'Filtro de aceite', 1234.56, 'Unidad', '01-03-2026'],
      ['77', 'Perno 77', 12900, null, null],
      ['EX-2', 'Correa & tensor', 2469.12, 'Unidad', '01-04-2026'],
      ['EX-3', 'Ñandú segunda línea', 0.3, 'Unidad', null],
    ])
    // By themselves the headings match too.
    expect((await importFile(ana, file)).body).toMatchObject({ new_count: 0, updated_count: 0, same_count: 4 })
  })

  it('the sheet and columns that were chosen, and no others', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const file = await workbook([], {
      sheets: [
        { name: 'Uno', rows: [['x']] },
        {
          name: 'Dos & tres',
          rows: [
            ['SKU raro', 'Dónde', 'Qué', 'Cuánto', 'Cuánto'],
            ['Z-1', at, 'Elegido', 5, 9],
          ],
        },
      ],
    })
    const matched = { code: 'SKU raro', location: 'Dónde', name: 'Qué', unit_cost: 'Cuánto (2)', description: '' }
    const sent = { sheet: 'Dos & tres', matched, columns: JSON.stringify(['SKU raro']) }
    expect((await importFile(ana, file, sent)).status).toBe(200)
    expect((await all(ana))[0]).toMatchObject({ code: 'Z-1', cost: 9 })
    const noSheet = await importFile(ana, file, { ...sent, sheet: 'Cuatro' })
    expect(noSheet.failure.errors).toEqual({ sheet: ['El libro no tiene una hoja «Cuatro».'] })
    const noColumn = await importFile(ana, file, { ...sent, matched: { ...matched, name: 'Nada' } })
    expect(noColumn.failure.errors).toEqual({ 'matched.name': ['La hoja «Dos & tres» no tiene una columna «Nada».'] })
    const { name: _, ...rest } = matched
    const unmapped = await importFile(ana, file, { ...sent, matched: rest })
    expect(unmapped.failure.errors).toEqual({ 'matched.name': ['Falta elegir la columna de Nombre.'] })
    const empty = await importFile(ana, await workbook([SUPPLY_HEADERS]))
    expect(empty.failure.errors).toEqual({ sheet: ['La hoja «Hoja1» no tiene datos.'] })
  })

  it('a cell whose formula fails is wrong, not a name', async () => {
    const ana = await house.given.member()
    const file = await workbook([SUPPLY_HEADERS, ['A', await workshopName(ana), '#N/A', 5]])
    expect((await importFile(ana, file)).failure.rows).toEqual([
      { row: 2, column: 'Nombre', value: '#N/A', reason: 'La fórmula de la celda da error.' },
    ])
  })

  it('the example file can be imported as it is, and so can a list that was exported', async () => {
    const ana = await house.given.member()
    const { body, headers } = await house.call(ana, imports.downloadExample, {
      query: { file: 'ejemplo', type: 'supplies' },
    })
    expect(headers['content-disposition']).toContain('ejemplo-insumos.xlsx')
    const example = fileOf(body)
    const first = await importFile(ana, example)
    expect(first.body).toMatchObject({ new_count: 3, new_category_count: 3, new_unit_count: 2 })
    const list = await all(ana)
    const exported = await workbook([
      ['Código', 'Nombre', 'Categoría', 'Unidad', 'Ubicación', 'Costo', 'Estado'],
      ...list.map((s) => [s.code, s.name, s.category_name, s.measurement_unit_name, s.workshop_name, s.cost, 'Activo']),
    ])
    expect((await importFile(ana, exported)).body).toMatchObject({ new_count: 0, updated_count: 0, same_count: 3 })
    const trucks = await house.call(ana, imports.downloadExample, { query: { type: 'trucks' } })
    const sent = await house.call(ana, imports.importTrucks, {
      body: { file: fileOf(trucks.body) },
    })
    expect(sent.body).toMatchObject({ new_count: 3, new_brand_count: 3, new_type_count: 2, new_coupled_count: 1 })
  })
})

describe('bad files get a sentence, in bounded time and memory', () => {
  const refused = async (file: File) => {
    const ana = await house.given.member()
    const began = Date.now()
    const before = process.memoryUsage.rss()
    const { status, failure } = await importFile(ana, file)
    expect(Date.now() - began).toBeLessThan(PATIENCE)
    expect(process.memoryUsage.rss() - before).toBeLessThan(700 * 1024 * 1024)
    return [status, failure.message]
  }

  it('not a zip, wrong extension, an old or a broken workbook', async () => {
    expect(await refused(fileOf(Buffer.from('hola'.repeat(1000))))).toEqual([422, BAD_FILE.notWorkbook])
    expect(await refused(fileOf(Buffer.alloc(0)))).toEqual([422, BAD_FILE.notWorkbook])
    expect(await refused(fileOf(zip({ 'a.txt': 'x' })))).toEqual([422, BAD_FILE.notWorkbook])
    expect(await refused(fileOf(Buffer.from('x'), 'insumos.csv'))).toEqual([422, BAD_FILE.extension])
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)])
    expect(await refused(fileOf(ole))).toEqual([422, BAD_FILE.old])
    const whole = Buffer.from(await (await workbook([SUPPLY_HEADERS, ['a', 'b', 'c', 1]])).arrayBuffer())
    expect((await refused(fileOf(whole.subarray(0, whole.length / 2))))[0]).toBe(422)
    whole.fill(7, 100, 400)
    expect((await refused(fileOf(whole)))[0]).toBe(422)
  })

  it('a workbook with a password', async () => {
    const file = await workbook([SUPPLY_HEADERS], { encryption: { password: 'x', spinCount: 1000 } })
    expect(await refused(file)).toEqual([422, BAD_FILE.password])
  })

  it('21 MB', async () => {
    expect(await refused(fileOf(Buffer.alloc(21 * 1024 * 1024)))).toEqual([
      413,
      'El archivo supera el máximo de 20 MB.',
    ])
  })

  it('entities', async () => {
    const sheet = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>${SHEET}<row r="1"><c t="inlineStr"><is><t>&y;</t></is></c></row></sheetData></worksheet>`
    expect(await refused(fileOf(zip(parts(sheet))))).toEqual([422, BAD_FILE.entities])
  })

  it('bombs: a part that declares too much, one that lies about it, and shared texts that expand', async () => {
    const blank = Buffer.alloc(900 * 1024 * 1024, ' ')
    const squeezed = deflateRawSync(blank, { level: 1 })
    const bomb = { deflated: squeezed, size: blank.length }
    expect(await refused(fileOf(zip(parts(SHEET), { 'xl/worksheets/sheet1.xml': bomb })))).toEqual([
      422,
      BAD_FILE.expands,
    ])
    expect(await refused(fileOf(zip(parts(SHEET), { 'xl/sharedStrings.xml': bomb })))).toEqual([422, BAD_FILE.expands])
    const liar = { deflated: squeezed, size: 1000 }
    expect((await refused(fileOf(zip(parts(SHEET), { 'xl/worksheets/sheet1.xml': liar }))))[0]).toBe(422)
    expect((await refused(fileOf(zip(parts(SHEET), { 'xl/workbook.xml': liar }))))[0]).toBe(422)
  })

  it('millions of empty cells, and one cell in the last corner', async () => {
    const row = (r: number) => `<row r="${r}">${'<c s="0"/>'.repeat(1000)}</row>`
    const empty = `${SHEET}${times(sized(1_000, 10_000), (i) => row(i + 1)).join('')}</sheetData></worksheet>`
    const [status, message] = await refused(fileOf(zip(parts(Buffer.from(empty)))))
    expect(status).toBe(422)
    expect(message).toMatch(/no tiene datos|tarda demasiado/)
    const corner = `${SHEET}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>`
    expect((await refused(fileOf(zip(parts(corner)))))[0]).toBe(422)
  })

  it('more rows than are taken', async () => {
    const rows = times(
      50_001,
      (i) => `<row r="${i + 2}"><c><v>${i}</v></c><c><v>1</v></c><c><v>1</v></c><c><v>1</v></c></row>`,
    )
    const head = `<row r="1">${['Código', 'Taller', 'Nombre', 'Costo'].map((h) => `<c t="inlineStr"><is><t>${h}</t></is></c>`).join('')}</row>`
    const [status, message] = await refused(
      fileOf(zip(parts(Buffer.from(`${SHEET}${head}${rows.join('')}</sheetData></worksheet>`)))),
    )
    expect([status, message]).toEqual([422, 'El archivo tiene más de 50.000 filas. Divídalo en varios.'])
  })
})
