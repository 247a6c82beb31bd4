import { createHash } from 'node:crypto'
import { nameKeyOf, readName } from '../../../../core/names.ts'
import { cleanText } from '../../../../core/text.ts'
import type { SheetPerson } from '../types.ts'

/** What is wrong with a row, as a sentence for the organiser. */
export class RowError extends Error {
  override readonly name = 'RowError'
}

const maxNameCharacters = 64

/**
 * Reads a text that names a person. An ID of 15 to 20 digits is one of the chat platform, unless it has the form of the
 * game shop's IDs, by which ranking platform A calls its players; every other text is a name.
 * (additions: People who are not here yet)
 */
export function readPersonText(text: string): SheetPerson {
  const cell = readCell('a person', text)
  // Spreadsheets round long numbers; an apostrophe keeps them from it.
  const id = cell.replace(/^'(?=\d)/, '')
  if (/^7656119\d{10}$/.test(id)) return { ...nobody, rankingIdA: id }
  if (/^\d{15,20}$/.test(id)) return { ...nobody, chatPlatformId: id }
  return { ...nobody, name: readPersonName(cell) }
}

const nobody: SheetPerson = { chatPlatformId: null, rankingIdA: null, rankingIdB: null, name: null }

interface GivenPerson {
  readonly chatPlatformId?: string | null
  readonly rankingIdA?: string | null
  readonly rankingIdB?: string | null
  readonly name?: string | null
}

/** Reads a person who is named by a text, or by several members. (additions: People who are not here yet) */
export function readPerson(given: string | GivenPerson): SheetPerson {
  if (typeof given === 'string') return readPersonText(given)
  const person = {
    chatPlatformId: readId(given.chatPlatformId, 'chatPlatformId', /^\d{15,20}$/),
    rankingIdA: readId(given.rankingIdA, 'rankingIdA', /^\d{1,20}$/),
    rankingIdB: readId(given.rankingIdB, 'rankingIdB', /^\d{1,20}$/),
    name: given.name == null || given.name === '' ? null : readPersonName(readCell('a name', given.name)),
  }
  if (Object.values(person).every((member) => member === null)) throw new RowError('A person has neither ID nor name.')
  return person
}

function readId(given: string | null | undefined, member: string, form: RegExp): string | null {
  if (given == null || given === '') return null
  if (form.test(given)) return given
  throw new RowError(`A \`${member}\` is not an ID there.`)
}

function readPersonName(text: string): string {
  // A spreadsheet's apostrophe before what it would run as a formula; none before a name such as ’t Hooft.
  const name = readName(text.replace(/^'(?=[=+\-@])/, ''))
  if (!name.ok) throw new RowError(`A person’s name ${name.reason}.`)
  if (Array.from(name.value).length <= maxNameCharacters) return name.value
  throw new RowError(`A person’s name may have at most ${maxNameCharacters} characters.`)
}

/** A cell under the rules for every text from outside. (D9) */
export function readCell(what: string, text: string): string {
  const cleaned = cleanText(text)
  if (!cleaned.ok) throw new RowError(`The text of ${what} ${cleaned.reason}.`)
  return cleaned.value
}

/** What messages call the person, and what a placeholder is called. */
export function nameOf({ name, chatPlatformId, rankingIdA, rankingIdB }: SheetPerson): string {
  return name ?? chatPlatformId ?? rankingIdA ?? rankingIdB ?? ''
}

/** Two mentions with the same key are the same person; a bare name is one only within its team. */
export function keyOf(person: SheetPerson): string {
  if (person.chatPlatformId !== null) return `chat:${person.chatPlatformId}`
  if (person.rankingIdA !== null) return `a:${person.rankingIdA}`
  if (person.rankingIdB !== null) return `b:${person.rankingIdB}`
  return `name:${nameKeyOf(nameOf(person))}`
}

export function isBareName(person: SheetPerson): boolean {
  return keyOf(person).startsWith('name:')
}

/** What is remembered of a mention: neither name nor ID, so that nothing personal outlives the person's record. */
export function digestOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

export function shown(text: string): string {
  const characters = Array.from(text)
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : text
}
