import type { Play } from '../types.ts'

/** Where streams are watched. (streaming: Stream operations) */

/** The public path of a user's streams. It contains only the user's GUID: the key is secret. (S1) */
export function pathOf(userGuid: string): string {
  return `live/${userGuid}`
}

/** The play addresses of a stream. */
export function playOf(play: Play, path: string): Play {
  const filled = (template: string | null) => template?.replaceAll('{path}', path) ?? null
  return { whep: filled(play.whep), llhls: filled(play.llhls), hls: filled(play.hls) }
}
