import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, pinnedNode, root, run } from './setup.mjs'

await ensureInstalled()
await ensureBuilt()
// The ipc channel tells the server when this process is gone.
const server = [join(root, 'server', 'src', 'main.ts')]
process.exit(await run(pinnedNode(), server, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
