import { expect, it } from 'vitest'
import { jsonOf, Written } from './written.ts'

it('holds whatever is added, however little was expected, and letters of every width', () => {
  const written = new Written<string[]>(0)
  const texts = ['ñandú', '— ', '🚛', 'x'.repeat(5000), '"']
  for (const [i, text] of texts.entries()) written.add(`${i === 0 ? '[' : ','}${JSON.stringify(text)}`)
  written.add(']')
  expect(JSON.parse(jsonOf(written, undefined).toString())).toEqual(texts)
})
