import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { invalid, type Problem } from '../../core/problem.ts'
import type { UploadedFile } from '../../core/uploads.ts'

/** Parses forms with a file whose bytes are already in memory. (ADR-20) */

export interface Multipart {
  /** Form fields by name, each once; without empty ones, because browsers send omitted fields as empty. */
  readonly fields: Readonly<Record<string, string>>
  /** The part named `file`. */
  readonly file: UploadedFile | null
}

export const multipartType = 'multipart/form-data'

const limits = {
  files: 1,
  fields: 50,
  parts: 51,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 20,
  headerSize: 8 * 1024,
}

/**
 * @param contentType with the boundary between the parts
 * @throws Problem `request.malformed`
 */
export function readMultipart(contentType: string, bytes: Buffer): Promise<Multipart> {
  const { promise, resolve, reject } = Promise.withResolvers<Multipart>()
  const parser = parserOf(contentType)
  const fields = new Map<string, string>()
  let file: UploadedFile | null = null
  const fail = (what: string) => reject(malformed(what))
  parser.on('field', (name, value, isNameCut, isCut) => {
    if (isNameCut || isCut) return fail('has a part that is too long')
    if (fields.has(name) || name === 'file') return fail(`has a part that does not belong there, or stands there twice`)
    fields.set(name, value)
  })
  parser.on('file', (name, stream, fileName) => {
    const chunks: Buffer[] = []
    stream
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', () => fail('broke off'))
      .on('end', () => {
        file = { name: fileName ?? null, bytes: Buffer.concat(chunks) }
      })
    if (name !== 'file') fail('has a file that is not called "file"')
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => fail('has more parts than it may have'))
  }
  parser
    .on('error', () => fail('is not a form as its type says'))
    .on('finish', () => {
      const given = [...fields].filter(([, value]) => value !== '')
      resolve({ fields: Object.fromEntries(given), file })
    })
  parser.end(bytes)
  return promise
}

function parserOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    // Without a boundary, the end of a part cannot be found.
    throw malformed('does not say in its type what stands between its parts')
  }
}

function malformed(what: string): Problem {
  return invalid('request.malformed', `The body ${what}.`)
}
