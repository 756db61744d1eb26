import { createServer } from 'node:http'
import pg from 'pg'
import type { Config } from './platform/config.ts'

export interface App {
  listen(host: string, port: number): Promise<string>
  close(): Promise<void>
  demoLogins: string[] | null
}

export async function createApp(options: { databaseUrl: string; dataDir: string; config: Config }): Promise<App> {
  const pool = new pg.Pool({ connectionString: options.databaseUrl })
  pool.on('error', () => {})
  await pool.query('create table if not exists probe (name text)')
  const server = createServer(async (request, response) => {
    const body: string[] = []
    for await (const chunk of request) body.push(String(chunk))
    try {
      if (request.url === '/api/v1/brands') {
        await pool.query('insert into probe values ($1)', [JSON.parse(body.join('')).name])
        response.writeHead(201).end('{}')
      } else if (request.url === '/api/v1/login') response.end('{"token":"x"}')
      else if (request.url === '/api/v1/getBrands')
        response.end(JSON.stringify({ data: (await pool.query('select name from probe')).rows }))
      else response.end('{}')
    } catch {
      response.writeHead(500).end()
    }
  })
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve(`http://${host}:${port}`))
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await pool.end()
    },
    demoLogins: ['admin@maestranza.demo'],
  }
}
