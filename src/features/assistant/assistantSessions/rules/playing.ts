import { answer, order, save, set, settle, startTimer, stopTimer, warn } from './asking.ts'
import type { Command, Draft, Failure, Machine, OpenPlay, PlayingPlayer } from './machine.ts'
import { isInGame, playingUsers, presentOf } from './players.ts'
import { never, reasonsAgainst } from './readiness.ts'

/** A song from its start to the results of its players. A start is never sent twice. (AS8, AS9, AS16) */

const startMs = 15_000
/** The timeout of a synchronised start, in which all players must wait. (AS11) */
const syncMs = 90_000
/** The wait for late reports. (AS9, AS17) */
const lateMs = 20_000
const returnMs = 15_000

export function askToPlay(draft: Draft, id: string, given: Command & { readonly name: 'play' }): void {
  const { m, effects } = draft
  if (m.play !== null) {
    // The command was sent again after its answer was lost. The open play is the one that it asks for.
    if (m.waiting.get('play') === id) return
    const message = 'A song is being played already.'
    answer(draft, id, { code: 'assistant.play_open', message, data: { play: m.play.guid } })
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
      userGuid,
      side,
      platformId: user.platformId,
      mapped: m.mapped.has(userGuid),
    }),
  )
  const { mode, delayMs, force = null } = given
  m.play = {
    guid: null,
    map: m.map,
    mode,
    delayMs,
    players,
    state: 'keeping',
    inGame: new Set<string>(),
    finished: new Map(),
    startedAt: null,
    matchGuid: m.matchGuid,
    isInterrupted: false,
    released: new Set(),
  }
  m.waiting = set(m.waiting, 'play', id)
  m.hasFinished = false
  m.live = new Map()
  effects.push({ type: 'beginPlay', command: id, chosen: m.map, mode, players, force })
  save(draft)
}

/** The play is saved, so the start may be sent. */
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
  const to = playingUsers(m, m.play).map(({ user }) => user.guid)
  if (m.self === null || to.length === 0) {
    const message = 'The connection to the assistant, or the players, went away before the song was started.'
    end(draft, 'not_started', { code: 'assistant.not_started', message })
    return
  }
  const useSync = m.play.mode === 'synced'
  m.play = { ...m.play, state: 'sending', startedAt: now }
  order(draft, { type: 'playSong', map: m.play.map.parameters, useSync, to })
  startTimer(draft, 'play.start', startTimeOf(m.play))
  if (useSync) settle(draft, 'play')
  save(draft)
}

function startTimeOf({ mode }: OpenPlay): number {
  return mode === 'synced' ? syncMs : startMs
}

/** The controller lost control. A start that was not sent yet is dropped. */
export function withholdPlay(draft: Draft): void {
  const { m } = draft
  if (m.play?.state !== 'held') return
  end(draft, 'not_started')
}

/** Notes that a player is in the game, which their state or a score shows. */
export function seenInGame(draft: Draft, userGuid: string): void {
  const { m } = draft
  const { play } = m
  if (play === null || play.inGame.has(userGuid)) return
  if (play.state !== 'sending' && play.state !== 'started') return
  if (!play.players.some((player) => player.userGuid === userGuid)) return
  m.play = { ...play, inGame: new Set([...play.inGame, userGuid]) }
  // After a reconnect, the first look found nobody in the song, so the timer was not running.
  if (play.state === 'sending' && !m.timers.has('play.start')) startTimer(draft, 'play.start', startTimeOf(play))
  const isAll = m.play.players.every((player) => m.play?.inGame.has(player.userGuid))
  if (isAll && play.state === 'sending') started(draft)
  save(draft)
}

export function started(draft: Draft): void {
  const { m, effects, now } = draft
  const { play } = m
  if (play === null || play.guid === null) return
  m.play = { ...play, state: 'started', startedAt: play.startedAt ?? now }
  stopTimer(draft, 'play.start')
  effects.push({ type: 'playState', play: play.guid, state: 'started' })
  if (play.mode === 'synced') stagger(draft, play)
  settle(draft, 'play')
  save(draft)
}

/** Delays each player's release by the greatest stream delay minus the player's own. (AS11) */
function stagger(draft: Draft, { players }: OpenPlay): void {
  const delays = players.map(({ userGuid }) => draft.m.delays.get(userGuid) ?? 0)
  const longest = Math.max(0, ...delays)
  for (const [index, { userGuid }] of players.entries())
    startTimer(draft, `sync ${userGuid}`, longest - (delays[index] ?? 0))
}

/**
 * Releases a player from a synchronised start. A player who is absent, or cannot be reached without a connection, is
 * released later.
 */
