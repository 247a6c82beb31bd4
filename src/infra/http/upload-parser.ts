import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { invalid, type Problem } from '../../core/problem.ts'

/** The parser of forms with a file, and the limits of what a form may hold besides its file. (M5) */

const maxParts = 12
const maxTextBytes = 1024
export const maxPreambleBytes = 1024
const maxHeaderBytes = 8 * 1024
/** Maximum bytes of a form besides its file. */
export const maxOtherBytes = maxParts * (maxTextBytes + maxHeaderBytes) + 2 * maxPreambleBytes

const parserLimits = {
  files: 1,
  fields: maxParts,
  parts: maxParts,
  fieldNameSize: 100,
  fieldSize: maxTextBytes,
  headerPairs: 20,
  headerSize: maxHeaderBytes,
}

export function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined || boundary.length > 200) throw noBoundary()
  return boundary
}

export function parserOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: parserLimits })
  } catch {
    throw noBoundary()
  }
}

function noBoundary(): Problem {
  return malformed('does not say in its type what stands between its parts')
}

export function malformed(what: string): Problem {
  return invalid('request.malformed', `The body ${what}.`)
}
