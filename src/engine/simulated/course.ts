import { chanceOf, type Draw, drawsOf } from '../estimate/draws.ts'
import { graceSeconds } from '../estimate/evening.ts'
import { defaultMinutes } from '../match-duration.ts'
import type { MatchName, PlayableMatch, PlayedGame, Players } from './types.ts'

/** The purposes of draws; each has its own numbers. */
export const purposes = {
  winner: 1,
  score: 2,
  margin: 3,
  length: 4,
  crash: 5,
  crashedPart: 6,
  duration: 7,
  late: 8,
  lateBy: 9,
  thought: 10,
  choice: 11,
  claim: 12,
  offset: 13,
}

/** A map is not played more often, whatever crashes. */
const mostCrashes = 2
const averageStrength = 0.5
/** Points of a map that is played without a mistake, and the range of what teams reach. */
const mostPoints = 1_000_000
const [leastShare, shareOfStrength, shareOfForm] = [0.82, 0.1, 0.06]

/**
 * The numbers of a match depend only on the seed, the division, and the number of the match and its run; not on GUIDs,
 * nor on what else is played or drawn. (R4)
 * @returns by game (0 for the match itself), run of that game, and purpose
 */
export function drawsOfMatch(seed: string, { division, number, run }: MatchName): Draw {
  return drawsOf(JSON.stringify([seed, division, number, run]))
}

type Played = Pick<PlayableMatch, 'division' | 'number' | 'run' | 'bestOf' | 'teams'>

/**
 * How a match is played: all of its maps, also those that are not needed once it is decided. It takes as long as a past
 * match of the same best-of until it is decided, and longer by the maps that are played again. (R4)
 */
export function courseOf(match: Played, { seed, strengths, durations, rates }: Players): readonly PlayedGame[] {
  const draw = drawsOfMatch(seed, match)
  const known = strengthsIn(match.teams, strengths)
  const chance = chanceOfGame(chanceOf(...known), match.bestOf)
  const games = Array.from({ length: match.bestOf }, (_, index) => {
    const number = index + 1
    const crashes = crashesOf(draw, number, rates.crash)
    const winner: 0 | 1 = draw(number, crashes, purposes.winner) < chance ? 0 : 1
    const scores = scoresOf(draw, { number, crashes, winner, strengths: known })
    return { number, winner, scores, crashes, length: 0.75 + draw(number, crashes, purposes.length) / 2 }
  })
  const needed = games.slice(0, decidedAfter(games, match.bestOf))
  const unit = secondsOf(draw, match.bestOf, durations) / needed.reduce((sum, { length }) => sum + length, 0)
  let endsAfter = 0
  return games.map(({ length, ...game }) => {
    endsAfter += unit * length * (1 + crashedParts(draw, game))
    return { ...game, endsAfter: Math.round(endsAfter) }
  })
}

/**
 * How a map ends that the course of the match does not have: a replay, or a map more.
 * @param again which one, so that each has draws of its own
 */
export function gameAgain(
  { draw, teams, bestOf }: Pick<Played, 'teams' | 'bestOf'> & { readonly draw: Draw },
  { strengths }: Players,
  { number, again }: { readonly number: number; readonly again: number },
): Pick<PlayedGame, 'winner' | 'scores'> {
  const known = strengthsIn(teams, strengths)
  const crashes = mostCrashes + 1 + again
  const winner: 0 | 1 = draw(number, crashes, purposes.winner) < chanceOfGame(chanceOf(...known), bestOf) ? 0 : 1
  return { winner, scores: scoresOf(draw, { number, crashes, winner, strengths: known }) }
}

function strengthsIn(teams: Played['teams'], strengths: Players['strengths']): [number, number] {
  const [first, second] = teams
  return [strengths.get(first ?? '') ?? averageStrength, strengths.get(second ?? '') ?? averageStrength]
}

/** By how many seconds a team of the match is late; never longer than its opponent waits for it. */
export function latenessOf(match: Pick<Played, 'division' | 'number' | 'run'>, { seed, rates }: Players): number {
  const draw = drawsOfMatch(seed, match)
  const lateBy = [0, 1].map((side) =>
    draw(0, side, purposes.late) < rates.late ? 1 + Math.floor(draw(0, side, purposes.lateBy) * graceSeconds) : 0,
  )
  return Math.max(...lateBy)
}

/**
 * The chance of a team to win a map, from its chance to win the match: the match is won as often by maps as it is said to
 * be. Rises from 0 to 1, so that halving finds it.
 */
export function chanceOfGame(chance: number, bestOf: number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (chanceOfMatch(middle, bestOf) < chance) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The chance to win more than half of the maps, if each is won with the given chance. */
export function chanceOfMatch(ofGame: number, bestOf: number): number {
  const wins = (bestOf + 1) / 2
  let [ways, sum] = [1, 0]
  for (let losses = 0; losses < wins; losses++) {
    sum += ways * ofGame ** wins * (1 - ofGame) ** losses
    ways = (ways * (wins + losses)) / (losses + 1)
  }
  return sum
}

function decidedAfter(games: readonly Pick<PlayedGame, 'winner'>[], bestOf: number): number {
  const won = [0, 0] as [number, number]
  for (const [index, { winner }] of games.entries()) {
    won[winner] += 1
    if (2 * won[winner] > bestOf) return index + 1
  }
  return games.length
}

function secondsOf(draw: Draw, bestOf: number, durations: Players['durations']): number {
  const past = durations.get(bestOf) ?? []
  return past[Math.floor(draw(0, 0, purposes.duration) * past.length)] ?? defaultMinutes(bestOf) * 60
}

function crashesOf(draw: Draw, game: number, rate: number): number {
  let crashes = 0
  while (crashes < mostCrashes && draw(game, crashes, purposes.crash) < rate) crashes += 1
  return crashes
}

/** The parts of the map that were played before each crash, in lengths of the map. */
function crashedParts(draw: Draw, { number, crashes }: Pick<PlayedGame, 'number' | 'crashes'>): number {
  return Array.from({ length: crashes }, (_, run) => draw(number, run, purposes.crashedPart)).reduce(
    (sum, part) => sum + part,
    0,
  )
}

interface Scoring extends Pick<PlayedGame, 'number' | 'crashes' | 'winner'> {
  readonly strengths: readonly [number, number]
}

/** The loser has what it is able to, and the winner at least one point more. */
function scoresOf(draw: Draw, { number, crashes, winner, strengths }: Scoring): [number, number] {
  const loser = winner === 0 ? 1 : 0
  const form = draw(number, crashes, purposes.score)
  const lost = Math.floor(mostPoints * (leastShare + shareOfStrength * strengths[loser] + shareOfForm * form))
  const margin = draw(number, crashes, purposes.margin) ** 2 * (mostPoints - 1 - lost)
  const won = lost + 1 + Math.floor(margin)
  return winner === 0 ? [won, lost] : [lost, won]
}
