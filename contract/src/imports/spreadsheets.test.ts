import { describe, expect, it } from 'vitest'
import { IMPORT_KINDS } from './imports.ts'
import { cellText, findHeader, headersOf, matchHeaders, readNumber } from './spreadsheets.ts'

describe('numbers', () => {
  it.each([
    [1234.56, 1234.56],
    ['1.234,56', 1234.56],
    ['$ 12.990', 12990],
    ['$12.990.-', 12990],
    ['12.990', 12990],
    ['12.99', 12.99],
    ['0.125', 0.125],
    ['1.234.567', 1234567],
    ['1,234.56', 1234.56],
    ['1,234,567', 1234567],
    ['1,5', 1.5],
    ['12990', 12990],
    ['CLP 4.500', 4500],
    ['-$ 1.000', -1000],
    ['182.340 km', 182340],
    ['1 234 567', 1234567],
    [' 15\u00a0', 15],
    ['doce', undefined],
    ['1.23.4', undefined],
    ['1,2,3', undefined],
    ['12-05-2026', undefined],
    ['', undefined],
    [true, undefined],
    [new Date(), undefined],
    ['1e5', undefined],
    ['5.', undefined],
  ])('%j is %j', (cell, number) => expect(readNumber(cell)).toBe(number))
})

describe('text', () => {
  it('keeps zeros, and writes what Excel turned into a date as a date', () => {
    expect(cellText('00123')).toBe('00123')
    expect(cellText(1234567890123)).toBe('1234567890123')
    expect(cellText(new Date('2026-03-01T00:00:00Z'))).toBe('01-03-2026')
    expect(cellText('\u00a0 con espacios \u200b')).toBe('con espacios')
  })
})

describe('headers', () => {
  const { columns } = IMPORT_KINDS.supplies

  it('match whatever their accents, case and signs, and by what people call them', () => {
    expect(
      matchHeaders(['CODIGO', 'Taller', 'Insumo', 'Precio Unitario ($)', 'U.M.', 'familia', 'Glosa'], columns),
    ).toEqual({
      code: 'CODIGO',
      location: 'Taller',
      name: 'Insumo',
      unit_cost: 'Precio Unitario ($)',
      measurement_unit_name: 'U.M.',
      category_name: 'familia',
      description: 'Glosa',
    })
  })

  it('have names of their own, also when two are alike or one is blank', () => {
    expect(headersOf(['Nombre', null, 'Nombre', 'Costo', null])).toEqual(['Nombre', 'Columna B', 'Nombre (2)', 'Costo'])
  })

  it('are found under a title and a group of merged cells', () => {
    const rows = [['Inventario 2026'], [], ['Datos', null, 'Valores'], ['Código', 'Nombre', 'Costo'], ['1', 'x', 2]]
    expect(findHeader(rows, columns)).toBe(3)
    expect(findHeader([['a'], ['b', 'c']], columns)).toBe(1)
  })
})
