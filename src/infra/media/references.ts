import { namedGuids, plainly } from '../../core/markdown-guids.ts'
import { type MediaKind, mediaGuidIn, mediaUrl, type PicturedSubject, pictureFields } from '../../core/media.ts'
import { invalid } from '../../core/problem.ts'
import type { Tx } from '../db/database.ts'
import { lockMedia, type UsableMedia } from './store.ts'
import { setUsages } from './usages.ts'

/**
 * Addresses of pictures in records: of our own media, or elsewhere. A command checks the addresses that it gets, writes
 * its record, and then saves which media the record uses, all in one transaction. (M24, M25)
 */

/** The owners whose media a record may use. */
export interface Room {
  /** The user who sets the field, and the user of the record where that is another one. */
  readonly owners: readonly string[]
  readonly tournamentGuid?: string
  readonly teamGuid?: string
  readonly platformGuid?: string
}

type FieldOf<Subject extends PicturedSubject> = keyof (typeof pictureFields)[Subject] & string
type Addresses<Subject extends PicturedSubject> = { readonly [Field in FieldOf<Subject>]?: string | null | undefined }

/** The changed fields, each with the medium that it uses now; null for no medium of ours. */
export type Uses = Readonly<Record<string, string | null>>

/**
 * Reads the addresses that a command got. An address of own media must lead to a medium of the kind that the field
 * takes, and of the caller, or of the tournament, team or platform of the record; it becomes the address of the full
 * picture. An address that the record holds already stays. Any other address passes unchanged.
 * @throws Problem `media.reference_invalid`
 */
export async function readPictures<Subject extends PicturedSubject, Given extends Addresses<Subject>>(
  tx: Tx,
  subject: Subject,
  parts: {
    readonly mediaUrl: string
    readonly given: Given
    readonly current: Addresses<Subject> | null
    readonly room: Room
  },
): Promise<{ readonly addresses: Given; readonly uses: Uses }> {
  const { mediaUrl: origin, given, current, room } = parts
  const kinds: Readonly<Record<string, MediaKind>> = pictureFields[subject]
  const named = Object.keys(kinds).flatMap((field) => {
    const url = given[field as keyof Given] as string | null | undefined
    const before = current?.[field as FieldOf<Subject>] ?? null
    return url === undefined ? [] : [{ field, url, before, guid: ownMedia(origin, field, url, before) }]
  })
  const wanted = named.flatMap(({ guid, url, before }) => (guid === null || isSame(origin, url, before) ? [] : [guid]))
  const found = new Map((await lockMedia(tx, wanted)).map((row) => [row.guid, row]))
  const addresses: Record<string, string | null> = {}
  const uses: Record<string, string | null> = {}
  for (const { field, url, before, guid } of named) {
    if (isSame(origin, url, before)) {
      addresses[field] = before
      continue
    }
    if (guid !== null || before) uses[field] = guid
    if (guid === null) continue
    const row = found.get(guid)
    if (row === undefined || row.kind !== kinds[field] || !isIn(row, room)) throw unusable(field)
    addresses[field] = mediaUrl(origin, guid, row.type)
  }
  return { addresses: { ...given, ...addresses }, uses }
}

/**
 * Saves that the record uses the media of its changed fields, and no others there. Call it after the record is written.
 */
export async function usePictures(
  tx: Tx,
  subject: PicturedSubject,
  subjectGuid: string,
  uses: Uses,
  now: Date,
): Promise<void> {
  for (const [field, guid] of Object.entries(uses)) {
    await setUsages(tx, { subject, subjectGuid, field }, guid === null ? [] : [guid], now)
  }
}

/** The medium that a changed address leads to; null without an address, and for an address elsewhere. */
function ownMedia(origin: string, field: string, url: string | null, before: string | null): string | null {
  if (!url || url === before) return null
  const own = mediaGuidIn(origin, url)
  if (own === 'invalid') throw unusable(field)
  return own === 'foreign' ? null : own.guid
}

