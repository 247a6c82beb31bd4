import { type Actor, isSignedIn, policy } from '../../../core/actor.ts'
import { grantable, type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import type { Team, TeamStatus } from '../../teams/teams/types.ts'
import { isOrganiserOrStaff } from '../../tournaments/access/policy.ts'
import type { Sheet } from './types.ts'

type Asked = Pick<Sheet, 'audience' | 'roles'>

/**
 * The organiser, admins and staff manage sheets for every role, heads for the roles that they may grant.
 * (additions: F; G12; D28)
 */
export function manageableRoles(actor: Actor): TournamentRole[] {
  if (isOrganiserOrStaff(actor)) return [...tournamentRoles]
  return tournamentRoles.filter((role) => [...actor.roles].some((held) => grantable[held]?.includes(role)))
}

/** A sheet for staff that names no role asks all roles; a sheet for teams asks none. (G12) */
export function addressedRoles({ audience, roles }: Asked): readonly TournamentRole[] {
  if (audience === 'teams') return []
  return roles.length === 0 ? tournamentRoles : roles
}

/** The roles in which the sheet asks the actor, in the fixed order of roles. (rest-interface: AvailabilityResponse) */
export function rolesToAnswer(actor: Actor, sheet: Asked): TournamentRole[] {
  const addressed = addressedRoles(sheet)
  return tournamentRoles.filter((role) => actor.roles.has(role) && addressed.includes(role))
}

/** Whether the sheet asks teams with this status. `registered` means registered and not yet qualified. (G12) */
export function isEligible({ teamEligibility }: Pick<Sheet, 'teamEligibility'>, status: TeamStatus): boolean {
  if (teamEligibility === 'both') return status !== 'unregistered'
  return status === teamEligibility
}

/**
 * A sheet is visible to the users it asks, to users who manage one of the roles it asks, and to the organiser, admins
 * and staff. (additions: F; G12)
 *
 * @param captained the team that the actor captains
 */
export function maySeeSheet(
  actor: Actor,
  sheet: Asked & Pick<Sheet, 'teamEligibility'>,
  captained: Pick<Team, 'status'> | null,
): boolean {
  if (isOrganiserOrStaff(actor)) return true
  if (sheet.audience === 'teams') return captained !== null && isEligible(sheet, captained.status)
  return rolesToAnswer(actor, sheet).length > 0 || readableRoles(actor, sheet).length > 0
}

/**
 * The roles whose answers the actor may read in addition to their own answers: the roles that they manage.
 * (additions: F)
 */
export function readableRoles(actor: Actor, sheet: Asked): TournamentRole[] {
  const addressed = addressedRoles(sheet)
  return manageableRoles(actor).filter((role) => addressed.includes(role))
}

/**
 * The organiser, admins and staff manage every sheet, heads those that ask only roles that they manage. (additions: F)
 */
export function mayManageSheet(actor: Actor, { audience, roles }: Asked): boolean {
  if (isOrganiserOrStaff(actor)) return true
  const manageable = manageableRoles(actor)
  return audience === 'staff' && roles.length > 0 && roles.every((role) => manageable.includes(role))
}

interface SheetRecord {
  readonly sheet: Sheet
}

const managesSome = (actor: Actor) => manageableRoles(actor).length > 0

/**
 * Users who may manage some sheets. Whether they may manage this one is checked once the body names its audience and
 * roles. (additions: F; D1)
 */
export const sheetMakers = policy('the organiser, admins, staff and head staff of the tournament', managesSome)

export const sheetManagers = policy<SheetRecord>(
  'the organiser, admins and staff of the tournament, and heads who manage every role that the sheet asks,',
  (actor, { sheet }) => mayManageSheet(actor, sheet),
  managesSome,
)

export const answerReaders = policy<SheetRecord>(
  'the organiser, admins and staff of the tournament, and heads who manage a role that the sheet asks,',
  (actor, { sheet }) => isOrganiserOrStaff(actor) || readableRoles(actor, sheet).length > 0,
  managesSome,
)

export const askedStaff = policy<SheetRecord>(
  'holders of the roles that the sheet asks',
  (actor, { sheet }) => rolesToAnswer(actor, sheet).length > 0,
  (actor) => actor.roles.size > 0,
)

/** Only the captain may answer for a team. (additions: F) */
export function mayAnswerFor(
  actor: Actor,
  sheet: Pick<Sheet, 'audience' | 'teamEligibility'>,
  team: Pick<Team, 'captainGuid' | 'status'>,
): boolean {
  return sheet.audience === 'teams' && actor.guid === team.captainGuid && isEligible(sheet, team.status)
}

export const askedCaptain = policy<SheetRecord & { readonly team: Team }>(
  'the captain of a team that the sheet asks',
  (actor, { sheet, team }) => mayAnswerFor(actor, sheet, team),
  isSignedIn,
)
