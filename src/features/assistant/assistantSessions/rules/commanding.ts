import type { Answered } from '../../../../infra/clients/assistant/messages.ts'
import { answer, answerMs, ask, fail, order, plain, save, set, settle, startTimer, without } from './asking.ts'
import { attach } from './attaching.ts'
import type { Command, Draft, Failure, Pending } from './machine.ts'
import { forgetLoad, presentOf, userOf } from './players.ts'
import { askToPlay, askToReturn } from './playing.ts'

/** What operators ask for, one thing after the other. (AS8) */

/** What takes longer goes on, and is told by the session. */
const patienceMs = 7_000

const down: Failure = {
  code: 'assistant.timeout',
  message: 'There is no connection to the assistant just now; it is being made again.',
}

export function command(draft: Draft, id: string, given: Command): void {
  const { m } = draft
  switch (given.name) {
    case 'setPlayer':
      m.mapped = set(m.mapped, given.user, given.platformId)
      forgetLoad(draft, given.user)
      save(draft)
      attach(draft)
      answer(draft, id)
      return
    case 'setDelays':
      for (const { user, delayMs } of given.delays) m.delays = set(m.delays, user, delayMs)
      save(draft)
      answer(draft, id)
      return
    default:
      if (m.self === null) {
        answer(draft, id, down)
        return
      }
  }
  switch (given.name) {
    case 'setMap':
      setMap(draft, id, given)
      return
    case 'load':
      load(draft, id, given)
      return
    case 'readyCheck':
      readyCheck(draft, id, given)
      return
    case 'play':
      askToPlay(draft, id, given)
      return
    case 'return':
      askToReturn(draft, id)
      return
    case 'modify':
      modify(draft, id, given)
      return
    case 'syncColor': {
      const to = presentOf(m, given.players).map(({ user }) => user.guid)
      if (to.length === 0) {
        answer(draft, id, nobodyThere)
        return
      }
      order(draft, { type: 'showColor', color: given.color, to })
      answer(draft, id)
      return
    }
  }
}

const nobodyThere: Failure = { code: 'assistant.players_missing', message: 'None of these players is connected.' }
const busy: Failure = {
  code: 'assistant.play_open',
  message: 'A song is being played; wait for its end or return to the menu.',
}
const noMap: Failure = { code: 'assistant.no_map', message: 'No map is set; set one first.' }
const noMatch: Failure = {
  code: 'assistant.no_match',
  message: 'There is no match at the assistant yet; see the error of the session.',
}

function setMap(draft: Draft, id: string, { chosen }: Command & { readonly name: 'setMap' }): void {
  const { m } = draft
  if (m.match === null) {
    answer(draft, id, noMatch)
    return
  }
  if (m.play !== null) {
    answer(draft, id, busy)
    return
  }
  const pending = { what: 'map', name: 'map', command: id } as const
  ask(draft, { type: 'setMap', match: m.match.guid, map: chosen.parameters }, pending)
  m.chosen = set(m.chosen, id, chosen)
}

function load(draft: Draft, id: string, { players }: Command & { readonly name: 'load' }): void {
  const { m } = draft
  if (m.map === null) {
    answer(draft, id, noMap)
    return
  }
  if (m.play !== null) {
    answer(draft, id, busy)
    return
  }
  const present = presentOf(m, players)
  if (present.length === 0) {
    answer(draft, id, nobodyThere)
    return
  }
  settle(draft, 'load')
  m.hasFinished = false
  for (const { player } of present) m.loads = set(m.loads, player.userGuid, { state: 'loading', error: null })
  const { loadTimeoutMs } = m.settings
  const users = new Set(present.map(({ player }) => player.userGuid))
  const pending = { what: 'load', name: 'load', command: null, users, withinMs: loadTimeoutMs } as const
  const to = present.map(({ user }) => user.guid)
  ask(draft, { type: 'loadSong', hash: m.map.parameters.hash, to }, pending)
  m.waiting = set(m.waiting, 'load', id)
  startTimer(draft, 'load.patience', patienceMs)
  save(draft)
}

