import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { notifyAll } from '../../people/notifications/commands.ts'
import type { DatedNotification } from '../../people/notifications/types.ts'
import { lock, lockTeam, unknownTeam } from '../teams/commands/lock.ts'
import { deleteNote, findNote, listCaptains, upsertNote } from './store.ts'
import type { Messaged, Note } from './types.ts'

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

/**
 * Sends the captains of teams a message of the staff as a notification; somebody who captains several gets it once.
 * @throws Problem `tournament.unknown`, `team.unknown`
 */
export async function messageCaptains(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { teams, text }: { readonly teams: readonly string[]; readonly text: string },
  now: Date,
): Promise<Messaged> {
  const { tournament } = await lock(tx, actor, tournamentGuid)
  const wanted = [...new Set(teams)]
  const captains = await listCaptains(tx, tournamentGuid, wanted)
  if (captains.length < wanted.length) throw unknownTeam()
  const reached = captains.filter(({ hasAccount }) => hasAccount)
  const messages = new Map(
    reached.map(({ teamGuid, captainGuid }): [string, DatedNotification] => [
      captainGuid,
      {
        userGuid: captainGuid,
        type: 'registration.message',
        title: `Message from the staff of ${tournament.name}`,
        body: text,
        data: { tournamentGuid, teamGuid },
        createdAt: now,
      },
    ]),
  )
  await notifyAll(tx, [...messages.values()])
  emit(tx, {
    type: 'registration.messaged',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { teamGuids: wanted },
  })
  const unreached = captains.filter(({ hasAccount }) => !hasAccount).map(({ teamGuid }) => teamGuid)
  return { sent: reached.length, unreached }
}
