import { type EventType, kindTag } from '../../../../core/events.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { Bracket } from '../../../brackets/brackets/types.ts'
import { playedTag } from '../../../people/users/views/card.ts'

/**
 * What the tree is made of. Much happens in a tournament that it does not show: so it does not depend on the tournament, which all
 * of that touches, but on
 *
 * - the brackets: all matches of theirs touch them;
 * - the match that is shown, which its session touches;
 * - the sessions that are over, of which statistics are made, whichever match they were for;
 * - teams and players that it names, and their streams, with the servers that these come from;
 * - the qualifier, with the teams and players in its standings, once everybody sees these;
 * - the maps of the pool that is planned, before a session has begun, with whatever changes that pool;
 * - and, for what is not there yet, on the kinds of events below.
 */

const kinds = [
  'tournament.updated',
  'tournament.status_changed',
  'tournament.placements_changed',
  'tournament.deleted',
  'division.created',
  'division.updated',
  'division.deleted',
  'bracket.created',
  'qualifier.updated',
] as const satisfies readonly EventType[]

/** What may change of which pool a match is planned to be played of, and of what everybody sees of it. */
const poolKinds = [
  'pool_plan.updated',
  'pool.published',
  'pool.corrected',
  'pool.map_released',
  'pool.updated',
  'pool.unpublished',
  'pool.deleted',
  'flair.replaced',
] as const satisfies readonly EventType[]

/** Teams that come into the standings of a qualifier. */
const entryKinds = ['team.registered', 'team.qualified'] as const satisfies readonly EventType[]

const tagsOf = (all: readonly EventType[]) => (tournament: string) => all.map((type) => kindTag(tournament, type))

export const tournamentKinds = tagsOf(kinds)
export const plannedPoolKinds = tagsOf(poolKinds)
export const boardKinds = tagsOf(entryKinds)

export function brackets(all: readonly Bracket[]): string[] {
  return all.map(({ guid }) => guid)
}

/**
 * The same for parts that other reads make: without the tournament itself, and without what only cards show. What they say of
 * instants is of no use either: by the clock alone nothing in the tree changes.
 */
export function asTree(depends: Depends, tournament: string): Depends {
  const tell = (...tags: readonly string[]) => depends(...tags.filter((tag) => tag !== tournament && tag !== playedTag))
  return Object.assign(tell, { until: () => {} })
}
