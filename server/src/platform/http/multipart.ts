import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { nest } from '#contract/base/wire.ts'
import { noNul, Problem } from '../operations/problems.ts'

const MB = 1024 * 1024

/** Browsers write a quote in the name of a file as %22, and only that and line ends so. */
const typedName = (name: string) => name.replaceAll('%22', '"').replace(/%0[AD]/g, ' ')

/** A form with files, read whole: its files are bounded, and no transaction waits for a slow line. */
export async function readForm(request: FastifyRequest, maxBytes: number) {
  if (!request.isMultipart()) return {}
  const entries: [string, string | File][] = []
  const limits = { fileSize: maxBytes, files: 20, fields: 200, fieldSize: MB, fieldNameSize: 200 }
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') entries.push([part.fieldname, String(part.value ?? '')])
      else {
        const bytes = await part.toBuffer()
        entries.push([
          part.fieldname,
          new File([new Uint8Array(bytes)], typedName(part.filename), { type: part.mimetype }),
        ])
      }
    }
  } catch (error) {
    const { code, statusCode } = error as { code?: string; statusCode?: number }
    if (code === 'FST_REQ_FILE_TOO_LARGE')
      throw new Problem(413, `El archivo supera el máximo de ${Math.round(maxBytes / MB)} MB.`)
    // What the parser of forms refuses without a status is a form that broke off or is none.
    throw statusCode ? error : new Problem(422, 'El formulario llegó incompleto. Intente de nuevo.')
  }
  if (entries.some(([, value]) => typeof value === 'string' && value.includes('\0'))) throw noNul()
  return nest(entries)
}
