import type { TieRule } from './flow.ts'
import { activePenalties, finalGames, type Game, isAbout, isOfRun, type Machine, seatNumbers } from './machine.ts'
import {
  breakTie,
  exactly,
  type IsZeroed,
  isPlayed,
  judgeChain,
  pointsByPlace,
  type Run,
  sumOfWorth,
  type Verdict,
  worthOf,
} from './map-winner.ts'
import type { SideState } from './state-types.ts'

/** The outcomes of games, and who leads and wins a session. */

export interface Outcome {
  readonly winner: number | null
  readonly totals: readonly (number | null)[]
  /** The values that decide, by seat: higher is better, whatever the rules count. */
  readonly worth: readonly (number | null)[]
  readonly counted: readonly (number | null)[]
  readonly because:
    | Verdict['because']
    | Extract<TieRule, 'best_player' | 'fewer_misses'>
    | 'map_loss'
    | 'awarded'
    | 'told'
    | null
  /** The verdict on the runs of the last chain; null while none of them is complete. */
  readonly verdict: Verdict | null
  /** The totals are level, and no tie rule that only compares scores decides. */
  readonly isLevel: boolean
}

/** The seats that lose the map whatever their scores, by a penalty or a lapse. */
export function losersOf(machine: Machine, game: Game): readonly number[] {
  const penalised = activePenalties(machine)
    .filter(({ type, game: number }) => type === 'map_loss' && number === game.game)
    .map(({ seat }) => seat)
  return [...new Set([...penalised, ...game.lostBy])]
}

/**
 * Returns a test for scores that a `score_zero` penalty makes count 0: those of one run of one chain, or all scores of
 * the map. (match-flows: Replays, rule 3; Details, 7)
 */
export function zeroedIn(machine: Machine, game: Game): IsZeroed {
  const penalties = activePenalties(machine).filter(
    (penalty) => penalty.type === 'score_zero' && isAbout(penalty, game),
  )
  return (score) => penalties.some((penalty) => penalty.user === score.user && isOfRun(penalty, score))
}

/** The present or final outcome of a map. The outcome of a final map is cached. */
export function outcomeOf(machine: Machine, game: Game): Outcome {
  const known = machine.outcomes.get(game)
  if (known !== undefined) return known
  const outcome = workOut(machine, game)
  if (game.isFinal) machine.outcomes.set(game, outcome)
  return outcome
}

function workOut(machine: Machine, game: Game): Outcome {
  const { rules } = machine.flow
  const none = seatNumbers(machine).map(() => null)
  const verdict = verdictOf(machine, game)
  const totals = verdict?.totals ?? none
  const counted = verdict?.counted ?? none
  const worth: Outcome['worth'] = verdict?.worth ?? none
  const base = { totals, worth, counted, verdict, isLevel: false }
  if (game.told !== null) {
    const { winner, totals: told } = game.told
    return { ...base, winner, totals: told, worth: told.map((total) => worthOf(rules, total)), because: 'told' }
  }
  if (game.awarded !== null) return { ...base, winner: game.awarded, because: 'awarded' }
  if (game.isVoid) return { ...base, winner: null, because: null }
  const losers = losersOf(machine, game)
  // The map counts 0 for its loser. By misses 0 would be the best value, so the loser gets -Infinity.
  // (match-flows: Details, 1 and 5)
  const lost = rules.map.by === 'misses' ? Number.NEGATIVE_INFINITY : 0
  if (losers.length === 1 && machine.seats.length === 2) {
    const winner = losers[0] === 1 ? 2 : 1
    return {
      ...base,
      winner,
      totals: totals.map((total, index) => (index + 1 === winner ? total : 0)),
      worth: worth.map((own, index) => (index + 1 === winner ? own : lost)),
      because: 'map_loss',
    }
  }
  if (losers.length > 1) {
    return { ...base, winner: null, totals: totals.map(() => 0), worth: worth.map(() => lost), because: 'map_loss' }
  }
  if (verdict === null) return { ...base, winner: null, because: null }
  if (verdict.holder !== null) return { ...base, winner: verdict.holder, because: verdict.because }
  if (hasNoTies(machine)) return { ...base, winner: null, because: verdict.because }
  for (const rule of rules.tie) {
    if (rule !== 'best_player' && rule !== 'fewer_misses') {
      if (isUsedUp(machine, game, rule)) continue
      break
    }
    const winner = breakTie(rule, verdict.scores, verdict.leaders, rules, zeroedIn(machine, game))
    if (winner !== null) return { ...base, winner, because: rule }
  }
  return { ...base, winner: null, because: null, isLevel: true }
}

