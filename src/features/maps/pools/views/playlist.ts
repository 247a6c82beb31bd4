import { identityKey } from '../../catalogue/rules/identities.ts'
import type { CatalogueMap, Difficulty } from '../../catalogue/types.ts'
import type { Pool, WholePoolMap } from '../types.ts'
import { playlistSettings } from './pool.ts'

/** Writes a pool as a playlist of the game, in the format of its playlist manager. (pools: Playlist and CSV) */

export const playlistType = 'application/json; charset=utf-8'

export interface Playlist {
  readonly playlistTitle: string
  readonly playlistAuthor: string
  readonly playlistDescription: string
  /** A data URI. */
  readonly image: string
  readonly customData: {
    /** The address from which the game reloads the playlist. */
    readonly syncURL: string
    readonly AllowDuplicates: boolean
    readonly ReadOnly: boolean
    readonly downbeat: { readonly tournament: string; readonly pool: string; readonly revision: number | null }
  }
  readonly songs: readonly Song[]
}

interface Song {
  readonly key?: string
  readonly hash: string
  readonly songName: string
  readonly levelAuthorName: string
  readonly levelid: string
  readonly difficulties: readonly { readonly characteristic: string; readonly name: string }[]
  readonly customData: { readonly flairs: readonly string[]; readonly tiebreaker: boolean }
}

export interface PlaylistInput {
  readonly tournament: { readonly guid: string; readonly name: string }
  readonly pool: Pool
  /** The maps that the viewer sees, in order. */
  readonly maps: readonly WholePoolMap[]
  /** The cover at 256 × 256 pixels, as a data URI. */
  readonly image: string
  /**
   * The public address of the playlist, whichever address the request used. If it is wrong, every player's game
   * replaces the list with the content of that address.
   */
  readonly syncUrl: string
}

export function playlistOf({ tournament, pool, maps, image, syncUrl }: PlaylistInput): Playlist {
  const { title, author, description } = playlistSettings(pool, tournament)
  return {
    playlistTitle: title,
    playlistAuthor: author,
    playlistDescription: description,
    image,
    customData: {
      syncURL: syncUrl,
      AllowDuplicates: false,
      ReadOnly: true,
      downbeat: { tournament: tournament.guid, pool: pool.guid, revision: pool.revision },
    },
    songs: [...Map.groupBy(maps, ({ map }) => map.hash).values()].map(songOf),
  }
}

/** Returns the file for the response: without a byte order mark, with a name that every system can store. */
export function playlistFile(input: PlaylistInput) {
  const playlist = playlistOf(input)
  return {
    body: JSON.stringify(playlist),
    contentType: playlistType,
    headers: { 'content-disposition': attachment(playlist.playlistTitle, 'bplist') },
  }
}

/** Returns one song for each hash, at the position of its first map. The game marks the listed difficulties. */
function songOf(maps: readonly WholePoolMap[]): Song {
  const { hash } = (maps[0] as WholePoolMap).map
  const key = first(maps, 'key')
  return {
    ...(key === null ? {} : { key }),
    hash,
    songName: first(maps, 'name') ?? '',
    levelAuthorName: first(maps, 'mapper') ?? '',
    levelid: `custom_level_${hash.toUpperCase()}`,
    difficulties: difficultiesOf(maps),
    customData: {
      flairs: [...new Set(maps.flatMap(({ flair }) => flair?.name ?? []))],
      tiebreaker: maps.some(({ isTiebreaker }) => isTiebreaker),
    },
  }
}

/** The catalogue may know one difficulty of a song earlier than the others. */
function first(maps: readonly WholePoolMap[], member: 'key' | 'name' | 'mapper'): CatalogueMap[typeof member] {
  return maps.find(({ map }) => map[member] !== null)?.map[member] ?? null
}

function difficultiesOf(maps: readonly WholePoolMap[]): Song['difficulties'] {
  const listed = [...Map.groupBy(maps, ({ map }) => identityKey(map)).values()]
  return listed.flatMap(([first]) =>
    first === undefined ? [] : [{ characteristic: first.map.characteristic, name: nameOf(first.map.difficulty) }],
  )
}

/** `expertPlus` for `ExpertPlus`: the game looks for difficulties by this spelling. */
function nameOf(difficulty: Difficulty): string {
  return difficulty.charAt(0).toLowerCase() + difficulty.slice(1)
}

/** In UTF-8 at most 240 bytes: common file systems allow 255, extension included. */
const maxNameLength = 60

/**
 * Characters that browsers or systems treat as path separators or refuse in names, and characters that reorder the
 * text.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*%]/gu
/** Device names on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Returns the `Content-Disposition` of a download: an ASCII name, and the full name for clients that support it.
 * (RFC 6266, RFC 8187)
 */
export function attachment(title: string, extension: string): string {
  const name = fileName(title)
  const ascii = fileName(
    name
      .normalize('NFKD')
      .replace(/\p{Pd}/gu, '-')
      .replace(/\p{M}/gu, '')
      .replace(/[^ -~]/g, '_')
      .replace(/[_ ]{2,}/g, '_'),
  )
  // Only letters, digits and marks are left, which need no escaping in a quoted string.
  const plain = /[A-Za-z0-9]/.test(ascii) ? ascii : fallbackName
  return `attachment; filename="${plain}.${extension}"; filename*=UTF-8''${encoded(`${name}.${extension}`)}`
}

const fallbackName = 'playlist'

function fileName(text: string): string {
  const safe = text.toWellFormed().normalize('NFC').replace(unsafe, ' ').replace(/\s+/g, ' ').trim()
  const cut = [...safe].slice(0, maxNameLength).join('')
  // A name that begins with a dot is hidden, and Windows drops dots and spaces from the end.
  const name = cut.replace(/^[. ]+|[. ]+$/g, '')
  if (name === '') return fallbackName
  return device.test(name) ? `_${name}` : name
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
