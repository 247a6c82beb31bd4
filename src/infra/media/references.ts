import { namedGuids, plainly } from '../../core/markdown-guids.ts'
import { type MediaKind, mediaGuidIn, mediaUrl, type PicturedSubject, pictureFields } from '../../core/media.ts'
import { invalid } from '../../core/problem.ts'
import type { Tx } from '../db/database.ts'
import { lockMedia, type UsableMedia } from './store.ts'
import { setUsages } from './usages.ts'

/**
 * Addresses of pictures that records hold: of our own media, or elsewhere. A command checks what it is given, writes its
 * record, and then says what that uses; all in the transaction that sets the fields. (M24, M25)
 */

/** Whose media somebody may use in a record. */
export interface Room {
  /** Who sets the field, and who the record is about, where that is somebody else. */
  readonly owners: readonly string[]
  readonly tournamentGuid?: string
  readonly teamGuid?: string
  readonly platformGuid?: string
}

type FieldOf<Subject extends PicturedSubject> = keyof (typeof pictureFields)[Subject] & string
type Addresses<Subject extends PicturedSubject> = { readonly [Field in FieldOf<Subject>]?: string | null | undefined }

/** Fields that are set to something else, each with the medium that it uses then; null for none of ours. */
export type Uses = Readonly<Record<string, string | null>>

/**
 * Reads the addresses that a command was given. One of own media must be of the kind that the field takes, and of the
 * caller's, or of the tournament, team or platform that it is for; it becomes the address under which the whole is
 * delivered. One that the record holds already stays. Any other address passes as it is.
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

/** Has the record use what its fields were set to, and nothing else there. Call after the record is written. */
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

/** The medium that an address leads to; null for none, and for an address elsewhere. */
function ownMedia(origin: string, field: string, url: string | null, before: string | null): string | null {
  if (!url || url === before) return null
  const own = mediaGuidIn(origin, url)
  if (own === 'invalid') throw unusable(field)
  return own === 'foreign' ? null : own.guid
}

/** Whether both are the same address, or lead to the same medium. */
function isSame(origin: string, url: string | null, before: string | null): boolean {
  if (url === before) return true
  if (!url || !before) return false
  const [one, other] = [mediaGuidIn(origin, url), mediaGuidIn(origin, before)]
  return typeof one === 'object' && typeof other === 'object' && one.guid === other.guid
}

/** Whether the caller may use it there. (M25) */
export function isIn(row: UsableMedia, { owners, tournamentGuid, teamGuid, platformGuid }: Room): boolean {
  return (
    (row.ownerGuid !== null && owners.includes(row.ownerGuid)) ||
    (row.tournamentGuid !== null && row.tournamentGuid === tournamentGuid) ||
    (row.teamGuid !== null && row.teamGuid === teamGuid) ||
    (row.platformGuid !== null && row.platformGuid === platformGuid)
  )
}

/** The same for what there is not and what is not the caller's: nobody learns of media of others by trying. */
export function unusable(field: string) {
  return invalid(
    'media.reference_invalid',
    `"${field}" is an address of this service, and names no picture of yours that may stand there; upload one with POST /media, and give its url.`,
  )
}

/**
 * The own media that a Markdown text names, in whichever spelling: it may show all of them, and so must be allowed to. What is
 * elsewhere becomes a link, and is no use. (M25, M27)
 * @throws Problem `media.reference_invalid`
 */
export async function readShown(
  tx: Tx,
  parts: {
    readonly mediaUrl: string
    readonly kind: MediaKind
    readonly field: string
    readonly text: string
    /** What the text showed before, and may go on to show. */
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

/** The media whose addresses stand in a text as they are given: of these there must be some. (M25) */
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
 * The text with the addresses of media at one origin at another, in whichever spelling. One without a host stays, which is of no other
 * origin, and one with more in it than media have: what is decoded here is not made safe again. (M24)
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

/** What an address can be, in a Markdown text. */
const word = /[^\s<>()[\]"]+/g

function addressOf(origin: string, rest: string): RegExp {
  const start = `${origin}/media/`.replace(/[^\w]/g, '\\$&')
  return new RegExp(start + rest, 'gi')
}
