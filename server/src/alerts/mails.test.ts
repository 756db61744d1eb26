import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alerts } from '#contract/alerts/alerts.ts'
import { alertMails, type MailDetail } from '#contract/alerts/mails.ts'
import { addDays, dayOf } from '#contract/base/dates.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import type { Member } from '../../test/given.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { MailServer } from '../../test/smtp.ts'
import { Outbox } from '../platform/outside/mail.ts'
import { evaluateCompany } from './evaluation.ts'

/** The house itself has no mail server: each test decides when its outbox is looked at, and at what hour. */
const house = openHouse()
const server = new MailServer()
const today = dayOf(new Date())
let outbox: Outbox

beforeAll(() => server.start())
afterAll(() => server.stop())
beforeEach(async () => {
  await house.owner.query(`update mails set state = 'failed', next_attempt_at = null where state = 'queued'`)
  server.received.length = 0
  server.mood = 'take'
  outbox = new Outbox(house.app.database, { smtpUrl: server.url, address: 'https://taller.cl' })
})

/** In every company, as the job of each would. */
async function sendDue(from: Outbox, clock?: () => Date) {
  let sent = 0
  for (const company_id of await house.app.database.companies()) sent += await from.sendDue(company_id, clock)
  return sent
}

const overdue = { dateSelected: true, date: addDays(today, -1) }
const soon = { dateSelected: true, date: today }
const alertFor = (who: Member, selected: string[], more: object = {}) =>
  house.given.alert(who, { expirationSettings: overdue, emails_to_notifications: { selected }, ...more })
const mailsOf = async (who: Member) => (await house.call(who, alertMails.listMails)).body
const mailOf = async (who: Member): Promise<MailDetail> => {
  const { data } = await mailsOf(who)
  return (await house.call(who, alertMails.getMail, { params: { id: data[0]!.id } })).body
}
const minutes = (n: number) => new Date(Date.now() + n * 60_000)

