import { type MediaKind, mediaKinds } from '../../../core/media.ts'
import { readNameOrNone } from '../../../core/names.ts'
import { conflict, invalid, Problem } from '../../../core/problem.ts'
import { oneLine } from '../../../core/text.ts'
import type { MediaFault } from '../../../infra/decoder/requests.ts'
import type { Notice } from '../../people/notifications/types.ts'
import type { Medium, Quota, Room, Target, Used } from './types.ts'

/**
 * Returns the quota that a medium counts against: its tournament's (team pictures included), its platform's, otherwise
 * its owner's. (M16)
 */
export function roomOf({ tournamentGuid, platformGuid }: Omit<Target, 'kind'>, ownerGuid: string): Room {
  if (tournamentGuid !== null) return { of: 'tournament', guid: tournamentGuid }
  if (platformGuid !== null) return { of: 'platform', guid: platformGuid }
  return { of: 'user', guid: ownerGuid }
}

/** Maximum bytes by kind of quota, as configured. (M16) */
export type RoomSizes = Readonly<Record<Room['of'], number>>

const files = { user: 500, tournament: 2_000, platform: 500 } as const

export function quotaOf(of: Room['of'], sizes: RoomSizes): Quota {
  return { bytes: sizes[of], files: files[of] }
}

/**
 * Delivered bytes of each record count, even if records share an object. (M16)
 * @throws Problem `media.quota_exceeded`
 */
export function checkRoom(quota: Quota, used: Used, bytes: number): void {
  if (used.usedFiles >= quota.files) {
    throw conflict('media.quota_exceeded', `There are ${quota.files} files already; delete some that are not used.`)
  }
  if (used.usedBytes + bytes > quota.bytes) {
    throw conflict('media.quota_exceeded', 'There is no room left for this file; delete some that are not used.')
  }
}

/** The notification for owner and organiser: which medium was taken down, and why. (media: Operations, takedown) */
export function takedownNotice({ guid, kind, name, tournamentGuid }: Medium, reason: string): Notice {
  return {
    type: 'media.taken_down',
    title: `${name} was taken down`,
    body: reason,
    data: { mediaGuid: guid, kind, ...(tournamentGuid === null ? {} : { tournamentGuid }) },
  }
}

/** Requirements for uploads, and the names of media. */

/** Maximum number of characters of a name. (media: Record and kinds) */
export const maxNameCharacters = 120

/** Kinds that are usually the work of others: the uploader must confirm having the rights. (M2) */
const withRights: ReadonlySet<MediaKind> = new Set(['overlay_video', 'overlay_font'])

/** (M2) */
export function needsRights(kind: MediaKind): boolean {
  return withRights.has(kind)
}

/** Timeout of an upload, in seconds. Longer for videos, which may be large. (M5; media: Details, 3) */
export function secondsOf(kind: MediaKind): number {
  return mediaKinds[kind].form === 'video' ? 300 : 60
}

/**
 * Returns the given name, otherwise the file's name without its folders, otherwise a default. Removes control and
 * invisible characters, and cuts the name to the maximum length. A name without visible characters is skipped, so that
 * no file is refused because of its name. (media: Record and kinds; D56)
 */
export function nameOf(given: string | undefined, fileName: string | null, kind: MediaKind): string {
  const file = fileName?.split(/[/\\]/).at(-1) ?? ''
  for (const text of [given ?? '', file]) {
    const line = oneLine(text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').toWellFormed())
    const name = readNameOrNone([...line].slice(0, maxNameCharacters).join(''))
    if (name !== null) return name
  }
  return kind
}

/** @throws Problem `media.field_missing` */
export function missingField(name: string, why: string): Problem {
  return invalid('media.field_missing', `The part "${name}" is missing: ${why}.`)
}

/** Returns the problem for a faulty file. It contains only the code, and nothing of the decoder's message. (M10) */
export function faultOf(fault: MediaFault, kind: MediaKind): Problem {
  if (fault === 'type_unsupported') {
    const wanted = { picture: 'PNG, JPEG, WebP, GIF or AVIF', video: 'WebM or MP4', font: 'WOFF2' }[
      mediaKinds[kind].form
    ]
    return new Problem('unsupported_type', 'media.type_unsupported', `For this kind the file must be ${wanted}.`)
  }
  return invalid(`media.${fault}`, sentences[fault])
}

const sentences = {
  undecodable: 'The file cannot be read; save it anew and send it again.',
  dimensions: 'The picture is too small, too large, or not of the shape that this kind has.',
  too_complex: 'The file takes too much to read: it has too many frames, lasts too long, or is made in an unusual way.',
}

/** Number of days for which unused media are kept. (M14) */
export const keptDays = { neverUsed: 1, usedBefore: 30, collected: 90 } as const

/** Kinds that users collect before they use them. (M14) */
export const collectedKinds: readonly MediaKind[] = ['overlay_image', 'overlay_video', 'overlay_font', 'update_image']
