import type { Unreachable } from '../../../../infra/clients/http.ts'

/** How long answers count, and how long whoever does not answer is left alone. (pools: The catalogue connector) */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * What was found counts for a day, that nothing was found for an hour: a map may be uploaded any minute.
 * (pools: The catalogue connector)
 */
export function isFresh(
  { answer, answeredAt }: { readonly answer: unknown; readonly answeredAt: Date },
  now: Date,
): boolean {
  return now.getTime() - answeredAt.getTime() < (answer === null ? hour : 24 * hour)
}

export const mostTries = 3

const longestSilenceMs = 10 * minute
const usualSilenceMs = 30 * second
const silenceAfterTriesMs = minute

/** What a failure means for those who would ask next. */
export type Consequence =
  | { readonly kind: 'again' }
  | { readonly kind: 'silence'; readonly ms: number }
  /** The question is at fault, or its answer: others may fare better. */
  | { readonly kind: 'none' }

/**
 * Whoever wants less is not asked for as long as they say, at most 10 minutes, or for 30 seconds. Whoever does not answer,
 * or says that they fail, is asked three times, then not for a minute. (pools: The catalogue connector)
 *
 * @param tries how often the question was asked by now
 */
export function consequenceOf({ reason, status, retryAfterMs }: Unreachable, tries: number): Consequence {
  if (reason === 'limited') return { kind: 'silence', ms: Math.min(retryAfterMs ?? usualSilenceMs, longestSilenceMs) }
  const isPassing =
    reason === 'failing' ? (status ?? 500) >= 500 : reason !== 'invalid_answer' && reason !== 'too_large'
  if (!isPassing) return { kind: 'none' }
  return tries < mostTries ? { kind: 'again' } : { kind: 'silence', ms: silenceAfterTriesMs }
}

const waitsInVain = [1, 5, 30, 60].map((minutes) => minutes * minute)

/** When an unresolved map is asked for again: after 1, 5 and 30 minutes, then hourly. (pools: The catalogue connector) */
export function askAgainAt(askedInVain: number, now: Date): Date {
  const wait = waitsInVain[Math.min(askedInVain, waitsInVain.length) - 1] ?? minute
  return new Date(now.getTime() + wait)
}
