import type { SignedIn } from '../../../../core/actor.ts'
import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { changeCounts } from '../../../tournaments/tournaments/store/tournaments.ts'
import { mayManageTeam } from '../policy.ts'
import { checkHasActiveRoom, checkIsNotCaptain, checkNotOver, checkRosterUnlocked } from '../rules/teams.ts'
import { deleteMember, updateMember as updateRow, updateTeam } from '../store/teams.ts'
import type { TeamMember } from '../types.ts'
import { lockManagedTeam, lockTeam, mayNotManage } from './lock.ts'
import type { Changed } from './teams.ts'

/**
 * Makes a member active or a substitute.
 * @throws Problem `member.unknown`, `tournament.over`, `team.roster_locked`, `team.active_full`
 */
export async function updateMember(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
  userGuid: string,
  isActive: boolean,
  now: Date,
): Promise<Changed> {
  const locked = await lockManagedTeam(tx, actor, tournamentGuid, teamGuid)
  const { byOrganiser, tournament, team, members } = locked
  const member = memberOf(members, userGuid)
  checkNotOver(tournament, byOrganiser)
  checkRosterUnlocked(team, tournament, byOrganiser, now)
  if (member.isActive === isActive) return { tournament, team }
  if (isActive) checkHasActiveRoom(members, tournament)
  await updateRow(tx, teamGuid, userGuid, isActive)
  const after = await updateTeam(tx, teamGuid, {}, now)
  emit(tx, {
    type: 'team.member_updated',
    subject: teamGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { userGuid, isActive: member.isActive },
    after: { userGuid, isActive },
  })
  return { tournament, team: after }
}

/**
 * Removes a member from the team, by their own request or by a manager of the team. The organiser may reduce a
 * registered team below the minimum size: it is for the organiser to allow a smaller team.
 * @throws Problem `member.unknown`, `tournament.over`, `team.roster_locked`, `member.is_captain`
 */
export async function removeMember(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
  userGuid: string,
  now: Date,
): Promise<void> {
  const locked = await lockTeam(tx, actor, tournamentGuid, teamGuid)
  const { byOrganiser, tournament, team, members } = locked
  if (actor.guid !== userGuid && !mayManageTeam(actor, team)) throw mayNotManage()
  const member = memberOf(members, userGuid)
  checkNotOver(tournament, byOrganiser)
  checkRosterUnlocked(team, tournament, byOrganiser, now)
  checkIsNotCaptain(team, userGuid)
  await deleteMember(tx, teamGuid, userGuid)
  await updateTeam(tx, teamGuid, {}, now)
  await changeCounts(tx, tournamentGuid, { players: -1 })
  emit(tx, {
    type: actor.guid === userGuid ? 'team.member_left' : 'team.member_removed',
    subject: teamGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { userGuid, isActive: member.isActive },
    touches: [userGuid],
  })
}

function memberOf(members: readonly TeamMember[], userGuid: string): TeamMember {
  const member = members.find((each) => each.userGuid === userGuid)
  if (member === undefined) throw missing('member.unknown', 'This user is not a member of the team.')
  return member
}
