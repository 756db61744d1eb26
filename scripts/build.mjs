// Everything `npm start` does before it serves, for packages that are made once and run elsewhere.
import { ensureBuilt, ensureInstalled } from './setup.mjs'

await ensureInstalled()
await ensureBuilt()
