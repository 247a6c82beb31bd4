import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../test/problems.ts'
import type { Application } from '../types.ts'
import {
  changesOf,
  checkHasSecret,
  checkImageUrl,
  checkMayRegister,
  checkName,
  checkRedirectUris,
  hasSecret,
  redirectUriFault,
} from './rules.ts'

const mediaUrl = 'http://own.example.org'

describe('a name', () => {
  test.each([
    'a',
    'Overlay Editor 2',
    '42',
    'Übersicht',
    'Оверлей',
    '譜面 編集',
    'वीडियो', // Vowel signs are marks.
    '٤٢', // Digits of another script.
    'x̂y', // Unicode has no precomposed letter for it.
    'a'.repeat(64),
    '𐐀'.repeat(64),
  ])('may be %j', (name) => {
    expect(codeOf(() => checkName(name))).toBeNull()
  })

  test.each([
    '',
    ' ',
    'a  b',
    ' a',
    'a ',
    'a\tb',
    'a\nb',
    'a\u00a0b',
    'a\u3000b',
    'a-b',
    'a_b',
    'a.b',
    "o'clock",
    '<b>',
    'a/b',
    'Editor™',
    '²',
    'Ⅷ',
    '🎵',
    '\u0301a', // A mark without its letter.
    'a \u0301b',
    'a\u200db',
    'a\u3164b', // An invisible letter.
    '\uffa0',
    '\u2800',
    '\u115f',
    'a\u180eb',
    '\u{e0041}',
    'a\nb',
    'a\u034fb',
    'a\ufe0fb',
    'a'.repeat(65),
    '𐐀'.repeat(65),
    'x̂'.repeat(33),
  ])('may not be %j', (name) => {
    expect(codeOf(() => checkName(name))).toBe('application.name_invalid')
  })
})

describe('a redirect address', () => {
  test.each([
    'https://client.example/',
    'https://client.example',
    'https://client.example:8443',
    'https://client.example/callback',
    'https://client.example/callback/',
    'https://client.example:8443/callback?tenant=1&x=%20y',
    'https://client.example/?',
    'https://client.example/@x',
    'https://client.example/?to=a@b.example',
    'https://client.example/a%2Fb',
    'https://client.example/a//b',
    'https://xn--mnchen-3ya.example/',
    'https://192.0.2.1/cb',
    'https://[2001:db8::1]/cb',
    'https://localhost/',
    'https://studio.local/cb',
    'http://localhost',
    'http://localhost/',
    'http://localhost:3000/cb?x=1',
    'http://127.0.0.1:49152/cb',
    'http://[::1]/',
    'http://[::1]:8080/cb',
    'http://studio.local/cb',
    'http://a.b.local:8080/',
  ])('may be %s', (address) => {
    expect(redirectUriFault(address)).toBeNull()
  })

  const near = 'must start with https://'
  const absolute = 'must be an absolute address'
  const exact = 'must be exact'
  const fragment = 'must not have a fragment'
  const user = 'must not hold a user name'
  const ascii = 'must consist of ASCII'
  test.each([
    ['http://client.example/cb', near],
    ['http://192.0.2.1/', near],
    ['http://127.0.0.2/', near],
    ['http://0.0.0.0/', near],
    ['http://[::]/', near],
    ['http://[::ffff:127.0.0.1]/', near],
    ['http://localhost.evil.example/', near],
    ['http://evil-localhost/', near],
    ['http://sub.localhost/', near],
    ['http://localhost./', near],
    ['http://127.0.0.1.evil.example/', near],
    ['http://local/', near],
    ['http://.local/', near],
    ['http://a..local/', near],
    ['http://evillocal/', near],
    ['http://studio.local.evil.example/', near],
    ['http://studio.local./', near],
    ['', absolute],
    ['callback', absolute],
    ['/callback', absolute],
    ['//client.example/cb', absolute],
    ['client.example/cb', absolute],
    ['https:client.example/cb', absolute],
    ['https:/client.example/cb', absolute],
    ['https://', absolute],
    ['https://client.example:65536/', absolute],
    ['https://client example/', ascii],
    ['javascript:alert(1)', absolute],
    ['javascript://client.example/%0aalert(1)', absolute],
    ['data:text/html,x', absolute],
    ['file:///etc/passwd', absolute],
    ['myapp://callback', absolute],
    ['com.example.app:/callback', absolute],
    ['ftp://client.example/', absolute],
    ['wss://client.example/', absolute],
    ['urn:ietf:wg:oauth:2.0:oob', absolute],
    ['https://*.client.example/', exact],
    ['https://client.example/*', exact],
    ['https://client.example/?x=*', exact],
    ['http://localhost:*/cb', exact],
    ['https://client.example/#', fragment],
    ['https://client.example/#token', fragment],
    ['https://client.example#', fragment],
    ['https://user@client.example/', user],
    ['https://user:pass@client.example/', user],
    ['https://:pass@client.example/', user],
    ['https://@client.example/', user],
    ['https://:@client.example/', user],
    ['https://client.example@evil.example/', user],
    ['http://localhost@evil.example/', user],
    ['http://localhost:80@evil.example/', user],
    ['https:///user@client.example/', user],
    ['https://client.example/a b', ascii],
    ['https://client.example/a\tb', ascii],
    ['https://client.example/a\nb', ascii],
    [' https://client.example/', ascii],
    ['https://client.example/\u0000', ascii],
    ['https://client.example/\u007f', ascii],
    ['https://münchen.example/', ascii],
    ['https://client.example/ü', ascii],
    ['https://client。example/', ascii],
  ])('may not be %j: it %s', (address, fault) => {
    expect(redirectUriFault(address)).toContain(fault)
  })

  test.each([
    ['HTTPS://client.example/', 'https://client.example/'],
    ['https://CLIENT.example/cb', 'https://client.example/cb'],
    ['http://LOCALHOST/', 'http://localhost/'],
    ['http://127.1/', 'http://127.0.0.1/'],
    ['http://2130706433/cb', 'http://127.0.0.1/cb'],
    ['http://0x7f.0.0.1/', 'http://127.0.0.1/'],
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
    ['http://[0:0:0:0:0:0:0:1]/', 'http://[::1]/'],
    ['http://studio%2elocal/', 'http://studio.local/'],
    ['https://client.example:443/', 'https://client.example/'],
    ['http://localhost:80/', 'http://localhost/'],
    ['https://client.example:/', 'https://client.example/'],
    ['https://client.example?x=1', 'https://client.example/?x=1'],
    ['https://client.example/a/../cb', 'https://client.example/cb'],
    ['https://client.example/a/%2e%2e/cb', 'https://client.example/cb'],
    ['https://client.example/./cb', 'https://client.example/cb'],
    ['https://client.example\\cb', 'https://client.example/cb'],
    ['https://client.example\\@evil.example/', 'https://client.example/@evil.example/'],
    ['https:///client.example/cb', 'https://client.example/cb'],
    ['https://%63lient.example/', 'https://client.example/'],
    ['https://client.example/"', 'https://client.example/%22'],
  ])('is not %s, which browsers write as %s', (address, canonical) => {
    expect(redirectUriFault(address)).toBe(`must be written as browsers write it: ${canonical}`)
    expect(redirectUriFault(canonical)).toBeNull()
  })

  test('is told apart from its neighbours, shown and in part when it is long', () => {
    const problem = problemOf(() =>
      checkRedirectUris(['https://client.example/', `http://client.example/${'x'.repeat(200)}\n`, 'javascript:1']),
    )
    expect(problem?.code).toBe('application.redirect_invalid')
    expect(problem?.message).toContain(`"http://client.example/${'x'.repeat(78)}"`)
    expect(problem?.message).not.toContain('javascript')
  })
})

