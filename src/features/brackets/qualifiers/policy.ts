import { type Actor, policy } from '../../../core/actor.ts'
import { isAnyStaff, isOrganiser, isOrganiserOrStaff, isPooler } from '../../tournaments/access/policy.ts'
import type { Qualifier, QualifierMap, QualifierStatus, Withheld } from './types.ts'

/** The head pooler chooses the maps, the organiser everything. (additions: Qualifiers; additions: Details, 11) */
export const organisersAndHeadPooler = policy(
  'the organiser, admins and the head pooler of the tournament',
  (actor) => isOrganiser(actor) || actor.roles.has('role:hpooler'),
)

/** Coordinators record attempts and make them void, heads among them. (additions: Qualifiers) */
export const recorders = policy('coordinators, and the organiser and admins of the tournament,', mayRecord)

function mayRecord(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:coordinator') || actor.roles.has('role:hcoordinator')
}

/** Attempts of others are for those who record them, and `role:staff`. (additions: Qualifiers; D44) */
export function mayReadAttemptsOfOthers(actor: Actor): boolean {
  return mayRecord(actor) || isOrganiserOrStaff(actor)
}

/** Maps are the staff's secret until the qualifier opens. (additions: Qualifiers) */
export function maySeeMaps(actor: Actor, status: QualifierStatus): boolean {
  return status !== 'draft' || isAnyStaff(actor)
}

/**
 * Maps that came from a pool are the poolers' secret besides, the rest of the staff included: all of them while that is a
 * draft, and each until it is released there. (pools: What outsiders see; Which pool a match uses)
 */
export function visibleMaps(
  actor: Actor,
  status: QualifierStatus,
  maps: readonly QualifierMap[],
  withheld: Withheld,
): readonly QualifierMap[] {
  if (!maySeeMaps(actor, status)) return []
  if (isPooler(actor) || withheld.guids.size === 0) return maps
  if (withheld.byDraft) return []
  // Without the gaps that would tell where the others stand.
  return maps.filter(({ guid }) => !withheld.guids.has(guid)).map((map, order) => ({ ...map, order }))
}

/**
 * How much of the standings somebody sees: what would tell maps is for the staff while the qualifier is a draft; while
 * scores are hidden, and it is not final, players see their own alone. (additions: Qualifiers)
 */
export function sightOfStandings(
  actor: Actor,
  { hideScores }: Pick<Qualifier, 'hideScores'>,
  status: QualifierStatus,
): 'all' | 'own' | 'nothing' {
  if (isAnyStaff(actor)) return 'all'
  if (status === 'draft') return 'nothing'
  return hideScores && status !== 'final' ? 'own' : 'all'
}
