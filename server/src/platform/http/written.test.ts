import { expect, it } from 'vitest'
import { instantAt, microsecondsOf } from '../database/columns.ts'
import { COMMA, jsonOf, Written } from './written.ts'

it('holds whatever is added, however little was expected, and letters of every width', () => {
  const written = new Written<string[]>(0)
  const texts = ['ñandú', '— ', '🚛', 'x'.repeat(5000), '"']
  for (const [i, text] of texts.entries()) written.add(`${i === 0 ? '[' : ','}${JSON.stringify(text)}`)
  written.add(']')
  expect(JSON.parse(jsonOf(written, undefined).toString())).toEqual(texts)
})

it('writes numbers and moments as they are said, also those before the database counts', () => {
  const moments = [
    '2026-12-04T14:30:00.507Z',
    '1999-12-31T23:59:59.999Z',
    '2000-01-01T00:00:00.000Z',
    '1899-02-03T04:05:06.070Z',
  ]
  const written = new Written<(string | number)[]>(0)
  written.add('[')
  for (const number of [0, 7, 10, 504_775, -3]) {
    written.whole(number)
    written.put(COMMA)
  }
  for (const [i, moment] of moments.entries()) {
    if (i > 0) written.put(COMMA)
    written.instant(microsecondsOf(moment) + 999)
  }
  written.add(']')
  expect(JSON.parse(jsonOf(written, undefined).toString())).toEqual([0, 7, 10, 504_775, -3, ...moments])
  expect(moments.map((moment) => instantAt(microsecondsOf(moment)))).toEqual(moments)
})
