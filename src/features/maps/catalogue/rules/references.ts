import type { Checked } from '../../../../core/text.ts'
import { characteristicPattern, type Difficulty, difficulties, type Reference, type Wish } from '../types.ts'

/** Reads the references that people write for maps. Links are parsed, never fetched. (pools: Adding and importing) */

const longest = 500

/**
 * Reads one reference: a key, with or without `!bsr`; a hash, with or without `custom_level_`; or a link to a map or a
 * playlist of the catalogue, or to a leaderboard of ranking platform A or B.
 *
 * Up to 8 hex digits are always a key. Digits alone could also be the number of a leaderboard or a playlist, but those
 * need a link.
 */
export function readReference(text: string): Checked<Reference> {
  const given = text.trim()
  if (given === '') return no('must name a map')
  if (given.length > longest) return no(`must not be longer than ${longest} characters`)
  const word = given.replace(/^!bsr\s+/i, '')
  if (/^[0-9a-f]{1,8}$/i.test(word)) return yes({ kind: 'key', key: keyOf(word) })
  const hash = /^(?:custom_level_)?([0-9a-f]{40})$/i.exec(given)?.[1]
  if (hash !== undefined) return yes({ kind: 'hash', hash: hash.toLowerCase() })
  return readLink(given)
}

interface Place {
  readonly hosts: readonly string[]
  readonly path: RegExp
  readonly read: (id: string) => Reference
}

/**
 * The forms of links to maps. IDs on platform B end with the numbers of difficulty and characteristic; a page number of
 * the leaderboard’s scores may follow.
 */
const places: readonly Place[] = [
  {
    hosts: ['beatsaver.com'],
    path: /^\/maps\/([0-9A-Fa-f]{1,8})\/?$/,
    read: (key) => ({ kind: 'key', key: keyOf(key) }),
  },
  {
    hosts: ['beatsaver.com'],
    path: /^\/playlists\/(\d{1,10})\/?$/,
    read: (id) => ({ kind: 'playlist', id: withoutZeros(id) }),
  },
  {
    hosts: ['scoresaber.com'],
    path: /^\/leaderboard\/(\d{1,12})\/?$/,
    read: (id) => ({ kind: 'leaderboardA', id: withoutZeros(id) }),
  },
  {
    hosts: ['beatleader.com', 'beatleader.xyz'],
    path: /^\/leaderboard\/(?:global\/)?([0-9A-Za-z]{0,31}\d)(?:\/\d{1,6})?\/?$/,
    read: (id) => ({ kind: 'leaderboardB', id }),
  },
]

const notReadable =
  'must be a key, a hash, or a link to a map or a playlist on beatsaver.com or to a leaderboard on scoresaber.com, beatleader.com or beatleader.xyz'

function readLink(text: string): Checked<Reference> {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  // The URL parser drops line breaks and turns backslashes into slashes. A copied link contains neither.
  if (!/^[!-~]+$/.test(text) || text.includes('\\') || !URL.canParse(address)) return no(notReadable)
  const { hostname, port, username, password, pathname } = new URL(address)
  if (port !== '' || username !== '' || password !== '') return no(notReadable)
  const host = hostname.replace(/^www\./, '')
  for (const { hosts, path, read } of places) {
    const id = hosts.includes(host) ? path.exec(pathname)?.[1] : undefined
    if (id !== undefined) return yes(read(id))
  }
  return no(notReadable)
}

/** Keys are hexadecimal numbers, so leading zeros do not count. */
function keyOf(hex: string): string {
  return withoutZeros(hex.toLowerCase())
}

/** Returns the same spelling for equal numbers. */
function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '')
}

/** The spellings of difficulties, by lower-case name. The numbers are the values in the game files. (pools: Records) */
const spellings: Readonly<Record<string, Difficulty>> = {
  ...Object.fromEntries(difficulties.map((name) => [name.toLowerCase(), name])),
  'expert+': 'ExpertPlus',
  '1': 'Easy',
  '3': 'Normal',
  '5': 'Hard',
  '7': 'Expert',
  '9': 'ExpertPlus',
}

/** Reads a difficulty in any case, `Expert+`, or one of the numbers 1, 3, 5, 7 and 9. (pools: Records) */
export function readDifficulty(given: string | number): Checked<Difficulty> {
  const name = String(given).trim().toLowerCase()
  const difficulty = Object.hasOwn(spellings, name) ? spellings[name] : undefined
  return difficulty === undefined ? no(`must be one of ${difficulties.join(', ')}`) : yes(difficulty)
}

const characteristicForm = new RegExp(characteristicPattern)

/** Reads the name of a characteristic. The catalogue may spell it in another case. (pools: Records) */
export function readCharacteristic(given: string): Checked<string> {
  const name = given.trim()
  return characteristicForm.test(name) ? yes(name) : no('must be 1 to 32 letters, digits or underscores')
}

export interface Line extends Wish {
  readonly reference: Reference
}

/**
 * Reads a line of an import: a reference, then optionally a difficulty and a characteristic. The first word is always
 * the reference. (pools: Adding and importing)
 */
export function readLine(text: string): Checked<Line> {
  if (text.length > longest) return no(`must not be longer than ${longest} characters`)
  const [first = '', ...rest] = text.trim().split(/\s+/)
  const isCommand = first.toLowerCase() === '!bsr'
  const reference = readReference(isCommand ? `${first} ${rest.shift() ?? ''}` : first)
  if (!reference.ok) return reference
  const [difficulty, characteristic, ...more] = rest
  if (more.length > 0) return no('must be a reference, a difficulty and a characteristic, with nothing behind them')
  const named = difficulty === undefined ? null : readDifficulty(difficulty)
  if (named?.ok === false) return no(`has the difficulty ${JSON.stringify(difficulty)}, which ${named.reason}`)
  const mode = characteristic === undefined ? null : readCharacteristic(characteristic)
  if (mode?.ok === false) return no(`has the characteristic ${JSON.stringify(characteristic)}, which ${mode.reason}`)
  return yes({ reference: reference.value, difficulty: named?.value ?? null, characteristic: mode?.value ?? null })
}

function yes<T>(value: T): Checked<T> {
  return { ok: true, value }
}

function no(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason }
}
