import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockEdition } from '../store/editions.ts'
import { deleteVotes, writeVotesDeleted } from '../store/votes.ts'

/** Deletes all sealed votes of an edition in one transaction, because a part of them would give another result. (A6) */
export async function deleteSealedVotes(tx: Tx, guid: string, now: Date): Promise<void> {
  const edition = await lockEdition(tx, guid)
  if (edition?.status !== 'published' || edition.votesDeletedAt !== null) return
  await deleteVotes(tx, guid)
  await writeVotesDeleted(tx, guid, now)
  emit(tx, { type: 'award.votes_deleted', subject: guid, actor: null })
}
