import { isDeepStrictEqual } from 'node:util'
import { countCharacters } from '../../../../core/characters.ts'
import { areEasyToClean } from '../../../../core/markdown-effort.ts'
import { invalid } from '../../../../core/problem.ts'
import { oneLine, readMarkdown } from '../../../../core/text.ts'
import type { Card, Content } from '../types.ts'

export const maxContentCharacters = 16_000

/**
 * An update is Markdown without what is unsafe, under a title on one line of plain text, with cards whose texts are kept
 * like the content. (rest-interface: Tournament update; D36)
 * @throws Problem `update.content_empty`, `update.changes_invalid`
 */
export function readContent(input: Content): Content {
  const content = readMarkdown(input.content, maxContentCharacters)
  if (content === '') {
    throw invalid('update.content_empty', 'The content has nothing in it that may be shown; write some text.')
  }
  return { title: oneLine(input.title), content, changes: readCards(input.changes) }
}

/**
 * What is not given stays. So do cards that are as they were, which may be from before there was a bound.
 * @throws Problem `update.content_empty`, `update.changes_invalid`
 */
export function readEdit(before: Content, given: Pick<Content, 'content'> & Partial<Content>): Content {
  const { title = before.title, content, changes = before.changes } = given
  if (!isDeepStrictEqual(changes, before.changes)) return readContent({ title, content, changes })
  return { ...readContent({ title, content, changes: [] }), changes }
}

/** Of all cards of an update together, as JSON: a page of fifty updates stays readable. */
const maxCardsLength = 24_000
/** Each is cleaned for itself, which costs some microseconds however short it is. */
export const maxCardTexts = 500
const maxDepth = 6
const maxNameLength = 100

/** Cards are free in form, and bounded in size and depth, so that a list of updates is. (rest-interface: Limits; D8) */
function readCards(cards: readonly Card[]): Card[] {
  checkLength(cards)
  checkEffort(cards.flatMap(textsIn))
  const read = cards.map((card, index) => readValue(card, `changes[${index}]`, maxDepth) as Card)
  checkLength(read)
  return read
}

/** Both of what is sent and of what it becomes, since what resembles HTML grows: what is stored may be sent again. */
function checkLength(cards: readonly Card[]): void {
  if (countCharacters(JSON.stringify(cards)) <= maxCardsLength) return
  throw fault('changes', `must not be longer than ${maxCardsLength} characters altogether`)
}

/** An update holds up nobody else for longer than a single long text would. */
function checkEffort(texts: readonly string[]): void {
  if (texts.length > maxCardTexts) throw fault('changes', `must not hold more than ${maxCardTexts} texts altogether`)
  if (areEasyToClean(texts)) return
  throw fault('changes', 'holds too much markup altogether; write some of it as plain text')
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function readValue(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'string') return readMarkdown(value, Number.POSITIVE_INFINITY)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) throw fault(path, `is nested too deeply; at most ${maxDepth} levels are allowed`)
  if (Array.isArray(value)) return value.map((item) => readValue(item, path, depth - 1))
  const members = Object.entries(value).map(([name, member]) => [
    readName(name, path),
    readValue(member, path, depth - 1),
  ])
  return Object.fromEntries(members)
}

/** Names are shown as texts are. */
function readName(name: string, path: string): string {
  if (countCharacters(name) > maxNameLength) throw fault(path, `has a name of more than ${maxNameLength} characters`)
  if (/[<>]/.test(name)) throw fault(path, 'has a name with "<" or ">"')
  return name
}

function fault(path: string, reason: string) {
  return invalid('update.changes_invalid', `The body's member "${path}" ${reason}.`)
}

/**
 * One text for all ways of writing the same publication: the members of cards may come in any order. Whether it goes to
 * the chat belongs to it. (D51)
 */
export function publicationText({ title, content, changes }: Content, sendToChat: boolean): string {
  return JSON.stringify([title, content, changes.map(ordered), sendToChat])
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  const members = Object.entries(value).map(([name, member]) => [name, ordered(member)] as const)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What differs between two states of an update, on both sides. */
export function differencesOf(before: Content, after: Content): { before: Partial<Content>; after: Partial<Content> } {
  const names = (['title', 'content', 'changes'] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  const pick = (content: Content) => Object.fromEntries(names.map((name) => [name, content[name]]))
  return { before: pick(before), after: pick(after) }
}
