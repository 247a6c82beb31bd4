import type { Finished, Scored } from '../../../../infra/clients/assistant/messages.ts'
import { answer, order, save, set, settle, startTimer, stopTimer, warn } from './asking.ts'
import { isOtherMap } from './attaching.ts'
import type { Command, Draft, Failure, Machine, OpenPlay, PlayingPlayer } from './machine.ts'
import { bannedModsOf, holdsMap, isInGame, missingOf, playerOf, presentOf, userOf } from './players.ts'

/** A song from its start to what everybody did in it. A start is never sent twice. (AS8, AS9, AS16) */

const startMs = 15_000
/** All wait for each other where streams are synchronised. (AS11) */
const syncMs = 90_000
/** For reports that are late. (AS9, AS17) */
const lateMs = 20_000
const returnMs = 15_000
const renewMs = 5_000

export interface Reason {
  readonly code: string
  readonly user: string | null
}

/** Why a song should not be started now; `ignore` takes codes of it. (AS12; details, 5) */
export function reasonsAgainst(
  m: Machine,
  players: readonly string[] | null,
  mode: OpenPlay['mode'],
): readonly Reason[] {
  const wanted = m.expected.filter(({ userGuid }) => players === null || players.includes(userGuid))
  const present = presentOf(m, players)
  const of = (code: string, users: readonly { readonly userGuid: string }[]): Reason[] =>
    users.map(({ userGuid }) => ({ code, user: userGuid }))
  const missing = new Set(missingOf(m))
  const there = present.map(({ player }) => player)
  const banned = present.filter(({ user }) => bannedModsOf(m, user).length > 0).map(({ player }) => player)
  return [
    ...(m.map === null ? [{ code: 'no_map', user: null }] : []),
    ...(there.length === 0 ? [{ code: 'nobody', user: null }] : []),
    ...of(
      'player_missing',
      wanted.filter((player) => missing.has(player)),
    ),
    ...of(
      'not_loaded',
      there.filter(({ userGuid }) => !holdsMap(m, userGuid)),
    ),
    ...of(
      'not_ready',
      there.filter(({ userGuid }) => (m.checks.get(userGuid) ?? 'ready') !== 'ready'),
    ),
    ...of('banned_mod', banned),
    ...(isOtherMap(m) ? [{ code: 'other_map', user: null }] : []),
    ...(m.match !== null && m.match.leader !== m.self ? [{ code: 'other_leader', user: null }] : []),
    ...(mode === 'synced'
      ? of(
          'no_delay',
          there.filter(({ userGuid }) => !m.delays.has(userGuid)),
        )
      : []),
  ]
}

/** Without these there is nothing to start. */
const never: ReadonlySet<string> = new Set(['no_map', 'nobody'])

export function askToPlay(draft: Draft, id: string, given: Command & { readonly name: 'play' }): void {
  const { m, effects } = draft
  if (m.play !== null) {
    // Sent again after an answer was lost: the play that is open is what was asked for.
    if (m.waiting.get('play') === id) return
    const message = 'A song is being played already.'
    answer(draft, id, { code: 'assistant.play_open', message, data: { play: m.play.guid } })
    return
  }
  const needed = given.mode === 'synced' ? syncPermissions : playPermissions
  const lacking = needed.filter((one) => !m.settings.permissions.includes(one))
  if (lacking.length > 0) {
    const message = `The assistant does not allow it: ${lacking.join(', ')} is missing.`
    answer(draft, id, { code: 'assistant.permission', message, data: { permission: lacking[0] } })
    return
  }
  const reasons = reasonsAgainst(m, given.players, given.mode)
  const left = reasons.filter(({ code }) => never.has(code) || !given.ignore.includes(code))
  if (left.length > 0 || m.map === null) {
    const message = 'The song cannot be started yet; `reasons` says why, and `ignore` passes over some of them.'
    answer(draft, id, { code: 'assistant.not_ready', message, data: { reasons: left } })
    return
  }
  const players = presentOf(m, given.players).map(
    ({ player: { userGuid, side }, user }): PlayingPlayer => ({
      ...{ userGuid, side, platformId: user.platformId },
      mapped: m.mapped.has(userGuid),
    }),
  )
  const { mode, delayMs } = given
  m.play = {
    ...{ guid: null, map: m.map, mode, delayMs, players, state: 'keeping', inGame: new Set<string>() },
    ...{ finished: new Map(), startedAt: null },
  }
  m.waiting = set(m.waiting, 'play', id)
  m.hasFinished = false
  m.live = new Map()
  effects.push({ type: 'beginPlay', command: id, chosen: m.map, mode, players })
  save(draft)
}

