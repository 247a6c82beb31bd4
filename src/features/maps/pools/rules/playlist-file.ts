import { invalid } from '../../../../core/problem.ts'
import { cleanText, oneLine } from '../../../../core/text.ts'
import { isSame, standard } from '../../catalogue/rules/identities.ts'
import { readCharacteristic, readDifficulty } from '../../catalogue/rules/references.ts'
import type { Choice } from '../../catalogue/types.ts'

/** Reads playlist files that other programs wrote. (pools: Playlist and CSV, rule 6) */

/** One song of a playlist. With a fault, only its name is usable. */
export interface PlaylistEntry {
  /** A name to show to users: the song's name, otherwise its hash or key. */
  readonly name: string
  readonly hash: string | null
  readonly key: string | null
  /** As written in the playlist; null if it is missing. */
  readonly songName: string | null
  readonly mapper: string | null
  /** Distinct, in the playlist's order; empty if the playlist names none. */
  readonly difficulties: readonly Choice[]
  /** Entries of the difficulties that cannot be read. */
  readonly unread: readonly string[]
  /** A sentence that says why the song cannot be read. */
  readonly fault: string | null
}

export interface PlaylistContent {
  readonly title: string | null
  readonly entries: readonly PlaylistEntry[]
  /** Whether the playlist has more rows than the limit; the entries beyond it are left out. */
  readonly overflows: boolean
}

const maxBytes = 4 * 1024 * 1024
const maxRows = 500
const maxShownLength = 200

/**
 * Reads a playlist file: JSON in UTF-8, with or without a byte order mark, at most 4 MiB. A song that cannot be read
 * becomes an entry with a fault. A file that is no playlist is refused with advice. (pools: Playlist and CSV, rule 6)
 * @throws Problem `playlist.invalid`
 */
export function readPlaylistFile(file: Uint8Array | string): PlaylistContent {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  if (bytes.byteLength > maxBytes) throw unusable('is larger than 4 MiB. Leave out its picture, or split it')
  if (bytes.byteLength === 0) throw unusable('is empty. Choose a ".bplist" file')
  if (isBinary(bytes)) {
    throw unusable('is in the binary form (".blist"). Export it as ".bplist" in the playlist editor, and send that')
  }
  return readPlaylist(parse(decode(bytes)))
}

/**
 * Reads a parsed playlist. Finds members in any case, like the game does. Reads at most 500 rows, counting songs or
 * their difficulties. (pools: Playlist and CSV, rule 6)
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
    if (rows > maxRows) return { title: shown(member(playlist, 'playlistTitle')), entries, overflows: true }
    entries.push(entry)
  }
  return { title: shown(member(playlist, 'playlistTitle')), entries, overflows: false }
}

/** The first bytes of ZIP archives, and of the format of older versions of the playlist manager. */
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

/** Some playlists write keys that consist of digits as numbers. */
function keyOf(value: unknown): string | null {
  const text = wordOf(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value)
  return text !== null && keyForm.test(text) ? text : null
}

/** Returns a text for comparisons, trimmed and in lower case; null for a long text or another type. */
function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= maxShownLength ? value.trim().toLowerCase() : null
}

/** Stops after the maximum number of rows of an import. */
function difficultiesOf(listed: readonly unknown[]) {
  const found: Choice[] = []
  const unread: string[] = []
  for (const each of listed.slice(0, maxRows + 1)) {
    const choice = choiceOf(each)
    if (typeof choice === 'string') unread.push(choice)
    else if (!found.some((known) => isEqual(known, choice))) found.push(choice)
  }
  return { difficulties: found, unread }
}

function isEqual(one: Choice, other: Choice): boolean {
  return one.difficulty === other.difficulty && isSame(one.characteristic, other.characteristic)
}

/** Returns the difficulty, or the text of an entry that is none. */
function choiceOf(value: unknown): Choice | string {
  if (!isObject(value)) return shown(value) ?? 'no object'
  const written = member(value, 'name') ?? member(value, 'difficulty')
  const named = member(value, 'characteristic') ?? standard
  const isName = typeof written === 'number' || typeof written === 'string'
  const difficulty = isName && String(written).length <= maxShownLength ? readDifficulty(written) : null
  if (difficulty?.ok !== true) return shown(written) ?? 'no name'
  const characteristic = typeof named === 'string' && named.length <= maxShownLength ? readCharacteristic(named) : null
  if (characteristic?.ok !== true) return shown(named) ?? 'no characteristic'
  return { characteristic: characteristic.value, difficulty: difficulty.value }
}

/** Returns one line of clean text to show to users, or null. */
function shown(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  const cleaned = cleanText(
    [
      ...value
        .slice(0, 4 * maxShownLength)
        .toWellFormed()
        .replace(unseen, ' '),
    ]
      .slice(0, maxShownLength)
      .join(''),
  )
  const text = cleaned.ok ? oneLine(cleaned.value) : ''
  return text === '' ? null : text
}

/** Characters that `cleanText` refuses. */
const unseen = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the object's own member with this name, otherwise the first whose name differs only in case. */
function member(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name]
  const wanted = name.toLowerCase()
  const found = Object.keys(object).find((each) => each.length === wanted.length && each.toLowerCase() === wanted)
  return found === undefined ? undefined : object[found]
}
