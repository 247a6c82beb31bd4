import type { SignedIn } from '../../../../core/actor.ts'
import { mediaUrl } from '../../../../core/media.ts'
import { busy, missing } from '../../../../core/problem.ts'
import type { StoredUpload } from '../../../../core/uploads.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { storeObject } from '../../../../infra/media/objects/keep.ts'
import { lockObjectForShare } from '../../../../infra/media/objects/store.ts'
import { objectName } from '../../../../infra/storage/storage.ts'
import type { Services } from '../../../../services.ts'
import { changeSettings } from '../../../people/users/commands/users.ts'
import { chatAvatarOf } from '../../../people/users/rules/avatar.ts'
import { findUserByGuid } from '../../../people/users/store/users.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { blockedUpload, type Kept } from '../prepare.ts'
import { checkRoom, nameOf, quotaOf, roomOf } from '../rules.ts'
import { findMedium, findSameUpload, insertMedium, isBlocked, lockUploadForShare, renewIdle } from '../store/media.ts'
import { changeUsed, lockRoom } from '../store/quotas.ts'
import type { Medium, Target } from '../types.ts'

export interface Uploading {
  readonly actor: SignedIn
  readonly target: Target
  readonly upload: StoredUpload
  readonly kept: Kept
  readonly name: string | undefined
  readonly hasRightsConfirmed: boolean
  readonly services: Services
  readonly now: Date
}

/**
 * Locks the tournament of a team, so that the team keeps its captain until the transaction ends. Call before the
 * captain's right is checked. Locks the upload first, in the same order as a takedown.
 * @throws Problem `tournament.unknown`
 */
export async function lockTarget(
  tx: Tx,
  { digest }: Pick<StoredUpload, 'digest'>,
  { tournamentGuid, teamGuid }: Target,
): Promise<void> {
  if (tournamentGuid === null || teamGuid === null) return
  await lockUploadForShare(tx, digest)
  await lockTournament(tx, tournamentGuid)
}

/**
 * Inserts a record for a stored upload, or returns the record that the same upload has already for the same target.
 * Concurrent uploads to one quota wait for each other. (M12, M16)
 * @throws Problem `media.quota_exceeded`, `media.blocked`
 */
export async function addMedium(tx: Tx, uploading: Uploading): Promise<{ medium: Medium; isNew: boolean }> {
  const { actor, target, upload, kept, services, now } = uploading
  const room = roomOf(target, actor.guid)
  await lockUploadForShare(tx, upload.digest)
  const same = await findSameUpload(tx, upload.digest, actor.guid, target)
  // Locks the medium before the quota. If it was deleted in the meantime, the next query does not find it either.
  if (same !== null && (await renewIdle(tx, same, now))) return { medium: await load(tx, same), isNew: false }
  const used = await lockRoom(tx, room.guid)
  const other = await findSameUpload(tx, upload.digest, actor.guid, target)
  if (other !== null) return { medium: await load(tx, other), isNew: false }
  if (await isBlocked(tx, upload.digest)) throw blockedUpload()
  // The equal medium was deleted in the meantime, and this upload was not decoded.
  if ('same' in kept) throw busy('The same file was being deleted; send it again.')
  const { decoded } = kept
  checkRoom(quotaOf(room.of, services.config.media.quotas), used, decoded.bytes)
  await lockObjectForShare(tx, decoded.digest)
  // The sweep may have deleted the object in the meantime, if no row had named it for a day.
  if ((await services.storage.head(objectName(decoded.digest))) === null) {
    await storeObject(services.storage, decoded, kept.file, upload.beside('again'))
  }
  const name = nameOf(uploading.name, upload.name, target.kind)
  const guid = await insertMedium(tx, {
    ...target,
    name,
    ownerGuid: actor.guid,
    type: decoded.type,
    bytes: decoded.bytes,
    width: decoded.width,
    height: decoded.height,
    isAnimated: decoded.isAnimated,
    durationMs: decoded.durationMs,
    color: decoded.color,
    digest: Buffer.from(decoded.digest, 'hex'),
    uploadDigest: Buffer.from(upload.digest, 'hex'),
    hasRightsConfirmed: uploading.hasRightsConfirmed,
    createdAt: now,
    updatedAt: now,
  })
  await changeUsed(tx, room.guid, decoded.bytes, 1)
  const medium = await load(tx, guid)
  const event = {
    type: 'media.uploaded',
    subject: guid,
    actor: actor.guid,
    after: { kind: target.kind, name },
  } as const
  emit(tx, target.tournamentGuid === null ? event : { ...event, tournament: target.tournamentGuid })
  return { medium, isNew: true }
}

async function load(tx: Tx, guid: string): Promise<Medium> {
  const medium = await findMedium(tx, guid)
  if (medium === undefined) throw new Error('a medium is gone that was just there')
  return medium
}

/** Uploads a picture and sets it as the avatar, in one transaction. (media: Operations) */
export async function setAvatar(tx: Tx, uploading: Uploading): Promise<Medium> {
  const { actor, services, now } = uploading
  const { medium } = await addMedium(tx, uploading)
  const avatarUrl = mediaUrl(services.config.media.url, medium.guid, medium.type)
  await changeSettings(tx, actor, { avatarUrl }, { mediaUrl: services.config.media.url, now })
  return load(tx, medium.guid)
}

/** Sets the avatar back to the picture of the chat account. (media: Operations) */
export async function removeAvatar(
  tx: Tx,
  actor: SignedIn,
  { config }: Pick<Services, 'config'>,
  now: Date,
): Promise<void> {
  const user = await findUserByGuid(tx, actor.guid)
  if (user === undefined) throw missing('user.unknown', 'There is no such user.')
  const avatarUrl = chatAvatarOf(user, config.chat.cdnUrl)
  await changeSettings(tx, actor, { avatarUrl }, { mediaUrl: config.media.url, now })
}