const playPermissions: readonly string[] = ['tournament:player:play_song']
const syncPermissions: readonly string[] = [...playPermissions, 'tournament:player:play_with_stream_sync']

/** It is on disk: only now it is sent. */
export function playKept(draft: Draft, guid: string): void {
  const { m } = draft
  if (m.play?.state !== 'keeping') return
  m.play = { ...m.play, guid }
  if (m.play.mode === 'held' && m.play.delayMs > 0) {
    m.play = { ...m.play, state: 'held' }
    startTimer(draft, 'play.held', m.play.delayMs)
    settle(draft, 'play')
  } else sendPlay(draft)
  save(draft)
}

export function playRefused(draft: Draft, failure: Failure): void {
  if (draft.m.play?.state !== 'keeping') return
  draft.m.play = null
  settle(draft, 'play', failure)
  save(draft)
}

export function sendPlay(draft: Draft): void {
  const { m, now } = draft
  if (m.play === null || (m.play.state !== 'keeping' && m.play.state !== 'held')) return
  const wanted = new Set(m.play.players.map(({ userGuid }) => userGuid))
  const to = presentOf(m, [...wanted]).map(({ user }) => user.guid)
  const useSync = m.play.mode === 'synced'
  m.play = { ...m.play, state: 'sending', startedAt: now }
  order(draft, { type: 'playSong', map: m.play.map.parameters, useSync, to })
  startTimer(draft, 'play.start', useSync ? syncMs : startMs)
  if (useSync) settle(draft, 'play')
  save(draft)
}

/** Whoever had control has lost it with their role: what has not been sent is not sent. */
export function withholdPlay(draft: Draft): void {
  const { m } = draft
  if (m.play?.state !== 'held') return
  end(draft, 'not_started')
}

/** Evidence that somebody plays: their state, or a score of theirs. */
export function seenInGame(draft: Draft, userGuid: string): void {
  const { m } = draft
  const { play } = m
  if (play === null || play.inGame.has(userGuid)) return
  if (play.state !== 'sending' && play.state !== 'started') return
  if (!play.players.some((player) => player.userGuid === userGuid)) return
  m.play = { ...play, inGame: new Set([...play.inGame, userGuid]) }
  const isAll = m.play.players.every((player) => m.play?.inGame.has(player.userGuid))
  if (isAll && play.state === 'sending') started(draft)
  save(draft)
}

function started(draft: Draft): void {
  const { m, effects, now } = draft
  const { play } = m
  if (play === null || play.guid === null) return
  m.play = { ...play, state: 'started', startedAt: play.startedAt ?? now }
  stopTimer(draft, 'play.start')
  effects.push({ type: 'playState', play: play.guid, state: 'started' })
  if (play.mode === 'synced') stagger(draft, play)
  startTimer(draft, 'live', renewMs)
  settle(draft, 'play')
  save(draft)
}

/** Each begins as much later as their stream is faster than the slowest one. (AS11) */
function stagger(draft: Draft, { players }: OpenPlay): void {
  const delays = players.map(({ userGuid }) => draft.m.delays.get(userGuid) ?? 0)
  const longest = Math.max(0, ...delays)
  for (const [index, { userGuid }] of players.entries())
    startTimer(draft, `sync ${userGuid}`, longest - (delays[index] ?? 0))
}

export function releaseSynced(draft: Draft, userGuid: string): void {
  const to = presentOf(draft.m, [userGuid]).map(({ user }) => user.guid)
  if (to.length > 0) order(draft, { type: 'delayTestFinish', to })
}

/** Nobody begins, or not all do, in the time that it takes. (AS8) */
export function startIsOver(draft: Draft): void {
  const { m, effects } = draft
  const { play } = m
  if (play === null || play.state !== 'sending') return
  if (play.mode === 'synced') {
    order(draft, { type: 'returnToMenu', to: presentOf(m).map(({ user }) => user.guid) })
    effects.push({ type: 'happened', what: 'sync_failed', detail: null })
    warn(draft, 'sync_failed')
    const message = 'Not everybody was waiting within 90 seconds; all were sent back to the menu.'
    m.lastError = { code: 'assistant.sync_failed', message, at: new Date(draft.now).toISOString() }
    end(draft, 'aborted')
    return
  }
  if (play.inGame.size === 0) {
    const message = 'Nobody has begun to play; look at the players and at the permissions of the link.'
    end(draft, 'not_started', { code: 'assistant.not_started', message })
    return
  }
  for (const { userGuid } of play.players) if (!play.inGame.has(userGuid)) warn(draft, 'not_started', userGuid)
  started(draft)
}