test.each([
  ['https://media.example.org/a.png', null],
  ['http://media.example.org/a.png', 'application.image_invalid'],
  ['http://own.example.org/media/9b2e6f0c-9d0e-4e5c-8f6a-2f1f7f3a1b10/full.webp', null],
  ['http://own.example.org.evil.example/a.png', 'application.image_invalid'],
  ['javascript:alert(1)', 'application.image_invalid'],
  ['data:image/png;base64,AA==', 'application.image_invalid'],
  ['//media.example.org/a.png', 'application.image_invalid'],
  ['https://user:pass@media.example.org/a.png', 'application.image_invalid'],
  ['', 'application.image_invalid'],
  [`https://media.example.org/${'a'.repeat(2_000)}`, 'application.image_invalid'],
])('an image may be at %s: %s', (url, code) => {
  expect(codeOf(() => checkImageUrl(url, mediaUrl))).toBe(code)
})

test.each([
  [0, null],
  [99, null],
  [100, 'application.limit_reached'],
  [101, 'application.limit_reached'],
])('who has %i applications may register another: %s', (count, code) => {
  expect(codeOf(() => checkMayRegister(count))).toBe(code)
})

test('confidential applications alone have a secret', () => {
  expect([hasSecret('confidential'), hasSecret('public')]).toEqual([true, false])
  expect(codeOf(() => checkHasSecret({ type: 'confidential' }))).toBeNull()
  const refused = problemOf(() => checkHasSecret({ type: 'public' }))
  expect([refused?.kind, refused?.code]).toEqual(['conflict', 'application.public'])
})

describe('a change', () => {
  const application: Application = {
    clientId: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
    ownerGuid: '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11',
    name: 'Editor',
    imageUrl: 'https://media.example.org/a.png',
    type: 'confidential',
    scopes: ['rest:read', 'ws:read'],
    redirectUris: ['https://client.example/cb'],
    createdAt: new Date('2026-05-01T18:00:00Z'),
    updatedAt: new Date('2026-05-01T18:00:00Z'),
  }

  test.each<[object, object]>([
    [{ name: 'Viewer' }, { name: 'Viewer' }],
    [{ imageUrl: null }, { imageUrl: null }],
    [{ scopes: ['ws:read', 'rest:read'] }, { scopes: ['ws:read', 'rest:read'] }],
    [{ name: 'Editor', redirectUris: ['https://client.example/'] }, { redirectUris: ['https://client.example/'] }],
    [{ type: 'confidential', name: 'Viewer' }, { name: 'Viewer' }],
    [{ name: 'Editor', scopes: ['rest:read', 'ws:read'], redirectUris: ['https://client.example/cb'] }, {}],
    [{ name: 'Viewer', clientId: 'x', ownerGuid: 'x', secretHash: 'x', createdAt: 'x' }, { name: 'Viewer' }],
  ])('of %j makes %j different', (input, changes) => {
    expect(changesOf(application, input, mediaUrl)).toEqual(changes)
  })

  test.each<[object, string]>([
    [{}, 'application.nothing_given'],
    [{ clientId: 'x' }, 'application.nothing_given'],
    [{ type: 'confidential' }, 'application.nothing_given'],
    [{ type: 'public' }, 'application.type_fixed'],
    [{ type: 'public', name: 'Viewer' }, 'application.type_fixed'],
    [{ name: '' }, 'application.name_invalid'],
    [{ imageUrl: '' }, 'application.image_invalid'],
    [{ redirectUris: ['https://client.example/cb', 'http://client.example/'] }, 'application.redirect_invalid'],
  ])('of %j is refused', (input, code) => {
    expect(codeOf(() => changesOf(application, input, mediaUrl))).toBe(code)
  })
})
