import type { EveningState, PlayableMatch, Players } from '../../../engine/simulated/types.ts'
import { isOver } from '../../../engine/verdict.ts'
import type { Bracket, BracketEntrant, Division } from '../../brackets/brackets/types.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { strengthOf } from '../estimates/rules/places.ts'
import { secondsOf } from '../estimates/rules/problem.ts'
import type { PastMatch } from '../estimates/types.ts'
import type { Rehearsal } from '../rehearsals/types.ts'
import type { PlayWish } from './types.ts'

/** What is stored of an evening. */
export interface Stored {
  readonly divisions: readonly Division[]
  readonly brackets: readonly Bracket[]
  readonly entrants: readonly (BracketEntrant & { readonly bracketGuid: string })[]
  readonly matches: readonly MatchRecord[]
}

/**
 * Teams are as strong as their places in seed order say, in the first bracket that has them; durations are those of past
 * matches. (R4)
 */
export function playersOf(
  { seed, noShows }: Pick<Rehearsal, 'seed' | 'noShows'>,
  stored: Stored,
  past: { readonly own: readonly PastMatch[]; readonly others: readonly PastMatch[] },
  rates: PlayWish['rates'],
): Players {
  const bestOfs = new Set(stored.matches.map(({ bestOf }) => bestOf))
  return {
    seed,
    rates,
    absent: new Set(noShows),
    strengths: strengthsOf(stored),
    durations: new Map(
      [...bestOfs].flatMap((bestOf) => {
        const found = secondsOf(bestOf, past.own, past.others)
        return found === undefined ? [] : [[bestOf, found.seconds] as const]
      }),
    ),
  }
}

function strengthsOf(stored: Stored): ReadonlyMap<string, number> {
  const own = Map.groupBy(stored.entrants, ({ bracketGuid }) => bracketGuid)
  const strengths = new Map<string, number>()
  for (const guid of bracketsInOrder(stored)) {
    const places = (own.get(guid) ?? []).toSorted((one, other) => (one.seed ?? one.slot) - (other.seed ?? other.slot))
    for (const [place, { team }] of places.entries()) {
      if (team !== null && !strengths.has(team)) strengths.set(team, strengthOf(place, places.length))
    }
  }
  return strengths
}

/** By short id of the division, then by number of the first match: an order that all copies have in common. */
function bracketsInOrder({ divisions, brackets, matches }: Stored): readonly string[] {
  const ids = new Map(divisions.map(({ guid, id }) => [guid, id]))
  const numbers = Map.groupBy(matches, ({ bracketGuid }) => bracketGuid)
  return brackets
    .map(({ guid, divisionGuid }) => ({
      guid,
      division: ids.get(divisionGuid) ?? '',
      first: Math.min(...(numbers.get(guid) ?? []).map(({ number }) => number)),
    }))
    .toSorted((one, other) => {
      if (one.division !== other.division) return one.division < other.division ? -1 : 1
      return one.first - other.first
    })
    .map(({ guid }) => guid)
}

/** The state of the evening as simulated teams see it. */
export function stateOf(
  { divisions, brackets, matches }: Stored,
  { now, begin, wish }: { readonly now: Date; readonly begin: Date; readonly wish: Pick<PlayWish, 'matches'> },
): EveningState {
  const ids = new Map(divisions.map(({ guid, id }) => [guid, id]))
  return {
    now: now.getTime(),
    begin: begin.getTime(),
    matches: matches.map((match): PlayableMatch => {
      const { bracketGuid, number, bestOf, status, team1Guid, team2Guid, reopened, games } = match
      return {
        ...{ number, bestOf, bracket: bracketGuid, division: ids.get(match.divisionGuid) ?? '' },
        run: reopened ? 1 : 0,
        status: isOver(match) ? 'over' : status === 'running' || status === 'ready' ? status : 'pending',
        teams: [team1Guid, team2Guid],
        scheduledAt: match.scheduledAt?.getTime() ?? null,
        startedAt: match.startedAt?.getTime() ?? null,
        completedAt: match.completedAt?.getTime() ?? null,
        games: games.length,
        isTheirs: wish.matches === null || wish.matches.has(match.guid),
      }
    }),
    paired: brackets.flatMap(({ guid, format, status, settings, roundsMade }) =>
      format === 'swiss' && status !== 'draft' && wish.matches === null
        ? [{ name: guid, roundsLeft: settings.rounds - roundsMade }]
        : [],
    ),
  }
}