type Outcome = 'not_started' | 'finished' | 'aborted' | 'uncertain'

export function end(draft: Draft, state: Outcome, failure: Failure | null = null): void {
  const { m, effects } = draft
  const { play } = m
  if (play === null) return
  for (const name of [...m.timers.keys()]) if (/^(play\.|sync |live$)/.test(name)) stopTimer(draft, name)
  if (play.guid !== null) effects.push({ type: 'playState', play: play.guid, state })
  m.lastPlay = state === 'finished' || state === 'uncertain' ? play : null
  m.play = null
  m.hasFinished = state === 'finished'
  m.live = new Map()
  settle(draft, 'play', failure)
  if (state !== 'aborted') settle(draft, 'return')
  save(draft)
}

export function askToReturn(draft: Draft, id: string): void {
  const { m } = draft
  if (m.play?.state === 'held') {
    end(draft, 'not_started')
    answer(draft, id)
    return
  }
  const to = presentOf(m).map(({ user }) => user.guid)
  order(draft, { type: 'returnToMenu', to })
  if (m.play === null || m.play.state === 'keeping') {
    answer(draft, id)
    return
  }
  m.play = { ...m.play, state: 'returning' }
  settle(draft, 'return')
  m.waiting = set(m.waiting, 'return', id)
  startTimer(draft, 'play.return', returnMs)
  stopTimer(draft, 'play.start')
  save(draft)
  returnedToMenu(draft)
}

/** A play that was broken off comes to nothing. (AS8) */
export function returnedToMenu(draft: Draft): void {
  const { m } = draft
  if (m.play?.state !== 'returning' || playingNow(m).length > 0) return
  end(draft, 'aborted')
  settle(draft, 'return')
}

export function returnIsOver(draft: Draft): void {
  const { m } = draft
  if (m.play?.state !== 'returning') return
  const message = 'Somebody is still in the song.'
  settle(draft, 'return', { code: 'assistant.timeout', message })
  m.play = { ...m.play, state: 'started' }
  save(draft)
  watchForSilence(draft)
}

export function playingNow(m: Machine): readonly string[] {
  const { play } = m
  if (play === null) return []
  return presentOf(m)
    .filter(({ user, player }) => isInGame(user) && play.players.some(({ userGuid }) => userGuid === player.userGuid))
    .map(({ player }) => player.userGuid)
}

/** While nobody is in the game any more, reports may still come for twenty seconds. (AS9, AS17) */
export function watchForSilence(draft: Draft): void {
  const { m } = draft
  if (m.play?.state !== 'started' && m.play?.state !== 'sending') return
  const isSilent = playingNow(m).length === 0 && (m.play.inGame.size > 0 || !m.timers.has('play.start'))
  if (!isSilent) stopTimer(draft, 'play.late')
  else if (!m.timers.has('play.late')) startTimer(draft, 'play.late', lateMs)
}

export function lateIsOver(draft: Draft): void {
  const { m, effects } = draft
  const { play } = m
  if (play === null || play.guid === null) return
  if (play.finished.size === 0) {
    effects.push({ type: 'propose', play: play.guid, isComplete: true, warnings: ['interrupted'] })
    end(draft, 'uncertain')
    return
  }
  effects.push({ type: 'propose', play: play.guid, isComplete: true, warnings: [] })
  end(draft, 'finished')
}

/** Whom a report is about, if it counts for a play of this session. (AS16) */
export function playerOfReport(m: Machine, told: Finished, play: OpenPlay, tournament: string): PlayingPlayer | null {
  if (told.tournament !== null && told.tournament !== tournament) return null
  if (told.match !== null && told.match !== m.matchGuid) return null
  const player = play.players.find(({ platformId }) => platformId === told.player.platformId)
  if (player === undefined) return null
  // A client that names neither must at least have played this level.
  const isOurs = told.match !== null || told.hash === play.map.map.hash
  return isOurs ? player : null
}

