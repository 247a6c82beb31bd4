import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../../../core/problem.ts'
import type { Game, Machine } from '../../../../engine/flows/machine.ts'
import { hasScore } from '../../../../engine/flows/map-winner.ts'
import type { ScoreReport } from '../../../../engine/flows/rows.ts'
import { scoreOf } from '../../../../engine/flows/runs.ts'
import { scoreLimit } from '../../../../engine/score-limits.ts'
import type { Completion } from '../../../../infra/clients/assistant/messages.ts'
import type { StoredGame } from '../../../brackets/matches/types.ts'
import { type GameInput, readGame } from '../../../brackets/results/rules.ts'
import { storedGame } from '../../../flows/flowSessions/rules/games.ts'
import type { GameProposal, Play, ProposedPlayer, ProposedSide } from '../types.ts'
import { derive } from './derived.ts'
import { mapInPool, type Place, runAt } from './places.ts'
import { playedAnother } from './warnings.ts'

type Song = Pick<Play, 'guid' | 'game' | 'map' | 'source'>
type Scored = Pick<GameProposal, 'players' | 'warnings'>

/** The place in a session's log where a song was played. */
export interface Playing {
  readonly machine: Machine
  readonly place: Place
}

/**
 * Computes the song's result. With a session, the rules of the flow apply (zeros, team totals, chains of replays).
 * Without one, each side has the sum of its players, and a player who quit counts 0. (AS18)
 */
export function resultOf(song: Song, scored: Scored, playing: Playing | null): StoredGame {
  const hypothetical = playing === null ? null : asPlayed(playing, song, scored)
  if (playing === null || hypothetical === null) return readGame(song.game, gameInput(song, scored))
  return storedGame(playing.machine, hypothetical)
}

/** The sides' totals and mean accuracies, and the provisional winner of the map. */
export function sidesOf({ scores, winner, detail }: StoredGame): {
  readonly sides: readonly ProposedSide[]
  readonly winner: 1 | 2 | null
} {
  return {
    sides: scores.map((score, index) => ({ score: score ?? 0, accuracy: detail?.sides[index]?.accuracy ?? null })),
    winner: winner === null ? null : winner === 0 ? 1 : 2,
  }
}

/** The song as input of the match's own operation for a game. (AS19) */
export function gameInput({ map }: Song, scored: Scored): GameInput {
  const players = ofThisMap(scored)
  const { sides, lead } = derive(players)
  const { hash, difficulty, characteristic, name } = map
  return {
    sides: sides.map(({ score, accuracy }, index) => {
      const own = players.filter(({ side }) => side === index + 1)
      const [only] = own
      return {
        score,
        ...(accuracy === null ? {} : { accuracy }),
        ...(own.length === 1 && only !== undefined ? { completion: only.completion } : {}),
      }
    }),
    winner: lead?.side ?? null,
    map: { hash, difficulty, characteristic, name: [...name].slice(0, maxNameLength).join('') },
    players: players.map(({ userGuid, side, score, accuracy }) => ({
      userGuid,
      side,
      score,
      ...(accuracy === null ? {} : { accuracy }),
    })),
  }
}

/** The maximum length of a map's name in a game. */
const maxNameLength = 200

function ofThisMap({ players, warnings }: Scored): readonly ProposedPlayer[] {
  const others = playedAnother(warnings)
  return players.filter(({ userGuid }) => !others.has(userGuid))
}

/**
 * Scores as input of a session; only members of its teams are included. A score of another map keeps that map, and does
 * not count. (AS19)
 */
export function reportsOf(song: Song, { players, warnings }: Scored, machine: Machine): readonly ScoreReport[] {
  const map = mapInPool(machine, song.map)?.guid ?? null
  const others = playedAnother(warnings)
  const members = new Set(machine.start.teams.flatMap((team) => team.members))
  const known = players.filter(({ userGuid }) => members.has(userGuid))
  return known.map(({ userGuid, score, accuracy, misses, badCuts, maxCombo, completion, receivedAt }) => ({
    guid: '',
    user: userGuid,
    map: others.has(userGuid) ? null : map,
    score,
    accuracy,
    misses,
    badCuts,
    maxCombo,
    completion,
    pausedSeconds: null,
    // The flow does not check the mods that are installed. It checks how the map was played.
    mods: song.map.modifiers,
    source: song.source === 'game' ? ('import' as const) : song.source,
    externalId: `${song.guid}:${userGuid}`,
    playedAt: receivedAt,
    evidenceUrl: null,
  }))
}

/**
 * The scores that the run still takes. In a technical replay, only those of the replaying players; a score that was
 * entered by hand has priority. (AS21)
 */
export function reportsWanted({ machine, place }: Playing, reports: readonly ScoreReport[]): readonly ScoreReport[] {
  const found = runAt(machine, place)
  if (found === null) return []
  const { run } = found
  const isAgain = run.replaying.length > 0
  return reports.filter(({ user }) => {
    const seat = run.lineups.findIndex((lineup) => lineup.includes(user)) + 1
    if (isAgain && seat > 0 && !run.replaying.includes(seat)) return false
    return seat === 0 || !hasScore(run, seat, user)
  })
}

