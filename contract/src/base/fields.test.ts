import { describe, expect, it } from 'vitest'
import { type Field, fileField, fileFormat, showField } from './fields.ts'

const ZONE = 'America/Santiago'

describe('a field', () => {
  it.each<[Field, unknown, string | null, string | number | Date | null]>([
    [{ label: 'Nombre' }, 'Filtro', 'Filtro', 'Filtro'],
    [{ label: 'Nombre' }, null, null, null],
    [{ label: 'Kilometraje', kind: 'km' }, 182340, '182.340 km', 182340],
    [{ label: 'Total', kind: 'money' }, 0, '$0', 0],
    [{ label: 'Planificada', kind: 'yes' }, false, 'No', 'No'],
    [{ label: 'Estado', words: { active: { label: 'Activo' } } }, 'active', 'Activo', 'Activo'],
    [{ label: 'Vence', kind: 'day' }, '2026-03-05', '05 mar 2026', new Date('2026-03-05T00:00:00Z')],
    [
      { label: 'Ingreso', kind: 'moment' },
      '2026-03-05T12:30:00Z',
      '05 mar 2026 09:30',
      new Date('2026-03-05T09:30:00Z'),
    ],
  ])('%o reads %o as %o, and a file has %o', (field, value, shown, inFile) => {
    expect(showField(field, value, ZONE)).toBe(shown)
    expect(fileField(field, value, ZONE)).toEqual(inFile)
  })

  it('that is a number or a date has a format in a file', () => {
    expect(fileFormat({ label: 'Costo', kind: 'cost' })).toBe('#,##0.####')
    expect(fileFormat({ label: 'Nombre' })).toBeUndefined()
  })
})
