import { type Actor, isSignedIn, policy } from '../../../core/actor.ts'
import { grantable, type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import type { Team, TeamStatus } from '../../teams/teams/types.ts'
import { isOrganiserOrStaff } from '../../tournaments/access/policy.ts'
import type { Sheet } from './types.ts'

type Asked = Pick<Sheet, 'audience' | 'roles'>

/** Organiser, admins and staff manage sheets for every role, heads for those that they may give. (additions: F; G12; D28) */
export function manageableRoles(actor: Actor): TournamentRole[] {
  if (isOrganiserOrStaff(actor)) return [...tournamentRoles]
  return tournamentRoles.filter((role) => [...actor.roles].some((held) => grantable[held]?.includes(role)))
}

/** A sheet for staff that names no role asks them all; one for teams asks none. (G12) */
export function addressedRoles({ audience, roles }: Asked): readonly TournamentRole[] {
  if (audience === 'teams') return []
  return roles.length === 0 ? tournamentRoles : roles
}

/** The roles in which a user is asked by a sheet, in the fixed order of roles. (rest-interface: AvailabilityResponse) */
export function rolesToAnswer(actor: Actor, sheet: Asked): TournamentRole[] {
  const addressed = addressedRoles(sheet)
  return tournamentRoles.filter((role) => actor.roles.has(role) && addressed.includes(role))
}

/** `registered` means registered and not yet qualified. (G12) */
export function isEligible({ teamEligibility }: Pick<Sheet, 'teamEligibility'>, status: TeamStatus): boolean {
  if (teamEligibility === 'both') return status !== 'unregistered'
  return status === teamEligibility
}

/**
 * A sheet exists for those whom it asks, for those who manage one of the roles that it asks, and for organiser, admins
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

/** Whose answers are read beside one's own: those in the roles that one manages. (additions: F) */
export function readableRoles(actor: Actor, sheet: Asked): TournamentRole[] {
  const addressed = addressedRoles(sheet)
  return manageableRoles(actor).filter((role) => addressed.includes(role))
}

/** Organiser, admins and staff manage any sheet, heads those that ask nothing but roles that they manage. (additions: F) */
export function mayManageSheet(actor: Actor, { audience, roles }: Asked): boolean {
  if (isOrganiserOrStaff(actor)) return true
  const manageable = manageableRoles(actor)
  return audience === 'staff' && roles.length > 0 && roles.every((role) => manageable.includes(role))
}

interface SheetRecord {
  readonly sheet: Sheet
}

const managesSome = (actor: Actor) => manageableRoles(actor).length > 0

/** Whoever may manage some sheets; which ones is told once the body names what they ask. (additions: F; D1) */
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

/** A team's answers are its captain's alone. (additions: F) */
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
