import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { companies } from '#contract/workshops/company.ts'
import { type Member, PIXEL } from '../../../test/given.ts'
import { databaseUrl } from '../../../test/global-setup.ts'
import { newDatabase, openHouse, send } from '../../../test/house.ts'
import { within } from '../../../test/listen.ts'
import { startS3 } from '../../../test/s3.ts'
import { joinNodes, makeDatabase } from '../../../test/test-server.ts'
import { type App, createApp } from '../../app.ts'
import { movedFiles } from '../../work-orders/documents/files.ts'
import { movedSignatures } from '../../work-orders/documents/signatures.ts'
import { movedLogos } from '../../workshops/company.ts'
import { restoreBackup, writeBackup } from '../running/backup.ts'
import { lostFiles } from '../running/named-files.ts'
import { CompanyFiles, movingJob, sweepFiles } from './files.ts'
import { movedAttachments } from './mail.ts'
import { hashOf, openStore, readChecked, type Store, type StorePlace } from './store.ts'

async function emptyDatabase() {
  const name = `files_${randomUUID().replaceAll('-', '')}`
  await makeDatabase(inject('nodes'), name)
  await joinNodes(inject('nodes'), name)
  return databaseUrl(inject('serverUrl'), name)
}

const house = openHouse()
let s3: Awaited<ReturnType<typeof startS3>>
/** The same product on the same database, with its files in a bucket. */
let onS3: App
let chief: Member
let photo: Buffer
beforeAll(async () => {
  s3 = await startS3()
  onS3 = await createApp({ databaseUrl: house.url, checkReplies: true, files: s3.place })
  chief = await house.given.member({ role: 'admin' })
  photo = await sharp(randomBytes(900 * 600 * 3), { raw: { width: 900, height: 600, channels: 3 } })
    .jpeg()
    .toBuffer()
})
afterAll(async () => {
  await onS3?.close()
  await s3?.stop()
})

const PLACES = ['a folder', 'a bucket'] as const
const appOf = (place: string) => (place === 'a folder' ? house.app : onS3)
const storeOf = (place: string): Store => appOf(place).database.context.files!.store
const pdf = (text: string = randomUUID()) => new File([`%PDF-1.4 ${text}`], 'informe.pdf')
const add = (app: App, who: Member, id: number, file: File) =>
  send(app, who, workOrderParts.addFile, { params: { id }, body: { file } })
const get = (app: App, who: Member, id: number, query = {}) =>
  send(app, who, workOrderParts.getFile, { params: { id }, query })
const rowOf = async (id: number) =>
  (await house.owner.query('select hash, thumb_hash, size, content from work_order_files where id = $1', [id])).rows[0]
const blobOf = (text: string) => new Blob([text])
const keyOf = async (text: string, company_id = 7) => ({ company_id, hash: await hashOf(blobOf(text).stream()) })
const listed = async (store: Store, company_id: number) => {
  const found = []
  for await (const lot of store.list(company_id)) found.push(...lot)
  return found
}
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)

