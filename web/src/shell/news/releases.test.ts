import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RELEASES } from './releases.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

it('the newest version of the news is that of the product', () => {
  expect(RELEASES[0].version).toBe(JSON.parse(read('package.json')).version)
})

it('the changelog has the same versions, in the same order', () => {
  const versions = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version)
  expect(versions).toEqual(RELEASES.map(({ version }) => version))
})
