import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { checkIsHere } from '../../../people/users/commands/users.ts'
import { forgetPlaceholdersOf } from '../../../people/users/store/placeholders.ts'
import { findUser, lockUser } from '../../../people/users/store/users.ts'
import type { User } from '../../../people/users/types.ts'
import { readRecord, type TournamentRecord } from '../queries.ts'
import { checkDeletable, checkFitToOrganise, checkMayReceiveDraft } from '../rules/organiser.ts'
import { listPictured } from '../store/media.ts'
import { listRehearsalGuids } from '../store/rehearsals.ts'
import { countDrafts, deleteTournament as deleteRecord, updateTournament } from '../store/tournaments.ts'
import { lockTournament } from './lock.ts'

/**
 * Hands the tournament over to another user. The former organiser keeps no right in it. (D28)
 * @param userIdentifier any identifier of a user, or `@me` (D6)
 * @throws Problem `user.unknown`, `tournament.organiser_unchanged`, `tournament.organiser_unfit`
 */
export async function handOver(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  userIdentifier: string,
  now: Date,
): Promise<TournamentRecord> {
  const { tournament, counts } = await lockTournament(tx, guid)
  const before = tournament.organiserGuid
  const named = userIdentifier === '@me' ? actor.guid : (await findUser(tx, userIdentifier))?.guid
  const heir = await lockNewOrganiser(tx, named)
  const after = heir.guid
  if (after === before) {
    throw conflict('tournament.organiser_unchanged', 'This user is the organiser already.')
  }
  if (tournament.status === 'draft') checkMayReceiveDraft(heir, await countDrafts(tx, after))
  const changed = await updateTournament(tx, guid, { organiserGuid: after }, now)
  const record = await readRecord(tx, changed, counts)
  // Who organises the tournament decides about its rehearsals, too. (R1)
  for (const handed of [guid, ...(await listRehearsalGuids(tx, guid))]) {
    emit(tx, {
      type: 'tournament.handed_over',
      subject: handed,
      tournament: handed,
      actor: actor.guid,
      before: { organiserGuid: before },
      after: { organiserGuid: after },
      touches: [before, after],
      rights: true,
    })
  }
  return record
}

/**
 * Locks the user, so that the account cannot be deleted while it receives a tournament and receives only one at a time.
 */
export async function lockNewOrganiser(tx: Tx, userGuid: string | undefined): Promise<User> {
  const user = userGuid === undefined ? undefined : await lockUser(tx, userGuid)
  if (user === undefined) throw missing('user.unknown', 'There is no such user.')
  checkIsHere(user)
  checkFitToOrganise(user)
  return user
}

/**
 * Deletes a draft with everything in it, and its rehearsals. (D35, R1)
 * @throws Problem `tournament.not_draft`
 */
export async function deleteTournament(tx: Tx, actor: SignedIn, guid: string, now: Date): Promise<void> {
  const { tournament } = await lockTournament(tx, guid)
  checkDeletable(tournament.status)
  for (const rehearsal of await listRehearsalGuids(tx, guid)) await removeTournament(tx, actor.guid, rehearsal, now)
  await removeTournament(tx, actor.guid, guid, now)
}

/**
 * Deletes a tournament with everything in it, whatever its status.
 * @param actorGuid null for the service itself
 * @throws Problem `tournament.unknown`
 */
export async function removeTournament(tx: Tx, actorGuid: string | null, guid: string, now: Date): Promise<void> {
  const { tournament } = await lockTournament(tx, guid)
  const pictured = await listPictured(tx, guid)
  await deleteRecord(tx, guid)
  await forgetPlaceholdersOf(tx, guid, now)
  // Runs after the deletion: a concurrent request that added a picture has committed by now.
  await endUsages(tx, pictured, now)
  emit(tx, {
    type: 'tournament.deleted',
    subject: guid,
    tournament: guid,
    actor: actorGuid,
    before: { id: tournament.id, name: tournament.name },
    touches: [tournament.organiserGuid],
    rights: true,
  })
}
