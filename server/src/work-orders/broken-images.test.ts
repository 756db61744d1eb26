import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { companies } from '#contract/workshops/company.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { pdfText } from '../../test/pdf-text.ts'

const house = openHouse()

function chunk(type: string, data: Buffer) {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
/** A PNG that declares a size and holds whatever is given as its pixels. */
function png(width: number, height: number, pixels: Buffer) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const BROKEN = png(1, 1, Buffer.from('broken'))
const VAST = png(8000, 8000, deflateSync(Buffer.alloc(20)))

let chief: Member
let id: number
beforeAll(async () => {
  chief = await house.given.member({ role: 'super-admin' })
  ;({ id } = await house.given.workOrder(await house.given.member({ company_id: chief.company_id, role: 'admin' })))
})
const sign = (image: Buffer) =>
  house.call(chief, workOrderParts.sign, {
    params: { id, kind: 'delivered' },
    body: { image: `data:image/png;base64,${image.toString('base64')}`, name: 'Pedro Soto', dni: '12345678-5' },
  })
const giveLogo = (image: Buffer) =>
  house.call(chief, companies.updateLogo, { body: { file: new File([new Uint8Array(image)], 'logo.png') } })
const addPhoto = (image: Buffer, name = 'foto.jpg') =>
  house.call(chief, workOrderParts.addFile, { params: { id }, body: { file: new File([new Uint8Array(image)], name) } })

describe('an image', () => {
  it('that cannot be decoded, or declares too many pixels, is refused under its field', async () => {
    for (const image of [BROKEN, VAST]) {
      const answers = [await sign(image), await giveLogo(image)]
      expect(answers.map(({ status }) => status)).toEqual([422, 422])
      expect(Object.keys(answers[0]!.failure.errors!)).toEqual(['image'])
      expect(Object.keys(answers[1]!.failure.errors!)).toEqual(['file'])
    }
    expect((await addPhoto(BROKEN)).failure.errors).toHaveProperty('file')
  })

  it('is kept as pixels and nothing else', async () => {
    const camera = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'casa de Pedro' } })
      .jpeg()
      .toBuffer()
    expect(camera.toString('latin1')).toContain('casa de Pedro')
    const { body: kept } = await addPhoto(camera, 'foto\u202Egpj.html')
    expect(kept).toMatchObject({ name: 'foto gpj.jpg', type: 'image/jpeg' })
    const { body } = await house.call(chief, workOrderParts.getFile, { params: { id: kept.id } })
    const bytes = Buffer.from(body)
    expect(bytes.toString('latin1')).not.toContain('casa de Pedro')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 20, format: 'jpeg' })
  })

  it('that is broken where it is stored prints as such, and the document comes all the same', async () => {
    const good = await sharp({ create: { width: 300, height: 100, channels: 4, background: 'black' } })
      .png()
      .toBuffer()
    expect((await sign(good)).status).toBe(200)
    expect((await giveLogo(good)).status).toBe(200)
    // As it was written before there was a store.
    await house.owner.query('update work_order_signatures set image = $1, image_hash = null', [BROKEN])
    await house.owner.query('update companies set logo = $1, logo_hash = null where id = $2', [VAST, chief.company_id])
    const { status, body } = await house.call(chief, workOrders.workOrderPdf, { params: { id } })
    expect(status).toBe(200)
    expect(
      pdfText(body)
        .join('')
        .match(/imagen dañada/g),
    ).toHaveLength(2)
  })
})