/** Whether level maps need no tie-break, because only places count. (match-flows: Details) */
function hasNoTies({ flow: { rules } }: Machine): boolean {
  return rules.play.mode === 'play_all' && rules.decide === 'points'
}

function verdictOf(machine: Machine, game: Game): Verdict | null {
  const chain = game.chains.at(-1)
  return chain === undefined ? null : verdictOn(machine, game, chain.runs)
}

/** The verdict on the given runs of a game; null while none of them is complete. */
export function verdictOn(machine: Machine, game: Game, runs: readonly Run[]): Verdict | null {
  // A run that is not complete is left out.
  const complete = runs.filter(isPlayed)
  return complete.length === 0 ? null : judgeChain(complete, machine.flow.rules, zeroedIn(machine, game))
}

/**
 * Whether the tie rule cannot settle the map any more: it was passed over, or its replays are used up. A final map is
 * not played again.
 */
export function isUsedUp({ flow: { rules } }: Machine, game: Game, rule: TieRule): boolean {
  if (game.isFinal || game.passed.has(rule)) return true
  return rule === 'replay' && game.chains.length > rules.tieReplays
}

/**
 * The score and mean accuracy of each seat, for the game in the match. If the map is not won by score, the score is the
 * sum of the players' scores. (match-flows: Who wins a map, and the match, rule 4)
 */
export function sidesOf(machine: Machine, { totals, verdict, because }: Outcome): readonly SideState[] {
  const isByScore = machine.flow.rules.map.by === 'score' || because === 'told'
  return seatNumbers(machine).map((seat) => {
    const scores = verdict?.scores[seat - 1] ?? []
    const total = totals[seat - 1] ?? null
    const sum = scores.length === 0 ? null : scores.reduce((all, { score }) => all + (score?.score ?? 0), 0)
    const accuracies = scores.flatMap(({ score }) => (score?.accuracy == null ? [] : [score.accuracy]))
    return {
      score: isByScore ? (total === null ? null : Math.round(total)) : sum,
      accuracy: accuracies.length === 0 ? null : accuracies.reduce((all, value) => all + value, 0) / accuracies.length,
    }
  })
}

/** Maps won, by seat. */
export function winsOf(machine: Machine): readonly number[] {
  const winners = finalGames(machine).map((game) => outcomeOf(machine, game).winner)
  return seatNumbers(machine).map((seat) => winners.filter((winner) => winner === seat).length)
}

/** Sums of the totals, by seat. */
export function scoresOf(machine: Machine): readonly number[] {
  const totals = finalGames(machine).map((game) => outcomeOf(machine, game).totals)
  return seatNumbers(machine).map((seat) => exactly(totals.reduce((sum, ofGame) => sum + (ofGame[seat - 1] ?? 0), 0)))
}

/** Sums of the worths of all final maps, by seat: higher is better. */
export function sumsOf(machine: Machine): readonly number[] {
  const worth = finalGames(machine).map((game) => outcomeOf(machine, game).worth)
  return seatNumbers(machine).map((seat) => sumOfWorth(worth.map((ofGame) => ofGame[seat - 1] ?? null)))
}

