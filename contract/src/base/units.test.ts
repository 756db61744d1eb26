import { expect, it } from 'vitest'
import { showAmount } from './units.ts'

it('says a unit as people do beside a number', () => {
  expect(
    [
      [3, 'Juego'],
      [1, 'Juego'],
      [2, 'Unidad'],
      [0, 'Par'],
      [2, 'Galón'],
      [2, 'Kit'],
      [1.5, 'Litro'],
      [4, 'kg'],
      [4, 'KG'],
      [2, 'Tambor 200 L'],
      [2, null],
    ].map(([n, unit]) => showAmount(n as number, unit as string | null)),
  ).toEqual([
    '3 juegos',
    '1 juego',
    '2 unidades',
    '0 pares',
    '2 galones',
    '2 kits',
    '1,5 litros',
    '4 kg',
    '4 KG',
    '2 tambores 200 L',
    '2',
  ])
})
