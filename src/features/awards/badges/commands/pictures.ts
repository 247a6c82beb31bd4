import { mediaUrl } from '../../../../core/media.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { isIn } from '../../../../infra/media/references.ts'
import { lockMedia } from '../../../../infra/media/store.ts'
import { setUsages } from '../../../../infra/media/usages.ts'
import { unusablePicture } from '../rules/badges.ts'

export const pictureUse = { subject: 'badge', field: 'imageUrl' } as const

/** The owners of the media that a badge may show. */
export interface PictureRoom {
  /** The user who creates the badge, and the one who requested it. */
  readonly owners: readonly string[]
  readonly tournamentGuid: string | null
}

/**
 * The address of a badge's picture. It must be an owner's medium of the kind `badge_image`, one of the tournament, or
 * one of the library without an owner. The medium is locked until the transaction ends. (M24, M25; badges: Records)
 * @throws Problem `media.reference_invalid`
 */
export async function readPicture(
  tx: Tx,
  origin: string,
  mediaGuid: string,
  { owners, tournamentGuid }: PictureRoom,
): Promise<string> {
  const [medium] = await lockMedia(tx, [mediaGuid])
  if (medium?.kind !== 'badge_image') throw unusablePicture()
  const room = { owners, ...(tournamentGuid === null ? {} : { tournamentGuid }) }
  if (!isIn(medium, room) && !isNobodys(medium)) throw unusablePicture()
  return mediaUrl(origin, mediaGuid, medium.type)
}

/** Media that the service imported, and those of deleted accounts. (M17) */
function isNobodys({
  ownerGuid,
  tournamentGuid,
}: {
  readonly ownerGuid: string | null
  readonly tournamentGuid: string | null
}): boolean {
  return ownerGuid === null && tournamentGuid === null
}

export async function usePicture(tx: Tx, badgeGuid: string, mediaGuid: string, now: Date): Promise<void> {
  await setUsages(tx, { ...pictureUse, subjectGuid: badgeGuid }, [mediaGuid], now)
}
