// The server restarts and the browser reloads on every change.
import { join } from 'node:path'
import { ensureInstalled, pinnedNode, root, run, runTool } from './setup.mjs'

await ensureInstalled()
const port = process.env.PORT || '3000'
const env = Object.assign({}, process.env, { MAESTRANZA_API: `http://127.0.0.1:${port}` })
const server = ['--watch', '--watch-preserve-output', join(root, 'server', 'src', 'main.ts')]
const first = Promise.race([
  run(pinnedNode(), server, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }),
  runTool('vite', 'vite', [join(root, 'web'), '--port', '5173'], { env }),
])
const code = await first
// Whichever ended, the other one ends too.
process.kill(process.pid, 'SIGTERM')
process.exitCode = code
