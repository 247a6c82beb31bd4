import { lazily } from './lazily.ts'
import { type Imitations, imitationsOf } from './look-alikes.ts'
import { invalid } from './problem.ts'
import { type Checked, oneLine } from './text.ts'

/** Names of users, teams, tournaments, platforms and applications. (D30, D56) */

/** Letters, numbers, marks and symbols, but none that shows nothing: fillers, blanks, what only changes its neighbours. */
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
 * The name that a member of a body gives, where that has no problem of its own. (D56)
 * @param member as `casters[0].name`
 * @throws Problem `request.invalid`
 */
export function readNameOf(member: string, text: string): string {
  const name = readName(text)
  if (!name.ok) throw invalid('request.invalid', `The body's member "${member}" ${name.reason}.`)
  return name.value
}

/** A name where there need be none: what shows nothing is none, like an empty text. (D56) */
export function readNameOrNone(text: string | null | undefined): string | null {
  const name = readName(text ?? '')
  return name.ok ? name.value : null
}

/** Longer than any name that people read, and short enough for an index. */
const longestKey = 200

/**
 * Names are equal when they are so after NFKC, case folding and removal of what has no width. (D30, D56) Among what one owner or
 * tournament names for itself (pools, flairs, overlays, templates), nothing more makes two names the same. (D73)
 */
export function nameKeyOf(name: string): string {
  return keyOf(foldCase(plainly(name)))
}

/** Two names are taken as equal when they share either. */
export interface NameKeys {
  /** Equal for names that differ in case, and where small letters of several scripts look alike: `ѕaber` and `Saber`. */
  readonly nameKey: string
  /** Equal for names that look alike as they are written: `ТЕАМ` and `Team`. */
  readonly nameLook: string
}

/**
 * Where one name could pose as another's, letters of another script count as what they imitate; within one script, different
 * letters are different names: `I` and `l`, `rn` and `m`. (D73; UTS #39 §4) Both ways round, since letters that look alike often do
 * so in one case only.
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
  return name.normalize('NFKC').replace(blank, ' ').replace(widthless, keepFlag)
}

function keyOf(text: string): string {
  return oneLine(text).trim().slice(0, longestKey).toWellFormed()
}

/** What looks like a space though it is none, after NFKC. */
const blank = /[\u115F\u1160\u2800\u{1D159}\u{13441}\u{13442}]/gu
const widthless = /\p{RGI_Emoji_Tag_Sequence}|\p{Default_Ignorable_Code_Point}/gv

/** The flags of England, Scotland and Wales are told apart by characters that show nothing by themselves. */
function keepFlag(match: string): string {
  return match.startsWith('\u{1F3F4}') ? match : ''
}

/** Through upper case, which puts `ß` and `ss`, and all forms of sigma, together; and to it from `ß` rather than `ẞ`. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
}

const looks = lazily(() => ({ small: imitationsOf(foldCase, true), written: imitationsOf(foldCase, false) }))

/** Marks are kept, but taken off the letters first. */
function lookOf(text: string, imitations: Imitations): string {
  const letters = Array.from(text.normalize('NFD'))
  return letters.map((letter, at) => imitatedBy(letter, imitations, [letters[at - 1], letters[at + 1]])).join('')
}

/** A capital I of another script is read as a small l beside small letters; as the I that it is, its small form shows it. */
function imitatedBy(letter: string, imitations: Imitations, beside: readonly (string | undefined)[]): string {
  const imitated = imitations.get(letter) ?? letter
  const isRead =
    imitated === 'I' && letter !== 'I' && beside.some((other) => other !== undefined && /\p{Ll}/u.test(other))
  return isRead ? 'l' : imitated
}
