import type { SignedIn } from '../../../../core/actor.ts'
import type { EventType } from '../../../../core/events.ts'
import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { takeOver } from '../../../people/claims/commands/claims.ts'
import { notify, notifyAll } from '../../../people/notifications/commands.ts'
import type { Notice } from '../../../people/notifications/types.ts'
import { lockAccountForKeyShare, lockPersonForKeyShare } from '../../../people/users/commands/users.ts'
import { lockUser } from '../../../people/users/store/users.ts'
import { changeCounts } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import {
  checkHasNoTeam,
  checkHasRoom,
  checkIsNotSelf,
  checkIsPending,
  checkJoinable,
  checkMayInviteMore,
  checkRosterUnlocked,
  hasActiveRoom,
} from '../rules/teams.ts'
import { countInvitations, decideInvitation, findInvitation, insertInvitation } from '../store/invitations.ts'
import { type InvitationToInsert, insertInvitations } from '../store/many.ts'
import { findTeamOfUser, insertMember, updateTeam } from '../store/teams.ts'
import type { Invitation, InvitationFacts, TeamMember } from '../types.ts'
import { type Locked, loadUser, lockManagedTeam, lockTeam } from './lock.ts'

export interface InvitationInput {
  /** Any identifier of a user. */
  readonly userIdentifier: string
  readonly message?: string
}

/**
 * Invites a user and notifies them.
 * @throws Problem `user.unknown`, `invitation.self`, `tournament.not_open`, `team.roster_locked`, `user.has_team`,
 *   `team.full`, `invitation.exists`, `invitation.limit_reached`, `invitation.too_many`
 */
export async function invite(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
  input: InvitationInput,
  now: Date,
): Promise<InvitationFacts> {
  const user = await loadUser(tx, actor, input.userIdentifier)
  const locked = await lockManagedTeam(tx, actor, tournamentGuid, teamGuid)
  const { byOrganiser, tournament, team, members } = locked
  checkIsNotSelf(actor.guid, user.guid)
  checkJoinable(tournament)
  checkRosterUnlocked(team, tournament, byOrganiser, now)
  await lockPersonForKeyShare(tx, user.guid)
  checkHasNoTeam(await findTeamOfUser(tx, tournamentGuid, user.guid))
  checkHasRoom(members, tournament)
  checkMayInviteMore(await countInvitations(tx, teamGuid, user.guid))
  const invitation = await insertInvitation(tx, {
    teamGuid,
    tournamentGuid,
    userGuid: user.guid,
    invitedByGuid: actor.guid,
    byOrganiser,
    message: input.message || null,
  })
  await notify(tx, { userGuid: user.guid, ...noticeOf(invitation, team.name, tournament) })
  emitFor(tx, 'invitation.created', invitation, actor)
  return { invitation, team, tournament }
}

function noticeOf(
  { guid, teamGuid, message }: Pick<Invitation, 'guid' | 'teamGuid' | 'message'>,
  teamName: string,
  tournament: Pick<Tournament, 'guid' | 'name'>,
): Notice {
  return {
    type: 'invitation.created',
    title: `${teamName} invites you to ${tournament.name}`,
    body: message ?? '',
    data: { invitationGuid: guid, teamGuid, tournamentGuid: tournament.guid },
  }
}

/**
 * Sends the invitations of an import, for the organiser. Invitations to a draft, which only its staff know, cause no notifications.
 * (D25)
 */
export async function sendInvitations(
  tx: Tx,
  { actor, tournament }: Pick<Locked, 'actor' | 'tournament'>,
  sent: readonly (InvitationToInsert & { readonly teamName: string })[],
  now: Date,
): Promise<void> {
  await insertInvitations(tx, tournament.guid, actor.guid, sent)
  const status = 'pending'
  for (const { guid, teamGuid, userGuid } of sent) {
    emitFor(tx, 'invitation.created', { guid, teamGuid, userGuid, status, tournamentGuid: tournament.guid }, actor)
  }
  if (tournament.status === 'draft') return
  await notifyAll(
    tx,
    sent.map((each) => ({
      ...noticeOf({ ...each, message: null }, each.teamName, tournament),
      userGuid: each.userGuid,
      createdAt: now,
    })),
  )
}

/**
 * Revokes an invitation.
 * @throws Problem `invitation.closed`
 */
