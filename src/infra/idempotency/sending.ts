import { hash } from 'node:crypto'
import { invalid } from '../../core/problem.ts'
import type { Sending } from './types.ts'

const header = 'idempotency-key'
/** The allowed characters and length of a key. (RT25) */
export const keyPattern = /^[A-Za-z0-9._-]{1,64}$/

/** All parts of a request that an operation reads; a key belongs to exactly one such request. */
export interface Asked {
  readonly operation: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** SHA-256 of the uploaded file, or of a body that the operation reads as bytes; null without either. */
  readonly file: string | null
  /** The headers that the operation declares, such as If-Match; undefined where it declares none. */
  readonly headers: Readonly<Record<string, unknown>> | undefined
}

/** The key in the header of a request; null without the header. */
export function readKey(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const key = headers[header]
  if (key === undefined) return null
  if (typeof key === 'string' && keyPattern.test(key)) return key
  throw invalid('command.key_invalid', 'Idempotency-Key must be 1 to 64 letters, digits, dots, underscores or hyphens.')
}

/** The digest does not depend on the order of the members in the request. */
export function sendingOf(userGuid: string, key: string, asked: Asked): Sending {
  return { userGuid, key, digest: hash('sha256', canonical(asked), 'buffer') }
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
