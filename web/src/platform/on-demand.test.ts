import { expect, test } from 'vitest'
import { z } from 'zod'
import { onDemand } from './on-demand.ts'

test('a schema is made once, when it is first asked for something, and is one in every way', () => {
  let made = 0
  const Name = onDemand(() => {
    made++
    return z.string().trim().min(1)
  })
  const Person = onDemand(() => z.object({ name: Name, nick: Name.optional() }))
  const Named = Person.extend({ id: z.number() })
  expect(made).toBe(1)
  expect(Named.parse({ id: 1, name: ' Ana ' })).toEqual({ id: 1, name: 'Ana' })
  expect(Person.safeParse({ name: '' }).success).toBe(false)
  expect(Person.shape.name).toBe(Name)
  expect(Person instanceof z.ZodObject).toBe(true)
  expect('_zod' in Person).toBe(true)
  expect(made).toBe(1)
})

test('one that nobody asks for is never made', () => {
  let made = 0
  const Unasked = onDemand(() => {
    made++
    return z.string()
  })
  expect({ body: Unasked }.body).toBe(Unasked)
  expect(made).toBe(0)
})
