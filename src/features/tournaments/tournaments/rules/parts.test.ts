import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../../../test/problems.ts'
import { chatWebhookFault } from '../../../listing/platforms/rules.ts'
import type { FieldInput, RequirementsInput } from '../bodies.ts'
import { countNewFields, readFields } from './fields.ts'
import { readRequirements } from './requirements.ts'

describe('additional fields', () => {
  const guids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const field = (more: Partial<FieldInput> = {}): FieldInput => ({ label: 'Region', type: 'text', ...more })

  test('keep a given GUID, in lower case, and get one of the new ones otherwise', () => {
    const kept = 'ABCDEF00-0000-4000-8000-000000000009'
    const given = [field(), field({ guid: kept }), field()]
    expect(countNewFields(given)).toBe(2)
    expect(readFields(given, guids, []).map(({ guid }) => guid)).toEqual([guids[0], kept.toLowerCase(), guids[1]])
  })

  test('have defaults for everything but label and type', () => {
    expect(readFields([field({ help: '' })], guids, [])).toEqual([
      {
        guid: guids[0],
        label: 'Region',
        help: null,
        type: 'text',
        required: false,
        options: [],
        subject: 'team',
        private: false,
      },
    ])
  })

  test.each<[string, FieldInput[], string | null]>([
    ['a choice with options', [field({ type: 'select', options: ['EU', 'NA'] })], null],
    ['a choice without options', [field({ type: 'select' })], 'needs "options"'],
    ['a choice with the same option twice', [field({ type: 'select', options: ['EU', 'EU'] })], 'same option twice'],
    ['options of a number', [field({ type: 'number', options: ['1'] })], 'only if its "type" is select'],
    ['no options of a number', [field({ type: 'number', options: [] })], null],
    ['one GUID twice', [field({ guid: guids[0] as string }), field({ guid: guids[0] as string })], 'same GUID'],
  ])('%s', (_what, given, refusal) => {
    const problem = problemOf(() => readFields(given, guids, []))
    if (refusal === null) expect(problem).toBeNull()
    else expect(problem).toMatchObject({ code: 'tournament.invalid', message: expect.stringContaining(refusal) })
  })
})

describe('requirements', () => {
  test('keep what is asked for, and nothing that asks for nothing', () => {
    const input: RequirementsInput = {
      countries: ['ca', 'DE', 'CA'],
      rankA: { min: 1, max: 500 },
      rankB: { max: 10, min: null },
      rankingA: true,
      rankingB: false,
      emailVerified: null,
      chatAccountAgeDays: 0,
    }
    expect(readRequirements(input)).toEqual({
      countries: ['CA', 'DE'],
      rankA: { min: 1, max: 500 },
      rankB: { max: 10 },
      rankingA: true,
      rankingB: false,
      chatAccountAgeDays: 0,
    })
    expect(readRequirements({ countries: [], rankA: {}, rankB: null, verifiedLinks: null })).toEqual({})
  })

  test.each(['UK', 'Canada', 'XX', ''])('%j is no country', (code) => {
    expect(codeOf(() => readRequirements({ countries: [code] }))).toBe('tournament.invalid')
  })

  test('a range of ranks may not be empty', () => {
    const problem = problemOf(() => readRequirements({ rankB: { min: 2, max: 1 } }))
    expect(problem?.message).toContain('"requirements.rankB.min"')
    expect(codeOf(() => readRequirements({ rankB: { min: 2, max: 2 } }))).toBeNull()
  })
})

describe('chat webhook addresses (D33, D37)', () => {
  const discord = 'https://discord.com/api/v10'
  test.each([
    [discord, 'https://discord.com/api/webhooks/123/abc_DEF-9'],
    [discord, 'https://discord.com/api/v10/webhooks/123/abc'],
    [discord, 'https://DISCORD.com:443/api/webhooks/123/abc'],
    ['http://127.0.0.1:4567', 'http://127.0.0.1:4567/webhooks/1/t'],
    ['http://127.0.0.1:4567', 'http://127.0.0.1:4567/api/webhooks/1/t'],
    ['http://127.0.0.1:4567/fake/', 'http://127.0.0.1:4567/fake/webhooks/1/t'],
    ['http://127.0.0.1:3001/api/auth/stand-in', 'http://127.0.0.1:3001/api/auth/stand-in/webhooks/1/t'],
  ])('with the platform at %s, %s is one', (api, address) => {
    expect(chatWebhookFault(address, api)).toBeNull()
  })

  test.each([
    [discord, 'https://discord.com/api/webhooks/{id}/{token}'],
    ['http://127.0.0.1:4567', 'http://127.0.0.1:4567/api/webhooks/{id}/{token}'],
    ['http://127.0.0.1:3001/api/auth/stand-in', 'http://127.0.0.1:3001/api/auth/stand-in/webhooks/{id}/{token}'],
  ])('with the platform at %s, a refusal names an example', (api, example) => {
    expect(chatWebhookFault('nonsense', api)).toBe(`must be an address such as ${example}`)
  })

  test.each([
    'http://discord.com/api/webhooks/123/abc',
    'https://discord.com.evil.example/api/webhooks/123/abc',
    'https://evil.example/api/webhooks/123/abc',
    'https://discord.com@evil.example/api/webhooks/123/abc',
    'https://user:pass@discord.com/api/webhooks/123/abc',
    'https://discord.com:8443/api/webhooks/123/abc',
    'https://discord.com/webhooks/123/abc',
    'https://discord.com/api/v9/webhooks/123/abc',
    'https://discord.com/api/webhooks/123',
    'https://discord.com/api/webhooks/123/abc/messages/1',
    'https://discord.com/api/webhooks/../users/@me',
    'https://discord.com/api/webhooks/123/abc?wait=true',
    'https://discord.com/api/webhooks/123/abc#x',
    'https://discord.com/api/webhooks/1%2F2/abc',
    'javascript:alert(1)',
    '//discord.com/api/webhooks/123/abc',
    'discord.com/api/webhooks/123/abc',
  ])('%s is none', (address) => {
    const fault = chatWebhookFault(address, discord)
    expect(fault).not.toBeNull()
    // The address is a secret and must not be in the message.
    expect(fault).not.toContain('abc')
  })
})
