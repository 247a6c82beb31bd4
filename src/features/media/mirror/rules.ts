import { mediaGuidIn, mirroredUrl } from '../../../core/media.ts'
import { webAddressFault } from '../../../core/web.ts'
import type { User } from '../../people/users/types.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A picture is fetched at most once a day, and again an hour after a failure. (M26) */
export const renewedAfterMs = dayMs
export const retriedAfterMs = hourMs

/** Copies are deleted 30 days after the last record dropped their address. (M26) */
export const keptAfterDroppedMs = 30 * dayMs

/**
 * Returns the address of the external picture that a part of a request's address names; null if no record could contain
 * it, or if it is an address of this service. (M26)
 */
export function askedFor(part: string, mediaOrigin: string): string | null {
  const url = mirroredUrl(part)
  return url === null || webAddressFault(url) !== null || mediaGuidIn(mediaOrigin, url) !== 'foreign' ? null : url
}

/**
 * Returns the common beginning of all picture addresses of a chat account; they contain the account's ID. Returns null
 * if the last picture is not the account's own. (domain: chat platform, avatar address)
 */
export function chatPicturesOf({
  chatAvatarUrl,
  chatPlatformId,
}: Pick<User, 'chatAvatarUrl' | 'chatPlatformId'>): string | null {
  const folder = `/avatars/${chatPlatformId}/`
  const at = chatAvatarUrl?.indexOf(folder) ?? -1
  return chatAvatarUrl === null || at < 0 ? null : chatAvatarUrl.slice(0, at + folder.length)
}
