import { createHmac } from 'node:crypto'
import { invalid, type Problem, unauthenticated } from '../../../../core/problem.ts'
import { isSame } from '../../../../infra/secrets.ts'

/** Checks the signature of an assistant's webhook, and reads the members that all webhooks have. (AS26) */

export const maxHookBytes = 1024 * 1024
const oldestMs = 5 * 60_000

export function wrongSignature(): Problem {
  return unauthenticated(
    'assistant.signature_wrong',
    'The signature is not one by the secret of the tournament’s link.',
  )
}

/** Compares the HMAC-SHA256 of the raw bytes with the given signature, in constant time. (AS26) */
export function isSigned(bytes: Uint8Array, given: string, secret: string): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
  return isSame(given.trim().toLowerCase(), expected)
}

export interface Hook {
  /** The hook's id at the assistant; null if it has none. */
  readonly id: string | null
  readonly at: Date
  /** GUID of the assistant's tournament; null if the hook names none. */
  readonly tournament: string | null
  readonly data: unknown
}

const unreadable = (what: string) => invalid('assistant.hook_invalid', `The hook ${what}.`)

/**
 * Reads the body. A hook with a timestamp more than five minutes in the past or future is refused, because it may be a
 * replay. (AS26; assistant: Details, 7)
 * @throws Problem `assistant.hook_invalid`, `assistant.hook_old`
 */
export function readHookBody(bytes: Uint8Array, now: Date): Hook {
  const body = parse(bytes)
  const at = instantOf(body.get('timestamp'))
  if (at === null) throw unreadable('has no usable "timestamp"')
  if (Math.abs(now.getTime() - at.getTime()) > oldestMs) {
    throw invalid('assistant.hook_old', 'The hook is older than five minutes, or the clocks differ by as much.')
  }
  const [id, tournament] = [body.get('id'), body.get('tournamentid')]
  return {
    id: typeof id === 'string' && id !== '' ? id : null,
    at,
    tournament: typeof tournament === 'string' && tournament !== '' ? tournament : null,
    data: body.get('data'),
  }
}

/** Returns the members by name, in lower case and without underscores. */
function parse(bytes: Uint8Array): ReadonlyMap<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's own error message quotes the body.
    throw unreadable('is no JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw unreadable('is no object')
  return new Map(Object.entries(parsed).map(([name, value]) => [name.replaceAll('_', '').toLowerCase(), value]))
}

/** Reads a date as text, or as seconds or milliseconds since 1970. */
function instantOf(value: unknown): Date | null {
  const number = typeof value === 'string' && /^\d{9,14}$/.test(value) ? Number(value) : value
  const at =
    typeof number === 'number' ? new Date(number < 100_000_000_000 ? number * 1_000 : number) : textInstant(number)
  return at === null || Number.isNaN(at.getTime()) ? null : at
}

function textInstant(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return null
  // A time without an offset is UTC, as servers write it.
  return new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`)
}
