import { type Actor, policy } from '../../../core/actor.ts'
import { isAnyStaff, isOrganiser, isOrganiserOrStaff } from '../../tournaments/access/policy.ts'
import type { Qualifier, QualifierStatus } from './types.ts'

/** The head pooler chooses the maps, the organiser everything. (additions: Qualifiers, Details 11) */
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
