import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A product of its own, for what would take the others' away. */
export async function openProduct(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'maestranza-own-'))
  const port = await freePort()
  const product = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  await new Promise<void>((resolve) =>
    product.stdout.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C')) resolve()
    }),
  )
  return {
    address: `http://127.0.0.1:${port}`,
    said: () => said,
    async close() {
      const ended = new Promise((resolve) => product.once('exit', resolve))
      product.kill('SIGTERM')
      const clock = setTimeout(() => product.kill('SIGKILL'), 30_000)
      await ended
      clearTimeout(clock)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
