// @vitest-environment happy-dom
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { router } from '../../router.tsx'
import { HELP, pictureOf } from './pages.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'public', 'help')
/** What is drawn inside the shell; doors have none. */
const screens = Object.values(router.routesById)
  .filter(({ id }) => String(id).startsWith('/inside/'))
  .map(({ fullPath }) => String(fullPath).replace(/\/$/, ''))

it('every screen has its help, and no help is without its screen', () => {
  expect(Object.keys(HELP).sort()).toEqual([...new Set(screens)].filter((path) => path !== '' && path !== '/$').sort())
})

it('every help has its pictures, which the journeys take', () => {
  const wanted = Object.keys(HELP).flatMap((route) => ['dark', 'light'].map((theme) => pictureOf(route, theme)))
  expect(wanted.filter((name) => !existsSync(join(FOLDER, name)))).toEqual([])
  expect(readdirSync(FOLDER).filter((name) => !wanted.includes(name))).toEqual([])
})
