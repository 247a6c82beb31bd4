import type unhomoglyph from 'unhomoglyph'
import { lazily, load } from './lazily.ts'
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

/** Two names are taken as equal when they share either. Not for people: keys mix scripts and are cut. */
export interface NameKeys {
  /** Equal for names that differ in case, and where their small letters look alike: `ѕaber` and `Saber`. */
  readonly nameKey: string
  /** Equal for names that look alike as they are written: `ТЕАМ` and `Team`, `Ieague` and `league`. */
  readonly nameLook: string
}

/** Longer than any name that people read, and short enough for an index. */
const longestKey = 200

/**
 * Names are equal when they are so after NFKC, case folding and removal of what has no width, or to the eye. (D30, D56;
 * UTS #39 §4) Both ways round, since letters that look alike often do so in one case only.
 */
export function nameKeysOf(name: string): NameKeys {
  const plain = name.normalize('NFKC').replace(blank, ' ').replace(widthless, keepFlag)
  const key = (text: string) => oneLine(text).trim().slice(0, longestKey).toWellFormed()
  return { nameKey: key(lookOf(foldCase(plain))), nameLook: key(foldCase(lookOf(plain))) }
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

const lookAlike = lazily(() => load('unhomoglyph') as typeof unhomoglyph)

/** The data has `rn` for `m`, though not for the capital; the other way round, an `m` stays equal to itself in any case. */
function lookOf(text: string): string {
  return lookAlike()(text.normalize('NFD')).normalize('NFD').replaceAll('rn', 'm')
}
