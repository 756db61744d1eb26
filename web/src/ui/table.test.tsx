// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Table } from './table.tsx'
import { AtOnce } from './turns.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const draw = (room: number, needed: number, look?: { table: string }) => {
  const tells: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        tells.push(tell)
      }
      observe() {}
      disconnect() {}
    },
  )
  const asked = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(room)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(needed)
  const columns = [{ label: 'Patente', cell: (row: string) => row }]
  render(<Table label="Equipos" columns={columns} rows={['KVGV19']} keyOf={(row) => row} {...(look && { look })} />)
  const isFolded = () => screen.getByRole('table').parentElement!.hasAttribute('data-folded')
  return { asked, isFolded, place: () => act(() => tells.at(-1)?.()) }
}

it('folds where its columns do not fit, asked once it has its place and not before', () => {
  const { asked, isFolded, place } = draw(700, 900)
  expect(asked).not.toHaveBeenCalled()
  expect(isFolded()).toBe(false)
  place()
  expect(isFolded()).toBe(true)
})

it('stays beside each other where they fit', () => {
  const { isFolded, place } = draw(900, 900)
  place()
  expect(isFolded()).toBe(false)
})

it('is folded on a phone from the first, and unfolds where there is room after all', () => {
  vi.stubGlobal('innerWidth', 360)
  const { asked, isFolded, place } = draw(330, 330)
  expect(isFolded()).toBe(true)
  place()
  expect(isFolded()).toBe(true)
  asked.mockReturnValue(900)
  place()
  expect(isFolded()).toBe(false)
})

it('draws a long one in turns, busy until it is whole, and what it has is not drawn again', async () => {
  const cell = vi.fn((row: number) => `fila ${row}`)
  const columns = [{ label: 'Fila', cell }]
  const rows = Array.from({ length: 40 }, (_, row) => row)
  const keyOf = (row: number) => row
  render(<Table label="Filas" columns={columns} rows={rows} keyOf={keyOf} />)
  const body = screen.getAllByRole('rowgroup')[1]!
  expect(body.children).toHaveLength(15)
  expect(body.getAttribute('aria-busy')).toBe('true')
  await screen.findByText('fila 39')
  expect(body.children).toHaveLength(40)
  expect(body.hasAttribute('aria-busy')).toBe(false)
  expect(cell).toHaveBeenCalledTimes(40)
})

it('a row stays what it is, with what is typed in it, when others go and it moves up', () => {
  const columns = [{ label: 'Fila', cell: (row: number) => <input aria-label={`fila ${row}`} /> }]
  const table = (rows: number[]) => <Table label="Filas" columns={columns} rows={rows} keyOf={(row) => row} />
  const rows = Array.from({ length: 15 }, (_, row) => row)
  const { rerender } = render(<AtOnce value={true}>{table([...rows, 15, 16])}</AtOnce>)
  const field = screen.getByLabelText('fila 15')
  rerender(<AtOnce value={true}>{table([...rows.slice(1), 15, 16])}</AtOnce>)
  expect(screen.getByLabelText('fila 15')).toBe(field)
})
