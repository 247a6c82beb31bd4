import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { fieldOf, type MediaField } from '../../../../infra/media/fields.ts'
import { dropObjects } from '../../../../infra/media/objects/drop.ts'
import type { Services } from '../../../../services.ts'
import { lockManagedTeam } from '../../../teams/teams/commands/lock.ts'
import { mayDeleteMedium, mayTakeBack } from '../policy.ts'
import { judgeUsages, readUsages } from '../queries.ts'
import { unknownMedium } from '../resolve.ts'
import { nameOf, roomOf } from '../rules.ts'
import { deleteMedium, findMedium, listUsages, lockMedium, renameMedium } from '../store/media.ts'
import { changeUsed, lockRoom } from '../store/quotas.ts'
import type { Medium, Usage } from '../types.ts'

/**
 * If the actor's right comes from being a captain, checks it again under the tournament's lock, under which captains
 * change. Call before the medium is locked.
 * @throws Problem `role.missing`, `tournament.unknown`, `team.unknown`
 */
async function lockCaptaincy(tx: Tx, actor: SignedIn, medium: Medium): Promise<void> {
  const { tournament, team } = medium
  if (tournament === null || team === null || mayDeleteMedium(actor, { ...medium, team: null })) return
  await lockManagedTeam(tx, actor, tournament.guid, team.guid)
}

/** @param seen the medium as it was when the caller's rights were checked */
export async function rename(tx: Tx, actor: SignedIn, seen: Medium, given: string, now: Date): Promise<Medium> {
  await lockCaptaincy(tx, actor, seen)
  const { guid } = seen
  const medium = await lockMedium(tx, guid)
  if (medium === undefined) throw unknownMedium()
  const name = nameOf(given, null, medium.kind)
  if (name === medium.name) return medium
  await renameMedium(tx, guid, name, now)
  const changed = await findMedium(tx, guid)
  const event = { subject: guid, actor: actor.guid, before: { name: medium.name }, after: { name } }
  emit(tx, { type: 'media.renamed', ...event, ...placeOf(medium) })
  return changed ?? medium
}

/** The services that detaching a medium from its fields needs. */
export interface Around {
  readonly fields: readonly MediaField[]
  readonly services: Services
  readonly now: Date
}

/**
 * Deletes an unused medium. With `detach`, first unsets every field that uses it: the caller must be allowed to change
 * all of them, or the medium must be the caller's own.
 * @param seen the medium as it was when the caller's rights were checked
 * @throws Problem `media.in_use` with the usages
 */
export async function remove(tx: Tx, actor: SignedIn, seen: Medium, detach: boolean, around: Around): Promise<void> {
  await lockCaptaincy(tx, actor, seen)
  const { guid } = seen
  const isTakenBack = detach && mayTakeBack(actor, seen)
  if (detach && !isTakenBack) await detachJudged(tx, actor, seen, around)
  const medium = await (isTakenBack ? lockUnused(tx, actor.guid, guid, around) : lockMedium(tx, guid))
  if (medium === undefined) throw unknownMedium()
  if (medium.usages > 0) throw inUse(await readUsages(tx, actor, seen, around.fields, around.now))
  await removeLocked(tx, medium, { type: 'media.deleted', actorGuid: actor.guid })
}

/**
 * Unsets the fields that use the medium. Checks the caller's rights to change these records twice: before, and again
 * under the locks that detaching takes, because they may change during the wait. A use that begins in the meantime is
 * not checked, and stays.
 * @throws Problem `media.in_use`
 */
async function detachJudged(tx: Tx, actor: SignedIn, medium: Medium, around: Around): Promise<void> {
  const { guid } = medium
  const check = async (usages: readonly Usage[]) => {
    const judged = await judgeUsages(tx, actor, medium, usages, around.fields, around.now)
    if (judged.some(({ mayDetach }) => !mayDetach)) throw inUse(judged)
  }
  const usages = inOrder(await listUsages(tx, guid))
  await check(usages)
  const detached: Usage[] = []
  for (const usage of usages) if (await detachOne(tx, actor.guid, guid, usage, around)) detached.push(usage)
  await check(detached)
}

/**
 * Unsets every field that uses the medium, without a check of rights, and locks the medium. Repeats if a new use begins
 * before the lock; after it, none can begin.
 */
export async function lockUnused(tx: Tx, actorGuid: string, guid: string, around: Around): Promise<Medium | undefined> {
  for (let left = Number.POSITIVE_INFINITY; ; ) {
    await detachEverywhere(tx, actorGuid, guid, around)
    const medium = await lockMedium(tx, guid)
    if (medium === undefined || medium.usages === 0) return medium
    if (medium.usages >= left) throw new Error('a medium is used where nobody can unset it')
    left = medium.usages
  }
}

/** Locks the records that use the medium before the medium itself. */
async function detachEverywhere(tx: Tx, actorGuid: string, mediaGuid: string, around: Around): Promise<void> {
  for (const usage of inOrder(await listUsages(tx, mediaGuid))) await detachOne(tx, actorGuid, mediaGuid, usage, around)
}

/** The order in which records are locked when a medium is detached from several. */
function inOrder(usages: readonly Usage[]): Usage[] {
  const key = ({ subject, subjectGuid, field }: Usage) => `${subject} ${subjectGuid} ${field}`
  return usages.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}

async function detachOne(
  tx: Tx,
  actorGuid: string,
  mediaGuid: string,
  usage: Usage,
  { fields, services, now }: Around,
): Promise<boolean> {
  const field = fieldOf(fields, usage)
  return (await field?.detach(tx, usage.subjectGuid, { mediaGuid, actorGuid, services, now })) ?? false
}

/**
 * Deletes a medium that is locked and unused. After the commit its object is deleted, unless another medium has the
 * same object.
 */
export async function removeLocked(
  tx: Tx,
  medium: Medium,
  how:
    | { readonly type: 'media.deleted'; readonly actorGuid: string | null }
    | { readonly type: 'media.taken_down'; readonly actorGuid: string; readonly reason: string },
): Promise<void> {
  const { guid, kind, name, tournamentGuid } = medium
  if (medium.ownerGuid !== null || tournamentGuid !== null || medium.platformGuid !== null) {
    const room = roomOf(medium, medium.ownerGuid ?? '')
    await lockRoom(tx, room.guid)
    await changeUsed(tx, room.guid, -medium.bytes, -1)
  }
  await deleteMedium(tx, guid)
  await dropObjects(tx, [medium.digest.toString('hex')])
  const before = { kind, name }
  const place = placeOf(medium)
  if (how.type === 'media.deleted') emit(tx, { type: how.type, subject: guid, actor: how.actorGuid, before, ...place })
  else {
    const after = { reason: how.reason }
    emit(tx, { type: how.type, subject: guid, actor: how.actorGuid, before, after, ...place })
  }
}

function placeOf({ tournamentGuid }: Medium) {
  return tournamentGuid === null ? {} : { tournament: tournamentGuid }
}

function inUse(usages: readonly object[]) {
  return conflict('media.in_use', 'Something uses it; unset the fields that do, or ask with detach=true.', { usages })
}