describe('a notice', () => {
  it('is not for people who asked for no mails', async () => {
    const ana = await house.given.member()
    const body = { notifications: false }
    expect((await house.call(ana, identity.updatePreferences, { body })).status).toBe(200)
    await alertFor(ana, [ana.email, 'otra@taller.cl'])
    await evaluateCompany(house.app.database, ana.company_id)
    await sendDue(outbox)
    expect(server.received.map(({ to }) => to)).toEqual(['otra@taller.cl'])
  })

  it('says in both versions what is due, with a link to each', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana, { code: 'T-9', patent: 'BBCD99', mileage: 900 })
    const alert = await alertFor(ana, ['jefe@taller.cl'], {
      name: 'Revisión <técnica> & frenos',
      selectedTrucks: [truck.id],
      expirationSettings: { ...overdue, kilometersSelected: true, kilometers: 1000 },
    })
    expect(await sendDue(outbox)).toBe(1)
    const [mail] = server.received
    expect(mail!.to).toBe('jefe@taller.cl')
    expect(mail!.subject).toBe('Vencida: Revisión <técnica> & frenos, T-9 · BBCD·99')
    expect(mail!.raw).toContain('From: Maestranza <avisos@maestranza.cl>')
    for (const content of [mail!.text, mail!.html]) {
      expect(content).toContain('T-9 · BBCD·99')
      expect(content).toContain('Vencida hace 1 día · Faltan 100 km')
      expect(content).toContain(`https://taller.cl/maintenance-alerts?alert=${alert.id}`)
    }
    expect(mail!.text).toContain('Revisión <técnica> & frenos')
    expect(mail!.html).toContain('Revisión &lt;técnica&gt; &amp; frenos')
    expect(mail!.html).not.toContain('<técnica>')
  })

  it('is one for each person and run, whatever the number of alerts', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana, { mileage: 100 })
    const at = (kilometers: number) => ({ kilometersSelected: true, kilometers })
    const plan = { selectedTrucks: [truck.id], alertSettings: { kilometersSelected: true, kilometers_advance: 100 } }
    await alertFor(ana, ['a@x.cl', 'b@x.cl'], { ...plan, name: 'Aceite', expirationSettings: at(900) })
    await alertFor(ana, ['a@x.cl'], { ...plan, name: 'Frenos', expirationSettings: at(1050) })
    await alertFor(ana, ['a@x.cl'], { ...plan, name: 'Lejos', expirationSettings: at(9000) })
    await house.call(ana, fleet.recordReading, { params: { id: truck.id }, body: { km: 1000 } })
    await sendDue(outbox)
    const told = server.received.map(({ to, subject, text }) => [
      to,
      subject.split(',')[0],
      ['Aceite', 'Frenos', 'Lejos'].filter((name) => text.includes(name)),
    ])
    expect(told).toEqual([
      ['a@x.cl', 'Mantenciones: 1 vencida y 1 por vencer', ['Aceite', 'Frenos']],
      ['b@x.cl', 'Vencida: Aceite', ['Aceite']],
    ])
  })

  it('is not written twice, whoever works it out and how often; another due point is another matter', async () => {
    const ana = await house.given.member()
    const alert = await alertFor(ana, ['a@x.cl'], { expirationSettings: soon })
    await Promise.all(times(6, () => evaluateCompany(house.app.database, ana.company_id)))
    expect((await mailsOf(ana)).total).toBe(1)
    const tomorrow = new Date(Date.now() + 86_400_000)
    await Promise.all(times(6, () => evaluateCompany(house.app.database, ana.company_id, tomorrow)))
    expect((await mailsOf(ana)).data.map(({ subject }) => subject.split(':')[0])).toEqual(['Vencida', 'Por vencer'])
    const change = (body: object) =>
      house.call(ana, alerts.updateAlert, {
        params: { id: alert.id },
        body: { name: alert.name, emails_to_notifications: { selected: ['a@x.cl'] }, ...body },
      })
    await change({ expirationSettings: soon, alertSettings: { daysSelected: true, days: 3 } })
    expect((await mailsOf(ana)).total).toBe(2)
    await change({ expirationSettings: overdue })
    expect((await mailsOf(ana)).total).toBe(3)
  })

  it('is not for trucks that are out of use', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana)
    await alertFor(ana, ['a@x.cl'], { selectedTrucks: [truck.id], expirationSettings: soon })
    await house.call(ana, fleet.updateTruck, { params: { id: truck.id }, body: { ...truck, state: 'inactive' } })
    await evaluateCompany(house.app.database, ana.company_id, new Date(Date.now() + 3 * 86_400_000))
    expect((await mailsOf(ana)).total).toBe(1)
  })
})

