import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAssets, serveWeb } from './web.ts'

let folder: string
let built: string
let kept: string
beforeAll(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-web-'))
  built = join(folder, 'dist')
  kept = join(folder, 'kept')
})
afterAll(() => fs.rm(folder, { recursive: true, force: true }))

async function build(assets: Record<string, string>) {
  await fs.rm(built, { recursive: true, force: true })
  await fs.mkdir(join(built, 'assets'), { recursive: true })
  await fs.writeFile(join(built, 'index.html'), Object.keys(assets).join())
  for (const [name, text] of Object.entries(assets)) await fs.writeFile(join(built, 'assets', name), text)
}
const ask = async (path: string, headers = {}) => {
  const http = Fastify()
  await serveWeb(http, built, kept)
  const { statusCode, body, headers: told } = await http.inject({ url: path, headers })
  await http.close()
  return [statusCode, body, told['cache-control']]
}
const FOREVER = 'public, max-age=31536000, immutable'
const days = (n: number) => Date.now() + n * 86_400_000

it('gives out what a page of the version before asks for, for thirty days', async () => {
  await build({ 'trucks-aaaa.js': 'uno', 'trucks-aaaa.js.gz': 'packed', 'same.js': 'igual' })
  await keepAssets(built, kept)
  await build({ 'trucks-bbbb.js': 'dos', 'same.js': 'igual' })
  expect(await ask('/assets/trucks-aaaa.js')).toEqual([200, 'uno', FOREVER])
  expect(await ask('/assets/trucks-aaaa.js', { 'accept-encoding': 'gzip' })).toEqual([200, 'packed', FOREVER])
  expect(await ask('/assets/trucks-bbbb.js')).toEqual([200, 'dos', FOREVER])
  expect(await ask('/camiones')).toEqual([200, 'trucks-bbbb.js,same.js', 'no-cache'])
  for (const path of ['/assets/other.js', '/assets/..%2f..%2fdist%2findex.html', '/assets/../index.txt', '/api/x'])
    expect((await ask(path))[0]).toBe(404)

  await keepAssets(built, kept, days(20))
  expect((await ask('/assets/trucks-aaaa.js'))[0]).toBe(200)
  await keepAssets(built, kept, days(31))
  expect((await ask('/assets/trucks-aaaa.js'))[0]).toBe(404)
  expect((await fs.readdir(kept)).sort()).toEqual(['same.js', 'trucks-bbbb.js'])
})

it('does without a web application, and without a folder to keep it in', async () => {
  await fs.rm(built, { recursive: true, force: true })
  await keepAssets(built, kept)
  expect((await ask('/camiones'))[0]).toBe(404)
})
