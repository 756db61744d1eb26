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
  let output = ''
  await new Promise<void>((resolve, reject) => {
    product.stdout.on('data', (chunk) => {
      output += chunk
      // The code or the logins follow the address in the same breath, and are the last it prints.
      if (/está lista en[\s\S]*(código|demostración:)/.test(output)) resolve()
    })
    product.once('exit', () => reject(new Error(`The product did not start:\n${output}`)))
  })
  return {
    address: `http://127.0.0.1:${port}`,
    output: () => output,
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
