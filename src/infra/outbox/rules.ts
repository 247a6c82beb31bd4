import { createHash } from 'node:crypto'
import type { Fault, Faults, NewMessage, RecordedAnswer } from './types.ts'

/** At most so many messages of a rehearsal are kept; the oldest go first. (R3) */
export const maxMessages = 5_000
/** Longer bodies are cut. (R3) */
export const maxBodyCharacters = 16_384
export const maxTextCharacters = 200

export const unlessGiven: Fault = { answer: 'ok', status: 503, delaySeconds: 0, retryAfter: 0, share: 1 }

type Drawn = Pick<NewMessage, 'kind' | 'at' | 'to' | 'subject'>

/**
 * What an attempt is answered. Whether a fault concerns it is drawn by the seed and by what a message is, never by its
 * GUID. (R3)
 * @param attempt counted from 0
 * @param taken the status of success
 */
export function answerTo(
  { seed, faults }: { readonly seed: string; readonly faults: Faults },
  message: Drawn,
  attempt: number,
  taken: number,
): RecordedAnswer & { readonly delayMs: number } {
  const fault = faults[message.kind]
  if (fault === undefined || drawOf(seed, message, attempt) >= fault.share) {
    return { status: taken, retryAfterMs: null, delayMs: 0 }
  }
  const { answer, status, delaySeconds, retryAfter } = fault
  return {
    status: answer === 'ok' ? taken : answer === 'limit' ? 429 : status,
    retryAfterMs: answer === 'limit' && retryAfter > 0 ? retryAfter * 1_000 : null,
    delayMs: attempt === 0 ? delaySeconds * 1_000 : 0,
  }
}

/** From 0 to below 1. */
function drawOf(seed: string, { kind, at, to, subject }: Drawn, attempt: number): number {
  const drawn = JSON.stringify([seed, kind, at.toISOString(), to, subject, attempt])
  return createHash('sha256').update(drawn).digest().readUIntBE(0, 6) / 2 ** 48
}

/** @returns the text, or its beginning with an ellipsis */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).toWellFormed()}…`
}