export function releaseSynced(draft: Draft, userGuid: string): void {
  const { m } = draft
  const { play } = m
  if (play?.state !== 'started' || play.mode !== 'synced' || m.self === null || play.released.has(userGuid)) return
  const to = playingUsers(m, play).flatMap(({ player, user }) => (player.userGuid === userGuid ? [user.guid] : []))
  if (to.length === 0) return
  m.play = { ...play, released: new Set([...play.released, userGuid]) }
  order(draft, { type: 'delayTestFinish', to })
}

export function releaseLeftBehind(draft: Draft): void {
  const { m } = draft
  for (const { userGuid } of m.play?.players ?? []) {
    if (!m.timers.has(`sync ${userGuid}`)) releaseSynced(draft, userGuid)
  }
}

/** Handles the end of the time for a start in which not all players began. (AS8) */
export function startIsOver(draft: Draft): void {
  const { m, effects } = draft
  const { play } = m
  if (play === null || play.state !== 'sending') return
  if (play.mode === 'synced') {
    order(draft, { type: 'returnToMenu', to: playingUsers(m, play).map(({ user }) => user.guid) })
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
  for (const name of [...m.timers.keys()]) if (/^(play\.|sync )/.test(name)) stopTimer(draft, name)
  if (play.guid !== null) effects.push({ type: 'playState', play: play.guid, state })
  // Late reports of a sent song may still come, even if nobody was seen to begin in time.
  if (state !== 'aborted' && (play.state === 'sending' || play.state === 'started')) m.lastPlay = play
  else m.lastPlay = null
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
  sendBack(draft)
  if (m.play === null || m.play.state === 'keeping') {
    answer(draft, id)
    return
  }
  m.play = { ...m.play, state: 'returning' }
  settle(draft, 'return')
  m.waiting = set(m.waiting, 'return', id)
  startTimer(draft, 'play.return', returnMs)
  for (const name of ['play.start', 'play.late']) stopTimer(draft, name)
  save(draft)
  returnedToMenu(draft)
}

function sendBack(draft: Draft): void {
  const { m } = draft
  const playing = m.play === null ? [] : playingUsers(m, m.play)
  const to = new Set([...presentOf(m), ...playing].map(({ user }) => user.guid))
  if (to.size > 0) order(draft, { type: 'returnToMenu', to: [...to] })
}

/** Ends an aborted song, without a result, once nobody is in the game. (AS8) */
export function returnedToMenu(draft: Draft): void {
  const { m } = draft
  if (m.play?.state !== 'returning' || m.self === null || playingNow(m).length > 0) return
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
  return playingUsers(m, play).flatMap(({ player, user }) => (isInGame(user) ? [player.userGuid] : []))
}

/** Once nobody is in the game, reports are awaited for twenty more seconds. (AS9, AS17) */
export function watchForSilence(draft: Draft): void {
  const { m } = draft
  if (m.self === null || (m.play?.state !== 'started' && m.play?.state !== 'sending')) return
  const isSilent = playingNow(m).length === 0 && (m.play.inGame.size > 0 || !m.timers.has('play.start'))
  if (!isSilent) stopTimer(draft, 'play.late')
  else if (!m.timers.has('play.late')) startTimer(draft, 'play.late', lateMs)
}

export function lateIsOver(draft: Draft): void {
  const { m, effects } = draft
  const { play } = m
  if (play === null || play.guid === null) return
  // A player may have finished while the connection was broken, so that the report was lost.
  if (play.finished.size === 0 || play.isInterrupted) {
    effects.push({ type: 'propose', play: play.guid, isComplete: true, warnings: ['interrupted'] })
    end(draft, 'uncertain')
    return
  }
  effects.push({ type: 'propose', play: play.guid, isComplete: true, warnings: [] })
  end(draft, 'finished')
}

/** States of a song that was sent and is not known to be over. */
export const running: ReadonlySet<OpenPlay['state']> = new Set(['sending', 'started', 'returning'])

/** Compares the open song with the assistant's state after a reconnect. A start is never sent again. (AS9) */
export function resumePlay(draft: Draft): void {
  const { m } = draft
  if (m.play === null) return
  for (const user of playingNow(m)) seenInGame(draft, user)
  if (m.play?.state === 'returning') {
    // Whether the request to return arrived is unknown. Sending it twice does no harm.
    sendBack(draft)
    startTimer(draft, 'play.return', returnMs)
    returnedToMenu(draft)
  }
  releaseLeftBehind(draft)
  watchForSilence(draft)
}

/** Stops the timers of the song after a lost connection. `resumePlay` checks the song after the reconnect. */
export function interruptPlay(draft: Draft): void {
  const { m } = draft
  for (const name of ['play.start', 'play.late', 'play.return']) stopTimer(draft, name)
  if (m.play !== null && running.has(m.play.state)) m.play = { ...m.play, isInterrupted: true }
}
