import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

/** Every file of tables, from the root, and what it exports. */
export const tableModules = await Promise.all(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('/tables.ts'))
    .sort()
    .map(async (file) => ({
      file: `server/src/${file}`,
      exports: (await import(join(SOURCES, file))) as Record<string, unknown>,
    })),
)

export const tables = tableModules
  .flatMap((module) => Object.values(module.exports))
  .filter((value): value is PgTable => is(value, PgTable))
