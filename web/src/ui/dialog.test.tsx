// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { show } from '../test/stage.tsx'
import { Drawer } from './drawer.tsx'

function Opener({ onSent }: { onSent: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const send = () => {
    onSent()
    setOpen(false)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Agregar
      </button>
      {isOpen && (
        <Drawer opened onClose={() => setOpen(false)} title="Nuevo" onSubmit={send}>
          <textarea aria-label="Nota" />
        </Drawer>
      )}
    </>
  )
}

it('Ctrl+Enter sends what is in it, and who opened it has the focus again', async () => {
  const sent = vi.fn((event?: unknown) => event)
  await show(<Opener onSent={sent} />)
  const add = screen.getByText('Agregar')
  await userEvent.click(add)
  await userEvent.type(await screen.findByLabelText('Nota'), 'una{Enter}otra{Control>}{Enter}{/Control}')
  expect(sent).toHaveBeenCalledOnce()
  expect(screen.queryByLabelText('Nota')).toBeNull()
  expect(document.activeElement).toBe(add)
})
