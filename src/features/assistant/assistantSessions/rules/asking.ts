import type { Ask, Order } from '../../../../infra/clients/assistant/messages.ts'
import type { Draft, Failure, Pending } from './machine.ts'

/** Functions that change a draft of the machine. */

/** The default timeout of an answer. (AS6) */
export const answerMs = 10_000
const maxWarnings = 100
/** The maximum number of a tournament's users, and of its matches, that is kept in memory. */
export const maxRemembered = 2_000

export function set<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value)
}

export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map
  const left = new Map(map)
  left.delete(key)
  return left
}

export function ask(
  draft: Draft,
  message: Ask,
  pending: Omit<Pending, 'dueAt' | 'ask'> & { readonly withinMs?: number },
): void {
  const { m, effects, now } = draft
  const ref = m.nextRef
  const { withinMs = answerMs, ...rest } = pending
  m.nextRef = ref + 1
  m.pending = set(m.pending, ref, { ...rest, ask: message, dueAt: now + withinMs })
  effects.push({ type: 'send', ref, message })
}

export function order({ effects }: Draft, message: Order): void {
  effects.push({ type: 'send', ref: null, message })
}

export function isPending({ m }: Draft, ...kinds: readonly Pending['what'][]): boolean {
  return [...m.pending.values()].some(({ what }) => kinds.includes(what))
}

export function save({ effects }: Draft): void {
  if (!effects.some(({ type }) => type === 'save')) effects.push({ type: 'save' })
}

export function answer({ effects }: Draft, command: string | null | undefined, failure: Failure | null = null): void {
  if (command != null) effects.push({ type: 'answer', command, failure })
}

/** Answers the command that waits for this event, if any. */
export function settle(draft: Draft, kind: 'load' | 'check' | 'play' | 'return', failure: Failure | null = null): void {
  answer(draft, draft.m.waiting.get(kind), failure)
  draft.m.waiting = without(draft.m.waiting, kind)
}

export function startTimer({ m, now }: Draft, name: string, inMs: number): void {
  m.timers = set(m.timers, name, now + inMs)
}

export function stopTimer({ m }: Draft, name: string): void {
  m.timers = without(m.timers, name)
}

/** Adds a warning. Wrong states are reported and stop nothing silently. (AS12) */
export function warn(draft: Draft, code: string, user: string | null = null): void {
  const { m, now, newGuid } = draft
  const warning = { guid: newGuid(), code, user, at: new Date(now).toISOString() }
  m.warnings = [...m.warnings, warning].slice(-maxWarnings)
  save(draft)
}

/**
 * Adds a warning whose code the session does not have yet, so that repeated requests do not push out earlier warnings.
 * (AS12)
 */
export function warnOnce(draft: Draft, code: string): void {
  if (!draft.m.warnings.some((one) => one.code === code)) warn(draft, code)
}

export function fail(draft: Draft, code: string, message: string): void {
  draft.m.lastError = { code, message: plain(message), at: new Date(draft.now).toISOString() }
  save(draft)
}

/** A text of the assistant as plain text. (assistant: Failures) */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go.
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 200)
}
