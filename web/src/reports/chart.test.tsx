// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { expect, it, vi } from 'vitest'
import { schemes } from '../ui/tokens.ts'
import { Chart } from './chart.tsx'
import { extentOf, layChart, markAt } from './chart-layout.ts'
import type { ChartSpec } from './chart-spec.ts'

const SIZE = { width: 600, height: 300 }
const measure = (text: string) => text.length * 7

const spec = (more: Partial<ChartSpec> = {}): ChartSpec => ({
  kind: 'columns',
  names: ['enero', 'febrero', 'marzo'],
  series: [
    { name: 'Insumos', tone: 'info', stack: 'total', values: [10, 20, null] },
    { name: 'Servicios', tone: 'orange', stack: 'total', values: [5, 30, 0] },
    { name: 'Antes', tone: 'slate', line: true, values: [60, null, 90] },
  ],
  show: (value) => `$${value}.000`,
  axis: String,
  ...more,
})
const centre = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: x + width / 2,
  y: y + height / 2,
})

it('has about five round figures along its axis', () => {
  expect(extentOf([4, 90])).toEqual({ least: 0, most: 100, step: 20 })
  expect(extentOf([-3, 12])).toEqual({ least: -3, most: 12, step: 3 })
  expect(extentOf([97], 100)).toEqual({ least: 0, most: 100, step: 20 })
  expect(extentOf([])).toEqual({ least: 0, most: 1, step: 1 })
})

it('puts what is stacked on top of each other, and finds it where it is', () => {
  const laid = layChart(spec(), SIZE, [], measure)
  const [january, , services] = laid.bars
  expect(laid.bars).toHaveLength(5)
  expect(services!.box.x).toBe(january!.box.x)
  expect(services!.box.y + services!.box.height).toBeCloseTo(january!.box.y)
  for (const { index, series, box } of laid.bars.filter(({ box }) => box.height > 0))
    expect(markAt(laid, centre(box))).toMatchObject({ index, series })
  const { x, y } = laid.lines[0]!.points[1]!
  expect(markAt(laid, { x, y })).toEqual({ index: 2, series: 2 })
})

it('lays bars down, with names cut to their room and all inside', () => {
  const names = ['Servicio de Frenos Biobío Limitada y Compañía', 'B']
  const one = { name: 'Compras', tone: 'info' as const, values: [40, 25] }
  const laid = layChart(spec({ kind: 'bars', names, series: [one] }), { width: 300, height: 200 }, [], measure)
  expect(laid.names[0]!.text).toMatch(/…$/)
  expect(laid.bars[0]!.box.y).toBeLessThan(laid.bars[1]!.box.y)
  expect(laid.bars[0]!.box.width / laid.bars[1]!.box.width).toBeCloseTo(40 / 25)
  expect(laid.plot.x + laid.plot.width).toBeLessThanOrEqual(300)
})

it('leaves out what was put aside, and measures by the rest', () => {
  const laid = layChart(spec(), SIZE, [1, 2], measure)
  expect(laid.bars.map(({ series }) => series)).toEqual([0, 0])
  expect(laid.ticks.at(-1)!.text).toBe('20')
  expect(laid.legend).toHaveLength(3)
})

it('shows the figures of what is pointed at, and opens what is clicked', () => {
  const told = { observe: vi.fn(), disconnect: vi.fn() }
  const watch = vi.fn(function (this: object, _tell: (seen: object[]) => void) {
    return told
  })
  vi.stubGlobal('ResizeObserver', watch)
  const onPick = vi.fn()
  const chart = spec({ onPick })
  render(
    <MantineProvider env="test">
      <Chart spec={chart} label="Gráfico: Gasto" height={SIZE.height} picture={createRef() as never} />
    </MantineProvider>,
  )
  act(() => watch.mock.calls[0]![0]([{ contentRect: SIZE }]))
  const drawn = screen.getByRole('img', { name: 'Gráfico: Gasto' })
  const laid = layChart(chart, SIZE, [], measure)
  const at = (point: { x: number; y: number }) => ({ clientX: point.x, clientY: point.y })
  const february = at(centre(laid.bars[3]!.box))
  fireEvent.mouseMove(drawn, february)
  expect(drawn.textContent).toBe('febreroInsumos $20.000Servicios $30.000Antes —')
  fireEvent.click(drawn, february)
  expect(onPick).toHaveBeenCalledWith(1, 1)
  fireEvent.click(drawn, at(centre(laid.legend[2]!.box)))
  fireEvent.mouseMove(drawn, february)
  expect(drawn.textContent).not.toContain('Antes')
})

it('is drawn in the colours of paper as long as it is printed', () => {
  const watch = vi.fn(function (this: object, _tell: (seen: object[]) => void) {
    return { observe: vi.fn(), disconnect: vi.fn() }
  })
  vi.stubGlobal('ResizeObserver', watch)
  const inks = new Set<unknown>()
  const kept: Record<PropertyKey, unknown> = {
    measureText: (text: string) => ({ width: measure(text) }),
    fillText: () => inks.add(kept.fillStyle),
  }
  const pen = new Proxy(kept, { get: (_, name) => kept[name] ?? (() => {}) })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never)
  render(
    <MantineProvider env="test" defaultColorScheme="dark">
      <Chart spec={spec()} label="Gráfico: Gasto" height={SIZE.height} picture={createRef() as never} />
    </MantineProvider>,
  )
  act(() => watch.mock.calls[0]![0]([{ contentRect: SIZE }]))
  expect(inks).toContain(schemes.dark['text-1'])
  inks.clear()
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(inks).toEqual(new Set([schemes.light['text-1'], schemes.light['text-2']]))
  inks.clear()
  act(() => void window.dispatchEvent(new Event('afterprint')))
  expect(inks).toContain(schemes.dark['text-1'])
})
