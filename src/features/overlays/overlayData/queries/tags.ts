import { type EventType, kindTag } from '../../../../core/events.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { Bracket } from '../../../brackets/brackets/types.ts'
import { playedTag } from '../../../people/users/views.ts'

/**
 * The dependencies of the data tree. It does not depend on the whole tournament, because many of its events change
 * nothing in the tree. It depends on
 *
 * - the brackets: every change of a match touches its bracket;
 * - the shown match: its session touches it;
 * - the finished sessions of all matches, because statistics are made of them;
 * - the teams and players in the tree, their streams, and the servers of these streams;
 * - the qualifier, and the teams and players in its standings, once everybody sees them;
 * - before a session begins: the maps of the planned pool, and events that change this pool;
 * - for records that do not exist yet: the kinds of events below.
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

/** Events that may change the planned pool of a match, or its public view. */
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

/** Events that add teams to the standings of a qualifier. */
const entryKinds = ['team.registered', 'team.qualified'] as const satisfies readonly EventType[]

const tagsOf = (all: readonly EventType[]) => (tournament: string) => all.map((type) => kindTag(tournament, type))

export const tournamentKinds = tagsOf(kinds)
export const plannedPoolKinds = tagsOf(poolKinds)
export const boardKinds = tagsOf(entryKinds)

export function brackets(all: readonly Bracket[]): string[] {
  return all.map(({ guid }) => guid)
}

/**
 * Returns a `Depends` for the reads of other slices. Leaves out the tournament, and the tag of data that only user
 * cards show. Ignores `until`, because nothing in the tree changes by time alone.
 */
export function asTree(depends: Depends, tournament: string): Depends {
  const dependsOn = (...tags: readonly string[]) =>
    depends(...tags.filter((tag) => tag !== tournament && tag !== playedTag))
  return Object.assign(dependsOn, { until: () => {} })
}
