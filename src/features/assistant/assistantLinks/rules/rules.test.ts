import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../../../test/problems.ts'
import { AssistantFailure, type FailureCode } from '../../../../infra/clients/assistant/request.ts'
import type { AssistantLink } from '../types.ts'
import { connectsAlike, defaultValues, type LinkInput, readLink } from './links.ts'
import { outcomeOf, shownText } from './outcomes.ts'
import { missingOf, missingPermissionsOf, neededPermissions, wishedPermissions } from './permissions.ts'

const open = { allowPlain: true, allowPrivate: true }
const strict = { allowPlain: false, allowPrivate: false }
const input = (more: Partial<LinkInput> = {}): LinkInput => ({
  host: 'assistant.example.org',
  assistantTournament: { guid: 'a-tournament', name: 'Spring Cup' },
  tokenKind: 'bot',
  ...more,
})
const link: AssistantLink = {
  tournamentGuid: 't',
  host: 'assistant.example.org',
  port: 8676,
  tls: true,
  certificate: 'public',
  assistantGuid: 'a-tournament',
  assistantName: 'Spring Cup',
  tokenKind: 'bot',
  sealedToken: 'sealed',
  sealedPassword: 'sealed',
  sealedHookSecret: 'sealed',
  actsAs: null,
  versionCode: null,
  qualifierEvents: [],
  bannedMods: [],
  enabled: true,
  allowModify: false,
  defaults: defaultValues,
  state: 'ok',
  lastConnectedAt: new Date(0),
  serverVersion: 1310,
  permissions: [],
  lastError: null,
  updatedAt: new Date(0),
}
const print = '0123456789abcdef'.repeat(4)

