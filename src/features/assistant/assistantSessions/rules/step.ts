import type { AssistantUser } from '../../../../infra/clients/assistant/messages.ts'
import { commandAnswered, downloadReported, unanswered } from './answering.ts'
import { answer, maxRemembered, save, set, settle, startTimer, stopTimer, warn, without } from './asking.ts'
import { attach, attachingAnswered, matchChanged } from './attaching.ts'
import { command } from './commanding.ts'
import type { Draft, Expected, Input, Machine, OpenPlay, Settings, Step } from './machine.ts'
import { bannedModsOf, forgetReadiness, isInGame, playerOf, playsNow, presentOf, userOf } from './players.ts'
import {
  interruptPlay,
  lateIsOver,
  playKept,
  playRefused,
  releaseLeftBehind,
  releaseSynced,
  resumePlay,
  returnedToMenu,
  returnIsOver,
  seenInGame,
  sendPlay,
  startIsOver,
  watchForSilence,
  withholdPlay,
} from './playing.ts'
import { finished, renewLive, renewMs, scored } from './reporting.ts'
import { Users } from './users.ts'

export interface Beginning {
  readonly settings: Settings
  readonly expected: readonly Expected[]
  readonly matchGuid: string | null
  readonly isMatchOurs: boolean
  readonly mapped?: ReadonlyMap<string, string | null>
  readonly delays?: ReadonlyMap<string, number>
  readonly map?: Machine['map']
  readonly warnings?: Machine['warnings']
  /** A song that another process began, or this process before it restarted. */
  readonly play?: OpenPlay | null
}

export function begin(given: Beginning): Machine {
  return {
    mapped: new Map(),
    delays: new Map(),
    map: null,
    warnings: [],
    play: null,
    ...given,
    self: null,
    users: Users.none,
    match: null,
    heldElsewhere: new Set(),
    matches: new Map(),
    refused: new Set(),
    pending: new Map(),
    nextRef: 1,
    mustSetMap: false,
    loads: new Map(),
    checks: new Map(),
    lastPlay: null,
    hasFinished: false,
    chosen: new Map(),
    waiting: new Map(),
    lastError: null,
    live: new Map(),
    timers: new Map(),
  }
}

export interface Surroundings {
  /** Milliseconds of the epoch. */
  readonly now: number
  /** GUID of the assistant's tournament. */
  readonly tournament: string
  readonly newGuid: () => string
}

/**
 * Computes the next state of a session and the effects of an input: packets, writes and live values. The function is
 * pure. (AS33)
 */
export function step(machine: Machine, input: Input, { now, tournament, newGuid }: Surroundings): Step {
  const draft: Draft = { m: { ...machine }, effects: [], now, newGuid }
  take(draft, input, tournament)
  return { machine: draft.m, effects: draft.effects }
}

/** The next time at which something is due, in milliseconds of the epoch; null for never. */
export function dueAt({ timers, pending }: Machine): number | null {
  const instants = [...timers.values(), ...[...pending.values()].map((one) => one.dueAt)]
  return instants.length === 0 ? null : Math.min(...instants)
}

function take(draft: Draft, input: Input, tournament: string): void {
  const { m } = draft
  switch (input.type) {
    case 'joined':
      joined(draft, input)
      return
    case 'lost':
      lost(draft)
      return
    case 'command':
      command(draft, input.id, input.command)
      return
    case 'expected':
      m.expected = input.expected
      save(draft)
      attach(draft)
      return
    case 'settings':
      m.settings = { ...m.settings, ...input.settings }
      save(draft)
      return
    case 'controlLost':
      withholdPlay(draft)
      return
    case 'playKept':
      playKept(draft, input.guid)
      return
    case 'playRefused':
      playRefused(draft, input.failure)
      return
    case 'answer': {
      const pending = m.pending.get(input.ref)
      if (pending === undefined) return
      if (pending.users === undefined) m.pending = without(m.pending, input.ref)
      if (!attachingAnswered(draft, pending, input.answer)) commandAnswered(draft, input.ref, pending, input.answer)
      return
    }
    case 'told':
      told(draft, input.told, tournament)
      return
    case 'time':
      timeIsOver(draft)
      return
  }
}

function joined(draft: Draft, { self, tournament, heldElsewhere }: Input & { readonly type: 'joined' }): void {
  const { m } = draft
  const connections = new Map(presentOf(m).map(({ player, user }) => [player.userGuid, user.guid]))
  m.self = self
  m.users = Users.of(tournament.users.slice(0, maxRemembered))
  m.matches = new Map(tournament.matches.slice(0, maxRemembered).map((match) => [match.guid, match]))
  for (const player of m.expected) {
    if (userOf(m, player)?.guid !== connections.get(player.userGuid)) forgetReadiness(draft, player.userGuid)
  }
  m.heldElsewhere = heldElsewhere
  m.settings = { ...m.settings, permissions: tournament.permissions }
  const before = m.matchGuid
  m.match = before === null ? null : (m.matches.get(before) ?? null)
  m.refused = new Set()
  m.lastError = null
  if (before !== null && m.match === null) {
    // The assistant was restarted, or all users had left. The match is made and its map set again.
    m.matchGuid = null
    m.isMatchOurs = false
    m.mustSetMap = m.map !== null
    m.loads = new Map()
    warn(draft, 'match_deleted')
  }
  for (const { player, user } of presentOf(m)) {
    const isWarned = m.warnings.some(({ code, user: of }) => code === 'banned_mod' && of === player.userGuid)
    if (!isWarned) warnOfBannedMods(draft, player.userGuid, user)
  }
  resumePlay(draft)
  attach(draft)
  startTimer(draft, 'live', renewMs)
  draft.effects.push({ type: 'liveAll' })
  save(draft)
}

