// node scripts/lean.mjs: leaves of node_modules what serves, for an image. The web application is built by then, the
// database is elsewhere, and the Node is the image's.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const { packages } = JSON.parse(fs.readFileSync(join(root, 'package-lock.json'), 'utf8'))
const SOURCES = ['server/src', 'server/seeds', 'contract/src', 'scripts']
const filesOf = (folder) =>
  fs.readdirSync(join(root, folder), { recursive: true }).filter((name) => /(?<!\.test)\.ts$/.test(name))

const wanted = new Set()
const imported = /(?:from|import|resolve)\s*\(?\s*'((?:@[^/']+\/)?[^./#'][^/':]*)[^']*'/g
for (const folder of SOURCES)
  for (const file of filesOf(folder))
    for (const [, name] of fs.readFileSync(join(root, folder, file), 'utf8').matchAll(imported))
      if (packages[`node_modules/${name}`]) need(`node_modules/${name}`)

/** A package and all it depends on, each where Node would find it. */
function need(path) {
  if (wanted.has(path)) return
  wanted.add(path)
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path]
  const required = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional)
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...required]) {
    for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
      const found = `${from ? `${from}/` : ''}node_modules/${name}`
      if (packages[found]) need(found)
      if (packages[found] || !from) break
    }
  }
}

fs.rmSync(join(root, 'node_modules', '.bin'), { recursive: true, force: true })
const isWanted = (path) => [...wanted].some((each) => each === path || each.startsWith(`${path}/node_modules/`))
for (const path of Object.keys(packages))
  if (path && !isWanted(path)) fs.rmSync(join(root, path), { recursive: true, force: true })
