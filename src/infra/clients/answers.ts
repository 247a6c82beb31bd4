import { readName } from '../../core/names.ts'
import type { Shape } from '../../core/shape.ts'
import { cleanText } from '../../core/text.ts'
import { type HttpAnswer, Unreachable } from './http.ts'

/** Reads the answers of other services, which are untrusted. */

/**
 * The body of the answer, checked against the shape; it may have further members.
 *
 * @throws Unreachable `invalid_answer`
 */
export function readBody<T>(answer: HttpAnswer, shape: Shape<T>): T {
  const body = answer.json()
  if (!shape.check(body)) throw new Unreachable('invalid_answer', answer.host, { status: answer.status })
  return body
}

/** Like `readBody`, for bodies that may be missing or have any form, such as those of errors. */
export function findBody<T>(answer: HttpAnswer, shape: Shape<T>): T | undefined {
  try {
    return readBody(answer, shape)
  } catch {
    return undefined
  }
}

/** The error for a status that the operation does not expect. `waitS` is the wait in seconds from the body. */
export function unexpected(answer: HttpAnswer, waitS?: number): Unreachable {
  const { host, status } = answer
  return new Unreachable(status === 429 ? 'limited' : 'failing', host, {
    status,
    retryAfterMs: retryAfterMs(answer, { waitS }),
  })
}

const hourMs = 3_600_000

/**
 * How long the service asks us to wait, in milliseconds: from its body, else from `Retry-After` in seconds or as a date
 * (RFC 9110 §10.2.3), else from `X-RateLimit-Reset-After` in seconds, else from `X-RateLimit-Reset` in Unix seconds.
 * Times are compared with the clock of that service. A wait longer than `maxMs` is taken for a mistake of the
 * service.
 */
export function retryAfterMs(
  { headers }: Pick<HttpAnswer, 'headers'>,
  { waitS, maxMs = hourMs }: { readonly waitS?: number | undefined; readonly maxMs?: number } = {},
): number | null {
  const now = Date.parse(headers.date ?? '')
  const told = [
    (waitS ?? Number.NaN) * 1_000,
    seconds(headers['retry-after']),
    Date.parse(headers['retry-after'] ?? '') - now,
    seconds(headers['x-ratelimit-reset-after']),
    seconds(headers['x-ratelimit-reset']) - now,
  ].find((ms) => Number.isFinite(ms) && ms >= 0)
  return told === undefined ? null : Math.min(Math.ceil(told), maxMs)
}

/** In milliseconds; NaN when the text is not a decimal number. */
function seconds(text: string | undefined): number {
  return /^\d{1,12}(\.\d{1,12})?$/.test(text ?? '') ? Number(text) * 1_000 : Number.NaN
}

const unprintable = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** A name that can be shown, without characters that our own input checks refuse; may be empty. (D9, D56) */
export function visibleName(text: string): string {
  const cleaned = cleanText(text.toWellFormed().replace(unprintable, ' '))
  const name = cleaned.ok ? readName(cleaned.value) : cleaned
  return name.ok ? name.value : ''
}
