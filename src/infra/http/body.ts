import type { FastifyInstance } from 'fastify'
import { normaliseBody } from '../../core/json.ts'
import type { CommandOperation } from '../../core/operation.ts'
import { invalid, Problem } from '../../core/problem.ts'
import { bodyCheck } from './validate.ts'

/** From bytes to a checked body. (D9) */

export const maxBodyBytes = 1024 * 1024

interface RawBody {
  readonly type: string
  readonly bytes: Buffer
}

/** Bytes are only collected here; an operation reads them once the caller is known to be allowed to act. */
export function collectBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (request, bytes, done) => {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    done(null, { type, bytes } satisfies { type: string; bytes: string | Buffer })
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function bodyReader(operation: CommandOperation): (raw: unknown) => unknown {
  const schema = operation.body
  if (schema === undefined) return () => undefined
  const check = bodyCheck(schema, operation.strict === true)
  const form = operation.bodyType === 'form'
  const wanted = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return (raw) => {
    const { type, bytes } = (raw ?? { type: '', bytes: Buffer.alloc(0) }) as RawBody
    if (bytes.length === 0 && operation.bodyOptional) return undefined
    if (type !== wanted && !(bytes.length === 0 && type === '')) {
      throw new Problem('unsupported_type', 'request.unsupported_type', `The body must be sent as ${wanted}.`)
    }
    const text = decode(bytes)
    const parsed = form ? Object.fromEntries(new URLSearchParams(text)) : parse(text)
    const normal = normaliseBody(parsed)
    if (!normal.ok) throw invalid('request.invalid', `The body's member "${normal.path}" ${normal.reason}.`)
    return check(normal.value)
  }
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('request.malformed', 'The body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalid('request.malformed', 'The body is empty; send a JSON object.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid('request.malformed', `The body is not valid JSON${position(error)}.`)
  }
}

/** Where parsing stopped, without quoting the body. */
function position(error: unknown): string {
  const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')
  return at === null ? '' : ` at character ${at[1]}`
}
