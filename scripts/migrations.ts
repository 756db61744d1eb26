import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run migrations -- <name>`: what the tables need that the migrations do not do yet, as SQL to be read. */
const [name, ...more] = process.argv.slice(2)
if (!name) {
  console.error('A name is needed: npm run migrations -- providers')
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/drizzle-kit/bin.cjs', 'generate', `--name=${name}`, ...more],
  {
    stdio: 'inherit',
  },
)

// The next comparison needs the newest snapshot only, and each is a third of a megabyte.
const folder = 'server/migrations/meta'
const snapshots = readdirSync(folder).filter((file) => file.endsWith('_snapshot.json'))
for (const older of snapshots.sort().slice(0, -1)) rmSync(join(folder, older))
process.exit(status ?? 1)
