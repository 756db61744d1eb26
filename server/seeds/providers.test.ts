import { expect, it } from 'vitest'
import { isRut } from '#contract/base/rut.ts'
import { openHouse } from '../test/house.ts'

const house = openHouse({ demo: 'full' })

it('makes 25 providers for each unit of size, with sound RUTs, no two of which could be taken for each other', async () => {
  const { rows } = await house.owner.query<{ company_id: string; dni: string; email: string }>(
    'select company_id, dni, email from providers order by id',
  )
  const carrier = rows.filter((row) => row.company_id === rows[0]?.company_id)
  expect([carrier.length, rows.length - carrier.length]).toEqual([25, 3])
  expect(rows.filter(({ dni }) => !isRut(dni))).toEqual([])
  expect(rows.filter(({ email }) => !/^[a-z]+@[a-z]+\.cl$/.test(email))).toEqual([])
  const alike = await house.owner.query(
    `select a.name, b.name from providers a join providers b on a.company_id = b.company_id and a.id < b.id
     where similarity(a.firm, b.firm) >= 0.5 and b.id < $1`,
    [25],
  )
  expect(alike.rows).toEqual([])
})
