// The latest minor version of each PostgreSQL that the product may run on, written where the product compares with it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const FILE = join(root, 'server/src/platform/running/postgres-minors.json')
const OFFICIAL = 'https://www.postgresql.org/versions.json'

/** Major and minor of each version that PostgreSQL itself or, where only npm is reached, the embedded package has. */
async function knownVersions(npmVersions) {
  const found = npmVersions().flatMap((version) => {
    const [major, minor] = version.split('.').map(Number)
    return [[major, minor]]
  })
  try {
    const answer = await fetch(OFFICIAL, { signal: AbortSignal.timeout(10_000) })
    for (const { major, latestMinor } of await answer.json()) found.push([Number(major), Number(latestMinor)])
  } catch {
    console.error(`${OFFICIAL} no respondió: se usa lo que sabe el registro de npm.`)
  }
  return found
}

/** Never forgets a version: a source that knows less than another changes nothing. */
export function newerMinors(recorded, found) {
  const minors = { ...recorded }
  for (const [major, minor] of found) if (major in minors && minor > minors[major]) minors[major] = minor
  return minors
}

export async function refreshMinors(npmVersions) {
  const found = await knownVersions(npmVersions)
  if (found.length === 0) {
    console.error('Sin red no se sabe si hay una versión menor más nueva de PostgreSQL: repita con red.')
    return
  }
  const { minors } = JSON.parse(readFileSync(FILE, 'utf8'))
  const checked = new Date().toISOString().slice(0, 10)
  const lines = Object.entries(newerMinors(minors, found)).map(([major, minor]) => `"${major}": ${minor}`)
  writeFileSync(FILE, `{\n  "checked": "${checked}",\n  "minors": { ${lines.join(', ')} }\n}\n`)
  console.log(`PostgreSQL: ${lines.join(', ').replaceAll('"', '').replaceAll(': ', '.')}`)
}
