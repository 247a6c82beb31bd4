import { invalid } from '../../../../core/problem.ts'
import { cleanText, oneLine } from '../../../../core/text.ts'
import { isSame, standard } from '../../catalogue/rules/identities.ts'
import { readCharacteristic, readDifficulty } from '../../catalogue/rules/references.ts'
import type { Choice } from '../../catalogue/types.ts'

/** Playlists by other programs, as they are handed in. (pools: Playlist and CSV, rule 6) */

/** One song of a playlist. With a fault nothing else of it is of use but its name. */
export interface PlaylistEntry {
  /** For people: the song's name, else what it is found by. */
  readonly name: string
  readonly hash: string | null
  readonly key: string | null
  /** As the playlist has it; null where it does not say. */
  readonly songName: string | null
  readonly mapper: string | null
  /** Distinct, in the order of the playlist; none: the playlist does not say. */
  readonly difficulties: readonly Choice[]
  /** What stands among the difficulties and is none. */
  readonly unread: readonly string[]
  /** Why it is no song of the catalogue, as a sentence. */
  readonly fault: string | null
}

export interface PlaylistContent {
  readonly title: string | null
  readonly entries: readonly PlaylistEntry[]
  /** Whether it has more rows than may be read at once; the entries end before those. */
  readonly overflows: boolean
}

const mostBytes = 4 * 1024 * 1024
const mostRows = 500
const longestShown = 200

/**
 * A playlist file is JSON in UTF-8 with or without a byte order mark, of at most 4 MiB. A song that cannot be read
 * becomes an entry with a fault; what is no playlist at all is refused with what to do. (pools: Playlist and CSV, rule 6)
 * @throws Problem `playlist.invalid`
 */
export function readPlaylistFile(file: Uint8Array | string): PlaylistContent {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  if (bytes.byteLength > mostBytes) throw unusable('is larger than 4 MiB. Leave out its picture, or split it')
  if (bytes.byteLength === 0) throw unusable('is empty. Choose a ".bplist" file')
  if (isBinary(bytes)) {
    throw unusable('is in the binary form (".blist"). Export it as ".bplist" in the playlist editor, and send that')
  }
  return readPlaylist(parse(decode(bytes)))
}

/**
 * A playlist that was parsed already: members are found in any case, as the game finds them; it has at most 500 rows, of
 * songs or of their difficulties. (pools: Playlist and CSV, rule 6)
 * @throws Problem `playlist.invalid`
 */
export function readPlaylist(playlist: unknown): PlaylistContent {
  if (!isObject(playlist)) throw unusable('is JSON, but no playlist: it must be an object with a list "songs"')
  const songs = member(playlist, 'songs')
  if (!Array.isArray(songs)) throw unusable('has no list "songs". Export it anew as ".bplist"')
  const entries: PlaylistEntry[] = []
  let rows = 0
  for (const song of songs) {
    const entry = entryOf(song, entries.length + 1)
    rows += Math.max(1, entry.difficulties.length + entry.unread.length)
    if (rows > mostRows) return { title: shown(member(playlist, 'playlistTitle')), entries, overflows: true }
    entries.push(entry)
  }
  return { title: shown(member(playlist, 'playlistTitle')), entries, overflows: false }
}

/** Archives, and the form that elder versions of the playlist manager wrote. */
const binaryForms = ['PK\u0003\u0004', 'PK\u0005\u0006', 'Blist.v']

function isBinary(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  return binaryForms.some((form) => start.startsWith(form))
}

const strict = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    throw unusable('is not UTF-8 text. Save it with the encoding UTF-8, or export it anew as ".bplist"')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unusable('is not JSON. Send the ".bplist" file itself, unchanged')
  }
}

function unusable(what: string) {
  return invalid('playlist.invalid', `The playlist ${what}.`)
}

