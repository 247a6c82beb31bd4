import type { Effects } from '../../../core/operation.ts'
import type { Tx } from '../../db/database.ts'
import { fieldOf, type MediaField } from '../fields.ts'
import { dropObjects } from '../objects/drop.ts'
import { endUsages } from '../usages.ts'
import { deleteOwn, disown, listUsesOfOwn, lockOwn } from './store.ts'

/** What the removal of a user's media needs. */
export interface Leaving {
  readonly fields: readonly MediaField[]
  readonly services: Effects['services']
  readonly now: Date
}

/**
 * Handles the media of a user who gives up the account. Media that are the user's alone are removed from all records
 * and deleted with their objects; media of a tournament, a team, a platform or a library stay without owner. Returns
 * the GUIDs of all of them: their delivery and records have changed. Call it when the user's other records use no media
 * any more. (M17, M22)
 */
export async function leaveMedia(tx: Tx, userGuid: string, leaving: Leaving): Promise<readonly string[]> {
  await endUsages(tx, [userGuid], leaving.now)
  await detachOwn(tx, userGuid, leaving)
  await lockOwn(tx, userGuid)
  // A record may have begun to use one of them before they were locked.
  await detachOwn(tx, userGuid, leaving)
  const deleted = await deleteOwn(tx, userGuid)
  await dropObjects(
    tx,
    deleted.map(({ digest }) => digest),
  )
  return [...deleted.map(({ guid }) => guid), ...(await disown(tx, userGuid))]
}

/** Locks the records that use the media before the media. */
async function detachOwn(tx: Tx, userGuid: string, { fields, services, now }: Leaving): Promise<void> {
  for (const { mediaGuid, subjectGuid, ...usage } of await listUsesOfOwn(tx, userGuid)) {
    await fieldOf(fields, usage)?.detach(tx, subjectGuid, { mediaGuid, actorGuid: userGuid, services, now })
  }
}

/** The accounts of others that show media of this user alone: an administrator of accounts may give them a picture. */
export async function listWearers(tx: Tx, userGuid: string): Promise<string[]> {
  const uses = await listUsesOfOwn(tx, userGuid)
  return uses.flatMap(({ subject, subjectGuid }) => (subject === 'user' ? [subjectGuid] : []))
}
