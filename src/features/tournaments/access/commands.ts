import type { SignedIn } from '../../../core/actor.ts'
import { forbidden, invalid } from '../../../core/problem.ts'
import type { TournamentRole } from '../../../core/roles.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { lockPersonForKeyShare } from '../../people/users/commands/users.ts'
import { mayGrant } from './policy.ts'
import { checkRoomForRole } from './rules.ts'
import * as store from './store.ts'
import type { RoleHolder } from './types.ts'

/** @throws Problem `role.missing`, `user.unknown`, `role.already_held`, `role.limit_reached` */
export async function grantRole(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  holder: RoleHolder,
  now: Date,
): Promise<void> {
  checkMayGrant(actor, holder.role)
  await store.lockRoles(tx, tournamentGuid)
  await lockPersonForKeyShare(tx, holder.userGuid)
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

/** @throws Problem `role.missing`, `role.not_held` */
export async function revokeRole(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { userGuid, role }: RoleHolder,
): Promise<void> {
  checkMayGrant(actor, role)
  if (!(await store.deleteRole(tx, tournamentGuid, userGuid, role))) {
    throw invalid('role.not_held', `The user does not hold ${role} in this tournament.`)
  }
  emit(tx, {
    type: 'access.revoked',
    subject: userGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { role },
    rights: true,
  })
}

function checkMayGrant(actor: SignedIn, role: TournamentRole): void {
  if (mayGrant(actor, role)) return
  throw forbidden('role.missing', `Your roles do not let you grant or revoke ${role} in this tournament.`)
}