export async function revokeInvitation(
  tx: Tx,
  actor: SignedIn,
  { invitation }: InvitationFacts,
  now: Date,
): Promise<void> {
  const { tournamentGuid, teamGuid } = invitation
  await lockManagedTeam(tx, actor, tournamentGuid, teamGuid)
  checkIsPending((await loadInvitation(tx, invitation.guid)).invitation)
  emitFor(tx, 'invitation.revoked', await decideInvitation(tx, invitation.guid, 'revoked', now), actor)
}

/**
 * Makes the invited user a member: an active one if there is room on the active roster, else a substitute. Invitations
 * to other teams stay but can no longer be accepted.
 * @throws Problem `user.unknown`, `invitation.unknown`, `invitation.closed`, `tournament.not_open`,
 *   `team.roster_locked`, `user.has_team`, `team.full`
 */
export async function acceptInvitation(
  tx: Tx,
  actor: SignedIn,
  { invitation }: InvitationFacts,
  now: Date,
): Promise<InvitationFacts> {
  checkIsInvited(actor, invitation)
  const { tournamentGuid, teamGuid, userGuid } = invitation
  const { tournament, team, members } = await lockTeam(tx, actor, tournamentGuid, teamGuid)
  await lockAccountForKeyShare(tx, userGuid)
  const current = await loadInvitation(tx, invitation.guid)
  checkIsPending(current.invitation)
  checkJoinable(tournament)
  checkRosterUnlocked(team, tournament, current.invitation.byOrganiser, now)
  checkHasNoTeam(await findTeamOfUser(tx, tournamentGuid, userGuid))
  const standIn = await findStandIn(tx, current.invitation, members)
  if (standIn === null) checkHasRoom(members, tournament)
  const isActive = standIn?.isActive ?? hasActiveRoom(members, tournament)
  if (standIn === null) {
    await insertMember(tx, { teamGuid, tournamentGuid, userGuid, isActive })
    await changeCounts(tx, tournamentGuid, { players: 1 })
  } else {
    await takeOver(tx, { from: standIn.userGuid, to: userGuid, tournamentGuids: [tournamentGuid] }, now)
  }
  const accepted = await decideInvitation(tx, invitation.guid, 'accepted', now)
  await updateTeam(tx, teamGuid, {}, now)
  emit(tx, {
    type: 'team.member_joined',
    subject: teamGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { userGuid, isActive },
    touches: [invitation.guid, userGuid, ...(standIn === null ? [] : [standIn.userGuid])],
  })
  return { ...current, invitation: accepted }
}

/** The placeholder that has the place of an invited captain, if it still has it. */
async function findStandIn(
  tx: Tx,
  { standInGuid }: Invitation,
  members: readonly TeamMember[],
): Promise<TeamMember | null> {
  const member = members.find(({ userGuid }) => userGuid === standInGuid)
  if (member === undefined || (await lockUser(tx, member.userGuid))?.isPlaceholder !== true) return null
  return member
}

/**
 * @throws Problem `invitation.unknown`, `invitation.closed`
 */
export async function declineInvitation(
  tx: Tx,
  actor: SignedIn,
  { invitation }: InvitationFacts,
  now: Date,
): Promise<InvitationFacts> {
  checkIsInvited(actor, invitation)
  await lockTeam(tx, actor, invitation.tournamentGuid, invitation.teamGuid)
  const current = await loadInvitation(tx, invitation.guid)
  checkIsPending(current.invitation)
  const declined = await decideInvitation(tx, invitation.guid, 'declined', now)
  emitFor(tx, 'invitation.declined', declined, actor)
  return { ...current, invitation: declined }
}

/** Only the invited user can answer an invitation. For all other users it is unknown. (D5) */
function checkIsInvited(actor: SignedIn, invitation: Invitation): void {
  if (invitation.userGuid !== actor.guid) throw unknownInvitation()
}

async function loadInvitation(tx: Tx, guid: string): Promise<InvitationFacts> {
  const facts = await findInvitation(tx, guid)
  if (facts === undefined) throw unknownInvitation()
  return facts
}

export function unknownInvitation() {
  return missing('invitation.unknown', 'There is no such invitation.')
}

type InvitationEventType = Extract<EventType, `invitation.${string}`>

/** Emits without the message, which is private to the team and the invited user. */
function emitFor(
  tx: Tx,
  type: InvitationEventType,
  invitation: Pick<Invitation, 'guid' | 'tournamentGuid' | 'teamGuid' | 'userGuid' | 'status'>,
  actor: SignedIn,
): void {
  const { guid, tournamentGuid, teamGuid, userGuid, status } = invitation
  emit(tx, {
    type,
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { teamGuid, userGuid, status },
    touches: [teamGuid, userGuid],
  })
}
