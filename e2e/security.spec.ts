import { expect } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { CLIENT, openProvider } from '../server/test/identity-provider.ts'
import { test } from './company.ts'
import { expectAccessible, expectLoaded, homeTitle, logIn, logInWithPassword, somebodyNew } from './helpers.ts'

test('somebody ends their other sessions, and who manages the company reads it in the log', async ({
  page,
  browser,
  company,
}) => {
  const eva = await somebodyNew(page.request, company.owner, 'viewer')
  await logInWithPassword(page, eva)
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await logInWithPassword(other, eva)

  await page.goto('/configuracion/perfil')
  const sessions = page.getByRole('region', { name: 'Sesiones abiertas' })
  await sessions.getByRole('button', { name: 'Cerrar las demás' }).click()
  await expect(page.getByText('Las demás sesiones se cerraron')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await other.goto('/')
  await expect(other.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  await elsewhere.close()

  await logIn(page, company.owner)
  await page.goto(`/configuracion/registro-de-seguridad?filter[Search]=${eva.name}`)
  await expect(page.getByRole('row', { name: /Sesiones cerradas/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Ingreso desde un equipo nuevo/ })).toHaveCount(3)
  await expectLoaded(page)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar a Excel' }).click()
  expect((await download).suggestedFilename()).toMatch(/^registro-de-seguridad-.*\.xlsx$/)
})

test('the company shortens its sessions, within what the house allows', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/configuracion/acceso')
  const hours = page.getByRole('textbox', { name: 'Se cierran sin uso después de' })
  await hours.fill('13')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Debe ser a lo más 12 h.')).toBeVisible()
  await hours.fill('8')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Reglas de acceso guardadas correctamente ✅')).toBeVisible()
  await expectAccessible(page)
})

test('somebody comes in with a code of their telephone, and with a recovery code', async ({ page, company }) => {
  const eva = await somebodyNew(page.request, company.owner, 'viewer')
  await logIn(page, eva)
  await page.goto('/configuracion/perfil')
  await page.getByRole('button', { name: 'Agregar aplicación de códigos' }).click()
  const drawer = page.getByRole('dialog', { name: 'Aplicación de códigos' })
  await expect(drawer.getByRole('img', { name: 'Código QR' })).toBeVisible()
  await expectAccessible(page)
  const key = (await drawer.getByText('Si no puede leerlo').locator('span').textContent())!
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
  await drawer.getByRole('textbox', { name: 'Escriba el código' }).fill(totp.generate())
  await drawer.getByRole('button', { name: 'Activar' }).click()
  const shown = page.getByRole('dialog', { name: 'Códigos de recuperación' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const recovery = (await shown.getByRole('listitem').first().textContent())!
  await shown.getByRole('button', { name: 'Ya los guardé' }).click()
  await expect(page.getByText('Quedan 10 códigos de recuperación')).toBeVisible()

  const enter = async (code: string) => {
    await page.evaluate(() => localStorage.removeItem('maestranza.token'))
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'Correo' }).fill(eva.email)
    await page.getByLabel('Contraseña').first().fill(eva.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByRole('textbox', { name: 'Código' }).fill(code)
    await page.getByRole('button', { name: 'Entrar' }).click()
  }
  await enter('000000')
  await expect(page.getByText('El código no es correcto, o ya se usó.')).toBeVisible()
  await expectAccessible(page)
  // None is good twice: the next one is, a little early.
  await page.getByRole('textbox', { name: 'Código' }).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(homeTitle(page)).toBeVisible()
  await enter(recovery)
  await expect(homeTitle(page)).toBeVisible()
})

test('a passkey opens, and opens what the company asks of a role', async ({ page, baseURL, company }) => {
  // An address by number has no passkeys.
  const house = baseURL!.replace('127.0.0.1', 'localhost')
  const chrome = await page.context().newCDPSession(page)
  await chrome.send('WebAuthn.enable')
  await chrome.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const eva = await somebodyNew(page.request, company.owner, 'viewer')
  const enter = async () => {
    await page.goto(`${house}/login`)
    await page.getByRole('textbox', { name: 'Correo' }).fill(eva.email)
    await page.getByLabel('Contraseña').first().fill(eva.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
  }
  await enter()
  await expect(homeTitle(page)).toBeVisible()

  const boss = await (await page.context().browser()!.newContext({ baseURL })).newPage()
  await logIn(boss, company.owner)
  await boss.goto('/configuracion/acceso')
  await boss.getByRole('checkbox', { name: 'Consulta' }).check()
  await boss.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(boss.getByText('Reglas de acceso guardadas correctamente ✅')).toBeVisible()

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Falta su segundo factor' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Agregar llave de acceso' }).click()
  await page.getByRole('button', { name: 'Ya los guardé' }).click()
  await expect(homeTitle(page)).toBeVisible()

  await page.evaluate(() => localStorage.removeItem('maestranza.token'))
  await enter()
  await page.getByRole('button', { name: 'Usar llave de acceso' }).click()
  await expect(homeTitle(page)).toBeVisible()
  await boss.getByRole('checkbox', { name: 'Consulta' }).uncheck()
  await boss.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(boss.getByRole('checkbox', { name: 'Consulta' })).not.toBeChecked()
})

test('somebody makes a key for a program, which opens what it was given and nothing else', async ({
  page,
  company,
}) => {
  const eva = await somebodyNew(page.request, company.owner, 'viewer')
  await logIn(page, eva)
  await page.goto('/configuracion/claves-de-api')
  await page.getByRole('button', { name: 'Nueva clave' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Nueva clave de API' })
  await drawer.getByRole('textbox', { name: 'Para qué programa es' }).fill('Planilla')
  await drawer.getByRole('combobox', { name: 'Qué puede hacer' }).click()
  await page.getByRole('option', { name: 'Ver equipos' }).click()
  await page.keyboard.press('Tab')
  await drawer.getByRole('button', { name: 'Crear clave' }).click()
  const made = page.getByRole('dialog', { name: 'Su clave' })
  const token = await made.getByRole('textbox', { name: 'Clave' }).inputValue()
  await expectAccessible(page)
  await made.getByRole('button', { name: 'Listo' }).click()
  const headers = { authorization: `Bearer ${token}` }
  expect((await page.request.get('/api/v1/trucks', { headers })).status()).toBe(200)
  expect((await page.request.get('/api/v1/supplies', { headers })).status()).toBe(403)
  await page.reload()
  await expect(page.getByText(/usada el .* desde 127\.0\.0\.1/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Eliminar Planilla' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByText('Aún no hay claves')).toBeVisible()
  expect((await page.request.get('/api/v1/trucks', { headers })).status()).toBe(401)
})

test('somebody links their account at the provider of the company, and comes in with it', async ({
  page,
  baseURL,
  company,
}) => {
  const provider = await openProvider(`${baseURL}/entrar/vuelta`)
  // Its page asks for a font from outside.
  await page.route('https://**', (route) => route.abort())
  await logIn(page, company.owner)
  await page.goto('/configuracion/acceso')
  const form = page.getByRole('form', { name: 'Proveedor de identidad' })
  await form.getByRole('textbox', { name: 'Emisor' }).fill(provider.issuer)
  await form.getByRole('textbox', { name: 'Identificador de cliente' }).fill(CLIENT.client_id)
  await form.getByLabel('Secreto de cliente').fill(CLIENT.client_secret)
  await form.getByRole('textbox', { name: 'Texto del botón' }).fill('Entrar con Áridos')
  await form.getByRole('button', { name: 'Guardar proveedor' }).click()
  await expect(page.getByText('Proveedor de identidad guardado correctamente ✅')).toBeVisible()
  const door = (await form.getByText(/\/entrar\/\d+$/).textContent())!
  await expectAccessible(page)

  const eva = await somebodyNew(page.request, company.owner, 'viewer')
  await logIn(page, eva)
  await page.goto('/configuracion/perfil')
  await page.getByRole('button', { name: 'Vincular mi cuenta' }).click()
  await page.getByPlaceholder('Enter any login').fill(eva.email)
  await page.getByPlaceholder('and password').fill('cualquiera')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Cuenta vinculada correctamente ✅')).toBeVisible()
  await expect(page.getByText('Puede entrar con «Entrar con Áridos».')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(door)
  await expectAccessible(page)
  // The provider still knows this browser.
  await page.getByRole('button', { name: 'Entrar con Áridos' }).click()
  await expect(homeTitle(page)).toBeVisible()
  await page.goto('/configuracion/perfil')
  await expect(page.getByText(eva.email)).toBeVisible()
  provider.close()
})
