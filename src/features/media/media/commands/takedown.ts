import type { Config } from '../../../../config.ts'
import type { SignedIn } from '../../../../core/actor.ts'
import { mediaUrl } from '../../../../core/media.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { objectName, variantName } from '../../../../infra/storage/storage.ts'
import { notify } from '../../../people/notifications/commands.ts'
import { takedownNotice } from '../rules.ts'
import { blockUpload, findOrganisers, listCopies, lockUpload } from '../store/media.ts'
import type { Medium } from '../types.ts'
import { type Around, lockUnused, removeLocked } from './changing.ts'

/** The job that logs the addresses to purge from other caches. */
export const purgeJob = 'media.purge'

/**
 * Takes a medium down permanently, together with all media made of the same upload. Unsets every field that uses them,
 * blocks the upload for ever, and notifies owners and organisers. (media: Operations, takedown; M22)
 */
export async function takeDown(tx: Tx, actor: SignedIn, medium: Medium, reason: string, around: Around): Promise<void> {
  const { now, services } = around
  await lockUpload(tx, medium.uploadDigest.toString('hex'))
  await blockUpload(tx, medium.uploadDigest, reason, actor.guid, now)
  const addresses: string[] = []
  for (const guid of await listCopies(tx, medium.uploadDigest)) {
    const copy = await lockUnused(tx, actor.guid, guid, around)
    if (copy === undefined) continue
    addresses.push(mediaUrl(services.config.media.url, guid, copy.type), ...inBucket(services.config, copy))
    await removeLocked(tx, copy, { type: 'media.taken_down', actorGuid: actor.guid, reason })
    const organisers = copy.tournamentGuid === null ? [] : await findOrganisers(tx, copy.tournamentGuid)
    const notified = new Set([...(copy.ownerGuid === null ? [] : [copy.ownerGuid]), ...organisers])
    for (const userGuid of notified) await notify(tx, { userGuid, ...takedownNotice(copy, reason) })
  }
  await enqueue(tx, purgeJob, { payload: { addresses } })
}

/** Returns the addresses in the bucket, if clients read from the bucket directly. */
function inBucket({ media: { s3 } }: Config, { digest }: Medium): string[] {
  if (s3?.publicUrl == null) return []
  const hex = digest.toString('hex')
  return [`${s3.publicUrl}/${objectName(hex)}`, `${s3.publicUrl}/${variantName(hex, '')}`]
}