export function finished(draft: Draft, told: Finished, tournament: string): void {
  const { m, effects } = draft
  const play = m.play?.state === 'started' || m.play?.state === 'sending' ? m.play : m.play === null ? m.lastPlay : null
  if (play === null || play.guid === null) return
  const player = playerOfReport(m, told, play, tournament)
  if (player === null) return
  const { userGuid, side } = player
  const { map } = play.map
  const isWrongMap = told.hash !== map.hash || told.characteristic !== map.characteristic
  const warnings = [
    ...(isWrongMap ? ['wrong_map'] : told.difficulty !== map.difficulty ? ['wrong_difficulty'] : []),
    ...(play === m.lastPlay ? ['late'] : []),
  ]
  const live = m.live.get(userGuid)
  const { score, maxScore, accuracy, misses, badCuts, goodCuts, completion, endTime } = told
  effects.push({
    type: 'finish',
    play: play.guid,
    finish: {
      ...{ userGuid, side, score, maxScore, accuracy, misses, badCuts, goodCuts, completion, endTime, warnings },
      ...{ maxCombo: live?.score?.maxCombo ?? null, mods: told.player.mods.slice(0, 50) },
    },
  })
  if (play !== m.play) {
    effects.push({ type: 'propose', play: play.guid, isComplete: true, warnings: [] })
    return
  }
  if (play.finished.has(userGuid)) return
  const inGame = new Set([...play.inGame, userGuid])
  m.play = { ...play, inGame, finished: set(play.finished, userGuid, completion) }
  if (m.play.state === 'sending') started(draft)
  const value = { score: live?.score ?? null, state: completion === 'failed' ? 'failed' : 'finished' } as const
  m.live = set(m.live, userGuid, value)
  effects.push({ type: 'live', user: userGuid, value })
  const isComplete = m.play.players.every((one) => m.play?.finished.has(one.userGuid))
  if (isComplete) {
    effects.push({ type: 'propose', play: play.guid, isComplete: true, warnings: [] })
    end(draft, 'finished')
    return
  }
  effects.push({ type: 'propose', play: play.guid, isComplete: false, warnings: [] })
  stopTimer(draft, 'play.late')
  watchForSilence(draft)
  save(draft)
}

/** Values of somebody else, of another match, or after their song's end are dropped. (AS14) */
export function scored(draft: Draft, told: Scored): void {
  const { m, effects } = draft
  const player = playerOf(m, told.user)
  const { play } = m
  if (player === null || play === null || (play.state !== 'sending' && play.state !== 'started')) return
  if (!play.players.some(({ userGuid }) => userGuid === player.userGuid) || play.finished.has(player.userGuid)) return
  const { type: _type, user: _user, ...score } = told
  const value = { score, state: 'playing' } as const
  m.live = set(m.live, player.userGuid, value)
  effects.push({ type: 'live', user: player.userGuid, value })
  seenInGame(draft, player.userGuid)
}

/** Values come only on change, and are gone without renewal. (AS14) */
export function renewLive(draft: Draft): void {
  const { m, effects } = draft
  effects.push({ type: 'liveAll' })
  if (m.play?.state !== 'started') return
  for (const [user, value] of m.live) {
    const player = m.expected.find(({ userGuid }) => userGuid === user)
    const at = player === undefined ? null : userOf(m, player)
    if (value.state === 'playing' && at !== null && isInGame(at)) effects.push({ type: 'live', user, value })
  }
  startTimer(draft, 'live', renewMs)
}

/** Whoever watches sees that the numbers stand still because nobody tells them. (AS10) */
export function liveIsLost(draft: Draft): void {
  const { m, effects } = draft
  for (const [user, value] of m.live) {
    if (value.state !== 'playing') continue
    effects.push({ type: 'live', user, value: { ...value, state: 'disconnected' } })
  }
}

/** After a new connection: what was open is judged by what is there now. A start that was under way is never sent again. (AS9) */
export function resumePlay(draft: Draft): void {
  const { m } = draft
  if (m.play === null) return
  for (const user of playingNow(m)) seenInGame(draft, user)
  if (m.play?.state === 'sending' && m.play.inGame.size > 0) started(draft)
  if (m.play?.state === 'sending' && playingNow(m).length === 0) {
    stopTimer(draft, 'play.start')
    startTimer(draft, 'play.late', lateMs)
  }
  watchForSilence(draft)
}
