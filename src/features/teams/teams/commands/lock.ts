import type { SignedIn } from '../../../../core/actor.ts'
import { forbidden, missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { findUser } from '../../../people/users/store/users.ts'
import type { User } from '../../../people/users/types.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import type { Counts, Tournament } from '../../../tournaments/tournaments/types.ts'
import { captainAndOrganisers, mayManageTeam } from '../policy.ts'
import { findTeamByGuid, listMembers } from '../store/teams.ts'
import type { Team, TeamMember } from '../types.ts'

export interface Locked {
  readonly actor: SignedIn
  readonly byOrganiser: boolean
  readonly tournament: Tournament
  readonly counts: Counts
}

export interface LockedTeam<Member extends TeamMember = TeamMember> extends Locked {
  readonly team: Team
  readonly members: readonly Member[]
}

/** Reads a team's members in the order in which they joined, with the data that the caller needs. */
type MembersReader<Member extends TeamMember> = (tx: Tx, teamGuid: string) => Promise<readonly Member[]>

const readMembers: MembersReader<TeamMember> = async (tx, teamGuid) =>
  (await listMembers(tx, [teamGuid])).get(teamGuid) ?? []

/**
 * Locks the tournament, which serialises all changes of its teams.
 * @throws Problem `tournament.unknown`
 */
export async function lock(tx: Tx, actor: SignedIn, tournamentGuid: string): Promise<Locked> {
  return { actor, byOrganiser: isOrganiser(actor), ...(await lockTournament(tx, tournamentGuid)) }
}

/**
 * Locks the tournament and reads the current state of the team.
 * @throws Problem `tournament.unknown`, `team.unknown`
 */
export function lockTeam(tx: Tx, actor: SignedIn, tournamentGuid: string, teamGuid: string): Promise<LockedTeam> {
  return lockTeamWith(tx, actor, tournamentGuid, teamGuid, readMembers)
}

async function lockTeamWith<Member extends TeamMember>(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
  read: MembersReader<Member>,
): Promise<LockedTeam<Member>> {
  // The connection runs the statements in order, so the team is read under the lock.
  const [locked, team, members] = await Promise.all([
    lock(tx, actor, tournamentGuid),
    findTeamByGuid(tx, teamGuid),
    read(tx, teamGuid),
  ])
  if (team?.tournamentGuid !== tournamentGuid) throw unknownTeam()
  return { ...locked, team, members }
}

/**
 * Does the same for a caller who must manage the team. The right is checked again under the lock, as the captain may
 * have changed since the request was let in.
 * @throws Problem `tournament.unknown`, `team.unknown`, `role.missing`
 */
export function lockManagedTeam(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
): Promise<LockedTeam> {
  return lockManagedTeamWith(tx, actor, tournamentGuid, teamGuid, readMembers)
}

export async function lockManagedTeamWith<Member extends TeamMember>(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  teamGuid: string,
  read: MembersReader<Member>,
): Promise<LockedTeam<Member>> {
  const locked = await lockTeamWith(tx, actor, tournamentGuid, teamGuid, read)
  if (!mayManageTeam(locked.actor, locked.team)) throw mayNotManage()
  return locked
}

export function mayNotManage() {
  return forbidden('role.missing', `Only ${captainAndOrganisers.who} may do this.`)
}

export function unknownTeam() {
  return missing('team.unknown', 'There is no such team in this tournament.')
}

/**
 * Finds the user that a body names by any identifier. Banned users count as unknown, as they may not join anything new.
 * (D6, D24)
 * @throws Problem `user.unknown`
 */
export async function loadUser(tx: Tx, actor: SignedIn, identifier: string): Promise<User> {
  const user = await findUser(tx, identifier === '@me' ? actor.guid : identifier)
  if (user === undefined || user.bannedAt !== null) throw missing('user.unknown', 'There is no such user.')
  return user
}
