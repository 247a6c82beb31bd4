import { permissionsOf } from '../../assistantLinks/rules/permissions.ts'
import { leaveOutCheck } from './answering.ts'
import { answer, ask, isPending, order, save, set, settle, startTimer, without } from './asking.ts'
import { askAgain, attach } from './attaching.ts'
import type { Command, Draft, Failure } from './machine.ts'
import { forgetReadiness, presentOf } from './players.ts'
import { askToPlay, askToReturn } from './playing.ts'

/** Handles the operators' commands, one after the other. (AS8) */

/** The longest wait before a command is answered. If its work takes longer, it continues, and the session shows it. */
const patienceMs = 7_000

const down: Failure = {
  code: 'assistant.timeout',
  message: 'There is no connection to the assistant just now; it is being made again.',
}

export function command(draft: Draft, id: string, given: Command): void {
  const { m } = draft
  switch (given.name) {
    case 'setPlayer':
      m.mapped = newest(set(without(m.mapped, given.user), given.user, given.platformId))
      forgetReadiness(draft, given.user)
      save(draft)
      attach(draft)
      answer(draft, id)
      return
    case 'setDelays':
      for (const { user, delayMs } of given.delays) m.delays = newest(set(without(m.delays, user), user, delayMs))
      save(draft)
      answer(draft, id)
      return
    default:
      if (m.self === null) {
        answer(draft, id, down)
        return
      }
  }
  const lacking = permissionsFor(given).find((one) => !m.settings.permissions.includes(one))
  if (lacking !== undefined) {
    answer(draft, id, {
      code: 'assistant.permission',
      message: lackingWords(given, lacking),
      data: { permission: lacking },
    })
    return
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

/** Keeps the newest entries only, because operators may also name users who do not play. */
function newest<V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
  return map.size <= maxNamed ? map : new Map([...map].slice(-maxNamed))
}
const maxNamed = 64

/**
 * The permissions that are checked before sending. The assistant drops these requests silently if a permission is
 * missing; it answers all others with a refusal. (AS3)
 */
function permissionsFor(given: Command): readonly string[] {
  switch (given.name) {
    case 'play':
      return [
        ...permissionsOf('assistant.play'),
        ...(given.mode === 'synced' ? permissionsOf('assistant.syncColor') : []),
      ]
    case 'return':
    case 'modify':
    case 'syncColor':
      return permissionsOf(`assistant.${given.name}`)
    default:
      return []
  }
}

/**
 * The service reads its permissions when it connects, so a permission that was granted since needs a new connection.
 */
function lackingWords(given: Command, permission: string): string {
  const otherwise = given.name === 'play' && given.mode === 'synced' ? ' Or play with another `mode`.' : ''
  return `The assistant does not allow it: ${permission} is missing. Grant it there, then connect anew (\`resync\`).${otherwise}`
}

const nobodyThere: Failure = { code: 'assistant.players_missing', message: 'None of these players is connected.' }
const busy: Failure = {
  code: 'assistant.play_open',
  message: 'A song is being played; wait for its end or return to the menu.',
}
const noMap: Failure = { code: 'assistant.no_map', message: 'No map is set; set one first.' }

/** The failure while there is no match at the assistant. (AS3) */
function noMatch(isAskedAgain: boolean): Failure {
  const words = isAskedAgain
    ? 'The assistant had refused to make it, as the error of the session says; it was asked for once more.'
    : 'It is being made.'
  return { code: 'assistant.no_match', message: `There is no match at the assistant yet. ${words} Send the map again.` }
}

function setMap(draft: Draft, id: string, { chosen }: Command & { readonly name: 'setMap' }): void {
  const { m } = draft
  // The permission may have been granted since the refusal.
  const wasRefused = m.refused.has('create')
  askAgain(draft)
  if (m.match === null) {
    answer(draft, id, noMatch(wasRefused && isPending(draft, 'create')))
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

function load(draft: Draft, id: string, { players, force = null }: Command & { readonly name: 'load' }): void {
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
  const users = new Set(present.map(({ player }) => player.userGuid))
  forgetPending(draft, 'load', users)
  m.hasFinished = false
  for (const { player } of present) m.loads = set(m.loads, player.userGuid, { state: 'loading', error: null })
  const { loadTimeoutMs } = m.settings
  const pending = { what: 'load', name: 'load', command: null, users, withinMs: loadTimeoutMs } as const
  const to = present.map(({ user }) => user.guid)
  ask(draft, { type: 'loadSong', hash: m.map.parameters.hash, to }, pending)
  if (force !== null) draft.effects.push({ type: 'happened', what: 'load_forced', detail: force })
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
  const users = new Set(present.map(({ player }) => player.userGuid))
  forgetPending(draft, 'check', users)
  const [lacking] = permissionsOf('assistant.readyCheck').filter((one) => !m.settings.permissions.includes(one))
  if (lacking !== undefined) {
    leaveOutCheck(draft, users, lacking)
    answer(draft, id)
    return
  }
  m.checks = new Map([...m.checks, ...present.map(({ player }) => [player.userGuid, 'asked' as const] as const)])
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

/**
 * Removes players who are asked again from older requests, so that the timeout of an older request does not concern
 * them.
 */
function forgetPending({ m }: Draft, what: 'load' | 'check', again: ReadonlySet<string>): void {
  for (const [ref, pending] of m.pending) {
    if (pending.what !== what) continue
    const users = new Set([...(pending.users ?? [])].filter((user) => !again.has(user)))
    m.pending = users.size === 0 ? without(m.pending, ref) : set(m.pending, ref, { ...pending, users })
  }
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