describe('the outbox', () => {
  it('keeps mails where there is no mail server, for those who manage the workshop to read', async () => {
    const ana = await house.given.member()
    await alertFor(ana, ['a@x.cl'])
    const list = await mailsOf(ana)
    expect([list.can_send, list.data[0]?.state, list.data[0]?.attempts]).toEqual([false, 'queued', 0])
    const mail = await mailOf(ana)
    expect(mail.html).toContain('href="/maintenance-alerts?alert=')
    const looker = await house.given.member({ ...ana, role: 'viewer' })
    expect((await house.call(looker, alertMails.listMails)).status).toBe(403)
  })

  it('tries again with growing pauses while the server refuses, with every attempt on record', async () => {
    const ana = await house.given.member()
    await alertFor(ana, ['a@x.cl'])
    server.mood = 'refuse'
    const waits: number[] = []
    let at = minutes(1)
    for (let attempt = 0; attempt < 8; attempt++) {
      await sendDue(outbox, () => at)
      const { next_attempt_at } = await mailOf(ana)
      waits.push((Date.parse(next_attempt_at!) - at.getTime()) / 60_000)
      // Sooner than that nothing is tried.
      await sendDue(outbox, () => new Date(Date.parse(next_attempt_at!) - 1000))
      at = new Date(next_attempt_at!)
    }
    expect(waits).toEqual([1, 5, 15, 60, 180, 360, 720, 1440])
    await sendDue(outbox, () => at)
    const failed = await mailOf(ana)
    expect([failed.state, failed.attempts, failed.next_attempt_at]).toEqual(['failed', 9, null])
    expect(failed.tries.map(({ outcome }) => outcome)).toEqual(times(9, () => 'failed'))
    expect(failed.tries[0]?.answer).toContain('Try later')
    expect(server.received).toEqual([])

    server.mood = 'take'
    await house.call(ana, alertMails.resendMail, { params: { id: failed.id } })
    await sendDue(outbox)
    expect((await mailOf(ana)).state).toBe('sent')
    expect(server.received).toHaveLength(1)
    expect((await house.call(ana, alertMails.resendMail, { params: { id: failed.id } })).status).toBe(409)
  })

  it('waits while the server cannot be reached', async () => {
    const ana = await house.given.member()
    await alertFor(ana, ['a@x.cl', 'b@x.cl'])
    await server.stop()
    await sendDue(outbox)
    const states = (await mailsOf(ana)).data.map(({ state, attempts }) => [state, attempts]).sort()
    expect(states).toEqual([
      ['queued', 0],
      ['queued', 1],
    ])
    await server.start()
    await sendDue(outbox, () => minutes(2))
    expect(server.received.map(({ to }) => to).sort()).toEqual(['a@x.cl', 'b@x.cl'])
  })

  it('does not send again what the server may have taken: somebody decides', async () => {
    const ana = await house.given.member()
    await alertFor(ana, ['a@x.cl'])
    server.mood = 'take and hang up'
    await sendDue(outbox)
    server.mood = 'take'
    expect((await mailOf(ana)).state).toBe('uncertain')
    await sendDue(outbox, () => minutes(3000))
    expect(server.received).toHaveLength(1)
    const { id } = await mailOf(ana)
    expect((await house.call(ana, alertMails.resendMail, { params: { id } })).body.state).toBe('queued')
    await sendDue(outbox)
    // The same identity, so that a reader who has it already can tell.
    expect(new Set(server.received.map((mail) => mail.id)).size).toBe(1)
    expect((await mailOf(ana)).state).toBe('sent')
  })

  it('gives up what an instance was sending when it ended', async () => {
    const ana = await house.given.member()
    await alertFor(ana, ['a@x.cl'])
    await house.owner.query(
      `update mails set state = 'sending', claimed_at = now(), attempts = 1 where company_id = $1`,
      [ana.company_id],
    )
    await sendDue(outbox, () => minutes(5))
    expect((await mailOf(ana)).state).toBe('sending')
    await sendDue(outbox, () => minutes(11))
    expect((await mailOf(ana)).state).toBe('uncertain')
    expect(server.received).toEqual([])
  })

  it('sends each once, however many instances look at once', async () => {
    const ana = await house.given.member()
    for (const name of times(12, (i) => `Alerta ${i}`)) await alertFor(ana, [`${name.replace(' ', '')}@x.cl`], { name })
    const others = times(3, () => new Outbox(house.app.database, { smtpUrl: server.url, address: 'https://taller.cl' }))
    await Promise.all([outbox, ...others].map((one) => sendDue(one)))
    expect(server.received).toHaveLength(12)
    expect(new Set(server.received.map(({ to }) => to)).size).toBe(12)
  })

  it('leaves alone what has waited for weeks, unless somebody asks', async () => {
    const ana = await house.given.member()
    await alertFor(ana, ['a@x.cl'])
    await house.owner.query(
      `update mails set created_at = now() - interval '8 days', next_attempt_at = now() - interval '8 days' where company_id = $1`,
      [ana.company_id],
    )
    await sendDue(outbox)
    expect(server.received).toEqual([])
    await house.call(ana, alertMails.resendMail, { params: { id: (await mailOf(ana)).id } })
    await sendDue(outbox)
    expect(server.received).toHaveLength(1)
  })

  it('shows people of one workshop only what is theirs in a mail about several', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const [ana, bob] = [
      await house.given.member({ company_id: boss.company_id }),
      await house.given.member({ company_id: boss.company_id }),
    ]
    const trucks = [await house.given.truck(ana), await house.given.truck(bob)]
    await alertFor(boss, ['a@x.cl'], { selectedTrucks: trucks.map(({ id }) => id) })
    expect((await mailOf(boss)).lines).toHaveLength(2)
    const seen = await mailOf(ana)
    expect(seen.lines.map(({ title }) => title.includes(trucks[0]!.code))).toEqual([true])
    expect([seen.html, seen.text]).toEqual([null, null])
  })
})