describe.each(PLACES)('in %s', (place) => {
  it('what is kept comes back, once however often it is kept, and is each company’s own', async () => {
    const store = storeOf(place)
    const text = `hola ${place}`
    const key = await keyOf(text)
    await store.put(key, blobOf(text))
    await store.put(key, blobOf(text))
    expect(await listed(store, 7)).toEqual([{ hash: key.hash, size: text.length }])
    expect(String(await readChecked(store, { ...key, size: text.length }))).toBe(text)
    expect(await store.get({ ...key, company_id: 8 })).toBeUndefined()
    expect(await listed(store, 70)).toEqual([])
    await store.delete(key)
    await store.delete(key)
    expect(await store.get(key)).toBeUndefined()
    await store.check()
  })

  it('what is not what it was is not handed over', async () => {
    const store = storeOf(place)
    const files = appOf(place).database.context.files!
    const kept = await files.keep(chief.company_id, new Blob(['x'.repeat(300_000)]), 'application/pdf')
    // Another content under its name, of the same size.
    const damaged = Object.assign(Object.create(store), {
      get: async () => ({ size: 300_000, content: new Blob(['y'.repeat(300_000)]).stream() }),
    })
    const broken = new CompanyFiles(house.app.database, damaged)
    await expect(broken.read(chief.company_id, kept)).rejects.toThrow('El archivo está dañado en el almacén')
    const stream = await broken.open(chief.company_id, kept)
    let taken = 0
    const take = async () => {
      for await (const part of stream) taken += part.length
    }
    await expect(take()).rejects.toThrow('dañado')
    expect(taken).toBeLessThan(300_000)
    await store.delete({ company_id: chief.company_id, hash: kept.hash })
    await expect(files.read(chief.company_id, kept)).rejects.toThrow('El archivo no está en el almacén')
  })

  it('a document and a photo go there and come back, the photo also small', async () => {
    const app = appOf(place)
    const order = await house.given.workOrder(chief)
    const document = pdf()
    const added = await add(app, chief, order.id, document)
    expect(added.body).toMatchObject({ name: 'informe.pdf', size: document.size })
    const got = await get(app, chief, added.body.id)
    expect(got.headers['content-length']).toBe(String(document.size))
    expect(got.body.equals(Buffer.from(await document.arrayBuffer()))).toBe(true)
    expect(await rowOf(added.body.id)).toMatchObject({ content: null, thumb_hash: null, size: document.size })

    const { body: picture } = await add(app, chief, order.id, new File([new Uint8Array(photo)], 'freno.jpg'))
    const [whole, small] = [await get(app, chief, picture.id), await get(app, chief, picture.id, { size: 'small' })]
    expect(whole.body.length).toBe(picture.size)
    expect(await sharp(whole.body).metadata()).toMatchObject({ width: 900, height: 600 })
    expect(await sharp(small.body).metadata()).toMatchObject({ width: 320, format: 'jpeg' })
    // What has no small one is given as it is.
    expect((await get(app, chief, added.body.id, { size: 'small' })).body.length).toBe(document.size)
    expect((await get(app, chief, added.body.id, { size: 'huge' })).status).toBe(422)
  })

  it('is missed by those who verify, by its name', async () => {
    const app = appOf(place)
    const stranger = await house.given.member({ role: 'admin' })
    const order = await house.given.workOrder(stranger)
    const { body } = await add(app, stranger, order.id, pdf())
    const { hash } = await rowOf(body.id)
    const client = new pg.Client({ connectionString: house.url })
    await client.connect()
    const ofStranger = async () =>
      (await lostFiles(client, storeOf(place))).filter((name) => name.startsWith(`empresa ${stranger.company_id}:`))
    expect(await ofStranger()).toEqual([])
    await storeOf(place).delete({ company_id: stranger.company_id, hash })
    expect(await ofStranger()).toEqual([
      `empresa ${stranger.company_id}: work_order_files ${body.id} ${order.id} informe.pdf (${hash}): no está`,
    ])
    await client.end()
    const got = await get(app, stranger, body.id)
    expect([got.status, got.failure.message]).toEqual([
      500,
      'El archivo no está en el almacén. Avise a quien administra Maestranza.',
    ])
    await house.owner.query('delete from work_order_files where id = $1', [body.id])
  })

  it('goes into a backup and comes back with it, into either', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'maestranza-files-'))
    try {
      // Its own copy of the database, so that every file a row names is in one place.
      const url = await newDatabase()
      const there: StorePlace = place === 'a folder' ? { folder: join(folder, 'files') } : s3.place
      const app = await createApp({ databaseUrl: url, files: there })
      const owner = new pg.Pool({ connectionString: url, max: 2 })
      const { Given } = await import('../../../test/given.ts')
      const given = new Given({ owner, call: (who, e, args) => send(app, who, e, args) } as typeof house)
      const ana = await given.member({ role: 'admin' })
      const order = await given.workOrder(ana)
      const { body: document } = await add(app, ana, order.id, pdf())
      await add(app, ana, order.id, new File([new Uint8Array(photo)], 'freno.jpg'))
      const before = (await get(app, ana, document.id)).body
      const file = join(folder, 'backup')
      const taken = await writeBackup(url, openStore(there), file, 'una frase')
      expect(taken).toMatchObject({ files: 3, lost: [] })
      await app.close()
      await owner.end()

      const restored = await emptyDatabase()
      const other = openStore({ folder: join(folder, 'other') })
      expect(await restoreBackup(restored, file, { passphrase: 'una frase', store: other })).toEqual(taken)
      const { rows } = await (async () => {
        const client = new pg.Client({ connectionString: restored })
        await client.connect()
        expect(await lostFiles(client, other)).toEqual([])
        const found = await client.query('select hash, size from work_order_files where id = $1', [document.id])
        await client.end()
        return found
      })()
      const key = { company_id: ana.company_id, hash: rows[0].hash, size: rows[0].size }
      expect((await readChecked(other, key)).equals(before)).toBe(true)

      if (place === 'a bucket') return
      // One that is gone does not keep the others from being taken, and is named there and where it is restored.
      await openStore(there).delete(key)
      const lame = await writeBackup(url, openStore(there), `${file}2`)
      expect(lame).toMatchObject({ files: 2, lost: [expect.stringContaining('informe.pdf')] })
      const again = await emptyDatabase()
      expect(await restoreBackup(again, `${file}2`)).toMatchObject({ files: 2, lost: lame.lost })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('a store that cannot', () => {
  const failing = (app: App, error: unknown) => {
    const { files } = app.database.context
    const store = { ...openStore({ folder: house.dataDir }), put: () => Promise.reject(error) } as unknown as Store
    app.database.context.files = new CompanyFiles(app.database, store)
    return () => {
      app.database.context.files = files!
    }
  }

  it('be written to because the disk is full says so to one call, and nothing is left half', async () => {
    const order = await house.given.workOrder(chief)
    const end = failing(house.app, Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    const refused = await add(house.app, chief, order.id, pdf())
    end()
    expect([refused.status, refused.failure.message]).toEqual([
      503,
      'El disco del servidor está lleno. Avise a quien administra Maestranza.',
    ])
    expect((await add(house.app, chief, order.id, pdf())).status).toBe(201)
    const { body } = await send(house.app, chief, workOrderParts.listFiles, { params: { id: order.id } })
    expect(body.total).toBe(1)
  })

  it('be reached answers a sentence, and health says that it works with less', async () => {
    const away = await startS3()
    await away.stop()
    const app = await createApp({ databaseUrl: house.url, files: away.place })
    try {
      const order = await house.given.workOrder(chief)
      const refused = await add(app, chief, order.id, pdf())
      expect([refused.status, refused.failure.message]).toEqual([
        503,
        'El almacén de archivos no responde. Intente en unos minutos.',
      ])
      const health = await app.http.inject('/api/health')
      expect([health.statusCode, health.json()]).toMatchObject([
        200,
        { status: 'degraded', message: 'El almacén de archivos no responde.' },
      ])
      expect((await app.http.inject('/api/health?strict')).statusCode).toBe(503)
      // Everything else goes on.
      expect((await send(app, chief, workOrders.getWorkOrder, { params: { id: order.id } })).status).toBe(200)
    } finally {
      await app.close()
    }
  })

  it('take the keys it is given is no store either', async () => {
    if (!('s3' in s3.place)) throw new Error('It is a bucket')
    const wrong = openStore({ s3: { ...s3.place.s3, secretAccessKey: 'otra' } })
    await expect(wrong.check()).rejects.toThrow('403')
    const key = await keyOf('x')
    await expect(wrong.put(key, blobOf('x'))).rejects.toThrow('403')
  })
})

describe('files of before there was a store', () => {
  const moving = movingJob([movedFiles, movedSignatures, movedLogos, movedAttachments])

  it('are read where they are, and moved in the background, as often as it takes', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ role: 'admin', company_id: boss.company_id })
    const { company_id } = boss
    const order = await house.given.workOrder(ana)
    const png = await sharp({ create: { width: 300, height: 100, channels: 4, background: 'black' } })
      .png()
      .toBuffer()
    const old = async (name: string, type: string, content: Buffer) =>
      (
        await house.owner.query<{ id: string }>(
          `insert into work_order_files (company_id, work_order_id, name, type, size, content)
           values ($1, $2, $3, $4, $5, $6) returning id`,
          [company_id, order.id, name, type, content.length, content],
        )
      ).rows[0]!.id
    const document = Number(await old('informe.pdf', 'application/pdf', Buffer.from('%PDF-1.4 viejo')))
    const picture = Number(await old('freno.jpg', 'image/jpeg', photo))
    const broken = Number(await old('rota.jpg', 'image/jpeg', Buffer.alloc(30_000, 7)))
    await house.owner.query(
      `insert into work_order_signatures (company_id, work_order_id, kind, name, image, content_hash)
       values ($1, $2, 'delivered', 'Pedro', $3, sha256('x'))`,
      [company_id, order.id, png],
    )
    await house.owner.query('update companies set logo = $2 where id = $1', [company_id, photo])
    await house.owner.query(
      `insert into mails (company_id, topic, "to", subject, html, text, attachment_name, attachment)
       values ($1, 'purchasing', 'a@b.cl', 'x', 'x', 'x', 'oc.pdf', $2)`,
      [company_id, Buffer.from('%PDF-1.4 orden')],
    )
    const all = async () => {
      const signature = { params: { id: order.id, kind: 'delivered' } }
      return [
        (await get(house.app, boss, document)).body,
        (await get(house.app, boss, picture)).body,
        (await get(house.app, boss, broken)).body,
        (await house.call(boss, workOrderParts.getSignature, signature)).body,
        (await house.call(boss, companies.getLogo)).body,
      ].map((bytes) => bytes.toString('base64'))
    }
    const before = await all()
    expect(before[1]).toBe(photo.toString('base64'))

    // It ends in the middle of its work, and another goes on.
    const { files } = house.app.database.context
    let kept = 0
    house.app.database.context.files = Object.assign(Object.create(files!), {
      keepMade: async (...args: Parameters<CompanyFiles['keepMade']>) => {
        if (++kept > 2) throw new Error('Ended')
        return files!.keepMade(...args)
      },
    })
    await expect(moving.runFor(house.app.database, company_id)).rejects.toThrow('Ended')
    house.app.database.context.files = files!
    expect(await all()).toEqual(before)
    await Promise.all([moving.runFor(house.app.database, company_id), moving.runFor(house.app.database, company_id)])
    await moving.runFor(house.app.database, company_id)

    const left = await house.owner.query(
      `select (select count(*) from work_order_files where content is not null and company_id = $1)
         + (select count(*) from work_order_signatures where image is not null and company_id = $1)
         + (select count(*) from companies where logo is not null and id = $1)
         + (select count(*) from mails where attachment is not null and company_id = $1) as left,
         (select count(*) from mails where attachment_hash is not null and company_id = $1) as mails`,
      [company_id],
    )
    expect(left.rows).toEqual([{ left: '0', mails: '1' }])
    expect(await all()).toEqual(before)
    const small = await get(house.app, boss, picture, { size: 'small' })
    expect(await sharp(small.body).metadata()).toMatchObject({ width: 320 })
    expect((await get(house.app, boss, broken, { size: 'small' })).body).toHaveLength(30_000)
    const logo = await house.call(boss, companies.getLogo)
    expect(logo.headers['content-type']).toBe('image/jpeg')
  })
})

