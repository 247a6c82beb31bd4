import { conflict, invalid, type Problem } from '../../../core/problem.ts'
import { readInstant } from '../../../core/time.ts'
import type { Machine } from '../../../engine/flows/machine.ts'
import type { EveningState, PlayableMatch, Players } from '../../../engine/simulated/types.ts'
import { isOver } from '../../../engine/verdict.ts'
import type { Placement } from '../../brackets/brackets/rules/entrants.ts'
import { standingsOf } from '../../brackets/brackets/rules/plan.ts'
import type { Bracket, BracketEntrant, Division } from '../../brackets/brackets/types.ts'
import { toEngine, unknownMatch } from '../../brackets/matches/rules.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import type { SessionRecord } from '../../flows/flowSessions/types.ts'
import { strengthOf } from '../estimates/rules/places.ts'
import { secondsOf } from '../estimates/rules/problem.ts'
import type { PastMatch } from '../estimates/types.ts'
import { checkAdvance } from '../rehearsals/rules.ts'
import type { Rehearsal } from '../rehearsals/types.ts'
import type { PlayBody } from './bodies.ts'
import type { PlayedMatch, PlayWish } from './types.ts'

/**
 * An evening is played to an instant, to its end, by chosen matches, or by their number. (R4)
 * @param now what its clock shows
 * @throws Problem `request.invalid`, `clock.backwards`, `clock.too_far`
 */
export function readWish(body: PlayBody, now: Date): PlayWish {
  const { matches, count, crashRate = 0, lateRate = 0, claimRate = 0 } = body
  const given = [body.until, matches, count].filter((each) => each !== undefined)
  if (given.length !== 1) throw invalid('request.invalid', 'Give one of "until", "matches" and "count".')
  const until = untilOf(body.until)
  if (until !== null) checkAdvance(now, until)
  return {
    until,
    matches: matches === undefined ? null : new Set(matches.map((guid) => guid.toLowerCase())),
    count: count ?? null,
    rates: { crash: crashRate, late: lateRate, claim: claimRate },
  }
}

function untilOf(text: string | undefined): Date | null {
  if (text === undefined || text === 'end') return null
  const refuse = (reason: string) => invalid('request.invalid', `The body's member "until" ${reason}, or be "end".`)
  const until = readInstant(text, refuse)
  if (until === null) throw refuse('must be an instant')
  return until
}

/**
 * Chosen matches have both of their teams. (R4)
 * @throws Problem `match.unknown`, `match.not_ready`
 */
export function checkReady(stored: Stored, { matches }: Pick<PlayWish, 'matches'>): void {
  const byGuid = new Map(stored.matches.map((match) => [match.guid, match]))
  for (const guid of matches ?? []) {
    const match = byGuid.get(guid)
    if (match === undefined) throw unknownMatch()
    if (statusOf(match) === 'pending') {
      throw conflict('match.not_ready', `Match ${match.number} has no two teams yet; play the matches before it first.`)
    }
  }
}

/** What simulated teams were refused again and again. */
export function cannotGoOn({ message }: Problem): Problem {
  return conflict('match.not_ready', `A match cannot be played on: ${message}`)
}

/** The matches of these GUIDs, in this order. */
export function playedOf({ divisions, matches }: Stored, guids: readonly string[]): readonly PlayedMatch[] {
  const ids = new Map(divisions.map(({ guid, id }) => [guid, id]))
  const byGuid = new Map(matches.map((match) => [match.guid, match]))
  return guids.flatMap((guid) => {
    const match = byGuid.get(guid)
    if (match === undefined) return []
    const { number, outcome, sides, startedAt, completedAt } = match
    const scores = [sides[0].score, sides[1].score] as const
    return [{ division: ids.get(match.divisionGuid) ?? '', number, outcome, scores, startedAt, completedAt }]
  })
}

/** GUID of the match that somebody acted in, if that ended it. */
export function endedBy({ matches }: Stored, { bracket, number }: PlayableMatch): readonly string[] {
  const match = matches.find((each) => each.bracketGuid === bracket && each.number === number)
  return match !== undefined && isOver(match) ? [match.guid] : []
}

function statusOf(match: MatchRecord): PlayableMatch['status'] {
  if (isOver(match)) return 'over'
  return match.status === 'running' || match.status === 'ready' ? match.status : 'pending'
}

/** What is stored of an evening. */
export interface Stored {
  readonly divisions: readonly Division[]
  readonly brackets: readonly Bracket[]
  readonly entrants: readonly (BracketEntrant & { readonly bracketGuid: string })[]
  readonly matches: readonly MatchRecord[]
  /** Teams that may be placed in another bracket; known only while a place is open. */
  readonly present: ReadonlySet<string>
  /** Those that run, by match. */
  readonly sessions: ReadonlyMap<string, StoredSession>
}

export interface StoredSession {
  readonly record: SessionRecord
  readonly machine: Machine
}

/**
 * Teams are as strong as their places among those of the first bracket that has them say: by the qualifier and by ranks,
 * as they were when the rehearsal was made, then in seed order. Durations are those of past matches. (R4)
 */
