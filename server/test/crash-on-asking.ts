import { subscribe } from 'node:diagnostics_channel'

/** Loaded into the product by a test: `GET /api/health?crash` throws where nobody catches it. */
subscribe('tracing:fastify.request.handler:start', (message) => {
  const { request } = message as { request: { url: string } }
  if (request.url === '/api/health?crash')
    setImmediate(() => {
      throw new Error('A deliberate crash')
    })
})