function entryOf(song: unknown, number: number): PlaylistEntry {
  const none = { hash: null, key: null, songName: null, mapper: null, difficulties: [], unread: [] }
  if (!isObject(song)) return { ...none, name: `song ${number}`, fault: 'The song must be an object.' }
  const levelId = member(song, 'levelid')
  const hash = hashOf(member(song, 'hash')) ?? hashOfLevel(levelId)
  const key = keyOf(member(song, 'key'))
  const songName = shown(member(song, 'songName'))
  const mapper = shown(member(song, 'levelAuthorName'))
  const name = songName ?? hash ?? key ?? shown(levelId) ?? `song ${number}`
  if (hash === null && key === null) {
    return { ...none, name, fault: 'The song has neither a hash nor a key of the catalogue.' }
  }
  const listed = member(song, 'difficulties')
  if (listed === undefined || listed === null) return { ...none, hash, key, songName, mapper, name, fault: null }
  if (!Array.isArray(listed)) return { ...none, name, fault: 'The difficulties of the song must be a list.' }
  return { hash, key, songName, mapper, name, ...difficultiesOf(listed), fault: null }
}

const hashForm = /^[0-9a-f]{40}$/
const levelForm = /^custom_level_([0-9a-f]{40})$/
const keyForm = /^[0-9a-f]{1,8}$/

function hashOf(value: unknown): string | null {
  const text = wordOf(value)
  return text !== null && hashForm.test(text) ? text : null
}

function hashOfLevel(value: unknown): string | null {
  const text = wordOf(value)
  return text === null ? null : (levelForm.exec(text)?.[1] ?? null)
}

/** Keys of digits alone are numbers in some playlists. */
function keyOf(value: unknown): string | null {
  const text = wordOf(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value)
  return text !== null && keyForm.test(text) ? text : null
}

/** A text that is to be compared: without what stands around it, in lower case; null for what is long or no text. */
function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= longestShown ? value.trim().toLowerCase() : null
}

/** More of them than a whole import may have are not looked at. */
function difficultiesOf(listed: readonly unknown[]) {
  const found: Choice[] = []
  const unread: string[] = []
  for (const each of listed.slice(0, mostRows + 1)) {
    const choice = choiceOf(each)
    if (typeof choice === 'string') unread.push(choice)
    else if (!found.some((known) => isEqual(known, choice))) found.push(choice)
  }
  return { difficulties: found, unread }
}

function isEqual(one: Choice, other: Choice): boolean {
  return one.difficulty === other.difficulty && isSame(one.characteristic, other.characteristic)
}

/** The difficulty, or what stands in its place. */
function choiceOf(value: unknown): Choice | string {
  if (!isObject(value)) return shown(value) ?? 'no object'
  const written = member(value, 'name') ?? member(value, 'difficulty')
  const named = member(value, 'characteristic') ?? standard
  const isName = typeof written === 'number' || typeof written === 'string'
  const difficulty = isName && String(written).length <= longestShown ? readDifficulty(written) : null
  if (difficulty?.ok !== true) return shown(written) ?? 'no name'
  const characteristic = typeof named === 'string' && named.length <= longestShown ? readCharacteristic(named) : null
  if (characteristic?.ok !== true) return shown(named) ?? 'no characteristic'
  return { characteristic: characteristic.value, difficulty: difficulty.value }
}

/** For people: one line of clean text, or nothing. */
function shown(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  const cleaned = cleanText(
    [
      ...value
        .slice(0, 4 * longestShown)
        .toWellFormed()
        .replace(unseen, ' '),
    ]
      .slice(0, longestShown)
      .join(''),
  )
  const text = cleaned.ok ? oneLine(cleaned.value) : ''
  return text === '' ? null : text
}

/** What `cleanText` refuses. */
const unseen = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of its own in the usual spelling, else the first that is spelt so but for case. */
function member(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name]
  const wanted = name.toLowerCase()
  const found = Object.keys(object).find((each) => each.length === wanted.length && each.toLowerCase() === wanted)
  return found === undefined ? undefined : object[found]
}