/** Whether both addresses are equal or lead to the same medium. */
function isSame(origin: string, url: string | null, before: string | null): boolean {
  if (url === before) return true
  if (!url || !before) return false
  const [one, other] = [mediaGuidIn(origin, url), mediaGuidIn(origin, before)]
  return typeof one === 'object' && typeof other === 'object' && one.guid === other.guid
}

/** Whether a medium belongs to one of the owners, or to the tournament, team or platform. (M25) */
export function isIn(row: UsableMedia, { owners, tournamentGuid, teamGuid, platformGuid }: Room): boolean {
  return (
    (row.ownerGuid !== null && owners.includes(row.ownerGuid)) ||
    (row.tournamentGuid !== null && row.tournamentGuid === tournamentGuid) ||
    (row.teamGuid !== null && row.teamGuid === teamGuid) ||
    (row.platformGuid !== null && row.platformGuid === platformGuid)
  )
}

/** The same answer for missing media and for media of others, so that nobody can probe for them. */
export function unusable(field: string) {
  return invalid(
    'media.reference_invalid',
    `"${field}" is an address of this service, and names no picture of yours that may stand there; upload one with POST /media, and give its url.`,
  )
}

/**
 * The own media that a Markdown text names, in any spelling. The caller must be allowed to use each of them, because
 * the text may show it. A picture elsewhere becomes a link and is not a usage. (M25, M27)
 * @throws Problem `media.reference_invalid`
 */
export async function readShown(
  tx: Tx,
  parts: {
    readonly mediaUrl: string
    readonly kind: MediaKind
    readonly field: string
    readonly text: string
    /** The text before the change; the media that it showed may stay. */
    readonly before: string
    readonly room: Room
  },
): Promise<readonly string[]> {
  const { mediaUrl: origin, kind, field, text, before, room } = parts
  const kept = new Set(namedGuids(before))
  const found = await lockMedia(tx, namedGuids(text))
  const shown = found.map(({ guid }) => guid)
  const mayShow = found.every((row) => kept.has(row.guid) || (row.kind === kind && isIn(row, room)))
  const known = new Set([...kept, ...shown])
  if (!mayShow || addressedIn(origin, text).some((guid) => !known.has(guid))) throw unusable(field)
  return shown
}

/** The media whose addresses the text contains in plain spelling: each of these must exist. (M25) */
function addressedIn(origin: string, text: string): string[] {
  const addresses = text.split(`${origin}/media/`).slice(1)
  return addresses.flatMap((rest) => {
    const own = mediaGuidIn(origin, `${origin}/media/${/^[\w./-]*/.exec(rest)?.[0] ?? ''}`)
    return typeof own === 'object' ? [own.guid] : []
  })
}

/** The text without the addresses of a medium, in whichever spelling. */
export function withoutMedia(origin: string, text: string, guid: string): string {
  const rest = text.replace(addressOf(origin, `${guid}/[\\w.-]*`), '#')
  return rest.replace(word, (each) => (namedGuids(each).includes(guid) ? '#' : each))
}

/**
 * The text with the addresses of media moved from one origin to another, in any spelling. An address without a host
 * stays, because it belongs to no other origin. An address with more in it than those of media also stays, because text
 * that is decoded here is not made safe again. (M24)
 */
export function withMovedMedia(text: string, from: string, to: string): string {
  const plain = text.replace(addressOf(from, '(?=[\\da-f]{8}-)'), `${to}/media/`)
  return plain.replace(word, (each) => {
    if (each.startsWith(`${to}/`) || namedGuids(each).length === 0) return each
    const spelt = plainly(each)
    const address = /^(?:[a-z]+:)?\/\//i.test(spelt) ? URL.parse(spelt, from) : null
    if (address === null || typeof mediaGuidIn(from, address.href) !== 'object') return each
    const path = address.href.slice(address.origin.length)
    return /^[\w./-]+$/.test(path) ? to + path : each
  })
}

/** A word of a Markdown text that can be an address. */
const word = /[^\s<>()[\]"]+/g

function addressOf(origin: string, rest: string): RegExp {
  const start = `${origin}/media/`.replace(/[^\w]/g, '\\$&')
  return new RegExp(start + rest, 'gi')
}