function readyCheck(draft: Draft, id: string, given: Command & { readonly name: 'readyCheck' }): void {
  const { m } = draft
  const present = presentOf(m, given.players)
  if (present.length === 0) {
    answer(draft, id, nobodyThere)
    return
  }
  settle(draft, 'check')
  m.checks = new Map([...m.checks, ...present.map(({ player }) => [player.userGuid, 'asked' as const] as const)])
  const users = new Set(present.map(({ player }) => player.userGuid))
  const pending = { what: 'check', name: 'check', command: null, users, withinMs: given.seconds * 1_000 } as const
  const options = [
    { label: 'Ready', value: 'ready' },
    { label: 'Not yet', value: 'not_yet' },
  ]
  const prompt = { type: 'showPrompt', promptId: draft.newGuid(), title: 'Ready?', text: given.text } as const
  const to = present.map(({ user }) => user.guid)
  ask(draft, { ...prompt, seconds: given.seconds, options, to }, pending)
  m.waiting = set(m.waiting, 'check', id)
  startTimer(draft, 'check.patience', patienceMs)
  save(draft)
}

function modify(draft: Draft, id: string, given: Command & { readonly name: 'modify' }): void {
  const { m, effects } = draft
  if (m.play !== null && !given.confirm) {
    const message = 'A play that counts is under way; send `confirm: true` to change how it is played.'
    answer(draft, id, { code: 'assistant.modify_unconfirmed', message })
    return
  }
  const to = presentOf(m).map(({ user }) => user.guid)
  if (to.length === 0) {
    answer(draft, id, nobodyThere)
    return
  }
  order(draft, { type: 'modify', modifier: given.modifier, to })
  effects.push({ type: 'happened', what: 'modified', detail: given.modifier })
  answer(draft, id)
}

/** An answer of the server, or of a player to whom the question was forwarded. */
export function commandAnswered(draft: Draft, ref: number, pending: Pending, given: Answered): void {
  const { m } = draft
  if (pending.what === 'map') {
    const chosen = pending.command === null ? undefined : m.chosen.get(pending.command)
    if (pending.command !== null) m.chosen = without(m.chosen, pending.command)
    if (!given.ok || chosen === undefined) {
      answer(draft, pending.command, refusalOf(draft, given))
      return
    }
    m.map = chosen
    m.mustSetMap = false
    m.loads = new Map()
    m.checks = new Map()
    m.hasFinished = false
    draft.effects.push({ type: 'happened', what: 'map_set', detail: chosen.map.hash })
    save(draft)
    answer(draft, pending.command)
    return
  }
  const player = m.expected.find((one) => userOf(m, one)?.guid === given.from)
  const isAsked = player !== undefined && (pending.users?.has(player.userGuid) ?? false)
  if (!isAsked) {
    // Of the server itself: only a refusal is of interest.
    if (given.ok) return
    m.pending = without(m.pending, ref)
    const failure = refusalOf(draft, given)
    if (pending.what === 'load') giveUpLoading(draft, pending, failure.message)
    if (pending.what === 'check') giveUpChecking(draft, pending)
    if (pending.what === 'load' || pending.what === 'check') settle(draft, pending.what, failure)
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

function endIfDone(draft: Draft, ref: number, { what, users }: Pending): void {
  const { m } = draft
  if (what !== 'load' && what !== 'check') return
  const isOpen = (user: string) =>
    what === 'load' ? m.loads.get(user)?.state === 'loading' : m.checks.get(user) === 'asked'
  if ([...(users ?? [])].some(isOpen)) return
  m.pending = without(m.pending, ref)
  settle(draft, what)
}

export function refusalOf(draft: Draft, { details, message }: Answered): Failure {
  if (details.type === 'permission') {
    const required = plain(details.required)
    const words = `The assistant refuses it: the permission ${required} is missing.`
    fail(draft, 'assistant.permission', words)
    return { code: 'assistant.permission', message: words, data: { permission: required } }
  }
  const words = message === '' ? 'The assistant has refused it.' : plain(message)
  return { code: 'assistant.refused', message: words }
}

/** What was not answered in its time. (AS6, AS8) */
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

/** A player's download as the assistant tells it: the other way by which loading ends. (AS8) */
export function downloadTold(draft: Draft, userGuid: string, state: 'downloaded' | 'error'): void {
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
