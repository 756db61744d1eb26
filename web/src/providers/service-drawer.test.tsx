// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import ServiceDrawer from './service-drawer.tsx'

it('shows what is wrong with the provider also where the provider is fixed and has no field', async () => {
  const message = 'El proveedor está inactivo.'
  stubServer(({ path, method }) => {
    if (path.endsWith('/me')) return { body: ana }
    if (method === 'GET') return { body: { data: [], total: 0 } }
    return { status: 422, body: { message: 'Revise los datos.', errors: { provider_id: [message] } } }
  })
  await show(
    <Suspense>
      <ServiceDrawer provider={{ id: 3, name: 'Frenos Sur', workshop_id: 2 }} onClose={() => {}} />
    </Suspense>,
  )
  await userEvent.type(await screen.findByLabelText(/^Código/), 'S-1')
  await userEvent.type(screen.getByLabelText(/^Nombre/), 'Rectificado')
  await userEvent.type(screen.getByLabelText(/^Costo|^Precio/), '1000')
  await userEvent.click(screen.getByRole('button', { name: 'Crear servicio' }))
  expect(await screen.findByText(message)).toBeTruthy()
})
