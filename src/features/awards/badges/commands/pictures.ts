import { mediaUrl } from '../../../../core/media.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { isIn } from '../../../../infra/media/references.ts'
import { lockMedia } from '../../../../infra/media/store.ts'
import { setUsages } from '../../../../infra/media/usages.ts'
import { unusablePicture } from '../rules/badges.ts'

export const pictureUse = { subject: 'badge', field: 'imageUrl' } as const

/** Whose media a badge may show. */
export interface PictureRoom {
  /** Whoever makes the badge, and whoever asked for it. */
  readonly owners: readonly string[]
  readonly tournamentGuid: string | null
}

/**
 * The address of a picture for a badge: own media of the kind `badge_image`, of the tournament, or of the library with nobody
 * behind it. It stays until the transaction ends. (M24, M25; badges: Records)
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

/** What the service itself brought, and what was left behind by those who gave up their accounts. (M17) */
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
