import { programmeOf } from '../../../../engine/estimate/layout.ts'
import type { EstimateBracket, EstimateProblem } from '../../../../engine/estimate/types.ts'
import { defaultMinutes } from '../../../../engine/match-duration.ts'
import { readSettings } from '../../../../engine/settings.ts'
import type { EstimateBody } from '../bodies.ts'
import type { Assumptions, Basis, PastMatch, StandingBracket } from '../types.ts'
import { fault, placeTeams, strengthOf } from './places.ts'

export const runs = 500

/** All draws come from it unless the caller gives another one, so that equal questions have equal answers. (R5) */
const usualSeed = 'evening'

/**
 * No more teams stay away than are expected, and a best-of is odd. Without a seed, draws come from one that is always the
 * same. (R5)
 * @throws Problem `estimate.invalid`
 */
export function readAssumptions({ teams, noShows, channels, bestOf, format, seed }: EstimateBody): Assumptions {
  const numbers = typeof noShows === 'number' ? [noShows] : noShows
  if (numbers.some((number) => number > teams)) {
    throw fault('More teams stay away than are expected; give `noShows` up to the number of `teams`.')
  }
  if (bestOf !== undefined && bestOf % 2 === 0) throw fault('`bestOf` must be odd.')
  return { teams, noShows: numbers, channels, bestOf: bestOf ?? null, format: format ?? null, seed: seed ?? usualSeed }
}

/**
 * The evening to simulate: the tournament's brackets with as many teams as are expected, or one bracket of the given
 * format. It is the whole evening, whatever has been played of it. (R5)
 * @throws Problem `estimate.invalid`, `bracket.settings_invalid`
 */
export function eveningOf(
  brackets: readonly StandingBracket[],
  { teams, format, bestOf }: Pick<Assumptions, 'teams' | 'format' | 'bestOf'>,
): Pick<EstimateProblem, 'brackets' | 'strengths'> {
  const evening = brackets.length === 0 ? invented(teams, format) : placeTeams(brackets, teams)
  if (bestOf === null) return evening
  return {
    ...evening,
    brackets: evening.brackets.map((each) => ({
      ...each,
      settings: { ...each.settings, bestOf, bestOfByRound: {} },
    })),
  }
}

function invented(teams: number, format: Assumptions['format']): Pick<EstimateProblem, 'brackets' | 'strengths'> {
  if (format === null) throw fault('The tournament has no bracket yet; say by `format` what is to be played.')
  const places = Array.from({ length: teams }, (_, place) => place)
  return {
    brackets: [{ format, settings: readSettings(format, {}, teams), places, after: [] }],
    strengths: places.map((place) => strengthOf(place, teams)),
  }
}

/** Fewer past matches say more about these matches than about the evening. */
const fewest = 3
const shortestSeconds = 60
/** A match that takes longer than this many usual lengths was interrupted, or its result was reported late. */
const mostLengths = 4

/** Whether a past match was timed from its start to its end, as far as its duration shows. (R4) */
export function isTimed({ bestOf, seconds }: PastMatch): boolean {
  return seconds >= shortestSeconds && seconds <= mostLengths * defaultMinutes(bestOf) * 60
}

/**
 * The durations for each best-of of the evening: those of the tournament's own matches, else of all matches of the
 * organiser; without three of these, the usual length. (R4, D64)
 */
export function durationsOf(
  brackets: readonly EstimateBracket[],
  own: readonly PastMatch[],
  past: readonly PastMatch[],
): { readonly durations: EstimateProblem['durations']; readonly basis: Basis } {
  const { fixtures } = programmeOf({ brackets })
  const ofEach = Map.groupBy(fixtures, ({ bestOf }) => bestOf)
  const durations = new Map<number, readonly number[]>()
  let [basis, most]: [Basis, number] = [{ durations: 'default', matches: 0 }, 0]
  for (const [bestOf, { length }] of ofEach) {
    const found = secondsOf(bestOf, own, past)
    if (found !== undefined) durations.set(bestOf, found.seconds)
    if (length <= most) continue
    most = length
    basis = { durations: found?.durations ?? 'default', matches: found?.seconds.length ?? 0 }
  }
  return { durations, basis }
}

/** The durations for one best-of, ascending, and where they come from; undefined for the usual length. (R4) */
export function secondsOf(bestOf: number, own: readonly PastMatch[], past: readonly PastMatch[]) {
  const seconds = (from: readonly PastMatch[]) =>
    from
      .flatMap((match) => (match.bestOf === bestOf && isTimed(match) ? match.seconds : []))
      .toSorted((one, other) => one - other)
  return [
    { durations: 'own', seconds: seconds(own) } as const,
    { durations: 'past', seconds: seconds(past) } as const,
  ].find((each) => each.seconds.length >= fewest)
}
