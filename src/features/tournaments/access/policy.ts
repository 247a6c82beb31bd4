import { type Actor, type Audience, type Policy, policy, publicAudience } from '../../../core/actor.ts'
import { grantable, type TournamentRole, tournamentRoles } from '../../../core/roles.ts'

/**
 * What tournament roles and global roles allow. The policies of other slices are built from these functions.
 * (D24, D28, D29, D44)
 */

/** Whether the actor may manage every tournament; owners and developers may, too. (D24) */
export function isGlobalManager(actor: Actor): boolean {
  return actor.globalRoles.has('global:tournaments:manage')
}

/**
 * Whether the actor is the tournament's organiser or a global manager. Use it for rights that admins do not have. (D28)
 */
export function isOwnerOfTournament(actor: Actor): boolean {
  return actor.isOrganiser || isGlobalManager(actor)
}

/** "Organiser" in a list of rights includes the tournament's admins and global managers. (additions: conventions) */
export function isOrganiser(actor: Actor): boolean {
  return isOwnerOfTournament(actor) || actor.roles.has('role:admin')
}

/** Whether the actor is an organiser, an admin or has `role:staff`. (D44) */
export function isOrganiserOrStaff(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:staff')
}

/** "Staff" without a role name means a holder of any role in the tournament. (D44) */
export function isAnyStaff(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.size > 0
}

/** Whether the actor is a head pooler; the organiser, admins and global managers count as head poolers. (pools) */
export function isHeadPooler(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:hpooler')
}

/**
 * Whether the actor is a pooler: a head pooler or a holder of `role:pooler`. Staff in other roles are not poolers.
 * (pools)
 */
export function isPooler(actor: Actor): boolean {
  return isHeadPooler(actor) || actor.roles.has('role:pooler')
}

/**
 * Whether the actor may prepare matches: coordinators, the organiser and admins.
 * (additions: Divisions, brackets, matches)
 */
export function mayCoordinate(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:coordinator') || actor.roles.has('role:hcoordinator')
}

/**
 * Whether the actor may start matches and report results: referees, and everybody who may prepare matches.
 * (additions: Divisions, brackets, matches)
 */
export function mayReferee(actor: Actor): boolean {
  return mayCoordinate(actor) || actor.roles.has('role:referee')
}

/**
 * The organiser, admins, staff and head casters create and delete overlays, choose what their pages show, and edit all
 * of them. (overlays)
 */
export function mayPublishOverlays(actor: Actor): boolean {
  return isOrganiserOrStaff(actor) || actor.roles.has('role:hcaster')
}

/** The names of the audiences of answers about pools. */
export const headPoolerAudience = 'head-poolers'
export const poolerAudience = 'poolers'

/** The audience for answers that show more to all staff, regardless of their role. */
export const staffAudience: Audience = (actor) => (isAnyStaff(actor) ? 'staff' : publicAudience)

/** The audience for answers that differ for organisers, `role:staff`, other staff and the public. */
const ranksAudience: Audience = (actor, records) => {
  if (isOrganiser(actor)) return 'organisers'
  return isOrganiserOrStaff(actor) ? 'organisers-or-staff' : staffAudience(actor, records)
}

/** The suffix in an audience's name that says that its members are poolers. */
export const withPools = '+pools'

/** Splits each audience in two where poolers see more than other members of the same rank. */
function setPoolersApart(audience: Audience): Audience {
  return (actor, records) => {
    const others = audience(actor, records)
    return isPooler(actor) && others !== null ? `${others}${withPools}` : others
  }
}

export const staffAndPoolersAudience = setPoolersApart(staffAudience)
export const ranksAndPoolersAudience = setPoolersApart(ranksAudience)

/** The part of an audience's name that says that its members are referees. */
export const withReferees = '+referees'

/** The audience by rank, split again for referees and for poolers, who see more than others of the same rank. */
export const ranksRefereesAndPoolersAudience = setPoolersApart((actor, records) => {
  const rank = ranksAudience(actor, records)
  return mayReferee(actor) && rank !== null ? `${rank}${withReferees}` : rank
})

/**
 * The organiser and global managers grant any role, admins any role except admin, heads the roles of their area. (D28)
 */
export function mayGrant(actor: Actor, role: TournamentRole): boolean {
  return isOwnerOfTournament(actor) || [...actor.roles].some((held) => grantable[held]?.includes(role))
}

export const ownerOnly: Policy = policy(
  'the organiser of the tournament and global tournament managers',
  isOwnerOfTournament,
)
export const organisers: Policy = policy('the organiser and admins of the tournament', isOrganiser)
export const organisersAndStaff: Policy = policy(
  'the organiser, admins and staff of the tournament',
  isOrganiserOrStaff,
)
export const anyStaff: Policy = policy('the staff of the tournament', isAnyStaff)

/**
 * Users who may grant at least one role. Whether they may grant the requested role is checked once the body names it.
 * (D1, D28)
 */
export const granters: Policy = policy('the organiser, admins and head staff of the tournament', (actor) =>
  tournamentRoles.some((role) => mayGrant(actor, role)),
)
