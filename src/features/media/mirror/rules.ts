import { mediaGuidIn, mirroredUrl } from '../../../core/media.ts'
import { webAddressFault } from '../../../core/web.ts'
import type { User } from '../../people/users/types.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A picture is asked for at most once a day, and an hour after it could not be had. (M26) */
export const renewedAfterMs = dayMs
export const retriedAfterMs = hourMs

/** Pictures go 30 days after the last record dropped their address. (M26) */
export const keptAfterDroppedMs = 30 * dayMs

/**
 * The address of a picture elsewhere that a part of an address stands for, which may be any address that a record could hold;
 * null for what none could, and for our own. (M26)
 */
export function askedFor(part: string, mediaOrigin: string): string | null {
  const url = mirroredUrl(part)
  return url === null || webAddressFault(url) !== null || mediaGuidIn(mediaOrigin, url) !== 'foreign' ? null : url
}

/**
 * How the addresses of all pictures begin that a chat account ever had, which name the account; null where the last one is no
 * picture of its own. (domain: chat platform, avatar address)
 */
export function chatPicturesOf({
  chatAvatarUrl,
  chatPlatformId,
}: Pick<User, 'chatAvatarUrl' | 'chatPlatformId'>): string | null {
  const folder = `/avatars/${chatPlatformId}/`
  const at = chatAvatarUrl?.indexOf(folder) ?? -1
  return chatAvatarUrl === null || at < 0 ? null : chatAvatarUrl.slice(0, at + folder.length)
}
