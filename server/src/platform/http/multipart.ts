import { ignore } from '../ignore.ts'
import '@fastify/multipart'
import { createWriteStream, openAsBlob } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { nest } from '#contract/base/wire.ts'
import { DISK_FULL, noNul, Problem, unavailable } from '../problems.ts'

const MB = 1024 * 1024
const TOO_MANY: Record<string, string> = {
  FST_FILES_LIMIT: 'Envíe un archivo a la vez.',
  FST_FIELDS_LIMIT: 'El formulario tiene demasiados campos.',
  FST_PARTS_LIMIT: 'El formulario tiene demasiados campos.',
}

/** Browsers write a quote in the name of a file as %22, and only that and line ends so. */
const typedName = (name: string) => name.replaceAll('%22', '"').replace(/%0[AD]/g, ' ')

/**
 * A form with one file, which goes to disk as it arrives: however slow the line and however many send, little of it
 * is in memory, and no transaction waits. The file is there until `done`.
 */
export async function readForm(request: FastifyRequest, maxBytes: number) {
  if (!request.isMultipart()) return { form: {}, done: async () => undefined }
  const entries: [string, string | File][] = []
  const limits = { fileSize: maxBytes, files: 1, fields: 100, parts: 101, fieldSize: MB / 16, fieldNameSize: 200 }
  const folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-form-'))
  const done = () =>
    fs.rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(ignore('The folder is a temporary one.'))
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') entries.push([part.fieldname, String(part.value ?? '')])
      else {
        const path = join(folder, 'file')
        await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
        if (part.file.truncated)
          throw new Problem(
            413,
            `El archivo supera el máximo de ${maxBytes < MB ? `${maxBytes / 1024} kB` : `${maxBytes / MB} MB`}.`,
          )
        const bytes = await openAsBlob(path)
        entries.push([part.fieldname, new File([bytes], typedName(part.filename), { type: part.mimetype })])
      }
    }
    if (entries.some(([, value]) => typeof value === 'string' && value.includes('\0'))) throw noNul()
    return { form: nest(entries), done }
  } catch (error) {
    await done()
    const { code = '', statusCode } = error as { code?: string; statusCode?: number }
    if (code === 'ENOSPC' || code === 'EDQUOT') throw unavailable(DISK_FULL, error)
    if (TOO_MANY[code]) throw new Problem(422, TOO_MANY[code])
    // What the parser of forms refuses without a status is a form that broke off or is none.
    throw error instanceof Problem || statusCode
      ? error
      : new Problem(422, 'El formulario llegó incompleto. Intente de nuevo.')
  }
}
