// The server restarts and the browser reloads on every change.
import { join } from 'node:path'
import { ensureInstalled, pinnedNode, root, run, runTool } from './setup.mjs'

await ensureInstalled()
const port = process.env.PORT || '3000'
const env = Object.assign({}, process.env, { MAESTRANZA_API: `http://127.0.0.1:${port}` })
// The process that serves is a child of main.ts: its files are watched by their folder.
const watched = [join(root, 'server', 'src'), join(root, 'contract', 'src')].map((folder) => `--watch-path=${folder}`)
const server = ['--watch-preserve-output'].concat(watched, join(root, 'server', 'src', 'main.ts'))
const first = Promise.race([
  run(pinnedNode(), server, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }),
  runTool('vite', 'vite', [join(root, 'web'), '--port', '5173'], { env }),
])
const code = await first
// Whichever ended, the other one ends too.
process.kill(process.pid, 'SIGTERM')
process.exitCode = code
