import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import type { Play } from '../../streamServers/types.ts'

/** The key is secret, the path is public: whoever watches knows the user alone. (S1) */
export function pathOf(userGuid: string): string {
  return `live/${userGuid}`
}

/** Whose path it is; null for one that is nobody's. */
export function userOfPath(path: string): string | null {
  const [, guid = ''] = /^\/?live\/([^/]+)\/?$/.exec(path) ?? []
  return isGuid(guid) ? normaliseGuid(guid) : null
}

/** Where a stream is watched. */
export function playOf(play: Play, path: string): Play {
  const filled = (template: string | null) => template?.replaceAll('{path}', path) ?? null
  return { whep: filled(play.whep), llhls: filled(play.llhls), hls: filled(play.hls) }
}

/** A side without a stream of its own shows the player's channel on the streaming site, whose player wants to know on which host. (S12) */
export function embedUrl(channel: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return `https://player.twitch.tv/?${new URLSearchParams({ channel, parent: hostname })}`
}
