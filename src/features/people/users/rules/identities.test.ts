import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../../test/problems.ts'
import type { ExternalAccount, IdentityPlatform, Link } from '../types.ts'
import { checkLinkable, checkUnlinkable, nextStep, readExternalId, readPlatform, showsCode } from './identities.ts'

const now = new Date('2026-05-01T12:00:00Z')
const earlier = new Date('2026-04-30T12:00:00Z')
const dayMs = 86_400_000
const code = 'downbeat-ABCD2345'

const link = (changes: Partial<Link> = {}): Link => ({
  platform: 'ranking-a',
  externalId: '1',
  verifiedAt: null,
  proofCode: code,
  proofMadeAt: earlier,
  name: null,
  createdAt: earlier,
  ...changes,
})
const verified = (changes: Partial<Link> = {}) =>
  link({ verifiedAt: earlier, proofCode: null, proofMadeAt: null, ...changes })

const account = (changes: Partial<ExternalAccount> = {}): ExternalAccount => ({
  platform: 'ranking-a',
  askedId: '1',
  externalId: '1',
  isVouchedFor: false,
  profileText: null,
  profile: null,
  ...changes,
})

const keep = { do: 'keep', link: expect.anything() }
const claim = { do: 'claim' }
const verify = (verifiedAt = now) => ({ do: 'verify', verifiedAt })
const streaming = { platform: 'streaming', proofCode: null, proofMadeAt: null } as const
const shown = { profileText: `Hello ${code}` }

test.each<[string, Link | undefined, ExternalAccount, object]>([
  ['a first call claims', undefined, account(), claim],
  ['a first call cannot prove by a text', undefined, account(shown), claim],
  ['a platform that vouches proves at once', undefined, account({ isVouchedFor: true }), verify()],
  ['a claim stays while its code is not shown', link(), account({ profileText: 'Hello' }), keep],
  ['a claim stays while there is no text', link(), account(), keep],
  ['a shown code proves', link(), account(shown), verify()],
  ['a platform that vouches proves a claim', link(), account({ isVouchedFor: true }), verify()],
  ['a code does not prove another account', link(), account({ ...shown, askedId: '2', externalId: '2' }), claim],
  ['a code does not prove what the account was merged into', link(), account({ ...shown, externalId: '2' }), claim],
  [
    'a code proves up to its seventh day',
    link({ proofMadeAt: new Date(now.getTime() - 7 * dayMs + 1) }),
    account(shown),
    verify(),
  ],
  [
    'a code of seven days is replaced',
    link({ proofMadeAt: new Date(now.getTime() - 7 * dayMs) }),
    account(shown),
    claim,
  ],
  ['a code without an age is replaced', link({ proofMadeAt: null }), account(shown), claim],
  ['a claim without a code gets one', link({ proofCode: null, proofMadeAt: null }), account(), claim],
  ['a streaming claim stays without a code', link(streaming), account({ platform: 'streaming' }), keep],
  ['what is verified stays so', verified(), account(), keep],
  ['what is verified stays as old as it is', verified(), account({ isVouchedFor: true }), keep],
  ['a merger takes the proof along', verified(), account({ askedId: '1', externalId: '2' }), verify(earlier)],
  ['another account has to be proven', verified(), account({ askedId: '2', externalId: '2' }), claim],
  [
    'another account can be vouched for',
    verified(),
    account({ askedId: '2', externalId: '2', isVouchedFor: true }),
    verify(),
  ],
])('%s', (_rule, before, asked, step) => {
  expect(nextStep(before, asked, now)).toEqual(step)
})

test.each([
  [code, true],
  [`(${code}).`, true],
  [`one\ntwo\t${code}\n`, true],
  [code.toLowerCase(), true],
  [`<p>Hi</p><p>${code}</p>`, true],
  [`Hi<br>${code}<br/>there`, true],
  [`<div>Hi</div><div>${code}</div>`, true],
  [`<ul><li>Hi</li><li>${code}</li></ul>`, true],
  ['downbeat-<b>ABCD</b>2345', true],
  [`<!-- nothing -->${code}`, true],
  ['', false],
  ['downbeat', false],
  ['downbeat-ABCD2346', false],
  ['downbeat ABCD2345', false],
  [`x${code}`, false],
  [`é${code}`, false],
  [`_${code}`, false],
  [`9${code}`, false],
  [`not-${code}`, false],
  [`${code}6`, false],
  [`${code}é`, false],
  [`${code}\u0301`, false],
  [`${code}_`, false],
  [`${code}-`, false],
  [`<!-- ${code} -->`, false],
  [`<p title="${code}">Hi</p>`, false],
  [`<a href="https://example.org/?${code}">Hi</a>`, false],
  [`<img src=x alt="${code}">`, false],
  [`<script>"${code}"</script>`, false],
  [`<style>.${code}</style>`, false],
  [`Hi<b>${code}</b>`, false],
])('of the text %j it is %s that it shows the code', (text, shows) => {
  expect(showsCode(text, code)).toBe(shows)
})

describe('platforms', () => {
  test.each(['chat', 'ranking-a', 'ranking-b', 'streaming'])('%s is one', (name) => {
    expect(readPlatform(name)).toBe(name)
  })
  test.each(['', 'CHAT', 'ranking', 'toString', 'ranking-a '])('%j is none', (name) => {
    expect(codeOf(() => readPlatform(name))).toBe('identity.platform_invalid')
  })
  test('the chat identity is neither linked nor removed, all others are', () => {
    expect(codeOf(() => checkLinkable('chat'))).toBe('identity.platform_invalid')
    expect(codeOf(() => checkUnlinkable('chat'))).toBe('identity.chat_kept')
    for (const name of ['ranking-a', 'ranking-b', 'streaming'] as const) {
      expect([checkLinkable(name), checkUnlinkable(name)]).toEqual([name, name])
    }
  })
})

test.each<[IdentityPlatform, string, string | null]>([
  ['ranking-a', '76561198000000001', '76561198000000001'],
  ['ranking-b', '1'.repeat(20), '1'.repeat(20)],
  ['ranking-a', '1'.repeat(21), null],
  ['ranking-a', '', null],
  ['ranking-b', '12a', null],
  ['ranking-b', '１２', null],
  ['streaming', 'Quaver_1', 'quaver_1'],
  ['streaming', 'x'.repeat(25), 'x'.repeat(25)],
  ['streaming', 'x'.repeat(26), null],
  ['streaming', '', null],
  ['streaming', 'a-b', null],
  ['streaming', 'İ', null],
])('on %s the account %j is kept as %j', (platform, text, kept) => {
  const id = readExternalId(platform, text)
  expect(id.ok ? id.value : null).toBe(kept)
})
