import { hash } from 'node:crypto'
import { invalid } from '../../core/problem.ts'
import type { Sending } from './types.ts'

const header = 'idempotency-key'
/** What a key consists of. (RT25) */
export const keyPattern = /^[A-Za-z0-9._-]{1,64}$/

/** What an operation reads of a request, for all of which a key stands. */
export interface Asked {
  readonly operation: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** SHA-256 of the file that came with it, or of a body that the operation reads as bytes; null where there is neither. */
  readonly file: string | null
  /** Those that the operation declares, such as If-Match; undefined where it declares none. */
  readonly headers: Readonly<Record<string, unknown>> | undefined
}

/** The key of a request as its header says it, or null where there is none. */
export function readKey(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const key = headers[header]
  if (key === undefined) return null
  if (typeof key === 'string' && keyPattern.test(key)) return key
  throw invalid('command.key_invalid', 'Idempotency-Key must be 1 to 64 letters, digits, dots, underscores or hyphens.')
}

/** The same whatever the order in which a client writes the members. */
export function sendingOf(userGuid: string, key: string, asked: Asked): Sending {
  return { userGuid, key, digest: hash('sha256', canonical(asked), 'buffer') }
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
