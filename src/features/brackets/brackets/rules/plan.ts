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

/**
 * The matches of a new bracket; of a Swiss bracket, those of the first round. (additions: Divisions, brackets, matches;
 * G7)
 */
export function planMatches(format: Format, teams: readonly Seeded[], settings: Settings): Plan {
  if (format === 'round_robin') return planRoundRobin(teams, settings)
  if (format === 'swiss') return planSwissFirstRound(teams, settings)
  return planElimination(teams, format, settings)
}

/** A first-round match between two teams that come from one group and have met there. */
export interface Rematch {
  readonly number: number
  readonly groupIndex: number
  readonly teams: readonly string[]
}

/**
 * The rematches in the first round of a tree that is filled from groups. No other order of the teams of each place
 * gives fewer rematches. (D68)
 * @param offset added to the engine's match numbers
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

/**
 * The number of matches that a bracket will have in the end: every round of a Swiss bracket has as many as the first.
 */
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

/** The teams that have left, with the policy for their results. */
export function withdrawnOf(entrants: readonly BracketEntrant[]): ReadonlyMap<string, WithdrawalPolicy> {
  return new Map(
    entrants.flatMap(({ team, withdrawal }) => (team === null || withdrawal === null ? [] : [[team, withdrawal]])),
  )
}

export function asEntrants(entrants: readonly Entrant[]): readonly BracketEntrant[] {
  return entrants.map((entrant) => ({ ...entrant, withdrawal: null }))
}

/** The status and totals of a bracket, computed from its entrants and matches. An empty place makes it a draft. */
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

/** The columns of new match rows that do not come from the engine. */
export interface Setting {
  readonly bracket: Pick<Bracket, 'guid' | 'tournamentGuid' | 'divisionGuid'>
  /** One GUID for each match. */
  readonly guids: readonly string[]
  /** Added to the engine's match numbers, since numbers are unique in a division. */
  readonly offset: number
  readonly now: Date
}

/** Builds the rows of new matches, and links them by number and GUID. */
export function toRecords(matches: readonly Match[], { bracket, guids, offset, now }: Setting): MatchRecord[] {
  const guidOf = new Map(matches.map(({ number }, index) => [number, guids[index] ?? missingGuid()]))
  const known = (number: number) => guidOf.get(number) ?? missingGuid()
  const target = (to: Match['winnerTo']): StoredTarget | null => to && { match: to.match + offset, side: to.side }
  const side = ({ slot, from, bye, empty, score, result }: Side): StoredSide => ({
    slot,
    bye,
    empty,
    score,
    result,
    from: from && { match: from.match + offset, guid: known(from.match), outcome: from.outcome },
  })
  return matches.map((match) => {
    const { section, round, status, outcome, bestOf, decision, started, reopened, conditional, pairing } = match
    const [first, second] = match.sides
    return {
      section,
      round,
      status,
      outcome,
      bestOf,
      decision,
      started,
      reopened,
      conditional,
      pairing,
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
      scheduledAt: null,
      calledAt: null,
      startedAt: null,
      streamUrl: null,
      vodUrl: null,
      notes: null,
      completedAt: match.status === 'completed' ? now : null,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    }
  })
}

function missingGuid(): never {
  throw new Error('a match has no GUID')
}
