import { type Actor, isSignedIn, policy } from '../../../core/actor.ts'
import { isAnyStaff, isOrganiser } from '../../tournaments/access/policy.ts'
import type { Invitation, Member, Team } from './types.ts'

/** Captains create their own team; organisers create teams for anybody. (rest-interface: Teams) */
export function mayCreateTeamFor(actor: Actor, captainGuid: string): boolean {
  return actor.guid === captainGuid || isOrganiser(actor)
}

/** A team is its captain's to change, and the organiser's. (additions: Teams) */
export function mayManageTeam(actor: Actor, team: Pick<Team, 'captainGuid'>): boolean {
  return actor.guid === team.captainGuid || isOrganiser(actor)
}

/** Whom a team has invited is for its captain and the tournament's staff to see. (additions: Teams) */
export function mayReadInvitations(actor: Actor, team: Pick<Team, 'captainGuid'>): boolean {
  return actor.guid === team.captainGuid || isAnyStaff(actor)
}

/** An invitation exists for the invited user and for those who see all invitations of the team. (D5) */
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

/** Members leave by themselves; captain and organiser remove them. (additions: Teams) */
export const memberCaptainAndOrganisers = policy<TeamRecord & { readonly member: Member }>(
  'the member, the captain of the team, and the organiser and admins of the tournament',
  (actor, { team, member }) => actor.guid === member.guid || mayManageTeam(actor, team),
  isSignedIn,
)
