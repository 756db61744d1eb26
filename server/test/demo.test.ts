import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openHouse } from './house.ts'
import { within } from './listen.ts'

const house = openHouse()
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The product on the data of this house, until it has said something of how it begins. */
async function start(env: NodeJS.ProcessEnv) {
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-demo-'))
  const product = spawn(process.execPath, [MAIN], {
    env: { ...process.env, PORT: '0', DATA_DIR: folder, DATABASE_URL: house.url, MAESTRANZA_EMPTY: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const enough = Promise.withResolvers<void>()
  for (const stream of [product.stdout, product.stderr])
    stream.on('data', (data) => {
      said += data
      if (said.includes('está lista')) enough.resolve()
    })
  const ended = once(product, 'exit')
  await within('the product begins or refuses to', Promise.race([enough.promise, ended]))
  product.kill('SIGTERM')
  const [code] = await within('the product ends', ended)
  await rm(folder, { recursive: true, force: true })
  return { said, code }
}

it('does not begin where strangers reach the demonstration, unless that is meant', async () => {
  await house.owner.query(`insert into users (email, name) values ('admin@maestranza.demo', 'Marcela')`)
  for (const env of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://taller.cl' }]) {
    const { said, code } = await start(env)
    expect(said).toContain('Estos datos son los de la demostración, con contraseñas que todos conocen')
    expect(said).toContain('MAESTRANZA_DEMO=public')
    expect([said.includes('está lista'), code]).toEqual([false, 1])
  }
  const byClock = async () => (await house.owner.query('select name from jobs.schedule')).rowCount
  expect(await byClock()).toBe(0)
  const meant = await start({ HOST: '0.0.0.0', MAESTRANZA_DEMO: 'public' })
  expect(meant.said).toContain('está lista')
  // Only the product does things by the clock: what a test asks for is done when it asks.
  expect(await byClock()).toBeGreaterThan(10)
})