function lost(draft: Draft): void {
  const { m } = draft
  m.self = null
  const message = 'The connection to the assistant broke; it is being made again.'
  for (const { command: id, what } of m.pending.values()) {
    answer(draft, id, { code: 'assistant.timeout', message })
    if (id !== null) m.chosen = without(m.chosen, id)
    if (what === 'load' || what === 'check') settle(draft, what, { code: 'assistant.timeout', message })
  }
  m.pending = new Map()
  for (const [user, load] of m.loads) {
    if (load.state === 'loading') m.loads = set(m.loads, user, { state: 'idle', error: null })
  }
  m.checks = new Map([...m.checks].filter(([, state]) => state !== 'asked'))
  startTimer(draft, 'live', renewMs)
  stopTimer(draft, 'attach')
  interruptPlay(draft)
  save(draft)
}

function told(draft: Draft, given: (Input & { readonly type: 'told' })['told'], tournament: string): void {
  switch (given.type) {
    case 'user':
      userChanged(draft, given.change, given.user)
      return
    case 'match':
      matchChanged(draft, given.change, given.match)
      return
    case 'score':
      scored(draft, given)
      return
    case 'finished':
      finished(draft, given, tournament)
      return
    default:
      return
  }
}

function userChanged(draft: Draft, change: 'added' | 'updated' | 'left', user: AssistantUser): void {
  const { m } = draft
  const before = m.users.get(user.guid)
  // A server may have hundreds of users. Only the song's players can change the state of the song.
  const isInSong = playsNow(m, before) || playsNow(m, user)
  if (change === 'left') {
    const player = playerOf(m, user.guid)
    m.users = m.users.without(user.guid)
    if (player === null) {
      if (isInSong) watchForSilence(draft)
      return
    }
    // A player who has another connection only left with the old one.
    if (userOf(m, player) === null) {
      warn(draft, 'player_left', player.userGuid)
      forgetReadiness(draft, player.userGuid)
    }
    save(draft)
    returnedToMenu(draft)
    watchForSilence(draft)
    return
  }
  if (before === undefined && m.users.size >= maxRemembered) return
  m.users = m.users.with(user)
  const player = playerOf(m, user.guid)
  if (player === null) {
    if (m.match?.users.includes(user.guid)) save(draft)
    if (!isInSong) return
    returnedToMenu(draft)
    watchForSilence(draft)
    return
  }
  if (before === undefined) forgetReadiness(draft, player.userGuid)
  // An unchanged download state belongs to an earlier map.
  if (before?.downloadState !== user.downloadState) noteDownload(draft, player.userGuid, user)
  if (before === undefined || bannedModsOf(m, before).join() !== bannedModsOf(m, user).join())
    warnOfBannedMods(draft, player.userGuid, user)
  if (isInGame(user)) seenInGame(draft, player.userGuid)
  save(draft)
  returnedToMenu(draft)
  watchForSilence(draft)
  if (before !== undefined) return
  releaseLeftBehind(draft)
  attach(draft)
}

function noteDownload(draft: Draft, userGuid: string, { downloadState }: AssistantUser): void {
  if (downloadState === 'downloaded' || downloadState === 'error') downloadReported(draft, userGuid, downloadState)
}

function warnOfBannedMods(draft: Draft, userGuid: string, user: AssistantUser): void {
  if (bannedModsOf(draft.m, user).length > 0) warn(draft, 'banned_mod', userGuid)
}

function timeIsOver(draft: Draft): void {
  const { m, now } = draft
  for (const [ref, pending] of m.pending) if (pending.dueAt <= now) unanswered(draft, ref, pending)
  delayReleases(draft)
  const due = [...m.timers].filter(([, at]) => at <= now).sort(([, one], [, other]) => one - other)
  for (const [name] of due) {
    if (!m.timers.has(name)) continue
    stopTimer(draft, name)
    elapsed(draft, name)
  }
}

/**
 * If one player is released late, the others are delayed by the same time, because the differences between the releases
 * count. (AS11)
 */
function delayReleases({ m, now }: Draft): void {
  const waiting = [...m.timers].filter(([name]) => name.startsWith('sync '))
  const late = now - Math.min(...waiting.map(([, at]) => at))
  if (late > 0) for (const [name, at] of waiting) m.timers = set(m.timers, name, at + late)
}

function elapsed(draft: Draft, name: string): void {
  if (name.startsWith('sync ')) {
    releaseSynced(draft, name.slice(5))
    return
  }
  switch (name) {
    case 'play.held':
      if (draft.m.self === null) withholdPlay(draft)
      else sendPlay(draft)
      return
    case 'play.start':
      startIsOver(draft)
      return
    case 'play.late':
      lateIsOver(draft)
      return
    case 'play.return':
      returnIsOver(draft)
      return
    case 'load.patience':
      settle(draft, 'load')
      return
    case 'check.patience':
      settle(draft, 'check')
      return
    case 'live':
      renewLive(draft)
      return
    case 'attach':
      attach(draft)
      return
  }
}
