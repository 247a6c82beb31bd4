import { isDeepStrictEqual } from 'node:util'
import { countCharacters } from '../../../../core/characters.ts'
import { areEasyToClean } from '../../../../core/markdown-effort.ts'
import { invalid } from '../../../../core/problem.ts'
import { oneLine, readMarkdown } from '../../../../core/text.ts'
import type { Card, Content } from '../types.ts'

export const maxTitleCharacters = 120
export const maxContentCharacters = 16_000

/**
 * Checks and cleans the content of an update: Markdown without unsafe markup, a plain-text title on one line, and cards
 * whose texts are cleaned like the content. (rest-interface: Tournament update; D36)
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
 * Applies an edit. Members that are not given stay. Unchanged cards are not checked again, as they may be older than
 * the limits.
 * @throws Problem `update.content_empty`, `update.changes_invalid`
 */
export function readEdit(before: Content, given: Pick<Content, 'content'> & Partial<Content>): Content {
  const { title = before.title, content, changes = before.changes } = given
  if (!isDeepStrictEqual(changes, before.changes)) return readContent({ title, content, changes })
  return { ...readContent({ title, content, changes: [] }), changes }
}

/**
 * The maximum length of all cards of an update together, as JSON in characters, so that a page of fifty updates stays
 * readable.
 */
export const maxCardsLength = 24_000
/**
 * The maximum number of texts in cards. Each text is cleaned separately, which takes some microseconds even for a short
 * one.
 */
export const maxCardTexts = 500
const maxDepth = 6
const maxNameLength = 100

/**
 * Cards have no fixed form, but their size and depth are limited, so that lists of updates stay small.
 * (rest-interface: Limits; D8)
 */
function readCards(cards: readonly Card[]): Card[] {
  checkLength(cards)
  checkEffort(cards.flatMap(textsIn))
  const read = cards.map((card, index) => readValue(card, `changes[${index}]`, maxDepth) as Card)
  checkLength(read)
  return read
}

/**
 * Checks the length before and after cleaning, as cleaning can make markup longer: a stored text must be accepted when
 * it is sent again.
 */
function checkLength(cards: readonly Card[]): void {
  if (countCharacters(JSON.stringify(cards)) <= maxCardsLength) return
  throw fault('changes', `must not be longer than ${maxCardsLength} characters altogether`)
}

/** Cleaning all texts must not block other requests for longer than cleaning one long text would. */
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

/** Names of members are shown like texts. */
function readName(name: string, path: string): string {
  if (countCharacters(name) > maxNameLength) throw fault(path, `has a name of more than ${maxNameLength} characters`)
  if (/[<>]/.test(name)) throw fault(path, 'has a name with "<" or ">"')
  return name
}

function fault(path: string, reason: string) {
  return invalid('update.changes_invalid', `The body's member "${path}" ${reason}.`)
}

/**
 * Returns the same text for equal publications: the order of members in a card does not matter. Whether the update goes
 * to the chat is part of the publication. (D51)
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

/** Returns the members that differ between two states of an update, with both values. */
export function differencesOf(before: Content, after: Content): { before: Partial<Content>; after: Partial<Content> } {
  const names = (['title', 'content', 'changes'] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  const pick = (content: Content) => Object.fromEntries(names.map((name) => [name, content[name]]))
  return { before: pick(before), after: pick(after) }
}
