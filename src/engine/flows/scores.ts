import { conflict, invalid, missing } from '../../core/problem.ts'
import { claimants, claimRefusal } from './claims.ts'
import { finalGames, type Game, type Machine, openGame, seatNumbers } from './machine.ts'
import type { Score } from './map-winner.ts'
import { ownPlayer } from './players.ts'
import type { ClaimData, CorrectedScore, Draft, ScoreReport } from './rows.ts'
import { type Caller, checkRuns, isOver, seatsOf } from './seat-actions.ts'

/**
 * Judges scores, claims and technical replays.
 * (match-flows: Clocks, line-ups, scores; Replays, technical replays, penalties)
 */

export interface ScoresInput {
  readonly scores: readonly (Omit<ScoreReport, 'guid' | 'user' | 'map'> & {
    readonly user?: string | undefined
    /** The seat that played; only for a seat that has only a name. */
    readonly seat?: number | undefined
    /** GUID of a map of the pool; null for a map outside the pool. If left out, the map that is played now. */
    readonly map?: string | null | undefined
  })[]
  /** Whether the scores are complete: players without a score are absent. */
  readonly complete: boolean
  /** If left out, the current game, chain and run. */
  readonly game?: number | undefined
  readonly chain?: number | undefined
  readonly run?: number | undefined
}

/**
 * Judges reported scores and returns their row; null if all of them are known already.
 * @throws Problem `flow.over`, `flow.time_over`, `flow.wrong_action`, `score.user_unknown`, `score.run_unknown`
 */
export function judgeScores(machine: Machine, input: ScoresInput, newGuid: () => string): Draft | null {
  if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
  const game = openGame(machine)
  if (game === null) throw conflict('flow.wrong_action', 'No map is played now.')
  const { chain, run } = runNamed(game, input)
  const known = new Set(
    allScores(machine).flatMap(({ source, externalId }) => (externalId === null ? [] : [`${source}:${externalId}`])),
  )
  const scores = input.scores.flatMap((score): readonly ScoreReport[] => {
    const key = score.externalId === null ? null : `${score.source}:${score.externalId}`
    if (key !== null && known.has(key)) return []
    if (key !== null) known.add(key)
    const { seat, user, map = game.map, ...reported } = score
    return [{ ...reported, guid: newGuid(), user: playerOf(machine, seat, user), map }]
  })
  if (scores.length === 0 && !input.complete) return null
  return { kind: 'scores', map: game.map, data: { game: game.game, run, chain, scores, complete: input.complete } }
}

function runNamed(game: Game, input: ScoresInput): { readonly chain: number; readonly run: number } {
  const chain = input.chain ?? game.chains.length
  const runs = game.chains[chain - 1]?.runs
  const run = input.run ?? runs?.length ?? 0
  if (runs?.[run - 1] === undefined || (input.game ?? game.game) !== game.game) {
    throw conflict('score.run_unknown', `This is not a run of game ${game.game}, which is played now.`)
  }
  return { chain, run }
}

function playerOf(machine: Machine, seat: number | undefined, user: string | undefined): string {
  if (user !== undefined) {
    const named = user.toLowerCase()
    if (machine.start.teams.some(({ members }) => members.includes(named))) return named
    throw invalid('score.user_unknown', `No team of this session has the member ${user}.`)
  }
  const team = machine.start.teams.find((each) => each.seat === seat)
  const own = team === undefined ? null : ownPlayer(team)
  if (own !== null) return own
  throw invalid('score.user_unknown', 'Give as `user` who played, or as `seat` a seat that has a name alone.')
}

export function allScores({ games }: Machine): readonly Score[] {
  return games.flatMap(({ chains }) => chains.flatMap(({ runs }) => runs.flatMap(({ scores }) => scores)))
}

export interface ScoreChanges extends Partial<CorrectedScore> {
  readonly reason: string
}

/**
 * Judges a correction of a score and returns its row; null if it changes nothing.
 * @throws Problem `score.unknown`, `score.not_counting`
 */
export function judgeCorrection(machine: Machine, guid: string, { reason, ...changes }: ScoreChanges): Draft | null {
  const score = allScores(machine).find((each) => each.guid === guid)
  if (score === undefined) throw missing('score.unknown', 'The session has no such score.')
  if (!score.counts) throw conflict('score.not_counting', 'This score does not count; correct the one that does.')
  const { accuracy, misses, completion } = score
  const before: CorrectedScore = { score: score.score, accuracy, misses, completion }
  const after: CorrectedScore = { ...before, ...changes }
  const isSame = (Object.keys(before) as (keyof CorrectedScore)[]).every((name) => before[name] === after[name])
  return isSame ? null : { kind: 'score_corrected', seat: score.seat, data: { score: guid, before, after, reason } }
}

export interface ClaimInput {
  readonly seat?: number | undefined
  readonly user?: string | undefined
  readonly reason?: string | undefined
}

/**
 * Judges a claim for a replay and returns its row.
 * @throws Problem `flow.over`, `flow.paused`, `flow.time_over`, `flow.not_your_turn`, `claim.not_entitled`,
 * `claim.map_limit`, `claim.none_left`, `claim.too_late`
 */
