import { chatForm } from '../../../../core/markdown-chat.ts'
import type { ChatEmbed, ChatMessage } from '../../../../infra/clients/chat-webhooks.ts'
import type { Card, Content } from '../types.ts'
import { splitText } from './split.ts'

/** The chat platform's limits, in characters unless stated otherwise. (domain: 8.4) */
const limits = {
  content: 2_000,
  embedsOfMessage: 10,
  textOfEmbeds: 6_000,
  title: 256,
  description: 4_096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1_024,
}

/**
 * Converts an update into chat messages: the title and text, split into as many messages as needed, then the change
 * cards as embeds of the last one. Embeds that do not fit there go into further messages. (D33)
 */
export function messagesOf({ title, content, changes }: Content): ChatMessage[] {
  const heading = title === '' ? '' : `**${escaped(title)}**\n`
  const texts = splitText(content, limits.content, limits.content - heading.length)
  const groups = groupsOf(changes.flatMap((card) => embedOf(card) ?? []))
  const last = texts.length - 1
  return [
    ...texts.map((text, index) => ({
      content: index === 0 ? heading + text : text,
      embeds: index === last ? (groups[0] ?? []) : [],
    })),
    ...groups.slice(1).map((embeds) => ({ content: '', embeds })),
  ]
}

/** Escapes all characters that the platform would read as markup. */
function escaped(text: string): string {
  return text.replace(/[\\*_~`|[\]<]/g, '\\$&')
}

/** Groups the embeds in their order, as many per group as one message can hold. */
function groupsOf(embeds: readonly ChatEmbed[]): ChatEmbed[][] {
  const groups: ChatEmbed[][] = []
  let length = 0
  for (const embed of embeds) {
    const own = lengthOf(embed)
    const group = groups.at(-1)
    if (group === undefined || group.length === limits.embedsOfMessage || length + own > limits.textOfEmbeds) {
      groups.push([embed])
      length = own
    } else {
      group.push(embed)
      length += own
    }
  }
  return groups
}

function lengthOf({ title = '', description = '', fields = [] }: ChatEmbed): number {
  const ofFields = fields.map(({ name, value }) => name.length + value.length)
  return ofFields.reduce((sum, length) => sum + length, title.length + description.length)
}

const titleNames = ['title', 'label', 'field', 'name']
const descriptionNames = ['description', 'text', 'summary']

/**
 * Converts a card into an embed. The name becomes the title, the description the description, and every other member a
 * field, with `before` and `after` side by side. Values that are too long for an embed are cut with `…`. A card without
 * any text gives null. (D33; domain: 8.4)
 */
export function embedOf(card: Card): ChatEmbed | null {
  const named = (names: readonly string[]) => names.find((name) => isText(card[name]))
  const titleName = named(titleNames)
  const descriptionName = named(descriptionNames)
  const title = titleName === undefined ? '' : shortened(textOf(card[titleName]), limits.title)
  const description = descriptionName === undefined ? '' : shortened(textOf(card[descriptionName]), limits.description)
  const rest = Object.keys(card).filter((name) => name !== titleName && name !== descriptionName && name.trim() !== '')
  const fields = fitting(rest.map((name) => fieldOf(name, card[name])).slice(0, limits.fields), {
    room: limits.textOfEmbeds - title.length - description.length,
  })
  if (title === '' && description === '' && fields.length === 0) return null
  return {
    ...(title === '' ? {} : { title }),
    ...(description === '' ? {} : { description }),
    ...(fields.length === 0 ? {} : { fields }),
  }
}

type Field = NonNullable<ChatEmbed['fields']>[number]

function fieldOf(name: string, value: unknown): Field {
  const isSide = name === 'before' || name === 'after'
  return {
    name: shortened(isSide ? name.charAt(0).toUpperCase() + name.slice(1) : name, limits.fieldName),
    // The platform refuses a field without a value.
    value: shortened(textOf(value).trim(), limits.fieldValue) || '—',
    ...(isSide ? { inline: true } : {}),
  }
}

function fitting(fields: readonly Field[], { room }: { readonly room: number }): Field[] {
  let left = room
  return fields.filter(({ name, value }) => {
    left -= name.length + value.length
    return left >= 0
  })
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

/** Formats a value for readers: a list on one line, each member of an object on its own line. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(inlineText).join(', ')
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${inlineText(member)}`)
    .join('\n')
}

function inlineText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '—')
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Cuts the text to at most `max` UTF-16 code units, never inside a visible character or a form that the platform reads
 * as one. (D61)
 */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const start = graphemes.segment(text).containing(max - 1)?.index ?? 0
  const form = Array.from(text.matchAll(chatForm)).find(
    ({ index, 0: one }) => index < start && start < index + one.length,
  )
  return `${text.slice(0, form?.index ?? start).trimEnd()}…`
}
