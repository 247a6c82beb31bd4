import { planElimination } from '../../../../engine/elimination.ts'
import { standingsOfElimination } from '../../../../engine/places.ts'
import { planRoundRobin } from '../../../../engine/round-robin.ts'
import { standings } from '../../../../engine/standings.ts'
import { planSwissFirstRound } from '../../../../engine/swiss.ts'
import type { Entering } from '../../../../engine/ties.ts'
import type {
  Entrant,
  Format,
  Match,
  Plan,
  Settings,
  Side,
  Standing,
  WithdrawalPolicy,
} from '../../../../engine/types.ts'
import { isOver } from '../../../../engine/verdict.ts'
import type { MatchRecord, StoredSide, StoredTarget } from '../../matches/types.ts'
import type { Bracket, BracketEntrant } from '../types.ts'
import { statusOf } from './board.ts'
import type { Seeded } from './entrants.ts'

/** Matches of a new bracket, or the first round of a Swiss one. (additions: Divisions, brackets, matches; G7) */
export function planMatches(format: Format, teams: readonly Seeded[], settings: Settings): Plan {
  if (format === 'round_robin') return planRoundRobin(teams, settings)
  if (format === 'swiss') return planSwissFirstRound(teams, settings)
  return planElimination(teams, format, settings)
}

/** A match of the first round whose teams come from one group, where they have met. */
export interface Rematch {
  readonly number: number
  readonly groupIndex: number
  readonly teams: readonly string[]
}

/**
 * What a bracket that is filled from groups says of its first round, in a tree: no other order of the teams of each place has
 * fewer of these. (D68)
 * @param offset what is added to the engine's numbers
 */
export function rematchesOf({ matches }: Plan, origins: readonly Entering[], offset: number): readonly Rematch[] {
  const groups = new Map(origins.map(({ team, group }) => [team, group]))
  return matches.flatMap(({ number, section, round, sides: [first, second] }): Rematch[] => {
    if (section !== 'upper' || round !== 1 || first.team === null || second.team === null) return []
    const group = groups.get(first.team) ?? null
    if (group === null || group !== groups.get(second.team)) return []
    return [{ number: number + offset, groupIndex: group, teams: [first.team, second.team] }]
  })
}

/** All matches that a bracket will ever have: a Swiss one gets as many again with every round. */
export function expectedMatches(format: Format, made: number, { rounds }: Pick<Settings, 'rounds'>): number {
  return format === 'swiss' ? made * rounds : made
}

/** The table of a bracket, computed from its results by its tie-breakers. (additions: Divisions, brackets, matches) */
export function standingsOf(
  { format, settings }: Pick<Bracket, 'format' | 'settings'>,
  matches: readonly Match[],
  entrants: readonly BracketEntrant[],
): readonly Standing[] {
  const withdrawn = withdrawnOf(entrants)
  if (format === 'round_robin' || format === 'swiss') {
    return standings(matches, entrants, { ...settings, withdrawn, grouped: format === 'round_robin' })
  }
  return standingsOfElimination(matches, entrants, withdrawn, settings.tieBreakers)
}

/** Teams that have left, and what becomes of their results. */
export function withdrawnOf(entrants: readonly BracketEntrant[]): ReadonlyMap<string, WithdrawalPolicy> {
  return new Map(
    entrants.flatMap(({ team, withdrawal }) => (team === null || withdrawal === null ? [] : [[team, withdrawal]])),
  )
}

export function asEntrants(entrants: readonly Entrant[]): readonly BracketEntrant[] {
  return entrants.map((entrant) => ({ ...entrant, withdrawal: null }))
}

/** What a bracket says of its entrants and matches. A place that nobody has makes it a draft. */
export function stateOf(
  bracket: Pick<Bracket, 'format' | 'settings' | 'roundsMade'>,
  entrants: readonly Entrant[],
  matches: readonly Pick<Match, 'status' | 'started'>[],
): Pick<Bracket, 'status' | 'open' | 'started'> {
  const open = matches.filter((match) => !isOver(match)).length
  const started = matches.filter((match) => match.started).length
  const isVacant = entrants.some(({ team }) => team === null)
  return { open, started, status: isVacant ? 'draft' : statusOf({ ...bracket, open, started }) }
}

/** What the rows of new matches have beside what the engine made. */
export interface Setting {
  readonly bracket: Pick<Bracket, 'guid' | 'tournamentGuid' | 'divisionGuid'>
  /** As many as there are matches. */
  readonly guids: readonly string[]
  /** What is added to the engine's numbers: numbers go on through a division. */
  readonly offset: number
  readonly now: Date
}

/** Rows of new matches, each of which knows the others by number and GUID. */
export function toRecords(matches: readonly Match[], { bracket, guids, offset, now }: Setting): MatchRecord[] {
  const guidOf = new Map(matches.map(({ number }, index) => [number, guids[index] ?? missingGuid()]))
  const known = (number: number) => guidOf.get(number) ?? missingGuid()
  const target = (to: Match['winnerTo']): StoredTarget | null => to && { match: to.match + offset, side: to.side }
  const side = ({ slot, from, bye, empty, score, result }: Side): StoredSide => ({
    ...{ slot, bye, empty, score, result },
    from: from && { match: from.match + offset, guid: known(from.match), outcome: from.outcome },
  })
  return matches.map((match) => {
    const { section, round, status, outcome, bestOf, decision, started, reopened, conditional, pairing } = match
    const [first, second] = match.sides
    return {
      ...{ section, round, status, outcome, bestOf, decision, started, reopened, conditional, pairing },
      guid: known(match.number),
      tournamentGuid: bracket.tournamentGuid,
      divisionGuid: bracket.divisionGuid,
      bracketGuid: bracket.guid,
      number: match.number + offset,
      groupIndex: match.group,
      team1Guid: first.team,
      team2Guid: second.team,
      sides: [side(first), side(second)],
      games: [],
      winnerTo: target(match.winnerTo),
      loserTo: target(match.loserTo),
      nextMatchGuid: match.winnerTo && known(match.winnerTo.match),
      loserMatchGuid: match.loserTo && known(match.loserTo.match),
      ...{ scheduledAt: null, startedAt: null, streamUrl: null, vodUrl: null, notes: null },
      completedAt: match.status === 'completed' ? now : null,
      ...{ revision: 1, createdAt: now, updatedAt: now },
    }
  })
}

function missingGuid(): never {
  throw new Error('a match has no GUID')
}
