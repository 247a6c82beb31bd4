import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { lockTeam } from '../teams/commands/lock.ts'
import { deleteNote, findNote, upsertNote } from './store.ts'
import type { Note } from './types.ts'

/**
 * Saves what the staff note about a team, or removes it. Saving the same text again changes nothing.
 * @param text null or an empty text removes the note
 * @throws Problem `tournament.unknown`, `team.unknown`
 */
export async function setNote(
  tx: Tx,
  actor: SignedIn,
  target: { readonly tournamentGuid: string; readonly teamGuid: string },
  text: string | null,
  now: Date,
): Promise<Note | null> {
  const { tournamentGuid, teamGuid } = target
  await lockTeam(tx, actor, tournamentGuid, teamGuid)
  const before = await findNote(tx, teamGuid)
  const after = text === null || text === '' ? null : { note: text, updatedAt: now }
  if (before?.note === after?.note) return before
  await (after === null ? deleteNote(tx, teamGuid) : upsertNote(tx, teamGuid, after))
  emit(tx, {
    type: 'registration.noted',
    subject: teamGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { noted: before !== null },
    after: { noted: after !== null },
  })
  return after
}
