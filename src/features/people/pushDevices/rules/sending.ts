import type { Judge } from '../../../../infra/outbox/types.ts'
import type { Message, QuietHours } from '../types.ts'

const minute = 60_000
const dayMinutes = 24 * 60

/** The end of the quiet hours in which an instant lies; null outside of them. The zone's clock decides. (additions: Push) */
export function quietEnd({ from, to, timezone }: QuietHours, now: Date): Date | null {
  const [start, end] = [minutesOf(from), minutesOf(to)]
  const local = localMinutes(timezone, now)
  const isQuiet = start < end ? local >= start && local < end : local >= start || local < end
  if (!isQuiet) return null
  const thisMinute = Math.floor(now.getTime() / minute) * minute
  const near = new Date(thisMinute + ((end - local + dayMinutes) % dayMinutes) * minute)
  // The clock may have been changed in between.
  const off = ((localMinutes(timezone, near) - end + dayMinutes * 1.5) % dayMinutes) - dayMinutes / 2
  const exact = new Date(near.getTime() - off * minute)
  return exact.getTime() > now.getTime() ? exact : near
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

function localMinutes(timeZone: string, at: Date): number {
  const shown = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return minutesOf(shown.format(at))
}

/** What the push service said, as far as it decides the next step. */
export interface PushAnswer {
  /** null if there was no answer. */
  readonly status: number | null
  readonly retryAfterMs: number | null
}

/** `gone`: the subscription has ended. `dropped`: this message cannot be delivered. */
export type Verdict = { readonly kind: 'sent' | 'gone' | 'dropped' } | { readonly kind: 'retry'; readonly at: Date }

const firstWaitMs = 5_000
const growth = 4
const maxAttempts = 8

/**
 * The consequence of an attempt. Only 404 and 410 end a device. Without an answer, after 408 and 429, and after an error
 * of the push service, the message is sent again, after growing waits or the wait that the service asks for, while it is
 * worth telling. (additions: Push)
 */
export function verdictOf(
  { attempts, until }: Pick<Message, 'attempts' | 'until'>,
  { status, retryAfterMs }: PushAnswer,
  now: Date,
): Verdict {
  if (status !== null && status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const mayPass = status === null || status === 408 || status === 429 || status >= 500
  const at = new Date(now.getTime() + Math.max(firstWaitMs * growth ** attempts, retryAfterMs ?? 0))
  const isOver = attempts + 1 >= maxAttempts || at.getTime() >= Date.parse(until)
  return mayPass && !isOver ? { kind: 'retry', at } : { kind: 'dropped' }
}

/** The same of a message that a rehearsal records: the device that it would go to does not end. (R3) */
export const judgePush: Judge = ({ attempts, until }, answer, now) => {
  const verdict = verdictOf({ attempts, until: (until ?? now).toISOString() }, answer, now)
  if (verdict.kind === 'retry') return verdict
  return { kind: verdict.kind === 'sent' ? 'sent' : 'dropped' }
}
