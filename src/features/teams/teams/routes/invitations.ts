import { Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import type { ProfilePart } from '../../../people/users/rules/profile-parts.ts'
import { playedTag } from '../../../people/users/views.ts'
import { acceptInvitation, declineInvitation, invite, revokeInvitation } from '../commands/invitations.ts'
import { captainAndOrganisers, captainAndStaff } from '../policy.ts'
import { maxMessageCharacters, maxPendingOfTeam, maxSent } from '../rules/teams.ts'
import { listOpenOfUser, listPendingOfTeam } from '../store/invitations.ts'
import { InvitationView, listInvitationViews, readInvitationView } from '../views/teams.ts'

const create = command({
  name: 'teams.invite',
  method: 'POST',
  path: '/tournaments/:tournament/teams/:team/invitations',
  scope: 'rest:write',
  allow: captainAndOrganisers,
  summary: 'Invite a user into a team.',
  description: `The invited user finds it in their notifications and invitations. An invitation by the organiser’s side can be accepted even where the roster is locked. A team has at most ${maxPendingOfTeam} pending ones. All that it sent, those that were declined or taken back among them, are at most ${maxSent.team}, and ${maxSent.person} to one user.`,
  body: Type.Object({
    userIdentifier: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'GUID, chat-platform ID or ranking-platform ID.',
      examples: ['210987654321098765'],
    }),
    message: Type.Optional(
      Type.String({ maxLength: maxMessageCharacters, description: 'Plain text.', examples: ['Play with us?'] }),
    ),
  }),
  reply: { 201: InvitationView },
  problems: {
    'user.unknown': 404,
    'invitation.self': 409,
    'invitation.exists': 409,
    'invitation.too_many': 409,
    'invitation.limit_reached': 409,
    'tournament.not_open': 409,
    'team.roster_locked': 409,
    'team.full': 409,
    'user.has_team': 409,
  },
  run: async ({ tx, actor, tournament, team, body, now }) =>
    readInvitationView(tx, await invite(tx, actor, tournament.guid, team.guid, body, now)),
})

const ofTeam = query({
  name: 'teams.listInvitations',
  method: 'GET',
  path: '/tournaments/:tournament/teams/:team/invitations',
  scope: 'rest:read',
  allow: captainAndStaff,
  summary: 'Pending invitations of a team, newest first.',
  description: 'Those that were accepted, declined or taken back are no longer among them.',
  reply: { 200: Type.Array(InvitationView) },
  run: async ({ db, team }) => listInvitationViews(db, await listPendingOfTeam(db, team.guid)),
})

const ofUser = query({
  name: 'users.listInvitations',
  method: 'GET',
  path: '/users/@me/invitations',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'The signed-in user’s pending team invitations, newest first.',
  description: 'Those in tournaments that are approved or ongoing, since no other can be accepted.',
  reply: { 200: Type.Array(InvitationView) },
  live: {
    sends: ['invitation.created', 'invitation.declined', 'invitation.revoked'],
    concerns: ({ actor }) => ({ by: { tag: actor.guid ?? '' } }),
  },
  run: async ({ db, actor, depends }) => {
    // A change of a tournament's status touches `playedTag`. It can add invitations to this list or remove them.
    depends(actor.guid, playedTag)
    const facts = await listOpenOfUser(db, actor.guid)
    for (const { invitation, team, tournament } of facts) depends(invitation.invitedByGuid, team.guid, tournament.guid)
    return listInvitationViews(db, facts)
  },
})

const revoke = command({
  name: 'teams.revokeInvitation',
  method: 'DELETE',
  path: '/invitations/:invitation',
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Take an invitation back, as captain of the team or organiser.',
  description:
    'For the captain of the team, and for the organiser and admins. One that was answered cannot be taken back.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'role.missing': 403, 'tournament.unknown': 404, 'team.unknown': 404, 'invitation.closed': 409 },
  run: async ({ tx, actor, invitation, now }) => {
    await revokeInvitation(tx, actor, invitation, now)
    return new Answer(204)
  },
})

const accept = command({
  name: 'teams.acceptInvitation',
  method: 'POST',
  path: '/invitations/:invitation/accept',
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Join the team that invites the signed-in user.',
  description:
    'Only the invited user can. They must have no other team in the tournament, the team must have room, and its roster be open. Other invitations stay, and can no longer be accepted.',
  reply: { 200: InvitationView },
  problems: {
    'tournament.unknown': 404,
    'team.unknown': 404,
    'user.unknown': 404,
    'invitation.closed': 409,
    'tournament.not_open': 409,
    'team.roster_locked': 409,
    'team.full': 409,
    'user.has_team': 409,
  },
  run: async ({ tx, actor, invitation, now }) =>
    readInvitationView(tx, await acceptInvitation(tx, actor, invitation, now)),
})

const decline = command({
  name: 'teams.declineInvitation',
  method: 'POST',
  path: '/invitations/:invitation/decline',
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Turn down an invitation.',
  description: 'Only the invited user can. The team may invite them again.',
  reply: { 200: InvitationView },
  problems: { 'tournament.unknown': 404, 'team.unknown': 404, 'invitation.closed': 409 },
  run: async ({ tx, actor, invitation, now }) =>
    readInvitationView(tx, await declineInvitation(tx, actor, invitation, now)),
})

export const invitationsProfilePart: ProfilePart = {
  shownTo: ['user'],
  schema: Type.Array(InvitationView),
  load: async (db, { guid }) => listInvitationViews(db, await listOpenOfUser(db, guid)),
}

export const invitationOperations = [create, ofTeam, ofUser, revoke, accept, decline]
