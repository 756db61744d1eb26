import { showQuantity } from './money.ts'

/** `3 juegos`, `1 juego`, `2,5 kg`: a quantity in its unit of measure. */
export const showAmount = (n: number, unit: string | null | undefined) =>
  unit ? `${showQuantity(n)} ${unitOf(n, unit)}` : showQuantity(n)

/** The unit as it is said beside a number. Abbreviations and what is written in capitals stay as they are. */
export function unitOf(n: number, unit: string) {
  const [word = '', ...rest] = unit.split(' ')
  const isWord = /^\p{L}\p{Ll}{2,}$/u.test(word) && /[aeiouáéíóú]/i.test(word)
  if (!isWord) return unit
  return [n === 1 ? word.toLowerCase() : severalOf(word.toLowerCase()), ...rest].join(' ')
}
const BARE: Record<string, string> = { á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u' }
const severalOf = (word: string) => {
  if (/[aeiouáéó]$/.test(word)) return `${word}s`
  if (word.endsWith('z')) return `${word.slice(0, -1)}ces`
  if (word.endsWith('s')) return word
  if (!/[dlnrj]$/.test(word)) return `${word}s`
  return `${word.replace(/[áéíóú](?=[ns]$)/, (vowel) => BARE[vowel] ?? vowel)}es`
}