export function judgeClaim(machine: Machine, input: ClaimInput, caller: Caller, now: number, guid: string): Draft {
  checkRuns(machine, caller, now)
  const own = seatsOf(machine, caller.user)
  const seat = input.seat ?? own[0]
  if (seat === undefined || !seatNumbers(machine).includes(seat) || (!own.includes(seat) && !caller.isReferee)) {
    throw conflict('flow.not_your_turn', 'Give as `seat` one that you speak for.')
  }
  const game = playedGame(machine)
  const user = claimant(machine, game, seat, input, caller)
  if (game === undefined) throw refusals.not_entitled()
  // A seat that has accepted the result has given up its claim.
  if (game.hasWindow && !game.isFinal && game.accepted.has(seat)) throw refusals.not_entitled()
  const why = claimRefusal(machine, game, seat, user)
  if (why !== null) throw refusals[why]()
  if (!game.hasWindow || game.isFinal) throw conflict('claim.too_late', 'The time for claims on this map is over.')
  const chain = game.chains.at(-1)
  const claim: ClaimData = {
    guid,
    game: game.game,
    chain: chain?.chain ?? 1,
    run: chain?.runs.length ?? 1,
    seat,
    user,
    reason: input.reason ?? null,
  }
  return { kind: 'claim', seat, map: game.map, onBehalf: !own.includes(seat), data: { claim } }
}

/** The map that was played last. The open map counts only once it has a score, or if no map was finished before. */
export function playedGame(machine: Machine): Game | undefined {
  const open = openGame(machine)
  const last = finalGames(machine).at(-1)
  if (open === null) return last
  const isUnplayed = open.chains.length <= 1 && (open.chains[0]?.runs ?? []).every(({ scores }) => scores.length === 0)
  return isUnplayed ? (last ?? open) : open
}

/**
 * The player who claims, if claims are counted by player: the named user, else the caller, else the first player with a
 * replay left. null if claims are counted by team.
 */
function claimant(
  machine: Machine,
  game: Game | undefined,
  seat: number,
  { user }: ClaimInput,
  caller: Caller,
): string | null {
  if (machine.flow.rules.replays.by === 'team' || game === undefined) return null
  if (user !== undefined) return user.toLowerCase()
  const users = claimants(machine, game, seat)
  return users.includes(caller.user) ? caller.user : (users[0] ?? null)
}

const refusals = {
  not_entitled: () =>
    conflict(
      'claim.not_entitled',
      'A seat cannot claim a replay if it holds the map, has accepted the result, or plays without replays.',
    ),
  map_limit: () => conflict('claim.map_limit', 'This map has been replayed as often as the rules allow.'),
  none_left: () => conflict('claim.none_left', 'There is no replay left.'),
} as const

/**
 * Judges the cancelling of a claim and returns its row.
 * @throws Problem `claim.unknown`, `claim.played`
 */
export function judgeCancelling(machine: Machine, guid: string): Draft {
  const found = machine.claims.find((each) => each.guid === guid)
  if (found === undefined) throw missing('claim.unknown', 'The session has no such claim.')
  if (found.status !== 'open') {
    throw conflict('claim.played', 'The replay was played or cancelled already.')
  }
  const { by: _by, at: _at, status: _status, began: _began, leftMs: _leftMs, ...claim } = found
  return { kind: 'claim_cancelled', seat: found.seat, data: { claim } }
}

/**
 * Judges a technical replay: some seats play a run again because of a technical failure.
 * @throws Problem `flow.match_completed`, `technical.no_map`, `technical.none_left`
 */
export function judgeTechnical(
  machine: Machine,
  input: {
    readonly seats: readonly number[]
    readonly reason: string
    /** If left out, the game that was played last. */
    readonly game?: number | undefined
  },
  guid: string,
): Draft {
  const { counts, perMatch } = machine.flow.rules.technical
  const last = playedGame(machine)
  const open = openGame(machine)
  const game = input.game === undefined ? last : [last, open].find((each) => each?.game === input.game)
  if (isOver(machine)) throw conflict('flow.match_completed', 'The match is completed; reopen it first.')
  const run = game?.chains.at(-1)?.runs.at(-1)
  if (game === undefined || game === null || run === undefined)
    throw conflict('technical.no_map', 'No such map has been played, or the next one has begun.')
  const seats = [...new Set(input.seats)].sort((one, other) => one - other)
  if (seats.length === 0 || seats.some((seat) => !seatNumbers(machine).includes(seat))) {
    throw invalid('flow.act_invalid', 'Give as `seats` who plays again.')
  }
  for (const seat of seats) {
    const used = machine.technicals.filter((technical) => technical.seats.includes(seat)).length
    if (perMatch !== null && used >= perMatch) {
      throw conflict('technical.none_left', `Seat ${seat} has had all its technical replays.`)
    }
  }
  const data = { guid, seats, game: game.game, run: run.run, counts, reason: input.reason }
  return { kind: 'technical', map: game.map, data }
}
