// node scripts/run.mjs FILE.ts [argument…]: runs it with the pinned Node.
import { ensureInstalled, fail, pinnedNode, run } from './setup.mjs'

const args = process.argv.slice(2)
if (args.length === 0) fail('Uso: node scripts/run.mjs ARCHIVO.ts [argumento…]')
await ensureInstalled()
process.exit(await run(pinnedNode(), args, { cwd: process.cwd() }))
