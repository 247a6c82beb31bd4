import { type Actor, type Audience, type Policy, policy, publicAudience } from '../../../core/actor.ts'
import { grantable, type TournamentRole, tournamentRoles } from '../../../core/roles.ts'

/** What tournament and global roles amount to; other slices' policies are made of these. (D24, D28, D29, D44) */

/** Whoever may manage every tournament, owners and developers among them. (D24) */
export function isGlobalManager(actor: Actor): boolean {
  return actor.globalRoles.has('global:tournaments:manage')
}

/** The owner of the record or a global manager: for what admins may not do. (D28) */
export function isOwnerOfTournament(actor: Actor): boolean {
  return actor.isOrganiser || isGlobalManager(actor)
}

/** "Organiser" in a list of rights includes the tournament's admins and global managers. (additions: conventions) */
export function isOrganiser(actor: Actor): boolean {
  return isOwnerOfTournament(actor) || actor.roles.has('role:admin')
}

/** Organiser, admin, or `role:staff`. (D44) */
export function isOrganiserOrStaff(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:staff')
}

/** "Staff" that stands alone means any role in the tournament. (D44) */
export function isAnyStaff(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.size > 0
}

/** Heads of the pools are the organiser, admins, global managers and head poolers. (pools) */
export function isHeadPooler(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:hpooler')
}

/** Poolers are their heads and `role:pooler`; everybody else is an outsider, staff in other roles included. (pools) */
export function isPooler(actor: Actor): boolean {
  return isHeadPooler(actor) || actor.roles.has('role:pooler')
}

/** Coordinators prepare matches, the organiser and admins too. (additions: Divisions, brackets, matches) */
export function mayCoordinate(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:coordinator') || actor.roles.has('role:hcoordinator')
}

/** Referees begin matches and tell their results, beside those who prepare them. (additions: Divisions, brackets, matches) */
export function mayReferee(actor: Actor): boolean {
  return mayCoordinate(actor) || actor.roles.has('role:referee')
}

/** Organiser, admins, staff and head casters decide which overlays there are and what their pages show, and edit all of them. (overlays) */
export function mayPublishOverlays(actor: Actor): boolean {
  return isOrganiserOrStaff(actor) || actor.roles.has('role:hcaster')
}

/** Those of answers about pools. */
export const headPoolerAudience = 'head-poolers'
export const poolerAudience = 'poolers'

/** Of answers that show more to those who work at the tournament, whatever they do there. */
export const staffAudience: Audience = (actor) => (isAnyStaff(actor) ? 'staff' : publicAudience)

/** Of answers that show some of it to each of these. */
const ranksAudience: Audience = (actor, records) => {
  if (isOrganiser(actor)) return 'organisers'
  return isOrganiserOrStaff(actor) ? 'organisers-or-staff' : staffAudience(actor, records)
}

/** How the names of audiences end whose members are poolers. */
export const withPools = '+pools'

/** The same where poolers see more than others of their rank do. */
function setPoolersApart(audience: Audience): Audience {
  return (actor, records) => {
    const others = audience(actor, records)
    return isPooler(actor) && others !== null ? `${others}${withPools}` : others
  }
}

export const staffAndPoolersAudience = setPoolersApart(staffAudience)
export const ranksAndPoolersAudience = setPoolersApart(ranksAudience)

/** Within the names of audiences whose members are referees. */
export const withReferees = '+referees'

/** The same where referees see more than others of their rank do, and so do poolers. */
export const ranksRefereesAndPoolersAudience = setPoolersApart((actor, records) => {
  const rank = ranksAudience(actor, records)
  return mayReferee(actor) && rank !== null ? `${rank}${withReferees}` : rank
})

/** Organiser and global managers grant any role, admins any but their own, heads those of their area; nobody else. (D28) */
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

/** Whoever may grant at least one role; which ones is told once the body names one. (D1, D28) */
export const granters: Policy = policy('the organiser, admins and head staff of the tournament', (actor) =>
  tournamentRoles.some((role) => mayGrant(actor, role)),
)
