import { Secret, TOTP } from 'otpauth'
import { expect, it, vi } from 'vitest'
import { factors } from '#contract/identity/factors.ts'
import { identity } from '#contract/identity/identity.ts'
import { webhooks } from '#contract/webhooks/webhooks.ts'
import { PASSWORD } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { PATIENCE } from '../../../test/listen.ts'
import { closeSecretsJob as ofPeople } from '../../identity/oidc.ts'
import { closeSecretsJob as ofWebhooks } from '../../webhooks/webhooks.ts'
import { Secrets } from './secrets.ts'

const house = openHouse()
const KEY = 'una clave de pruebas, no un secreto'

it('closes a secret for one place, and opens it there with the same key', () => {
  const [mine, other] = [new Secrets(KEY), new Secrets('otra clave, la de otro servidor igual')]
  const closed = mine.close('whsec_abc', 'webhook:1')
  expect(closed).not.toContain('whsec_abc')
  expect(mine.close('whsec_abc', 'webhook:1')).not.toBe(closed)
  expect([mine.open(closed, 'webhook:1'), mine.open(closed, 'webhook:2'), other.open(closed, 'webhook:1')]).toEqual([
    'whsec_abc',
    undefined,
    undefined,
  ])
})

it('keeps no secret readable in the database, and says what to do where the key is another', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const { secret, attempt } = (await house.call(boss, factors.beginTotp)).body
  const codeOf = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  const login = (code: string) =>
    house.call(undefined, identity.login, { body: { email: boss.email, password: PASSWORD, code } })
  await house.call(boss, factors.confirmTotp, { body: { attempt, name: 'T', code: codeOf(-1) } })
  const hook = await house.call(boss, webhooks.createWebhook, {
    body: { name: 'ERP', url: 'https://erp.invalid/', events: ['order.moved'] },
  })
  const stored = async () =>
    (
      await house.owner.query<{ secret: string }>(
        `select encode(secret, 'escape') as secret from factors where user_id = $1
         union all select secret from webhooks where company_id = $2`,
        [boss.user_id, boss.company_id],
      )
    ).rows.map((row) => row.secret)
  const isClosed = async () => (await stored()).map((text) => text.startsWith('closed:1:'))
  expect(await isClosed()).toEqual([true, true])

  // As they stood before there was a key; without one the clock's own runs change nothing.
  const { context } = house.app.database
  delete context.secrets
  await house.owner.query('update factors set secret = $1', [Buffer.from(Secret.fromBase32(secret).buffer)])
  await house.owner.query('update webhooks set secret = $1', [hook.body.secret])
  expect(await isClosed()).toEqual([false, false])
  context.secrets = new Secrets(KEY)
  for (const job of [ofPeople, ofWebhooks, ofPeople, ofWebhooks]) await job.runFor(house.app.database, boss.company_id)
  expect(await isClosed()).toEqual([true, true])
  expect((await login(codeOf(0))).status).toBe(200)

  // Restored on another machine, without the key.
  context.secrets = new Secrets('otra clave, la de otro servidor igual')
  expect((await login(codeOf(1))).failure.errors?.code?.[0]).toMatch(/se guardó con otra clave del servidor/)
  await house.call(boss, webhooks.pingWebhook, { params: { id: hook.body.webhook.id } })
  await vi.waitFor(
    async () => {
      const [delivery] = (await house.call(boss, webhooks.listDeliveries)).body.data
      expect(delivery!.answer).toMatch(/se guardó con otra clave del servidor/)
    },
    { timeout: PATIENCE, interval: 200 },
  )
})
