import type { Finished, Scored } from '../../../../infra/clients/assistant/messages.ts'
import { save, set, startTimer, stopTimer, warn } from './asking.ts'
import type { Draft, Machine, OpenPlay, PlayingPlayer } from './machine.ts'
import { playerOf } from './players.ts'
import { end, playingNow, running, seenInGame, started, watchForSilence } from './playing.ts'

/** Handles what games report about a song: results, which count once, and live scores. (AS14, AS16) */

export const renewMs = 5_000

/** The player of a report, if the report counts for this play. (AS16) */
export function playerOfReport(m: Machine, report: Finished, play: OpenPlay, tournament: string): PlayingPlayer | null {
  if (report.tournament !== null && report.tournament !== tournament) return null
  if (report.match !== null && report.match !== m.matchGuid && report.match !== play.matchGuid) return null
  const player = play.players.find(({ platformId }) => platformId === report.player.platformId)
  if (player === undefined) return null
  // A client that names neither match nor tournament must at least have played the map of the song.
  const isOurs = report.match !== null || report.hash === play.map.map.hash
  return isOurs ? player : null
}

/** The open play; or the previous one, if the report names its map and the player has not begun the new song. (AS16) */
function playOfReport(m: Machine, report: Finished): OpenPlay | null {
  const { play, lastPlay } = m
  if (play === null || !running.has(play.state)) return lastPlay
  if (lastPlay === null || report.hash !== lastPlay.map.map.hash) return play
  const player = lastPlay.players.find(({ platformId }) => platformId === report.player.platformId)
  const isOfBefore = report.hash !== play.map.map.hash || !play.inGame.has(player?.userGuid ?? '')
  return player !== undefined && isOfBefore ? lastPlay : play
}

export function finished(draft: Draft, report: Finished, tournament: string): void {
  const { m, effects } = draft
  const play = playOfReport(m, report)
  if (play === null || play.guid === null) return
  const player = playerOfReport(m, report, play, tournament)
  if (player === null) return
  const { userGuid, side } = player
  const { map } = play.map
  const isWrongMap = report.hash !== map.hash || report.characteristic !== map.characteristic
  const warnings = [
    ...(isWrongMap ? ['wrong_map'] : report.difficulty !== map.difficulty ? ['wrong_difficulty'] : []),
    ...(play === m.play ? [] : ['late']),
  ]
  const live = m.live.get(userGuid)
  const { score, maxScore, accuracy, misses, badCuts, goodCuts, completion, endTime } = report
  effects.push({
    type: 'finish',
    play: play.guid,
    finish: {
      userGuid,
      side,
      score,
      maxScore,
      accuracy,
      misses,
      badCuts,
      goodCuts,
      completion,
      endTime,
      warnings,
      maxCombo: live?.score?.maxCombo ?? null,
      mods: report.player.mods.slice(0, 50),
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
  if (completion !== 'passed') warn(draft, completion, userGuid)
  // While the song returns to the menu nothing is proposed, unless the return fails and the song continues.
  if (m.play.state === 'returning') {
    save(draft)
    return
  }
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

/**
 * Takes a player's live score. Values of other users and matches, and those after the end of the player's song, are
 * dropped. (AS14)
 */
export function scored(draft: Draft, report: Scored): void {
  const { m, effects } = draft
  const player = playerOf(m, report.user)
  const { play } = m
  if (player === null || play === null || (play.state !== 'sending' && play.state !== 'started')) return
  if (!play.players.some(({ userGuid }) => userGuid === player.userGuid) || play.finished.has(player.userGuid)) return
  const { type: _type, user: _user, ...score } = report
  const value = { score, state: 'playing' } as const
  m.live = set(m.live, player.userGuid, value)
  effects.push({ type: 'live', user: player.userGuid, value })
  seenInGame(draft, player.userGuid)
}

/** Repeats the last live values, because games send changes only and values expire. (AS14) */
export function renewLive(draft: Draft): void {
  const { m, effects } = draft
  effects.push({ type: 'liveAll' })
  const inGame = new Set(playingNow(m))
  for (const [user, value] of m.live) {
    if (value.state !== 'playing') continue
    // Without a connection the values are marked, so that viewers know why they do not change. (AS10)
    if (m.self === null) effects.push({ type: 'live', user, value: { ...value, state: 'disconnected' } })
    else if (inGame.has(user)) effects.push({ type: 'live', user, value })
  }
  startTimer(draft, 'live', renewMs)
}
