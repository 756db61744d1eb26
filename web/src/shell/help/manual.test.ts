import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROLE_NAMES } from '#contract/base/permissions.ts'
import { CHAPTERS, chaptersOf, manualOf } from './manual.ts'
import { HELP } from './pages.ts'

const PUBLIC = join(import.meta.dirname, '..', '..', '..', 'public')

it('every screen with help is in one chapter of the manual', () => {
  expect(CHAPTERS.flatMap(({ pages }) => pages.map(([route]) => route)).sort()).toEqual(Object.keys(HELP).sort())
})

it('a mechanic’s manual leaves out what only others may open', () => {
  const routes = chaptersOf('specialist').flatMap(({ pages }) => pages.map(({ route }) => route))
  expect(routes).toContain('/mis-trabajos')
  expect(routes).not.toContain('/reportes')
  expect(routes).not.toContain('/ordenes-de-trabajo/nueva')
})

it('every role has its printed manual, with the texts of today (npm run manual prints them again)', () => {
  const printed = JSON.parse(readFileSync(join(PUBLIC, 'manual', 'texts.json'), 'utf8'))
  for (const role of ROLE_NAMES) {
    expect([role, existsSync(join(PUBLIC, manualOf(role)))]).toEqual([role, true])
    const texts = createHash('sha256')
      .update(JSON.stringify(chaptersOf(role)))
      .digest('hex')
    expect([role, printed[role]]).toEqual([role, texts])
  }
})