export function playersOf(
  { seed, noShows, strongest }: Pick<Rehearsal, 'seed' | 'noShows' | 'strongest'>,
  stored: Stored,
  past: { readonly own: readonly PastMatch[]; readonly others: readonly PastMatch[] },
  rates: PlayWish['rates'],
): Players {
  const bestOfs = new Set(stored.matches.map(({ bestOf }) => bestOf))
  return {
    seed,
    rates,
    absent: new Set(noShows),
    strengths: strengthsOf(stored, strongest),
    durations: new Map(
      [...bestOfs].flatMap((bestOf) => {
        const found = secondsOf(bestOf, past.own, past.others)
        return found === undefined ? [] : [[bestOf, found.seconds] as const]
      }),
    ),
  }
}

function strengthsOf(stored: Stored, strongest: readonly string[]): ReadonlyMap<string, number> {
  const order = new Map(strongest.map((team, place) => [team, place]))
  const orderOf = ({ team }: BracketEntrant) => order.get(team ?? '') ?? strongest.length
  const own = Map.groupBy(stored.entrants, ({ bracketGuid }) => bracketGuid)
  const strengths = new Map<string, number>()
  for (const guid of bracketsInOrder(stored)) {
    const places = (own.get(guid) ?? []).toSorted(
      (one, other) => orderOf(one) - orderOf(other) || (one.seed ?? one.slot) - (other.seed ?? other.slot),
    )
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

/** The brackets of its division with a lower order, from which a bracket with open places gets its teams. */
function earlierOf({ guid, divisionGuid, order }: Bracket, { brackets }: Pick<Stored, 'brackets'>): readonly Bracket[] {
  return brackets
    .filter((other) => other.guid !== guid && other.divisionGuid === divisionGuid && other.order < order)
    .toSorted((one, other) => other.order - one.order)
}

/**
 * The open places of a bracket go to the best teams of the earlier brackets, of the last one first, that are in none of
 * its places; of several groups place by place. Equal teams go in the order of their tables. (R4)
 */
export function placementsFor(
  bracket: Bracket,
  stored: Pick<Stored, 'brackets' | 'entrants' | 'matches' | 'present'>,
): readonly Placement[] {
  const of = (guid: string) =>
    stored.entrants.filter((each) => each.bracketGuid === guid).toSorted((one, other) => one.slot - other.slot)
  const own = of(bracket.guid)
  const taken = new Set(own.map(({ team }) => team))
  const next = new Set(
    earlierOf(bracket, stored)
      .flatMap((earlier) => bestOf(earlier, of(earlier.guid), stored.matches))
      .filter((team) => stored.present.has(team) && !taken.has(team)),
  ).values()
  return own.flatMap(({ slot, team }): Placement[] => {
    const teamGuid = team === null ? next.next().value : undefined
    return teamGuid === undefined ? [] : [{ slot, teamGuid }]
  })
}

function bestOf(bracket: Bracket, entrants: Stored['entrants'], matches: Stored['matches']): readonly string[] {
  const own = matches.filter(({ bracketGuid }) => bracketGuid === bracket.guid).map(toEngine)
  const rows = standingsOf(
    bracket,
    own.toSorted((one, other) => one.number - other.number),
    entrants,
  )
  const tables = [...Map.groupBy(rows, ({ group }) => group ?? 0).values()]
  const longest = Math.max(0, ...tables.map(({ length }) => length))
  return Array.from({ length: longest }, (_, place) => tables.flatMap((table) => table[place]?.team ?? [])).flat()
}

/** Brackets with open places whose earlier brackets are over, as long as there is a team for one of these places. */
function filledOf(stored: Stored): EveningState['filled'] {
  return stored.brackets.flatMap((bracket) => {
    const earlier = bracket.status === 'draft' && bracket.started === 0 ? earlierOf(bracket, stored) : []
    const isDue = earlier.length > 0 && earlier.every(({ status }) => status === 'completed')
    if (!isDue || placementsFor(bracket, stored).length === 0) return []
    return [{ name: bracket.guid, after: earlier.map(({ guid }) => guid) }]
  })
}

/** The state of the evening as simulated teams see it. */
export function stateOf(
  stored: Stored,
  { now, begin, wish }: { readonly now: Date; readonly begin: Date; readonly wish: Pick<PlayWish, 'matches'> },
): EveningState {
  const { divisions, brackets, matches, sessions } = stored
  const ids = new Map(divisions.map(({ guid, id }) => [guid, id]))
  return {
    now: now.getTime(),
    begin: begin.getTime(),
    matches: matches.map((match): PlayableMatch => {
      const { bracketGuid, number, bestOf, team1Guid, team2Guid, reopened, games } = match
      return {
        ...{ number, bestOf, bracket: bracketGuid, division: ids.get(match.divisionGuid) ?? '' },
        run: reopened ? 1 : 0,
        status: statusOf(match),
        teams: [team1Guid, team2Guid],
        scheduledAt: match.scheduledAt?.getTime() ?? null,
        startedAt: match.startedAt?.getTime() ?? null,
        completedAt: match.completedAt?.getTime() ?? null,
        games: games.length,
        session: sessions.get(match.guid)?.machine,
        isTheirs: wish.matches === null || wish.matches.has(match.guid),
      }
    }),
    paired: brackets.flatMap(({ guid, format, status, settings, roundsMade }) =>
      format === 'swiss' && status !== 'draft' && wish.matches === null
        ? [{ name: guid, roundsLeft: settings.rounds - roundsMade }]
        : [],
    ),
    filled: wish.matches === null ? filledOf(stored) : [],
  }
}
