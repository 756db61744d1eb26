import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { newDatabase } from './house.ts'

/* That it works, not how fast: what it measures here, beside other tests, says nothing. */

const BENCH = fileURLToPath(new URL('../../bench/run.ts', import.meta.url))
/** One of each kind: a list, the board, a report, and whatever writes. */
const KINDS = [
  'fleet: first page',
  'the board',
  'move a card',
  'open one',
  'create one',
  'post an',
  'create an order',
  'by truck',
]

/** The rows of the table whose first column is called so, by the names of its columns. */
function tableOf(report: string, first: string) {
  const [, table = ''] = report.split(`| ${first} |`)
  const lines = `| ${first} |${table}`.split('\n\n')[0]!.split('\n')
  const cells = (line: string) => line.split('|').map((cell) => cell.trim())
  const columns = cells(lines[0]!)
  return lines.slice(2).map((line) => Object.fromEntries(cells(line).map((cell, i) => [columns[i], cell])))
}

it('measures every kind of call, and how it grows', async () => {
  const url = await newDatabase({ demo: 'full' })
  const asked = [KINDS.join(), '--url', url, ...'--large 2 --seconds 0 --rounds 1 --connections 1'.split(' ')]
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(process.execPath, [BENCH, ...asked], (_error, said, complaints) => resolve(said + complaints))
  const said = await promise
  expect(said).toContain('# Measured')
  const report = said.slice(said.indexOf('# Measured'))
  const [calls, growth] = [tableOf(report, 'call | size'), tableOf(report, 'call | p50 small')]
  for (const kind of KINDS) {
    const [small, large] = calls.filter(({ call }) => call!.includes(kind))
    expect([kind, small?.errors, large?.errors]).toEqual([kind, '0', '0'])
    expect(growth.some(({ call, growth }) => call!.includes(kind) && growth!.startsWith('×'))).toBe(true)
  }
  for (const row of calls) expect([row.call, row.errors, Number(row.statements) > 0]).toEqual([row.call, '0', true])
}, 300_000)
