import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, homeTitle, logIn, unique } from './helpers.ts'

const field = (where: Page | Locator, name: string) => where.getByRole('textbox', { name, exact: false })
const choose = async (page: Page, list: string, option: string) => {
  await page.getByRole('combobox', { name: list }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Invites somebody through the screen; gives the one-time link. */
async function invite(page: Page, name: string, email: string, role: string) {
  await page.goto('/configuracion/usuarios')
  await page.getByRole('button', { name: 'Invitar' }).first().click()
  const drawer = page.getByRole('dialog')
  await field(drawer, 'Nombre').fill(name)
  await field(drawer, 'Correo').fill(email)
  await choose(page, 'Rol', role)
  await choose(page, 'Taller', 'Taller Quilicura')
  await drawer.getByRole('button', { name: 'Crear invitación' }).click()
  return drawer.getByRole('textbox', { name: 'Enlace de un solo uso' }).inputValue()
}

test('somebody is invited, chooses a password, enters and is given another role', async ({
  page,
  browser,
  company,
}) => {
  await logIn(page, company.owner)
  const name = unique('Paula Soto ')
  const email = `${unique('paula')}@prueba.cl`.toLowerCase()
  const link = await invite(page, name, email, 'Consulta')
  await page.getByRole('button', { name: 'Listo' }).click()

  const other = await browser.newContext()
  const paula = await other.newPage()
  await paula.goto(link)
  await expect(
    paula.getByRole('heading', { name: 'Le damos la bienvenida a Transportes Cordillera SpA' }),
  ).toBeVisible()
  await expectAccessible(paula)
  await paula.getByRole('textbox', { name: 'Contraseña' }).fill('corta')
  await paula.getByRole('button', { name: 'Entrar' }).click()
  await expect(paula.getByText('La contraseña debe tener al menos 10 caracteres.')).toBeVisible()
  await paula.getByRole('textbox', { name: 'Contraseña' }).fill('una-clave-larga')
  await paula.getByRole('button', { name: 'Entrar' }).click()
  await expect(homeTitle(paula)).toBeVisible()
  await expect(paula.getByRole('link', { name: 'Configuración' })).toHaveCount(0)

  // The link is spent; the password is hers.
  await paula.goto(link)
  await expect(paula.getByRole('heading', { name: 'El enlace ya no sirve' })).toBeVisible()
  await paula.evaluate(() => localStorage.clear())
  await paula.goto('/login')
  await field(paula, 'Correo').fill(email)
  await paula.getByRole('textbox', { name: 'Contraseña' }).fill('una-clave-larga')
  await paula.getByRole('button', { name: 'Entrar' }).click()
  await expect(homeTitle(paula)).toBeVisible()

  await page.goto(`/configuracion/usuarios?filter[Search]=${email}`)
  await page.getByText(name).click()
  await choose(page, 'Rol', 'Jefe de taller')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Usuario actualizado correctamente ✅')).toBeVisible()
  await paula.reload()
  await expect(paula.getByRole('link', { name: 'Configuración' })).toBeVisible()

  // Her access ends with her next click.
  await page.getByText(name).click()
  await page.getByRole('switch', { name: 'Activo' }).click({ force: true })
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Inactivo')).toBeVisible()
  await paula.reload()
  await expect(paula.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  await other.close()
})

test('a person of two companies switches between them without logging in again', async ({
  page,
  browser,
  company,
  newCompany,
}) => {
  await logIn(page, company.owner)
  const email = `${unique('dos')}@prueba.cl`.toLowerCase()
  const first = await invite(page, 'Dos Empresas', email, 'Consulta')
  const other = await browser.newContext()
  const person = await other.newPage()
  await person.goto(first)
  await person.getByRole('textbox', { name: 'Contraseña' }).fill('una-clave-larga')
  await person.getByRole('button', { name: 'Entrar' }).click()
  await expect(homeTitle(person)).toBeVisible()

  const { token } = (await newCompany('Áridos del Maipo Ltda.')).owner
  const invited = await page.request.post('/api/v1/users', {
    headers: { Authorization: `Bearer ${token}` },
    data: { name: 'Dos Empresas', email, role: 'super-admin' },
  })
  const { id } = await invited.json()
  const link = await page.request.post(`/api/v1/users/${id}/link`, { headers: { Authorization: `Bearer ${token}` } })
  await person.goto(`/invitacion/${(await link.json()).token}`)
  await expect(person.getByText('Si ya usa Maestranza con este correo')).toBeVisible()
  await person.getByRole('textbox', { name: 'Contraseña' }).fill('una-clave-larga')
  await person.getByRole('button', { name: 'Entrar' }).click()
  const inUse = person.getByRole('button', { name: /^Empresa/ })
  await expect(inUse).toContainText('Áridos del Maipo')
  await inUse.click()
  await expect(person.getByRole('menu')).toBeInViewport({ ratio: 1 })
  await person.getByRole('menuitemradio', { name: 'Transportes Cordillera SpA' }).click()
  await expect(inUse).toContainText('Transportes Cordillera')
  await person.reload()
  await expect(inUse).toContainText('Transportes Cordillera')
  await other.close()
})

test('a specialist and a brand are added, corrected and taken out of use', async ({ page, company }) => {
  await logIn(page, company.chief)
  await page.goto('/configuracion/especialistas')
  await page.getByRole('button', { name: 'Nuevo especialista' }).click()
  const surname = unique('Gatica')
  await field(page.getByRole('dialog'), 'Nombres').fill('Luis')
  await field(page.getByRole('dialog'), 'Apellido paterno').fill(surname)
  await field(page.getByRole('dialog'), 'RUT').fill('12.345.678-4')
  await page.getByRole('button', { name: 'Crear especialista' }).click()
  await expect(page.getByText('El dígito verificador no corresponde.')).toBeVisible()
  await field(page.getByRole('dialog'), 'RUT').fill('')
  await page.getByRole('button', { name: 'Crear especialista' }).click()
  await expect(page.getByText('Especialista creado correctamente ✅')).toBeVisible()
  await page.goto(`/configuracion/especialistas?filter[Search]=${surname}`)
  await page.getByText(`Luis ${surname}`).click()
  await page.getByRole('switch', { name: 'Activo' }).click({ force: true })
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Inactivo')).toBeVisible()

  await page.goto('/configuracion/marcas')
  const brand = unique('Marca ')
  await page.getByRole('button', { name: 'Nueva marca' }).click()
  await field(page.getByRole('dialog'), 'Nombre').fill(brand)
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await page.getByRole('button', { name: brand }).click()
  await page.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('dialog', { name: '¿Eliminar?' }).getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByRole('button', { name: brand })).toHaveCount(0)
})

test('everyone has a profile; the rest of the configuration is for those who may change it', async ({
  page,
  company,
}) => {
  await logIn(page, company.viewer)
  await page.goto('/truck')
  await page.getByRole('button', { name: /^Cuenta de/ }).click()
  await page.getByRole('menuitem', { name: 'Mi perfil' }).click()
  await expect(page.getByRole('heading', { name: 'Mi perfil' })).toBeVisible()
  const parts = page.getByRole('navigation', { name: 'Partes de la configuración' })
  await expect(parts.getByRole('link')).toHaveText(['Permisos', 'Mi perfil', 'Claves de API'])
  await page.goto('/configuracion/usuarios')
  await expect(page.getByRole('link', { name: 'Usuarios' })).toHaveCount(0)
})
