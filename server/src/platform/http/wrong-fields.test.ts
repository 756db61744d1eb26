import { expect, it } from 'vitest'
import { z } from 'zod'
import { wrongFields } from './wrong-fields.ts'

const Line = z
  .object({ from: z.number(), until: z.number(), name: z.string() })
  .refine(({ from, until }) => from <= until, { path: ['until'], message: 'Antes.' })
const Order = z
  .object({ title: z.string(), a: z.array(z.number()), b: z.array(z.number()), lines: z.array(Line).default([]) })
  .refine(({ a, b }) => a.length + b.length > 0, { path: ['a'], message: 'Nada.' })
  .refine(({ title }) => title !== 'x', { path: ['title'], message: 'Otro.' })

const found = (sent: unknown) => {
  const { error } = Order.safeParse(sent)
  return wrongFields(Order, sent, error!).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

it('holds the rules between fields against those that are right', () => {
  expect(found({ a: [], b: [] })).toEqual(['title: Este campo es obligatorio.', 'a: Nada.'])
})

it('leaves out a rule that reads a wrong field', () => {
  expect(found({ title: 1, a: [], b: 'x' })).toEqual(['title: Debe ser un texto.', 'b: Debe ser una lista.'])
})

it('says each thing once, in lines too', () => {
  const sent = {
    title: 'x',
    a: 1,
    b: [],
    lines: [
      { from: 2, until: 1 },
      { from: 2, until: 1, name: 'y' },
    ],
  }
  expect(found(sent)).toEqual([
    'a: Debe ser una lista.',
    'lines.0.name: Este campo es obligatorio.',
    'lines.1.until: Antes.',
    'lines.0.until: Antes.',
    'title: Otro.',
  ])
})

it('reads thousands of wrong lines no second time', () => {
  const sent = { title: 'x', a: [], b: [], lines: Array(5000).fill({}) }
  const { error } = Order.safeParse(sent)
  expect(wrongFields(Order, sent, error!)).toBe(error!.issues)
})
