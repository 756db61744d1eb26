import { spawnSync } from 'node:child_process'

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
process.exit(status ?? 1)
