// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import SupplyCreate from './supply-create.tsx'

it('says that the categories could not be read, and does not go on as if they were on their way', async () => {
  stubServer(({ path }) => {
    if (path.endsWith('/me')) return { body: ana }
    if (path.endsWith('/categories')) return { status: 422, body: { message: 'No.' } }
    return { body: { data: [{ id: 1, name: 'Unidad' }], total: 1 } }
  })
  await show(
    <Suspense>
      <SupplyCreate />
    </Suspense>,
  )
  expect(await screen.findByText('Error al cargar categorias ⛔️')).toBeTruthy()
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Categoría' })
  expect(field.placeholder).toBe('No se pudo cargar: recargue la página')
})