/** Whether a player of the line-ups would still have no score. */
export function leavesMissing({ machine, place }: Playing, reports: readonly ScoreReport[]): boolean {
  const found = runAt(machine, place)
  if (found === null) return false
  const counting = new Set(reports.flatMap(({ user, map }) => (map === place.map ? [user] : [])))
  return found.run.lineups.some((lineup, index) =>
    lineup.some((user) => !counting.has(user) && !hasScore(found.run, index + 1, user)),
  )
}

/** The game with these scores in the played run. They replace earlier scores of the same players. */
function asPlayed({ machine, place }: Playing, song: Song, scored: Scored): Game | null {
  const found = runAt(machine, place)
  const chain = found?.game.chains[place.chain - 1]
  if (found === null || chain === undefined) return null
  const { game, run } = found
  const isAgain = run.replaying.length > 0
  const reports = reportsOf(song, scored, machine)
  const told = isAgain ? reportsWanted({ machine, place }, reports) : reports
  const replaced = new Set(told.map(({ user }) => user))
  const kept = run.scores.filter(({ user, why }) => why === 'technical' || !replaced.has(user))
  const bare = { ...run, scores: kept }
  const scores = [...kept, ...told.map((report) => scoreOf(machine, game, bare, place.chain, report))]
  const played = { ...run, scores, isClosed: true, replaying: [] }
  const runs = chain.runs.with(place.run - 1, played)
  const chains = game.chains.with(place.chain - 1, { ...chain, runs })
  return { ...game, chains, told: null, awarded: null, isVoid: false, isFinal: false }
}

export interface CorrectedPlayer {
  readonly user: string
  readonly score: number
  readonly completion: Completion
}

/**
 * A proposal without any score is accepted only with scores or a reason. (D79)
 * @throws Problem `proposal.reason_missing`
 */
export function checkSaysWhy(
  { players }: Pick<GameProposal, 'players'>,
  given: { readonly players?: readonly CorrectedPlayer[]; readonly reason?: string | undefined },
): void {
  if (players.length > 0 || (given.players ?? []).length > 0 || given.reason !== undefined) return
  throw invalid(
    'proposal.reason_missing',
    'The proposal has no players: give as `players` what they scored, or as `reason` why it counts as it is.',
  )
}

/**
 * The players after an operator's corrections, which may add missing players. The scores that were reported stay
 * stored. (AS19)
 * @throws Problem `proposal.reason_missing`, `proposal.player_unknown`
 */
export function correctedBy(
  play: Pick<Play, 'expected' | 'map'>,
  { players, warnings }: Scored,
  corrections: readonly CorrectedPlayer[],
  reason: string | undefined,
  now: string,
): Scored & { readonly changed: readonly string[] } {
  const users = new Set(corrections.map(({ user }) => user))
  if (users.size === 0) return { players, warnings, changed: [] }
  // If no score was reported, the operator's scores are reason enough. (D79)
  if (reason === undefined && players.length > 0) {
    throw invalid('proposal.reason_missing', 'Give as `reason` why scores are corrected.')
  }
  const corrected = corrections.map((correction, index): ProposedPlayer => {
    const known = players.find(({ userGuid }) => userGuid === correction.user)
    if (known !== undefined) return changedPlayer(known, correction)
    const expected = play.expected.find(({ userGuid }) => userGuid === correction.user)
    if (expected === undefined) {
      throw invalid('proposal.player_unknown', `\`players[${index}].user\` is no player of this song.`)
    }
    const { score, completion } = correction
    return {
      userGuid: expected.userGuid,
      side: expected.side,
      score,
      completion,
      maxScore: play.map.maxScore,
      accuracy: accuracyOf(score, play.map.maxScore),
      misses: null,
      badCuts: null,
      goodCuts: null,
      maxCombo: null,
      endTime: null,
      receivedAt: now,
    }
  })
  const kept = players.filter(({ userGuid }) => !users.has(userGuid))
  return {
    players: [...kept, ...corrected],
    // A score that the operator gives counts, so its warnings about another map are removed.
    warnings: warnings.filter(({ code, user }) => !(user !== null && users.has(user) && isOfAnother(code))),
    changed: corrected.flatMap((player) => {
      const before = players.find(({ userGuid }) => userGuid === player.userGuid)
      return before !== undefined && isDeepStrictEqual(before, player) ? [] : [player.userGuid]
    }),
  }
}

function isOfAnother(code: string): boolean {
  return code === 'wrong_map' || code === 'wrong_difficulty'
}

function changedPlayer(known: ProposedPlayer, { score, completion }: CorrectedPlayer): ProposedPlayer {
  if (known.score === score) return { ...known, completion }
  return { ...known, score, completion, accuracy: accuracyOf(score, known.maxScore) }
}

function accuracyOf(score: number, maxScore: number | null): number | null {
  const limit = maxScore === null || maxScore <= 0 ? null : scoreLimit(maxScore, 'any')
  return maxScore === null || limit === null || score > limit ? null : score / maxScore
}
