import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChatEmbed } from '../../../../infra/clients/chat-webhooks.ts'
import type { Card } from '../types.ts'
import { embedOf, messagesOf } from './message.ts'

const update = (parts: { title?: string; content?: string; changes?: readonly Card[] }) =>
  messagesOf({ title: '', content: 'Text.', changes: [], ...parts })

describe('a message', () => {
  test('has the title above the text', () => {
    expect(update({ title: 'Finals moved', content: 'To Sunday.\n\nBe there.' })).toEqual([
      { content: '**Finals moved**\nTo Sunday.\n\nBe there.', embeds: [] },
    ])
    expect(update({ content: 'To Sunday.' })).toEqual([{ content: 'To Sunday.', embeds: [] }])
  })

  test('shows a title as it is, whatever marks are in it', () => {
    const [message] = update({ title: '**a** _b_ ~c~ `d` |e| [f](g) <@1> \\', content: 'x' })
    expect(message?.content).toBe('**\\*\\*a\\*\\* \\_b\\_ \\~c\\~ \\`d\\` \\|e\\| \\[f\\](g) \\<@1> \\\\**\nx')
  })

  test('is followed by as many as a long text needs, of which only the first has the title', () => {
    const messages = update({ title: 'x'.repeat(120), content: 'word '.repeat(3_000).trim() })
    expect(messages.length).toBe(8)
    for (const [index, { content }] of messages.entries()) {
      expect(content.length).toBeLessThanOrEqual(2_000)
      expect(content.startsWith('**')).toBe(index === 0)
    }
  })

  test('carries the cards behind the text, at most ten', () => {
    const changes = Array.from({ length: 12 }, (_, index) => ({ title: `Card ${index}` }))
    const messages = update({ content: 'word '.repeat(600).trim(), changes })
    expect(messages.map(({ content, embeds }) => [content === '', embeds.length])).toEqual([
      ...[
        [false, 0],
        [false, 10],
        [true, 2],
      ],
    ])
    expect(messages.flatMap(({ embeds }) => embeds.map(({ title }) => title))).toEqual(
      changes.map(({ title }) => title),
    )
  })

  test('carries no more of the cards than a message may hold', () => {
    const messages = update({ changes: [1, 2, 3].map((n) => ({ title: `Card ${n}`, description: 'd'.repeat(2_500) })) })
    expect(messages.map(({ embeds }) => embeds.length)).toEqual([2, 1])
  })
})

describe('a card', () => {
  test.each<[string, Card, ChatEmbed | null]>([
    [
      'shows before and after side by side',
      { title: 'Final', before: 'Saturday', after: 'Sunday' },
      {
        title: 'Final',
        fields: [
          { name: 'Before', value: 'Saturday', inline: true },
          { name: 'After', value: 'Sunday', inline: true },
        ],
      },
    ],
    [
      'is named by its label',
      { label: 'Best of', before: 3, after: 5 },
      {
        title: 'Best of',
        fields: [
          { name: 'Before', value: '3', inline: true },
          { name: 'After', value: '5', inline: true },
        ],
      },
    ],
    [
      'is named by its field',
      { field: 'startsAt', description: 'Moved.' },
      { title: 'startsAt', description: 'Moved.' },
    ],
    [
      'has a dash for what is not there',
      { before: null, after: '' },
      {
        fields: [
          { name: 'Before', value: '—', inline: true },
          { name: 'After', value: '—', inline: true },
        ],
      },
    ],
    [
      'shows members and lists as people read them',
      { before: { map: 'A', score: 1, more: { x: [1] } }, after: ['B', true, null] },
      {
        fields: [
          { name: 'Before', value: 'map: A\nscore: 1\nmore: {"x":[1]}', inline: true },
          { name: 'After', value: 'B, true, —', inline: true },
        ],
      },
    ],
    [
      'has a field for anything else',
      { title: 'T', map: 'Song' },
      { title: 'T', fields: [{ name: 'map', value: 'Song' }] },
    ],
    ['in which nothing is said is none', {}, null],
    ['in which nothing is named is none', { '': 'x', ' ': 'y' }, null],
  ])('%s', (_what, card, embed) => {
    expect(embedOf(card)).toEqual(embed)
  })

  test('is cut where an embed ends, between characters', () => {
    const embed = embedOf({ title: '👩‍👩‍👧‍👦'.repeat(50), before: 'b'.repeat(2_000), [`${'n'.repeat(300)}`]: 'x' })
    expect(embed?.title).toMatch(/^(👩‍👩‍👧‍👦)+…$/u)
    expect(embed?.fields?.map(({ name, value }) => [name.length, value.length])).toEqual([
      [6, 1_024],
      [256, 1],
    ])
  })

  test('has no more fields than an embed', () => {
    const card = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field ${index}`, 'v']))
    expect(embedOf(card)?.fields).toHaveLength(25)
  })
})

test('whatever cards there are, every message is one that the platform takes', () => {
  const lengthOf = (text = '') => text.length
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ maxLength: 300 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 40 }), {
        maxLength: 12,
      }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      (changes, title) => {
        for (const { content, embeds } of update({ title, changes })) {
          expect(content.length <= 2_000 && embeds.length <= 10 && (content !== '' || embeds.length > 0)).toBe(true)
          const texts = embeds.flatMap((embed) => [
            lengthOf(embed.title),
            lengthOf(embed.description),
            ...(embed.fields ?? []).flatMap(({ name, value }) => [name.length, value.length]),
          ])
          expect(texts.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(6_000)
          for (const { title: name, description, fields = [] } of embeds) {
            expect(lengthOf(name) <= 256 && lengthOf(description) <= 4_096 && fields.length <= 25).toBe(true)
            for (const field of fields) {
              expect([field.name.trim() !== '', field.name.length <= 256]).toEqual([true, true])
              expect([field.value.trim() !== '', field.value.length <= 1_024]).toEqual([true, true])
            }
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})
