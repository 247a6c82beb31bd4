import type { SignedIn } from '../../../core/actor.ts'
import { forbidden, invalid, missing } from '../../../core/problem.ts'
import type { TournamentRole } from '../../../core/roles.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { keepAccount } from '../../people/users/commands/users.ts'
import { mayGrant } from './policy.ts'
import { checkRoomForRole } from './rules.ts'
import * as store from './store/roles.ts'
import type { RoleHolder } from './types.ts'

/** @throws Problem `role.missing`, `tournament.unknown`, `user.unknown`, `role.already_held`, `role.limit_reached` */
export async function grantRole(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  holder: RoleHolder,
  now: Date,
): Promise<void> {
  await lockAndCheck(tx, actor, tournamentGuid, holder.role)
  await keepAccount(tx, holder.userGuid)
  checkRoomForRole(await store.countRoles(tx, tournamentGuid))
  if (!(await store.insertRole(tx, tournamentGuid, holder, actor.guid, now))) {
    throw invalid('role.already_held', `The user already holds ${holder.role} in this tournament.`)
  }
  emit(tx, {
    type: 'access.granted',
    subject: holder.userGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { role: holder.role },
  })
}

/** @throws Problem `role.missing`, `tournament.unknown`, `role.not_held` */
export async function revokeRole(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { userGuid, role }: RoleHolder,
): Promise<void> {
  await lockAndCheck(tx, actor, tournamentGuid, role)
  if (!(await store.deleteRole(tx, tournamentGuid, userGuid, role))) {
    throw invalid('role.not_held', `The user does not hold ${role} in this tournament.`)
  }
  emit(tx, {
    type: 'access.revoked',
    subject: userGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { role },
  })
}

/** The actor may have lost what let them in while this change waited for another. */
async function lockAndCheck(tx: Tx, actor: SignedIn, tournamentGuid: string, role: TournamentRole): Promise<void> {
  const locked = await store.lockRoles(tx, tournamentGuid)
  if (locked === undefined) throw missing('tournament.unknown', 'There is no such tournament.')
  const roles = new Set(await store.listRolesHere(tx, tournamentGuid, actor.guid))
  const isOrganiser = locked.organiserGuid === actor.guid
  if (mayGrant({ ...actor, isOrganiser, roles }, role)) return
  throw forbidden('role.missing', `Your roles do not let you grant or revoke ${role} in this tournament.`)
}
