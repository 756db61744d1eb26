// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { showPatent } from '#contract/fleet/fleet.ts'
import { show } from '../test/stage.tsx'
import { Plate } from './plate.tsx'

it('shows a plate as people write it, in one piece when it is read aloud or copied', async () => {
  await show(
    <>
      <Plate text={showPatent('BBBB12')} />
      <Plate text={showPatent('AB1234')} size="lg" />
    </>,
  )
  expect(document.body.textContent).toContain('BBBB·12')
  expect(document.body.textContent).toContain('AB·1234')
  expect(screen.getByText('CHILE').getAttribute('aria-hidden')).toBe('true')
})
