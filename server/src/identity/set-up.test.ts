import { describe, expect, it } from 'vitest'
import { CHILEAN_OBLIGATIONS } from '#contract/alerts/categories.ts'
import { BAD_CODE, identity } from '#contract/identity/identity.ts'
import { openHouse } from '../../test/house.ts'
import { giveSetUpCode } from './set-up.ts'

const house = openHouse()
const code = () => house.app.database.write(null, giveSetUpCode)
const first = (code: string | undefined, more: object = {}) =>
  house.call(undefined, identity.setUp, {
    body: {
      code,
      company_name: 'Transportes Nuevos SpA',
      company_dni: '764182030',
      workshop_name: 'Taller Central',
      name: 'Rosa Díaz',
      email: 'rosa@nuevos.cl',
      password: 'una-clave-larga',
      ...more,
    },
  })

describe('an empty house', () => {
  it('shows one code, the same on every instance and every start', async () => {
    expect((await house.call(undefined, identity.needsSetUp)).body).toEqual({ needed: true })
    const codes = await Promise.all([code(), code(), code()])
    expect(codes[0]).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/)
    expect(new Set(codes).size).toBe(1)
  })

  it('opens to nobody without the code, and says what is wrong under its field', async () => {
    const wrong = await first('AAAAA-AAAAA')
    expect([wrong.status, wrong.failure.errors]).toEqual([422, { code: [BAD_CODE] }])
    const poor = await first(await code(), { company_name: ' ', company_dni: '76.418.203-1', password: 'corta' })
    expect(Object.keys(poor.failure.errors ?? {}).sort()).toEqual(['company_dni', 'company_name', 'password'])
    expect((await house.call(undefined, identity.needsSetUp)).body).toEqual({ needed: true })
  })

  it('becomes a company with its workshop and super-admin, once, however many try', async () => {
    const given = (await code())!.toLowerCase().replace('-', ' ')
    const answers = await Promise.all([first(given), first(given, { email: 'otra@nuevos.cl' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    const { user, token } = answers.find(({ status }) => status === 201)!.body
    expect(user).toMatchObject({ name: 'Rosa Díaz', role: 'super-admin', workshop_id: null })
    expect(user.companies).toMatchObject([{ name: 'Transportes Nuevos SpA' }])
    const { rows } = await house.owner.query('select name from workshops')
    expect(rows).toEqual([{ name: 'Taller Central' }])
    const { rows: begun } = await house.owner.query(
      `select (select count(*) from maintenance_types)::int as types, (select count(*) from alert_categories)::int as obligations`,
    )
    expect(begun).toEqual([{ types: 3, obligations: CHILEAN_OBLIGATIONS.length }])
    expect(token).toHaveLength(43)
    expect((await house.call(undefined, identity.needsSetUp)).body).toEqual({ needed: false })
    expect(await code()).toBeUndefined()
    expect((await first(given)).status).toBe(422)
  })

  it('slows down guesses', async () => {
    const answers = []
    for (let i = 0; i < 8; i++) answers.push((await first('ZZZZZ-ZZZZZ')).status)
    expect(answers.at(-1)).toBe(429)
  })
})
