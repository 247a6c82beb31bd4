import { lazily } from './lazily.ts'
import { type Imitations, imitationsOf } from './look-alikes.ts'
import { invalid } from './problem.ts'
import { type Checked, oneLine } from './text.ts'

/** Names of users, teams, tournaments, platforms and applications. (D30, D56) */

/**
 * Letters, numbers, marks and symbols, except invisible ones: fillers, blanks, and characters that only change their
 * neighbours.
 */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{1D159}\u{13441}\u{13442}]]/v

/**
 * A name has at least one visible character and no line break: it is read as one line, in which any white space counts as
 * one space. (D56)
 */
export function readName(text: string): Checked<string> {
  const name = oneLine(text).trim()
  if (name === '') return { ok: false, reason: 'must not be empty' }
  return visible.test(name) ? { ok: true, value: name } : { ok: false, reason: 'must have a visible character' }
}

/**
 * Reads the name in a member of a body. (D56)
 * @param member as `casters[0].name`
 * @throws Problem `request.invalid`
 */
export function readNameOf(member: string, text: string): string {
  const name = readName(text)
  if (!name.ok) throw invalid('request.invalid', `The body's member "${member}" ${name.reason}.`)
  return name.value
}

/** Reads an optional name: null for a missing name, an empty one, and one without a visible character. (D56) */
export function readNameOrNone(text: string | null | undefined): string | null {
  const name = readName(text ?? '')
  return name.ok ? name.value : null
}

/** Longer than any name that people read, and short enough for an index. */
const maxKeyLength = 200

/**
 * The key of a name: two names are equal when their keys are. It applies NFKC and case folding and removes characters
 * without width. (D30, D56) Names within one owner or tournament (pools, flairs, overlays, templates) need no stricter
 * test. (D73)
 */
export function nameKeyOf(name: string): string {
  return keyOf(foldCase(plainly(name)))
}

/** Two names count as equal when they share either key. */
export interface NameKeys {
  /** Equal for names that differ only in case or whose small letters look alike across scripts: `ѕaber` and `Saber`. */
  readonly nameKey: string
  /** Equal for names that look alike as they are written: `ТЕАМ` and `Team`. */
  readonly nameLook: string
}

/**
 * The keys of a name that could pose as another one: letters of another script count as the letters that they imitate.
 * Within one script, different letters are different names: `I` and `l`, `rn` and `m`. (D73; UTS #39 §4) Two keys,
 * since letters often look alike in one case only.
 */
export function nameKeysOf(name: string): NameKeys {
  const plain = plainly(name)
  const { small, written } = looks()
  return {
    nameKey: keyOf(foldCase(lookOf(foldCase(plain), small))),
    nameLook: keyOf(foldCase(lookOf(plain, written))),
  }
}

function plainly(name: string): string {
  return name.normalize('NFKC').replace(blank, ' ').replace(widthless, removeUnlessFlag)
}

function keyOf(text: string): string {
  return oneLine(text).trim().slice(0, maxKeyLength).toWellFormed()
}

/** Characters that look like a space though they are none, after NFKC. */
const blank = /[\u115F\u1160\u2800\u{1D159}\u{13441}\u{13442}]/gu
const widthless = /\p{RGI_Emoji_Tag_Sequence}|\p{Default_Ignorable_Code_Point}/gv

/** Invisible characters distinguish the flags of England, Scotland and Wales, so they stay in flags. */
function removeUnlessFlag(match: string): string {
  return match.startsWith('\u{1F3F4}') ? match : ''
}

/**
 * Goes through upper case, which unites `ß` with `ss`, and all forms of sigma; starts from lower case, so that `ẞ`
 * becomes `ß` first.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
}

const looks = lazily(() => ({ small: imitationsOf(foldCase, true), written: imitationsOf(foldCase, false) }))

/** Replaces imitating letters. Marks are kept, but separated from their letters first. */
function lookOf(text: string, imitations: Imitations): string {
  const letters = Array.from(text.normalize('NFD'))
  return letters.map((letter, at) => imitatedBy(letter, imitations, [letters[at - 1], letters[at + 1]])).join('')
}

/** A capital I of another script is read as a small l next to small letters; elsewhere it stays an I. */
function imitatedBy(letter: string, imitations: Imitations, beside: readonly (string | undefined)[]): string {
  const imitated = imitations.get(letter) ?? letter
  const isRead =
    imitated === 'I' && letter !== 'I' && beside.some((other) => other !== undefined && /\p{Ll}/u.test(other))
  return isRead ? 'l' : imitated
}