describe('a link', () => {
  test('that names only what it must is as usual', () => {
    expect(readLink(input(), undefined, strict)).toEqual({
      host: 'assistant.example.org',
      port: 8676,
      tls: true,
      certificate: 'public',
      tokenKind: 'bot',
      assistantGuid: 'a-tournament',
      assistantName: 'Spring Cup',
      versionCode: null,
      token: undefined,
      password: undefined,
      hookSecret: undefined,
      qualifierEvents: [],
      bannedMods: [],
      enabled: true,
      allowModify: false,
      defaults: {
        playMode: 'now',
        readyCheck: false,
        prompt: '',
        loadTimeoutMs: 100_000,
        autoAccept: false,
        autoAcceptMs: 5_000,
      },
    })
  })

  test.each<[string, string]>([
    ['Assistant.Example.ORG', 'assistant.example.org'],
    ['203.0.113.7', '203.0.113.7'],
    ['[2a00:1450::1]', '2a00:1450::1'],
    ['2A00:1450::1', '2a00:1450::1'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('leads to %s', (given, host) => {
    expect(readLink(input({ host: given }), undefined, open).host).toBe(host)
  })

  test.each([
    'https://assistant.example.org',
    'assistant.example.org/path',
    'assistant.example.org:8676',
    'ada@assistant.example.org',
    'assistant.example.org?x',
    'assistant.example.org#x',
    'a b.example.org',
    'a%2eexample.org',
    '[assistant.example.org]',
    'assistant.example.org\\',
  ])('does not lead to %s', (host) => {
    expect(problemOf(() => readLink(input({ host }), undefined, open))?.code).toBe('assistant.invalid')
  })

  test.each(['localhost', '127.0.0.1', '0x7f.1', '10.0.0.5', '[::1]', '::ffff:10.0.0.1', 'inner.local', 'server'])(
    'leads into no private network: %s',
    (host) => {
      expect(problemOf(() => readLink(input({ host }), undefined, strict))?.code).toBe('assistant.invalid')
      expect(problemOf(() => readLink(input({ host }), undefined, open))).toBeNull()
    },
  )

  test('is encrypted, but where things are tried out', () => {
    expect(problemOf(() => readLink(input({ tls: false }), undefined, strict))?.code).toBe('assistant.invalid')
    expect(readLink(input({ tls: false }), undefined, open).tls).toBe(false)
  })

  test.each<[string, string | null]>([
    ['public', 'public'],
    [print, print],
    [print.toUpperCase(), print],
    [(print.match(/../g) ?? []).join(':'), print],
    [print.slice(1), null],
    ['PUBLIC', null],
    [`${print}00`, null],
  ])('knows the server by the certificate %s', (certificate, expected) => {
    if (expected === null) {
      expect(problemOf(() => readLink(input({ certificate }), undefined, open))?.code).toBe('assistant.invalid')
    } else expect(readLink(input({ certificate }), undefined, open).certificate).toBe(expected)
  })

  test('names nothing twice', () => {
    for (const more of [{ qualifierEvents: ['a', 'a'] }, { bannedMods: ['Heck', 'Heck'] }, { bannedMods: [''] }]) {
      expect(problemOf(() => readLink(input(more), undefined, open))?.code).toBe('assistant.invalid')
    }
  })
})

describe('secrets', () => {
  test.each<[string, Partial<LinkInput>, boolean]>([
    ['nothing else', {}, true],
    ['its name there', { assistantTournament: { guid: 'another', name: 'Autumn Cup' } }, true],
    ['the mods', { bannedMods: ['Heck'] }, true],
    ['its host in capitals', { host: 'ASSISTANT.example.org' }, true],
    ['the host', { host: 'other.example.org' }, false],
    ['the port', { port: 8677 }, false],
    ['the certificate', { certificate: print }, false],
    ['the encryption', { tls: false }, false],
  ])('with another %s', (_what, more, isKept) => {
    const expected = isKept ? undefined : null
    const read = readLink(input(more), link, open)
    expect([read.token, read.password, read.hookSecret]).toEqual([expected, expected, undefined])
    // Secrets that are given with the change are meant for the new server.
    const given = readLink(input({ ...more, token: 'new', password: 'new' }), link, open)
    expect([given.token, given.password]).toEqual(['new', 'new'])
  })

  test('a token is a bot’s alone', () => {
    for (const tokenKind of ['own', 'readonly'] as const) {
      expect(problemOf(() => readLink(input({ tokenKind, token: 'x' }), link, open))?.code).toBe('assistant.invalid')
      expect(readLink(input({ tokenKind }), link, open).token).toBeNull()
    }
  })
})

test('a link that connects in another way is not the same', () => {
  expect(connectsAlike(link, { ...link })).toBe(true)
  const others = [
    ...[{ host: 'b' }, { port: 1 }, { tls: false }, { certificate: print }, { assistantGuid: 'b' }],
    ...[{ tokenKind: 'own' as const }, { sealedToken: 'b' }, { sealedPassword: null }, { actsAs: 'b' }],
    { versionCode: 1309 },
  ]
  for (const other of others) expect(connectsAlike(link, { ...link, ...other })).toBe(false)
})

describe('permissions', () => {
  test('are those of the assistant’s list, each needed or wished for', () => {
    const all = [...neededPermissions, ...wishedPermissions]
    expect(new Set(all).size).toBe(all.length)
    for (const permission of all) expect(permission).toMatch(/^tournament:(join|[a-z]+:[a-z_]+)$/)
    expect(neededPermissions.map((name) => name.split(':').at(-1))).toEqual([
      ...['join', 'create_match', 'add_user_to_match', 'set_match_leader', 'set_match_map'],
      ...['load_song', 'play_song', 'return_to_menu'],
    ])
  })

  test('that are missing are told by name, of a link that was connected', () => {
    const held = neededPermissions.filter((name) => !name.endsWith('play_song'))
    expect(missingOf(held)).toEqual({ needed: ['tournament:player:play_song'], wished: wishedPermissions })
    expect(missingOf([...neededPermissions, ...wishedPermissions, 'tournament:new'])).toEqual({
      needed: [],
      wished: [],
    })
    expect(missingPermissionsOf({ ...link, permissions: held })).toEqual([
      'tournament:player:play_song',
      ...wishedPermissions,
    ])
    expect(missingPermissionsOf({ ...link, lastConnectedAt: null })).toEqual([])
  })
})

describe('a failure', () => {
  test.each<[FailureCode, ConstructorParameters<typeof AssistantFailure>[2], string]>([
    ['assistant.version', { clientVersion: 1310, serverVersion: 1401 }, '1401'],
    ['assistant.version', { clientVersion: 1310, serverVersion: 1401 }, '1310'],
    ['assistant.unauthorised', {}, 'token'],
    ['assistant.password', {}, 'password'],
    ['assistant.tournament_unknown', { tournaments: ['Autumn Cup', 'Winter Cup'] }, 'Autumn Cup, Winter Cup'],
    ['assistant.tournament_unknown', { tournaments: [] }, 'no tournament'],
    ['assistant.permission', { permission: 'tournament:join' }, 'tournament:join'],
    ['assistant.timeout', {}, 'in time'],
    ['assistant.unreachable', {}, 'host, port and certificate'],
    ['assistant.protocol', {}, 'no assistant'],
  ])('%s with %j says what to do', (code, details, expected) => {
    const outcome = outcomeOf(new AssistantFailure(code, 'at 10.0.0.5', details))
    expect(outcome).toEqual({ ok: false, code, message: expect.stringContaining(expected) })
    expect(outcome.message).not.toContain('10.0.0.5')
    expect(outcome.message.length).toBeLessThanOrEqual(200)
  })

  test('shows texts of the assistant cut and on one line', () => {
    const tournaments = ['<b>\n\tSpring</b>', 'x'.repeat(500)]
    const { message } = outcomeOf(new AssistantFailure('assistant.tournament_unknown', '', { tournaments }))
    expect(message).toHaveLength(200)
    expect(message).not.toMatch(/[\n\t]/)
    expect(shownText('é'.repeat(200))).toHaveLength(200)
  })
})
