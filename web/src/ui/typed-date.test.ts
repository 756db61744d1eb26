import { expect, it } from 'vitest'
import { typedDay, typedMoment } from './typed-date.ts'

/** A Sunday. */
const TODAY = '2026-11-15'

it('takes a day as people type it', () => {
  const said = {
    hoy: '2026-11-15',
    Mañana: '2026-11-16',
    'pasado mañana': '2026-11-17',
    ayer: '2026-11-14',
    lunes: '2026-11-16',
    domingo: '2026-11-22',
    '15/3': '2026-03-15',
    '15-03-27': '2027-03-15',
    '15.3.2027': '2027-03-15',
    '15 de marzo': '2026-03-15',
    '04 dic 2026': '2026-12-04',
    '2027-01-31': '2027-01-31',
    '31/6': undefined,
    '1': undefined,
    nunca: undefined,
  }
  expect(Object.fromEntries(Object.keys(said).map((text) => [text, typedDay(text, TODAY)]))).toEqual(said)
})

it('takes the year that fits where none is typed', () => {
  expect(typedDay('15/3', TODAY, { earliest: TODAY })).toBe('2027-03-15')
  expect(typedDay('20/12', TODAY, { latest: TODAY })).toBe('2025-12-20')
})

it('takes an hour with it', () => {
  const said = {
    'mañana 8:30': '2026-11-16 08:30:00',
    'hoy a las 14.05': '2026-11-15 14:05:00',
    '15/3 8h': '2026-03-15 08:00:00',
    '04 dic 2026 14:30': '2026-12-04 14:30:00',
    '9:15': '2026-11-15 09:15:00',
    hoy: '2026-11-15 23:59:00',
    '15/3': '2026-03-15 23:59:00',
    '15.03.2027': '2027-03-15 23:59:00',
    'hoy 25:00': undefined,
  }
  expect(Object.fromEntries(Object.keys(said).map((text) => [text, typedMoment(text, TODAY, '23:59')]))).toEqual(said)
})