describe('the sweep', () => {
  it('leaves what a row names, and what one named not long ago, and takes the rest', async () => {
    const ana = await house.given.member({ role: 'admin' })
    const { database } = house.app
    const { store } = database.context.files!
    const order = await house.given.workOrder(ana)
    const [stays, goes, again] = [pdf(), pdf(), pdf()]
    const ids = []
    for (const file of [stays, goes, again]) ids.push((await add(house.app, ana, order.id, file)).body.id)
    // A file that no row knows of, and one of the same content twice.
    const stray = await keyOf('perdido', ana.company_id)
    await store.put(stray, blobOf('perdido'))
    const { body: twin } = await add(house.app, ana, order.id, stays)
    expect(await listed(store, ana.company_id)).toHaveLength(4)
    const remove = (id: number) => house.call(ana, workOrderParts.deleteFile, { params: { id } })
    for (const id of [ids[1]!, ids[2]!, twin.id]) expect((await remove(id)).status).toBe(204)

    await sweepFiles(database, ana.company_id, 90)
    await sweepFiles(database, ana.company_id, 90, daysFromNow(89))
    expect(await listed(store, ana.company_id)).toHaveLength(4)
    const { body: back } = await add(house.app, ana, order.id, again)
    await sweepFiles(database, ana.company_id, 90, daysFromNow(91))
    expect(await listed(store, ana.company_id)).toHaveLength(2)
    for (const [id, file] of [
      [ids[0]!, stays],
      [back.id, again],
    ] as const)
      expect((await get(house.app, ana, id)).body.equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
    const known = await house.owner.query('select from files where company_id = $1', [ana.company_id])
    expect(known.rowCount).toBe(2)
  })

  it('does not take what is kept again at that moment', async () => {
    const ana = await house.given.member({ role: 'admin' })
    const { database } = house.app
    const files = database.context.files!
    const content = new Blob(['%PDF-1.4 a la vez'])
    for (let n = 0; n < 10; n++) {
      const { hash } = await files.keep(ana.company_id, content, 'application/pdf')
      await house.owner.query(`update files set unused_since = now() - interval '100 days' where hash = $1`, [hash])
      const [, kept] = await Promise.all([
        sweepFiles(database, ana.company_id, 90),
        files.keep(ana.company_id, content, 'application/pdf'),
      ])
      expect(String(await files.read(ana.company_id, kept))).toBe('%PDF-1.4 a la vez')
    }
  })
})

describe('when the process is killed', () => {
  const PROGRAM = fileURLToPath(new URL('../../../test/keep-and-die.ts', import.meta.url))
  const upload = async (how: 'writing' | 'kept', who: Member, id: number, text: string) => {
    const what = { url: house.url, dataDir: house.dataDir, token: who.token, company_id: who.company_id, id, text }
    const child = spawn(process.execPath, [PROGRAM, how], {
      env: { ...process.env, UPLOAD: JSON.stringify(what) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [, signal] = await within('the process kills itself', once(child, 'exit'))
    expect(signal).toBe('SIGKILL')
  }
  const filesIn = async (company_id: number) => {
    const folder = join(house.dataDir, 'files', String(company_id))
    return (await readdir(folder, { recursive: true })).filter((name) => name.length > 2)
  }

  it('between the file and its row, the file is swept one day and may come again', async () => {
    const ana = await house.given.member({ role: 'admin' })
    const order = await house.given.workOrder(ana)
    const text = '%PDF-1.4 interrumpido'
    await upload('kept', ana, order.id, text)
    expect(await filesIn(ana.company_id)).toHaveLength(1)
    const { rowCount } = await house.owner.query('select from work_order_files where work_order_id = $1', [order.id])
    expect(rowCount).toBe(0)
    const { body } = await add(house.app, ana, order.id, new File([text], 'informe.pdf'))
    expect(String((await get(house.app, ana, body.id)).body)).toBe(text)
    expect(await filesIn(ana.company_id)).toHaveLength(1)
    await sweepFiles(house.app.database, ana.company_id, 90, daysFromNow(100))
    expect(String((await get(house.app, ana, body.id)).body)).toBe(text)
  })

  it('while it writes, nothing has the name of a whole file', async () => {
    const ana = await house.given.member({ role: 'admin' })
    const order = await house.given.workOrder(ana)
    const text = `%PDF-1.4 ${'x'.repeat(10_000)}`
    await upload('writing', ana, order.id, text)
    const [part, ...others] = await filesIn(ana.company_id)
    expect(part).toMatch(/\.part$/)
    expect(others).toEqual([])
    const path = join(house.dataDir, 'files', String(ana.company_id), part!)
    expect((await stat(path)).size).toBeLessThan(text.length)
    const { body } = await add(house.app, ana, order.id, new File([text], 'informe.pdf'))
    expect(String((await get(house.app, ana, body.id)).body)).toBe(text)
    // A part of days ago is nobody's any more.
    await utimes(path, daysFromNow(-2), daysFromNow(-2))
    await sweepFiles(house.app.database, ana.company_id, 90)
    expect(await filesIn(ana.company_id)).toHaveLength(1)
  })
})

it('what stands in the place of a file and is none is written over', async () => {
  const store = storeOf('a folder')
  const key = await keyOf('entero')
  await store.put(key, blobOf('entero'))
  await writeFile(join(house.dataDir, 'files', '7', key.hash.slice(0, 2), key.hash), 'enterO')
  await expect(readChecked(store, { ...key, size: 6 })).rejects.toThrow('dañado')
  await store.put(key, blobOf('entero'))
  expect(String(await readChecked(store, { ...key, size: 6 }))).toBe('entero')
})

it('keeps nothing of a file or signature for an order that is not there or may not be changed', async () => {
  const ana = await house.given.member({ role: 'super-admin' })
  const order = await house.given.workOrder(ana)
  const done = { params: { id: order.id }, body: { status: 'FINALIZED', positions: [] } }
  expect((await send(house.app, ana, workOrders.moveWorkOrder, done)).status).toBe(200)
  expect((await add(house.app, ana, 999_999_999, pdf())).status).toBe(404)
  expect((await add(house.app, ana, order.id, pdf())).status).toBe(409)
  const signed = await send(house.app, ana, workOrderParts.sign, {
    params: { id: 999_999_999, kind: 'delivered' },
    body: { image: PIXEL, name: 'X', dni: '12345678-5' },
  })
  expect(signed.status).toBe(404)
  const { rows } = await house.owner.query('select hash from files where company_id = $1', [ana.company_id])
  expect(rows).toEqual([])
})

it('removes at once what a refused upload had kept, and nothing that others keep', async () => {
  const ana = await house.given.member({ role: 'super-admin' })
  const order = await house.given.workOrder(ana)
  const kept = async () =>
    (await house.owner.query('select hash from files where company_id = $1', [ana.company_id])).rows.length
  // The order is there, and the person who signs is not known: only the operation finds out, after the image was kept.
  const sign = () =>
    send(house.app, ana, workOrderParts.sign, {
      params: { id: order.id, kind: 'delivered' },
      body: { image: PIXEL, name: 'Nadie Conocido', dni: null },
    })
  expect((await sign()).status).toBe(422)
  expect([await kept(), await listed(storeOf('a folder'), ana.company_id)]).toEqual([0, []])

  const signed = await send(house.app, ana, workOrderParts.sign, {
    params: { id: order.id, kind: 'reviewed' },
    body: { image: PIXEL, name: ana.name, dni: null },
  })
  expect(signed.status).toBe(200)
  expect((await sign()).status).toBe(422)
  expect([await kept(), (await listed(storeOf('a folder'), ana.company_id)).length]).toEqual([1, 1])
  expect(
    (await house.call(ana, workOrderParts.getSignature, { params: { id: order.id, kind: 'reviewed' } })).status,
  ).toBe(200)

  // Another call keeps the same content before the first is refused.
  const files = house.app.database.context.files!
  const [one, other] = [files.ofCall(), files.ofCall()]
  const content = new Blob(['lo mismo'])
  const file = await one.keep(ana.company_id, content, 'application/pdf')
  await other.keep(ana.company_id, content, 'application/pdf')
  await one.discard()
  await other.discard()
  expect(String(await files.read(ana.company_id, file))).toBe('lo mismo')
})

describe('a quota', () => {
  const QUOTA = 4000
  let limited: App
  beforeAll(async () => {
    limited = await createApp({
      databaseUrl: house.url,
      checkReplies: true,
      dataDir: house.dataDir,
      filesQuota: QUOTA,
      metricsToken: 'secreto',
    })
  })
  afterAll(() => limited.close())
  const sized = (bytes: number) => pdf(`${randomUUID()} `.padEnd(bytes - '%PDF-1.4 '.length, 'x'))
  const usedBy = async ({ company_id }: Member) =>
    Number(
      (await house.owner.query('select sum(size) as bytes from files where company_id = $1', [company_id])).rows[0]
        .bytes,
    )

  it('refuses what does not fit, keeps what is there, and takes what the company has already', async () => {
    const ana = await house.given.member({ role: 'super-admin' })
    const order = await house.given.workOrder(ana)
    const first = sized(2500)
    const added = await add(limited, ana, order.id, first)
    expect(added.status).toBe(201)
    const refused = await add(limited, ana, order.id, sized(1501))
    expect([refused.status, refused.failure.message]).toEqual([
      413,
      'La empresa llegó a su límite de 0 MB de archivos. Pida más espacio a quien administra Maestranza.',
    ])
    expect((await add(limited, ana, order.id, sized(1500))).status).toBe(201)
    expect(await usedBy(ana)).toBe(QUOTA)
    expect((await listed(limited.database.context.files!.store, ana.company_id)).length).toBe(2)
    const signed = await send(limited, ana, workOrderParts.sign, {
      params: { id: order.id, kind: 'delivered' },
      body: { image: PIXEL, name: ana.name, dni: null },
    })
    expect(signed.status).toBe(413)
    expect((await add(limited, ana, order.id, first)).status).toBe(201)
    expect((await get(limited, ana, added.body.id)).status).toBe(200)
    const { body } = await send(limited, ana, companies.getStorage)
    expect(body).toEqual({ used: QUOTA, quota: QUOTA })
    expect((await send(house.app, ana, companies.getStorage)).body).toEqual({ used: QUOTA, quota: null })
    // A letter that the product writes leaves all the same.
    const files = limited.database.context.files!
    await files.keepMade(ana.company_id, new Blob(['carta']), 'application/pdf')
    const figures = await limited.http.inject({ url: '/metrics', headers: { authorization: 'Bearer secreto' } })
    expect(figures.body).toContain(`maestranza_files_bytes{company="${ana.company_id}"} ${QUOTA + 5}`)
    expect(figures.body).toContain(`maestranza_files_quota_bytes ${QUOTA}`)
    // Another company has its own.
    const bob = await house.given.member({ role: 'super-admin' })
    expect((await add(limited, bob, (await house.given.workOrder(bob)).id, sized(1501))).status).toBe(201)
  })

  it('is not passed by many uploads at once', async () => {
    const ana = await house.given.member({ role: 'super-admin' })
    // Not through the calls, which wait for their turn: as several instances would keep them.
    const files = limited.database.context.files!
    const kept = await Promise.allSettled(
      Array.from({ length: 12 }, () => files.keep(ana.company_id, sized(1100), 'application/pdf')),
    )
    expect(kept.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const one of kept) if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 413 })
    expect(await usedBy(ana)).toBe(3300)
  })
})
