import type { Unreachable } from '../../../../infra/clients/http.ts'

/**
 * How long answers are fresh, and how long no requests are sent to a source that fails.
 * (pools: The catalogue connector)
 */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * Positive answers are fresh for a day. Negative ones are fresh for an hour, because a map may be uploaded at any time.
 * (pools: The catalogue connector)
 */
export function isFresh(
  { answer, answeredAt }: { readonly answer: unknown; readonly answeredAt: Date },
  now: Date,
): boolean {
  return now.getTime() - answeredAt.getTime() < (answer === null ? hour : 24 * hour)
}

export const maxTries = 3

const maxSilenceMs = 10 * minute
const defaultSilenceMs = 30 * second
const silenceAfterTriesMs = minute

/** What a failure means for further requests to the source. */
export type Consequence =
  | { readonly kind: 'again' }
  | { readonly kind: 'silence'; readonly ms: number }
  /** The question or its answer is at fault; other questions may succeed. */
  | { readonly kind: 'none' }

/**
 * A source that limits the rate gets no requests for as long as it says, at most 10 minutes, or 30 seconds by default.
 * A source that fails or does not answer is asked three times, and then not for a minute.
 * (pools: The catalogue connector)
 *
 * @param tries how often the question was asked, this time included
 */
export function consequenceOf({ reason, status, retryAfterMs }: Unreachable, tries: number): Consequence {
  if (reason === 'limited') return { kind: 'silence', ms: Math.min(retryAfterMs ?? defaultSilenceMs, maxSilenceMs) }
  const isPassing =
    reason === 'failing' ? (status ?? 500) >= 500 : reason !== 'invalid_answer' && reason !== 'too_large'
  if (!isPassing) return { kind: 'none' }
  return tries < maxTries ? { kind: 'again' } : { kind: 'silence', ms: silenceAfterTriesMs }
}

const waitsInVain = [1, 5, 30, 60].map((minutes) => minutes * minute)

/**
 * When the catalogue is asked again about an unresolved map: after 1, 5 and 30 minutes, then hourly.
 * (pools: The catalogue connector)
 */
export function askAgainAt(askedInVain: number, now: Date): Date {
  const wait = waitsInVain[Math.min(askedInVain, waitsInVain.length) - 1] ?? minute
  return new Date(now.getTime() + wait)
}
