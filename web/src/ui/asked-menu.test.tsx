import { MantineProvider, Menu } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { AskedMenu } from './asked-menu.tsx'

it('is a button until it is asked for, then a menu that gives the focus back to it', async () => {
  const act = vi.fn()
  render(
    <MantineProvider env="test">
      <AskedMenu button={<button type="button">Acciones</button>}>
        <Menu.Dropdown>
          <Menu.Item onClick={act}>Mover</Menu.Item>
        </Menu.Dropdown>
      </AskedMenu>
    </MantineProvider>,
  )
  const button = () => screen.getByRole('button', { name: 'Acciones' })
  expect(button().getAttribute('aria-haspopup')).toBe('menu')
  expect(button().getAttribute('aria-expanded')).toBe('false')
  // Nothing of a menu yet: it would be named by its button.
  expect(button().id).toBe('')

  fireEvent.click(button())
  expect(button().getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(button())
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Mover' }))
  expect(act).toHaveBeenCalledOnce()
  expect(button().getAttribute('aria-expanded')).toBe('false')

  fireEvent.click(button())
  expect(button().getAttribute('aria-expanded')).toBe('true')
})
