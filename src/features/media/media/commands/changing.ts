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
import { roomOf } from '../rules/quotas.ts'
import { nameOf } from '../rules/uploads.ts'
import { deleteMedium, findMedium, listUsages, lockMedium, renameMedium } from '../store/media.ts'
import { changeUsed, lockRoom } from '../store/quotas.ts'
import type { Medium, Usage } from '../types.ts'

/**
 * Whoever may do so by a captaincy is asked for it again, under the lock under which it changes. Before the medium is locked.
 * @throws Problem `role.missing`, `tournament.unknown`, `team.unknown`
 */
async function holdCaptaincy(tx: Tx, actor: SignedIn, medium: Medium): Promise<void> {
  const { tournament, team } = medium
  if (tournament === null || team === null || mayDeleteMedium(actor, { ...medium, team: null })) return
  await lockManagedTeam(tx, actor, tournament.guid, team.guid)
}

/** @param seen as the caller was let in for it */
export async function rename(tx: Tx, actor: SignedIn, seen: Medium, given: string, now: Date): Promise<Medium> {
  await holdCaptaincy(tx, actor, seen)
  const { guid } = seen
  const medium = await lockMedium(tx, guid)
  if (medium === undefined) throw unknownMedium()
  const name = nameOf(given, null, medium.kind)
  if (name === medium.name) return medium
  await renameMedium(tx, guid, name, now)
  const changed = await findMedium(tx, guid)
  const told = { subject: guid, actor: actor.guid, before: { name: medium.name }, after: { name } }
  emit(tx, { type: 'media.renamed', ...told, ...placeOf(medium) })
  return changed ?? medium
}

/** What ending the use of a medium needs, wherever it is used. */
export interface Around {
  readonly fields: readonly MediaField[]
  readonly services: Services
  readonly now: Date
}

/**
 * Deletes a medium that nothing uses, or first unsets every field that does, if the caller may change all of them, or takes back
 * what is theirs alone.
 * @param seen as the caller was let in for it
 * @throws Problem `media.in_use` with the usages
 */
export async function remove(tx: Tx, actor: SignedIn, seen: Medium, detach: boolean, around: Around): Promise<void> {
  await holdCaptaincy(tx, actor, seen)
  const { guid } = seen
  const isTakenBack = detach && mayTakeBack(actor, seen)
  if (detach && !isTakenBack) await detachJudged(tx, actor, seen, around)
  const medium = await (isTakenBack ? lockUnused(tx, actor.guid, guid, around) : lockMedium(tx, guid))
  if (medium === undefined) throw unknownMedium()
  if (medium.usages > 0) throw inUse(await readUsages(tx, actor, seen, around.fields, around.now))
  await removeLocked(tx, medium, { type: 'media.deleted', actorGuid: actor.guid })
}

/**
 * Whether the caller may change all records that use it, and these may still be changed, is asked again under the locks that
 * detaching takes: both may have ended while it waited for them. What begins to use it meanwhile was not judged, and stays.
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
 * Unsets every field that uses it, whoever may change these, and locks it. Something may begin to use it before it is locked; behind
 * that nothing does.
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

/** Records that use it are locked before it is. */
async function detachEverywhere(tx: Tx, actorGuid: string, mediaGuid: string, around: Around): Promise<void> {
  for (const usage of inOrder(await listUsages(tx, mediaGuid))) await detachOne(tx, actorGuid, mediaGuid, usage, around)
}

/** In which records are locked, by whoever detaches from several. */
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

/** Of a medium that is locked, and that nothing uses. Its object goes after the commit, unless another medium has the same. */
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
