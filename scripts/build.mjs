// Everything `npm start` does before it serves, for packages that are made once and run elsewhere.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, pinnedNode, root, run } from './setup.mjs'

await ensureInstalled()
await ensureBuilt()
// The embedded PostgreSQL gets its library links now: the service reads this folder as another user, who may not write to
// it. An image installs its packages before it has the server, and builds a second time after.
const links = join(root, 'scripts', 'link-postgres.ts')
if (existsSync(links)) process.exit(await run(pinnedNode(), [links]))
