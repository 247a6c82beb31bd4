import { type Actor, policy } from '../../../core/actor.ts'
import { isAnyStaff, isOrganiser, isOrganiserOrStaff, isPooler } from '../../tournaments/access/policy.ts'
import type { Qualifier, QualifierMap, QualifierStatus, Withheld } from './types.ts'

/**
 * Head poolers change the maps; the organiser and admins change everything. (additions: Qualifiers; additions: Details,
 * 11)
 */
export const organisersAndHeadPooler = policy(
  'the organiser, admins and the head pooler of the tournament',
  (actor) => isOrganiser(actor) || actor.roles.has('role:hpooler'),
)

/** Coordinators and head coordinators record attempts and make them void. (additions: Qualifiers) */
export const recorders = policy('coordinators, and the organiser and admins of the tournament,', mayRecord)

function mayRecord(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:coordinator') || actor.roles.has('role:hcoordinator')
}

/** Attempts of other players may be read by the recorders and by `role:staff`. (additions: Qualifiers; D44) */
export function mayReadAttemptsOfOthers(actor: Actor): boolean {
  return mayRecord(actor) || isOrganiserOrStaff(actor)
}

/** Only the staff sees the maps until the qualifier opens. (additions: Qualifiers) */
export function maySeeMaps(actor: Actor, status: QualifierStatus): boolean {
  return status !== 'draft' || isAnyStaff(actor)
}

/**
 * Maps from a pool are also hidden from staff who are not poolers: all of them while the pool is a draft, and each map
 * until the pool releases it. (pools: What outsiders see; Which pool a match uses)
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
  // Renumbers the maps, since gaps would reveal the places of the hidden maps.
  return maps.filter(({ guid }) => !withheld.guids.has(guid)).map((map, order) => ({ ...map, order }))
}

/**
 * How much of the standings the caller may see. While the qualifier is a draft, only the staff sees standings, since
 * they reveal the maps. While scores are hidden and the qualifier is not final, players see only their own rows.
 * (additions: Qualifiers)
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
