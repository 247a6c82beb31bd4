import { identityKey } from '../../catalogue/rules/identities.ts'
import type { CatalogueMap, Difficulty } from '../../catalogue/types.ts'
import type { Pool, WholePoolMap } from '../types.ts'
import { playlistSettings } from './pool.ts'

/** A pool as a playlist of the game, in the members that its playlist manager reads. (pools: Playlist and CSV) */

export const playlistType = 'application/json; charset=utf-8'

export interface Playlist {
  readonly playlistTitle: string
  readonly playlistAuthor: string
  readonly playlistDescription: string
  /** Data URI. */
  readonly image: string
  readonly customData: {
    /** Where the game fetches the playlist again. */
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
  /** Those that the viewer sees, in order. */
  readonly maps: readonly WholePoolMap[]
  /** The cover at 256 × 256, as a data URI. */
  readonly image: string
  /**
   * The public address of the playlist, whatever it was asked for by: where it is wrong, the game of every player replaces
   * the list by what it finds there.
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

/** The playlist as it is sent: without a byte order mark, under a name that every system can store. */
export function playlistFile(input: PlaylistInput) {
  const playlist = playlistOf(input)
  return {
    body: JSON.stringify(playlist),
    contentType: playlistType,
    headers: { 'content-disposition': attachment(playlist.playlistTitle, 'bplist') },
  }
}

/** One song for each hash, at the place of its first map; the game marks the difficulties that are listed. */
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

/** One difficulty may be known to the catalogue before the others of its song are. */
function first(maps: readonly WholePoolMap[], member: 'key' | 'name' | 'mapper'): CatalogueMap[typeof member] {
  return maps.find(({ map }) => map[member] !== null)?.map[member] ?? null
}

function difficultiesOf(maps: readonly WholePoolMap[]): Song['difficulties'] {
  const listed = [...Map.groupBy(maps, ({ map }) => identityKey(map)).values()]
  return listed.flatMap(([first]) =>
    first === undefined ? [] : [{ characteristic: first.map.characteristic, name: nameOf(first.map.difficulty) }],
  )
}

/** `expertPlus` for `ExpertPlus`: the game looks for difficulties by their names in this spelling. */
function nameOf(difficulty: Difficulty): string {
  return difficulty.charAt(0).toLowerCase() + difficulty.slice(1)
}

/** In UTF-8 at most 240 bytes; common file systems take 255 with the extension. */
const longestName = 60

/** What browsers and systems take for the parts of a path, or refuse in names; and what reorders the text around it. */
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*%]/gu
/** Names that are devices on Windows, whatever their extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** `Content-Disposition` of a download: a plain name, and the real one for those that read it. (RFC 6266, RFC 8187) */
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
  // What remains is of letters, digits and marks that stand in a quoted string as they are.
  const plain = /[A-Za-z0-9]/.test(ascii) ? ascii : fallbackName
  return `attachment; filename="${plain}.${extension}"; filename*=UTF-8''${encoded(`${name}.${extension}`)}`
}

const fallbackName = 'playlist'

function fileName(text: string): string {
  const safe = text.toWellFormed().normalize('NFC').replace(unsafe, ' ').replace(/\s+/g, ' ').trim()
  const cut = [...safe].slice(0, longestName).join('')
  // A name that begins with a dot is hidden; Windows drops dots and spaces from the end.
  const name = cut.replace(/^[. ]+|[. ]+$/g, '')
  if (name === '') return fallbackName
  return device.test(name) ? `_${name}` : name
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
