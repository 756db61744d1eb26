import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { StorePlace } from '../src/platform/outside/store.ts'

/** An S3 of our own, which looks at signatures, with one bucket. */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), 'maestranza-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'maestranza' }],
  })
  const { port } = await server.run()
  const place: StorePlace = {
    s3: {
      url: `http://127.0.0.1:${port}/maestranza/taller`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
  }
  return {
    place,
    directory,
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
