import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { ignore } from '../ignore.ts'
import { apiNotFound } from './binder.ts'

/** Names under assets/ carry a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable'
/** A page that was left open longer is loaded anew. */
const KEPT_FOR = 30 * 86_400_000
const ASSET = /^\/assets\/([\w.-]+)$/

/**
 * The web application, as it was built. What it is made of is put by in `kept` too, because a page that was open before
 * the product was changed for a newer one still asks for the screens of its own version.
 */
export async function serveWeb(http: FastifyInstance, built: string, kept: string | undefined) {
  const isBuilt = existsSync(join(built, 'index.html'))
  if (isBuilt)
    await http.register(serveStatic, {
      root: built,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isAsset = path.startsWith(join(built, 'assets')) || (kept !== undefined && path.startsWith(kept))
        reply.header('cache-control', isAsset ? FOREVER : 'no-cache')
      },
    })
  http.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    if (!isBuilt || request.method !== 'GET' || path.startsWith('/api')) return apiNotFound(reply)
    const [, asset] = ASSET.exec(path) ?? []
    if (asset && kept && existsSync(join(kept, asset))) return reply.sendFile(asset, kept)
    return /\.\w+$/.test(path) ? apiNotFound(reply) : reply.sendFile('index.html')
  })
  http.addHook('onListen', async () => {
    if (kept) keepAssets(built, kept).catch((error) => http.log.error(error))
  })
}

/** Puts by what is served now, and throws away what has not been for long. */
export async function keepAssets(built: string, kept: string, now = Date.now()) {
  const assets = join(built, 'assets')
  if (!existsSync(assets)) return
  await fs.mkdir(kept, { recursive: true, mode: 0o700 })
  const current = new Set(await fs.readdir(assets))
  const served = new Date(now)
  for (const name of current) {
    const [from, to] = [join(assets, name), join(kept, name)]
    const there = await fs.stat(to).catch(ignore('It is not there yet.'))
    if (there?.size !== (await fs.stat(from)).size) {
      // Under its name it is whole.
      await fs.copyFile(from, `${to}.part`)
      await fs.rename(`${to}.part`, to)
    }
    await fs.utimes(to, served, served)
  }
  for (const name of await fs.readdir(kept)) {
    if (current.has(name)) continue
    const path = join(kept, name)
    const { mtimeMs } = await fs.stat(path)
    if (now - mtimeMs > KEPT_FOR) await fs.rm(path, { force: true })
  }
}
