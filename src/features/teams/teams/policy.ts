import { type Actor, isSignedIn, policy } from '../../../core/actor.ts'
import { isAnyStaff, isOrganiser } from '../../tournaments/access/policy.ts'
import type { Invitation, Member, Team } from './types.ts'

/** Captains create their own team; organisers create teams for any user. (rest-interface: Teams) */
export function mayCreateTeamFor(actor: Actor, captainGuid: string): boolean {
  return actor.guid === captainGuid || isOrganiser(actor)
}

/** The captain and the organiser may change a team. (additions: Teams) */
export function mayManageTeam(actor: Actor, team: Pick<Team, 'captainGuid'>): boolean {
  return actor.guid === team.captainGuid || isOrganiser(actor)
}

/** The captain and the tournament's staff may see a team's invitations. (additions: Teams) */
export function mayReadInvitations(actor: Actor, team: Pick<Team, 'captainGuid'>): boolean {
  return actor.guid === team.captainGuid || isAnyStaff(actor)
}

/**
 * The invited user and everybody who may see the team's invitations may see an invitation; for others it is unknown.
 * (D5)
 */
export function mayKnowInvitation(
  actor: Actor,
  team: Pick<Team, 'captainGuid'>,
  invitation: Pick<Invitation, 'userGuid'>,
): boolean {
  return actor.guid === invitation.userGuid || mayReadInvitations(actor, team)
}

interface TeamRecord {
  readonly team: Team
}

export const captainAndOrganisers = policy<TeamRecord>(
  'the captain of the team, and the organiser and admins of the tournament,',
  (actor, { team }) => mayManageTeam(actor, team),
  isSignedIn,
)

export const captainAndStaff = policy<TeamRecord>(
  'the captain of the team and the staff of the tournament',
  (actor, { team }) => mayReadInvitations(actor, team),
  isSignedIn,
)

/** Members may leave; the captain and the organiser may remove them. (additions: Teams) */
export const memberCaptainAndOrganisers = policy<TeamRecord & { readonly member: Member }>(
  'the member, the captain of the team, and the organiser and admins of the tournament',
  (actor, { team, member }) => actor.guid === member.guid || mayManageTeam(actor, team),
  isSignedIn,
)
