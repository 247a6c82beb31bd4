import { createHmac } from 'node:crypto'
import { invalid, type Problem, unauthenticated } from '../../../../core/problem.ts'
import { isSame } from '../../../../infra/secrets.ts'

/** How an assistant's hooks prove themselves, and what stands in all of them. (AS26) */

export const mostHookBytes = 1024 * 1024
const oldestMs = 5 * 60_000

export function wrongSignature(): Problem {
  return unauthenticated(
    'assistant.signature_wrong',
    'The signature is not one by the secret of the tournament’s link.',
  )
}

/** HMAC-SHA256 of the bytes as they came, compared in a time that tells nothing. (AS26) */
export function isSigned(bytes: Uint8Array, given: string, secret: string): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
  return isSame(given.trim().toLowerCase(), expected)
}

export interface Hook {
  /** As the assistant calls it; null where it does not. */
  readonly id: string | null
  readonly at: Date
  /** GUID of the assistant's tournament; null where it does not say. */
  readonly tournament: string | null
  readonly data: unknown
}

const unreadable = (what: string) => invalid('assistant.hook_invalid', `The hook ${what}.`)

/**
 * What is older than five minutes, or from as far ahead, may be somebody's who has listened. (AS26; assistant: Details, 7)
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

/** Names of members in lower case, without underscores. */
function parse(bytes: Uint8Array): ReadonlyMap<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's own error quotes the text.
    throw unreadable('is no JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw unreadable('is no object')
  return new Map(Object.entries(parsed).map(([name, value]) => [name.replaceAll('_', '').toLowerCase(), value]))
}

/** As text, or counted from 1970 in seconds or milliseconds. */
function instantOf(value: unknown): Date | null {
  const number = typeof value === 'string' && /^\d{9,14}$/.test(value) ? Number(value) : value
  const at =
    typeof number === 'number' ? new Date(number < 100_000_000_000 ? number * 1_000 : number) : textInstant(number)
  return at === null || Number.isNaN(at.getTime()) ? null : at
}

function textInstant(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return null
  // Without an offset it is meant as UTC, as servers write it.
  return new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`)
}
