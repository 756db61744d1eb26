import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { openHouse } from './house.ts'

const house = openHouse()

const headersOf = async (url: string) => (await house.app.http.inject(url)).headers

it('keeps answers of the API out of every cache, and what a page may ask of the browser small', async () => {
  for (const url of ['/api/v1/me', '/api/health', '/api/openapi.json', '/api/nothing']) {
    expect((await headersOf(url))['cache-control']).toBe('no-store')
    expect((await headersOf(url))['permissions-policy']).toContain('geolocation=()')
  }
  expect(await headersOf('/api/health')).not.toHaveProperty('strict-transport-security')
})

it('protects every answer in the browser, what is refused and what is not there too', async () => {
  for (const url of ['/', '/api/health', '/api/v1/me', '/api/nothing'])
    expect(await headersOf(url)).toMatchObject({
      'content-security-policy':
        "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';" +
        "img-src 'self' data: blob:;object-src 'none';script-src 'self';script-src-attr 'none';" +
        "style-src 'self' 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
})

it('names every answer, so that it is found in the log', async () => {
  const [one, other] = [await headersOf('/api/v1/me'), await headersOf('/api/v1/me')]
  expect(one['x-request-id']).toMatch(/^[\w-]{12}$/)
  expect(one['x-request-id']).not.toBe(other['x-request-id'])
})

it('shows the description of the API in a sandbox that cannot reach the token', async () => {
  expect((await headersOf('/api/docs'))['content-security-policy']).toMatch(/^sandbox allow-scripts;/)
  // The page's own script asks for storage that a sandbox does not have, and stops where there is none.
  const page = await house.app.http.inject('/api/docs/')
  expect(page.body).toContain('defineProperty(window, name')
  expect((await house.app.http.inject('/api/docs/js/scalar.js')).body).not.toContain('defineProperty(window, name')
})

it('packs what strangers may read once, and not for each of them', async () => {
  const read = (url: string, encoding: string) =>
    house.app.http.inject({ url, headers: { 'accept-encoding': encoding } })
  for (const url of ['/api/openapi.json', '/api/docs/js/scalar.js']) {
    const plain = await read(url, 'br')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const [one, other] = [await read(url, 'gzip, br'), await read(url, 'gzip')]
    expect([one.headers['content-encoding'], other.headers['content-encoding']]).toEqual(['gzip', 'gzip'])
    expect(zlib.gunzipSync(one.rawPayload).equals(plain.rawPayload)).toBe(true)
  }
})
