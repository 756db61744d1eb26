import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './helpers.ts'

/** A house of its own: set-up happens once in the life of a database. */
let product: ChildProcess
let address: string
let code: string
const folder = mkdtempSync(join(tmpdir(), 'maestranza-set-up-'))

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

test.beforeAll(async () => {
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  product = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, MAESTRANZA_EMPTY: '1' },
  })
  let log = ''
  for await (const chunk of product.stdout!) {
    log += chunk
    const shown = /código (\S+)/.exec(log)
    if (!shown) continue
    code = shown[1]!
    break
  }
})
test.afterAll(async () => {
  const ended = new Promise((resolve) => product.once('exit', resolve))
  product.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
})

test('an empty house asks for its code, makes the company, and shows what comes first', async ({ page }) => {
  await page.goto(`${address}/`)
  await expect(page).toHaveURL(/\/configurar$/)
  await expectAccessible(page)
  await page.getByLabel('Código').fill('AAAAA-AAAAA')
  await page.getByLabel('Nombre o razón social').fill('Transportes Nuevos SpA')
  await page.getByLabel('RUT').fill('76.418.203-1')
  await page.getByLabel('Nombre del taller').fill('Taller Central')
  await page.getByLabel('Su nombre').fill('Rosa Díaz')
  await page.getByLabel('Correo').fill('rosa@nuevos.cl')
  await page.getByRole('textbox', { name: 'Contraseña' }).fill('una-clave-larga')
  await page.getByRole('button', { name: 'Crear y entrar' }).click()
  await expect(page.getByText(/RUT no es válido|dígito/i)).toBeVisible()
  await page.getByLabel('RUT').fill('76.418.203-0')
  await page.getByRole('button', { name: 'Crear y entrar' }).click()
  await expect(page.getByText('El código no es el que muestra el registro del servidor.')).toBeVisible()
  await page.getByLabel('Código').fill(code)
  await page.getByRole('button', { name: 'Crear y entrar' }).click()

  await expect(page.getByRole('heading', { name: 'Primeros pasos' })).toBeVisible()
  await expect(page.getByText('Pendiente')).toHaveCount(5)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Ir a Equipos' }).click()
  await expect(page.getByRole('button', { name: 'Importar' })).toBeVisible()

  await page.goto(`${address}/configurar`)
  await expect(page.getByText('La empresa ya está creada')).toBeVisible()
})