/** Points by seat: for the places on the maps, plus or minus the points of penalties. */
export function pointsOf(machine: Machine): readonly number[] {
  const { rules } = machine.flow
  const points = seatNumbers(machine).map((seat) =>
    activePenalties(machine)
      .filter((penalty) => penalty.type === 'points' && penalty.seat === seat)
      .reduce((sum, penalty) => sum + (penalty.points ?? 0), 0),
  )
  for (const game of finalGames(machine)) {
    if (game.isVoid) continue
    const losers = losersOf(machine, game)
    const worst = Number.NEGATIVE_INFINITY
    const worth = outcomeOf(machine, game).worth.map((own, index) =>
      losers.includes(index + 1) ? worst : (own ?? worst),
    )
    for (const [index, gained] of pointsByPlace(worth, rules.points).entries()) {
      points[index] = (points[index] ?? 0) + gained
    }
  }
  return points
}

/** The values that decide the session, by seat: wins, points or sums. Higher is better. */
export function standingOf(machine: Machine): readonly number[] {
  const { play, decide } = machine.flow.rules
  if (play.mode === 'best_of') return winsOf(machine)
  if (decide === 'wins') return winsOf(machine)
  if (decide === 'points') return pointsOf(machine)
  return sumsOf(machine)
}

/** Number of wins that decide a best of; null for `play_all`, and if the best of is not known. */
export function winsNeeded({ flow }: Machine): number | null {
  return flow.rules.play.mode === 'best_of' && flow.bestOf !== null ? (flow.bestOf + 1) / 2 : null
}

/** The seat that leads alone; null if several share the lead. */
export function leaderOf(machine: Machine): number | null {
  const standing = standingOf(machine)
  const top = Math.max(...standing)
  const leaders = seatNumbers(machine).filter((seat) => standing[seat - 1] === top)
  return leaders.length === 1 ? (leaders[0] ?? null) : null
}

/** The seat that is last alone; null if several share the last place. */
export function trailerOf(machine: Machine): number | null {
  const standing = standingOf(machine)
  const bottom = Math.min(...standing)
  const trailers = seatNumbers(machine).filter((seat) => standing[seat - 1] === bottom)
  return trailers.length === 1 ? (trailers[0] ?? null) : null
}

/** The winner and the last-placed seat of the last map that has a winner; null if there is none. */
export function lastWon(machine: Machine): { readonly winner: number; readonly loser: number } | null {
  for (const game of finalGames(machine).toReversed()) {
    const { winner, worth } = outcomeOf(machine, game)
    if (winner === null) continue
    const others = seatNumbers(machine).filter((seat) => seat !== winner)
    const worst = Math.min(...others.map((seat) => worth[seat - 1] ?? 0))
    const loser = others.find((seat) => (worth[seat - 1] ?? 0) === worst)
    return loser === undefined ? null : { winner, loser }
  }
  return null
}

/** Seats that need one more map. */
export function atMatchPoint(machine: Machine): readonly number[] {
  const needed = winsNeeded(machine)
  if (needed === null) return []
  const wins = winsOf(machine)
  return seatNumbers(machine).filter((seat) => wins[seat - 1] === needed - 1)
}

/**
 * In `play_all`: the seat with the highest single score that counted, among the given level seats; null if they share
 * it.
 */
export function bestPlayerOf(machine: Machine, seats: readonly number[]): number | null {
  const scores = seatNumbers(machine).map((seat) =>
    finalGames(machine).flatMap((game) => {
      const { verdict } = outcomeOf(machine, game)
      return (verdict?.scores[seat - 1] ?? []).filter(({ score }) => score === null || !zeroedIn(machine, game)(score))
    }),
  )
  return breakTie('best_player', scores, seats, machine.flow.rules, () => false)
}

/** The game that decides a best of; null while none does. */
export function decisiveGame(machine: Machine): Game | null {
  const needed = winsNeeded(machine)
  if (needed === null) return null
  const wins = seatNumbers(machine).map(() => 0)
  for (const game of finalGames(machine)) {
    const { winner } = outcomeOf(machine, game)
    if (winner === null) continue
    const count = (wins[winner - 1] ?? 0) + 1
    wins[winner - 1] = count
    if (count >= needed) return game
  }
  return null
}
