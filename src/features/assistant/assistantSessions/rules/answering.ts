import type { Answered } from '../../../../infra/clients/assistant/messages.ts'
import { answer, answerMs, fail, plain, save, set, settle, warnOnce, without } from './asking.ts'
import { attach } from './attaching.ts'
import type { Draft, Failure, Pending } from './machine.ts'
import { userOf } from './players.ts'

/** Handles the outcome of operators' commands. (AS6, AS8) */

/** Handles an answer of the server, or of a player who received the forwarded request. */
export function commandAnswered(draft: Draft, ref: number, pending: Pending, given: Answered): void {
  const { m } = draft
  if (pending.what === 'map') {
    const chosen = pending.command === null ? undefined : m.chosen.get(pending.command)
    if (pending.command !== null) m.chosen = without(m.chosen, pending.command)
    if (!given.ok || chosen === undefined) {
      answer(draft, pending.command, refusalOf(draft, given))
      attach(draft)
      return
    }
    m.map = chosen
    m.mustSetMap = false
    m.loads = new Map()
    m.checks = new Map()
    m.hasFinished = false
    // The assistant accepts the session's requests, so an earlier refusal no longer applies.
    if (m.lastError?.code === 'assistant.permission' || m.lastError?.code === 'assistant.refused') m.lastError = null
    draft.effects.push({ type: 'happened', what: 'map_set', detail: chosen.map.hash })
    save(draft)
    answer(draft, pending.command)
    return
  }
  const player = m.expected.find((one) => userOf(m, one)?.guid === given.from)
  const isAsked = player !== undefined && (pending.users?.has(player.userGuid) ?? false)
  if (!isAsked) {
    // An answer of the server itself: only a refusal matters.
    if (given.ok) return
    m.pending = without(m.pending, ref)
    if (pending.what === 'check') checkRefused(draft, pending, given)
    if (pending.what === 'load') {
      const failure = refusalOf(draft, given)
      giveUpLoading(draft, pending, failure.message)
      settle(draft, 'load', failure)
    }
    return
  }
  if (pending.what === 'load') {
    const error = given.ok ? null : given.message === '' ? 'The map could not be loaded.' : plain(given.message)
    m.loads = set(m.loads, player.userGuid, { state: given.ok ? 'loaded' : 'failed', error })
  }
  if (pending.what === 'check') {
    const isReady = given.ok && given.details.type === 'prompt' && given.details.value === 'ready'
    m.checks = set(m.checks, player.userGuid, isReady ? 'ready' : 'not_yet')
  }
  save(draft)
  endIfDone(draft, ref, pending)
}

/**
 * The server refused the ready check, so no player was asked. Without the permission the check is left out; the
 * operator is told any other refusal. (D77)
 */
function checkRefused(draft: Draft, { users = new Set() }: Pending, given: Answered): void {
  if (given.details.type === 'permission') {
    leaveOutCheck(draft, users, plain(given.details.required))
    settle(draft, 'check')
    return
  }
  countAsNotAsked(draft, users)
  settle(draft, 'check', refusalOf(draft, given))
}

/**
 * Leaves out a ready check that the assistant does not permit. The players count as not asked, so that they do not
 * block a start, and the session gets a warning. (D77)
 */
export function leaveOutCheck(draft: Draft, users: ReadonlySet<string>, permission: string): void {
  countAsNotAsked(draft, users)
  warnOnce(draft, 'no_ready_check')
  draft.effects.push({ type: 'lacking', permission })
}

function countAsNotAsked(draft: Draft, users: ReadonlySet<string>): void {
  const { m } = draft
  m.checks = new Map([...m.checks].filter(([user]) => !users.has(user)))
  save(draft)
}

function endIfDone(draft: Draft, ref: number, { what, users }: Pending): void {
  const { m } = draft
  if (what !== 'load' && what !== 'check') return
  const isOpen = (user: string) =>
    what === 'load' ? m.loads.get(user)?.state === 'loading' : m.checks.get(user) === 'asked'
  if ([...(users ?? [])].some(isOpen)) return
  m.pending = without(m.pending, ref)
  settle(draft, what)
}

function refusalOf(draft: Draft, { details, message }: Answered): Failure {
  if (details.type === 'permission') {
    const required = plain(details.required)
    const words = `The assistant refuses it: the permission ${required} is missing.`
    fail(draft, 'assistant.permission', words)
    return { code: 'assistant.permission', message: words, data: { permission: required } }
  }
  const words = message === '' ? 'The assistant has refused it.' : plain(message)
  return { code: 'assistant.refused', message: words }
}

/** Handles a request whose answer did not come in time. (AS6, AS8) */
export function unanswered(draft: Draft, ref: number, pending: Pending): void {
  const { m, effects } = draft
  m.pending = without(m.pending, ref)
  switch (pending.what) {
    case 'load':
      giveUpLoading(draft, pending, 'The map was not loaded in time.')
      settle(draft, 'load')
      return
    case 'check':
      giveUpChecking(draft, pending)
      settle(draft, 'check')
      return
    default: {
      if (pending.command !== null) m.chosen = without(m.chosen, pending.command)
      const message = `The assistant did not answer within ${answerMs / 1_000} seconds.`
      answer(draft, pending.command, { code: 'assistant.timeout', message })
      fail(draft, 'assistant.timeout', message)
      effects.push({ type: 'reconnect' })
    }
  }
}

function giveUpLoading(draft: Draft, { users }: Pending, error: string): void {
  for (const user of users ?? []) {
    const { m } = draft
    if (m.loads.get(user)?.state === 'loading') m.loads = set(m.loads, user, { state: 'failed', error })
  }
  save(draft)
}

function giveUpChecking(draft: Draft, { users }: Pending): void {
  for (const user of users ?? []) {
    const { m } = draft
    if (m.checks.get(user) === 'asked') m.checks = set(m.checks, user, 'not_yet')
  }
  save(draft)
}

/** Handles a player's download state from the assistant. Loading can end by it as well as by an answer. (AS8) */
export function downloadReported(draft: Draft, userGuid: string, state: 'downloaded' | 'error'): void {
  const { m } = draft
  if (m.loads.get(userGuid)?.state !== 'loading') return
  const load =
    state === 'downloaded'
      ? ({ state: 'loaded', error: null } as const)
      : ({ state: 'failed', error: 'The map could not be downloaded.' } as const)
  m.loads = set(m.loads, userGuid, load)
  save(draft)
  for (const [ref, pending] of m.pending) if (pending.what === 'load') endIfDone(draft, ref, pending)
}
