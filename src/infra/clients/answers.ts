import { readName } from '../../core/names.ts'
import type { Shape } from '../../core/shape.ts'
import { cleanText } from '../../core/text.ts'
import { type HttpAnswer, Unreachable } from './http.ts'

/** Reading what other services say, which nobody here vouches for. */

/**
 * The answer's body, which has the shape; members that the shape does not name may be there too.
 *
 * @throws Unreachable `invalid_answer`
 */
export function readBody<T>(answer: HttpAnswer, shape: Shape<T>): T {
  const body = answer.json()
  if (!shape.check(body)) throw new Unreachable('invalid_answer', answer.host, { status: answer.status })
  return body
}

/** As `readBody`, for bodies that need not be there or have any form, such as those of errors. */
export function findBody<T>(answer: HttpAnswer, shape: Shape<T>): T | undefined {
  try {
    return readBody(answer, shape)
  } catch {
    return undefined
  }
}

/** For an answer whose status the operation has no meaning for. `waitS` is what its body says, in seconds. */
export function unexpected(answer: HttpAnswer, waitS?: number): Unreachable {
  const { host, status } = answer
  return new Unreachable(status === 429 ? 'limited' : 'failing', host, {
    status,
    retryAfterMs: retryAfterMs(answer, { waitS }),
  })
}

const hourMs = 3_600_000

/**
 * From what the body says, else `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), else `X-RateLimit-Reset-After`
 * in seconds, else `X-RateLimit-Reset` in Unix seconds. Instants are compared with the service's own clock. A wait that is
 * longer than `longestMs` is taken for a mistake of the service.
 */
export function retryAfterMs(
  { headers }: Pick<HttpAnswer, 'headers'>,
  { waitS, longestMs = hourMs }: { readonly waitS?: number | undefined; readonly longestMs?: number } = {},
): number | null {
  const now = Date.parse(headers.date ?? '')
  const told = [
    (waitS ?? Number.NaN) * 1_000,
    seconds(headers['retry-after']),
    Date.parse(headers['retry-after'] ?? '') - now,
    seconds(headers['x-ratelimit-reset-after']),
    seconds(headers['x-ratelimit-reset']) - now,
  ].find((ms) => Number.isFinite(ms) && ms >= 0)
  return told === undefined ? null : Math.min(Math.ceil(told), longestMs)
}

/** In milliseconds; NaN when the text is not a decimal number. */
function seconds(text: string | undefined): number {
  return /^\d{1,12}(\.\d{1,12})?$/.test(text ?? '') ? Number(text) * 1_000 : Number.NaN
}

const unprintable = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** A name as a person may see it, without what our own input checks refuse; empty where nothing is left. (D9, D56) */
export function visibleName(text: string): string {
  const cleaned = cleanText(text.toWellFormed().replace(unprintable, ' '))
  const name = cleaned.ok ? readName(cleaned.value) : cleaned
  return name.ok ? name.value : ''
}
