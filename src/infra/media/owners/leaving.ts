import type { Effects } from '../../../core/operation.ts'
import type { Tx } from '../../db/database.ts'
import { fieldOf, type MediaField } from '../fields.ts'
import { dropObjects } from '../objects/drop.ts'
import { endUsages } from '../usages.ts'
import { deleteOwn, disown, listUsesOfOwn, lockOwn } from './store.ts'

/** What leaving needs, wherever media are used. */
export interface Leaving {
  readonly fields: readonly MediaField[]
  readonly services: Effects['services']
  readonly now: Date
}

/**
 * What becomes of media when their owner gives up the account, once nothing else of theirs uses any: those that are theirs alone
 * are taken out of the records of others and deleted with their objects; what they gave to a tournament, a team, a platform or a
 * library stays without owner. Answers which they are, whose delivery and records are other ones from then on. (M17, M22)
 */
export async function leaveMedia(tx: Tx, userGuid: string, leaving: Leaving): Promise<readonly string[]> {
  await endUsages(tx, [userGuid], leaving.now)
  await detachOwn(tx, userGuid, leaving)
  await lockOwn(tx, userGuid)
  // Something may have begun to use one before it was locked.
  await detachOwn(tx, userGuid, leaving)
  const deleted = await deleteOwn(tx, userGuid)
  await dropObjects(
    tx,
    deleted.map(({ digest }) => digest),
  )
  return [...deleted.map(({ guid }) => guid), ...(await disown(tx, userGuid))]
}

/** Records that use them are locked before they are. */
async function detachOwn(tx: Tx, userGuid: string, { fields, services, now }: Leaving): Promise<void> {
  for (const { mediaGuid, subjectGuid, ...usage } of await listUsesOfOwn(tx, userGuid)) {
    await fieldOf(fields, usage)?.detach(tx, subjectGuid, { mediaGuid, actorGuid: userGuid, services, now })
  }
}

/** The accounts of others that show what is a user's alone: whoever administers accounts may give them a picture. */
export async function listWearers(tx: Tx, userGuid: string): Promise<string[]> {
  const uses = await listUsesOfOwn(tx, userGuid)
  return uses.flatMap(({ subject, subjectGuid }) => (subject === 'user' ? [subjectGuid] : []))
}
