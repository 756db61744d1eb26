import { render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { expect, test } from 'vitest'
import { AtOnce, InTurn } from './turns.tsx'

test('what takes turns comes one after the other, and is busy until it is there', async () => {
  const { container } = render(
    <>
      <InTurn>first</InTurn>
      <InTurn>second</InTurn>
    </>,
  )
  expect(container.textContent).toBe('')
  expect(container.querySelectorAll('[aria-busy]')).toHaveLength(2)
  await screen.findByText('first')
  expect(container.textContent).toBe('first')
  await screen.findByText(/second/)
  expect(container.querySelector('[aria-busy]')).toBeNull()
})

test('who leaves before their turn holds nobody up', async () => {
  const { rerender } = render(
    <>
      <InTurn key="gone">gone</InTurn>
      <InTurn key="next">next</InTurn>
    </>,
  )
  rerender(<InTurn key="next">next</InTurn>)
  await screen.findByText('next')
})

const never = new Promise<string>(() => {})
const Late = () => use(never)

test('nor who waits for something that does not come', async () => {
  render(
    <Suspense fallback="…">
      <InTurn>
        <Late />
      </InTurn>
    </Suspense>,
  )
  render(<InTurn>next</InTurn>)
  await screen.findByText('next', undefined, { timeout: 5000 })
})

test('what opens over the page is whole', () => {
  const { container } = render(
    <AtOnce value={true}>
      <InTurn>first</InTurn>
      <InTurn>second</InTurn>
    </AtOnce>,
  )
  expect(container.textContent).toBe('firstsecond')
})
