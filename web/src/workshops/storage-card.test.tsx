// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show, stubServer } from '../test/stage.tsx'
import { StorageCard } from './storage-card.tsx'

const GB = 1e9

it.each([
  [3 * GB, 20 * GB, 'usan 3 GB de 20 GB', null],
  [15.99 * GB, 20 * GB, 'usan 16 GB de 20 GB', null],
  [16 * GB, 20 * GB, 'usan 16 GB de 20 GB', 'Queda poco espacio'],
  [20 * GB, 20 * GB, 'usan 20 GB de 20 GB', 'No queda espacio'],
  [340e6, null, 'usan 340 MB.', null],
])('shows how much of the quota is used and warns from 80 % on', async (used, quota, text, warning) => {
  stubServer(() => ({ body: { used, quota } }))
  await show(<StorageCard />)
  const card = await screen.findByRole('region', { name: 'Archivos' })
  expect(card.textContent).toContain(text)
  const status = screen.queryByRole('status')
  if (warning) expect(status?.textContent).toContain(warning)
  else expect(status).toBeNull()
})
