import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import type { Play } from '../../streamServers/types.ts'

/** The public path of a user's streams. It contains only the user's GUID: the key is secret. (S1) */
export function pathOf(userGuid: string): string {
  return `live/${userGuid}`
}

/** The user whose path it is; null for any other path. */
export function userOfPath(path: string): string | null {
  const [, guid = ''] = /^\/?live\/([^/]+)\/?$/.exec(path) ?? []
  return isGuid(guid) ? normaliseGuid(guid) : null
}

/** The play addresses of a stream. */
export function playOf(play: Play, path: string): Play {
  const filled = (template: string | null) => template?.replaceAll('{path}', path) ?? null
  return { whep: filled(play.whep), llhls: filled(play.llhls), hls: filled(play.hls) }
}

/**
 * The player of the user's channel on the streaming site, shown for a side without a stream of its own. The site
 * requires the host of the page as `parent`. (S12)
 */
export function embedUrl(channel: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return `https://player.twitch.tv/?${new URLSearchParams({ channel, parent: hostname })}`
}
