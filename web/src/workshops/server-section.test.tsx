// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show, stubServer } from '../test/stage.tsx'
import ServerSection from './server-section.tsx'

it.each([
  [true, 'PostgreSQL 18.4 está atrasado: ya existe 18.6.', 'el incluido'],
  [true, null, 'el incluido'],
  [false, null, 'propio'],
])('shows the version of the database, and warns where the embedded one is behind', async (embedded, message, text) => {
  stubServer(() => ({
    body: { database: { version: '18.4', embedded, latest: '18.6', behind: message !== null, message } },
  }))
  await show(<ServerSection />)
  const card = await screen.findByRole('region', { name: 'Base de datos' })
  expect(card.textContent).toContain(`PostgreSQL 18.4, ${text}`)
  expect(screen.queryByRole('status')?.textContent ?? null).toBe(message)
})
