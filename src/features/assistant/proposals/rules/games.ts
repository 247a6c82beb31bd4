import { conflict, forbidden, invalid, Problem } from '../../../../core/problem.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { ExpectedPlayer, Finish, Play, PlayedMap } from '../types.ts'
import { mapInPool, placeOf, runAt } from './places.ts'
import { isSameReport } from './warnings.ts'

/** Results that players' own games report. They are never verified, and no proposal of them accepts itself. (AS31) */

/** The wait for the other players of a song. A player's next result after this time belongs to another song. */
export const quietSeconds = 20
/** An equal result of a player within this time is a repeated report. */
const repeatSeconds = 120
/** How long other players may join a song, in minutes. */
export const openMinutes = 10
/** The maximum number of songs that games report in one match. */
const maxPlays = 200

export interface Song {
  readonly game: number
  readonly run: number
  readonly technical: boolean
}

/**
 * Reports are refused for a cancelled match. (AS30, AS31)
 * @throws Problem `match.cancelled`
 */
export function checkIsPlayed({ status }: Pick<MatchRecord, 'status'>): void {
  if (status === 'cancelled') throw conflict('match.cancelled', 'The match is cancelled: nobody plays it.')
}

/** Reports are taken for members of the match's two teams only, substitutes included. (AS29, AS30) */
export function playsInNeither(): Problem {
  return invalid('live.player_unknown', 'The user is in neither team of this match.')
}

/**
 * The game and run that a song belongs to: the session's current map, else the next game. In a completed match it is
 * the game with the same map, else the last game. (AS31, AS21)
 */
export function songAt(
  { status, games }: Pick<MatchRecord, 'status' | 'games'>,
  machine: Machine | null,
  { hash }: Pick<PlayedMap, 'hash'>,
): Song {
  const place = machine === null ? null : placeOf(machine)
  if (machine !== null && place !== null) {
    const technical = (runAt(machine, place)?.run.replaying.length ?? 0) > 0
    return { game: place.game, run: place.run, technical }
  }
  if (status !== 'completed') return { game: games.length + 1, run: 1, technical: false }
  const same = games.findLast(({ detail }) => detail?.map?.hash.toLowerCase() === hash)
  return { game: same?.number ?? Math.max(1, games.length), run: 1, technical: false }
}

/** The map from the session's pool, because the game's own statements are not trusted. */
export function mapAt(
  machine: Machine | null,
  reported: Pick<PlayedMap, 'hash' | 'characteristic' | 'difficulty' | 'name'>,
): PlayedMap {
  const map: PlayedMap = { ...reported, poolMapGuid: null, modifiers: [], maxScore: null }
  const entry = machine === null ? null : mapInPool(machine, map)
  if (entry === null) return map
  const { name, maxScore } = entry.map
  return { ...map, poolMapGuid: entry.guid, name: name ?? reported.name, modifiers: [...entry.modifiers], maxScore }
}

type Report = Pick<Finish, 'userGuid' | 'score' | 'misses' | 'badCuts' | 'goodCuts' | 'completion' | 'receivedAt'>

/**
 * Whether a result belongs to this song. It does if it is another player's result while the proposal is undecided, a
 * repeated report, or a second result that comes too soon to be of another song. (AS16, AS31)
 */
export function joins(
  play: Pick<Play, 'startedAt' | 'state' | 'game' | 'run' | 'flowSessionGuid'> & { readonly isUndecided: boolean },
  finishes: readonly Report[],
  { song, session, report }: { readonly song: Song; readonly session: string | null; readonly report: Report },
): boolean {
  const isSameSong = play.game === song.game && play.run === song.run && play.flowSessionGuid === session
  const known = finishes.find(({ userGuid }) => userGuid === report.userGuid)
  const after = (report.receivedAt.getTime() - (known?.receivedAt ?? play.startedAt).getTime()) / 1_000
  if (known !== undefined) return after < quietSeconds || (isSameReport(known, report) && after < repeatSeconds)
  return isSameSong && play.state === 'started' && play.isUndecided && after < openMinutes * 60
}

/** How the map of a player differs from the song's map. (AS17) */
export function differences(
  { map }: Pick<Play, 'map'>,
  reported: Pick<PlayedMap, 'hash' | 'characteristic' | 'difficulty'>,
): readonly string[] {
  if (map.hash !== reported.hash) return ['wrong_map']
  const isSame = map.difficulty === reported.difficulty && map.characteristic === reported.characteristic
  return isSame ? [] : ['wrong_difficulty']
}

/**
 * The game must belong to the player who reports. BeatSaberPlus names an account, which must be one of the player's
 * verified accounts. (AS30)
 * @throws Problem `game.player_mismatch`
 */
export function checkOwnGame(
  { source, platformId }: { readonly source: 'bsplus' | 'status'; readonly platformId: string | null },
  verified: readonly string[],
): void {
  if (platformId === null ? source === 'status' : verified.includes(platformId)) return
  throw forbidden(
    'game.player_mismatch',
    'The game is not that of an account that you have verified; link yours first.',
  )
}

/** @throws Problem `assistant.play_open`, `live.finishes_limit` */
export function checkMayBegin(isPlayedByAssistant: boolean, plays: number): void {
  if (isPlayedByAssistant) {
    throw conflict('assistant.play_open', 'The assistant of the match tells of this song.')
  }
  if (plays >= maxPlays) {
    throw new Problem('limited', 'live.finishes_limit', `Games tell of at most ${maxPlays} songs of a match.`)
  }
}

export interface Seat {
  readonly userGuid: string
  readonly side: 1 | 2
  readonly isActive: boolean
}

/** The players of the song: the session's line-ups, else the active members of both teams. (AS7) */
export function expectedOf(
  machine: Machine | null,
  seats: readonly Seat[],
  platformIdOf: (userGuid: string) => string | null,
): readonly ExpectedPlayer[] {
  const place = machine === null ? null : placeOf(machine)
  const lineup = machine === null || place === null ? [] : (runAt(machine, place)?.run.lineups.flat() ?? [])
  const playing = seats.filter(({ userGuid, isActive }) => (lineup.length > 0 ? lineup.includes(userGuid) : isActive))
  return playing
    .slice(0, maxPlayers)
    .map(({ userGuid, side }) => ({ userGuid, side, platformId: platformIdOf(userGuid), mapped: false }))
}

const maxPlayers = 16
