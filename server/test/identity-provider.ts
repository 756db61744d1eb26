/// <reference path="./oidc-provider.d.ts" />
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const CLIENT = { client_id: 'maestranza', client_secret: 'un-secreto-bien-guardado' }

/** A real provider of identity, where whoever comes is who they say. */
export async function openProvider(returns: string) {
  const server = createServer((request, response) => provider.callback()(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [returns], token_endpoint_auth_method: 'client_secret_post' }],
    findAccount: (_context: object, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: 'jefe@otra.cl' }),
    }),
    features: { devInteractions: { enabled: true } },
  })
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { issuer, close }
}
