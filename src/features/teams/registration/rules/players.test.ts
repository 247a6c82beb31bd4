import { describe, expect, test } from 'vitest'
import { accountKey } from '../../../people/rankings/rules.ts'
import type { Finding, RankingPlatform } from '../../../people/rankings/types.ts'
import type { Requirements } from '../../../tournaments/tournaments/types.ts'
import type { Player, PlayerLink } from '../types.ts'
import { accountsToAsk, checkPlayer, type Findings, needsRankings } from './players.ts'

const now = new Date('2026-05-01T12:00:00Z')
const dayMs = 86_400_000
const ago = (ms: number) => new Date(now.getTime() - ms)

/** A chat-platform ID has the milliseconds since 2015 above 22 further bits. */
const chatIdMadeAt = (madeAt: Date, further: number) =>
  ((BigInt(madeAt.getTime() - Date.UTC(2015, 0, 1)) << 22n) | BigInt(further)).toString()

const player = (more: Partial<Player> = {}): Player => ({
  userGuid: '00000000-0000-4000-8000-000000000001',
  name: 'Quaver',
  chatPlatformId: chatIdMadeAt(ago(1_000 * dayMs), 1),
  isGone: false,
  isPlaceholder: false,
  emailVerified: false,
  country: null,
  links: [],
  ...more,
})
const link = (platform: PlayerLink['platform'], externalId: string, isVerified = true): PlayerLink => ({
  platform,
  externalId,
  isVerified,
})
const onA = link('ranking-a', '11')
const onB = link('ranking-b', '22')

type Said = { readonly country?: string | null; readonly rank?: number | null } | 'unreachable'
/** The platforms' data about account 11 on A and account 22 on B. */
function findings(said: { readonly a?: Said; readonly b?: Said }): Findings {
  const of = (platform: RankingPlatform, externalId: string, what: Said | undefined): [string, Finding][] =>
    what === undefined
      ? []
      : [
          [
            accountKey({ platform, externalId }),
            what === 'unreachable'
              ? what
              : { platform, externalId, name: 'x', country: null, rank: null, fetchedAt: now, ...what },
          ],
        ]
  return new Map([...of('ranking-a', '11', said.a), ...of('ranking-b', '22', said.b)])
}

const codes = (requirements: Requirements, one: Player, found: Findings = new Map()) =>
  checkPlayer(requirements, one, found, now).map(({ code }) => code)

test('whoever has deleted their account passes nothing, and nothing else is said of them', () => {
  const gone = player({ isGone: true, chatPlatformId: 'deleted:00000000-0000-4000-8000-000000000001' })
  expect(codes({}, gone)).toEqual(['account.deleted'])
  expect(codes({ emailVerified: true, rankingA: true, chatAccountAgeDays: 30 }, gone)).toEqual(['account.deleted'])
})

test('without requirements everybody passes, even an account that is made in a minute', () => {
  const stranger = player({
    chatPlatformId: chatIdMadeAt(new Date(now.getTime() + 60_000), 1),
    links: [link('streaming', 'x', false)],
  })
  expect(codes({}, stranger)).toEqual([])
  const nothing = {
    countries: [],
    rankA: {},
    rankB: {},
    rankingA: false,
    rankingB: false,
    emailVerified: false,
    chatAccountAgeDays: 0,
    verifiedLinks: false,
  }
  expect(codes(nothing, stranger)).toEqual([])
  expect(needsRankings(nothing)).toBe(false)
})

describe('account', () => {
  const rows: [string, Requirements, Player, string[]][] = [
    ['e-mail verified', { emailVerified: true }, player({ emailVerified: true }), []],
    ['e-mail not verified', { emailVerified: true }, player(), ['email.not_verified']],
    [
      'chat account exactly old enough',
      { chatAccountAgeDays: 30 },
      player({ chatPlatformId: chatIdMadeAt(ago(30 * dayMs), 0) }),
      [],
    ],
    [
      'chat account a millisecond too young',
      { chatAccountAgeDays: 30 },
      player({ chatPlatformId: chatIdMadeAt(ago(30 * dayMs - 1), 0x3fffff) }),
      ['chat_account.too_young'],
    ],
    [
      'chat account of the platform’s own example, made on 2016-04-30 at 11:18',
      { chatAccountAgeDays: 3_653 },
      player({ chatPlatformId: '175928847299117063' }),
      [],
    ],
    [
      'the same, a day older than it is',
      { chatAccountAgeDays: 3_654 },
      player({ chatPlatformId: '175928847299117063' }),
      ['chat_account.too_young'],
    ],
    [
      'chat account whose ID tells no time',
      { chatAccountAgeDays: 1 },
      player({ chatPlatformId: 'x' }),
      ['chat_account.too_young'],
    ],
    ['no links, none unverified', { verifiedLinks: true }, player(), []],
    ['every link verified', { verifiedLinks: true }, player({ links: [onA, onB, link('streaming', 's')] }), []],
    [
      'one link unverified',
      { verifiedLinks: true },
      player({ links: [onA, link('streaming', 's', false)] }),
      ['links.not_verified'],
    ],
    ['ranking link A there', { rankingA: true }, player({ links: [onA] }), []],
    ['ranking link A missing', { rankingA: true }, player({ links: [onB] }), ['ranking_a.not_linked']],
    [
      'ranking link A unverified',
      { rankingA: true },
      player({ links: [link('ranking-a', '11', false)] }),
      ['ranking_a.not_linked'],
    ],
    ['ranking link B there', { rankingB: true }, player({ links: [onB] }), []],
    ['ranking link B missing', { rankingB: true }, player({ links: [onA] }), ['ranking_b.not_linked']],
    [
      'ranking link B unverified',
      { rankingB: true },
      player({ links: [link('ranking-b', '22', false)] }),
      ['ranking_b.not_linked'],
    ],
  ]
  test.each(rows)('%s', (_what, requirements, one, expected) => {
    expect(codes(requirements, one)).toEqual(expected)
    expect(accountsToAsk(requirements, [one])).toEqual([])
  })
})

describe('rank', () => {
  const rows: [string, Requirements, Said, string[]][] = [
    ['at the lower end', { rankA: { min: 10, max: 20 } }, { rank: 10 }, []],
    ['at the upper end', { rankA: { min: 10, max: 20 } }, { rank: 20 }, []],
    ['above the range', { rankA: { min: 10, max: 20 } }, { rank: 9 }, ['ranking_a.out_of_range']],
    ['below the range', { rankA: { min: 10, max: 20 } }, { rank: 21 }, ['ranking_a.out_of_range']],
    ['an open upper end', { rankA: { min: 10 } }, { rank: 1_000_000 }, []],
    ['before an open upper end', { rankA: { min: 10 } }, { rank: 9 }, ['ranking_a.out_of_range']],
    ['an open lower end', { rankA: { max: 20 } }, { rank: 1 }, []],
    ['unranked', { rankA: { max: 20 } }, { rank: null }, ['ranking_a.unranked']],
    ['unreachable', { rankA: { max: 20 } }, 'unreachable', ['ranking.unreachable']],
    ['link required too: told once', { rankA: { max: 20 }, rankingA: true }, { rank: 30 }, ['ranking_a.out_of_range']],
  ]
  test.each(rows)('on platform A: %s', (_what, requirements, said, expected) => {
    expect(codes(requirements, player({ links: [onA] }), findings({ a: said }))).toEqual(expected)
  })
  test.each(rows)('on platform B: %s', (_what, { rankA, rankingA }, said, expected) => {
    const requirements = { ...(rankA && { rankB: rankA }), ...(rankingA && { rankingB: rankingA }) }
    const onlyB = findings({ b: said, a: { rank: 15 } })
    expect(codes(requirements, player({ links: [onA, onB] }), onlyB)).toEqual(
      expected.map((code) => code.replace('_a', '_b')),
    )
  })

  test('without a verified link there is nothing to ask, and the link is what is missing', () => {
    const unproven = player({ links: [link('ranking-a', '11', false)] })
    const requirements = { rankA: { max: 20 }, rankingA: true }
    expect(accountsToAsk(requirements, [unproven])).toEqual([])
    expect(codes(requirements, unproven, findings({ a: { rank: 1 } }))).toEqual(['ranking_a.not_linked'])
  })

  test('an account that was linked after the platforms were asked is to be tried again', () => {
    expect(codes({ rankA: { max: 20 } }, player({ links: [onA] }))).toEqual(['ranking.unreachable'])
  })

  test('says what the rank is and what it should be', () => {
    const [below] = checkPlayer(
      { rankA: { min: 10, max: 20 } },
      player({ links: [onA] }),
      findings({ a: { rank: 21 } }),
      now,
    )
    expect(below?.message).toBe('Quaver is ranked 21 on ranking platform A; only ranks from 10 to 20 can take part.')
    const [open] = checkPlayer({ rankB: { min: 10 } }, player({ links: [onB] }), findings({ b: { rank: 9 } }), now)
    expect(open?.message).toBe('Quaver is ranked 9 on ranking platform B; only ranks from 10 on can take part.')
    const [silent] = checkPlayer({ rankB: { min: 10 } }, player({ links: [onB] }), findings({ b: 'unreachable' }), now)
    expect(silent?.message).toBe('Ranking platform B cannot be reached to check Quaver; try again in a few minutes.')
  })
})

describe('country', () => {
  const requirements = { countries: ['CA', 'US'] }
  const both = [onA, onB]
  const rows: [string, Partial<Player>, { a?: Said; b?: Said }, string[]][] = [
    ['platform A names one that may take part', { links: both }, { a: { country: 'CA' }, b: { country: 'DE' } }, []],
    [
      'platform A names another',
      { links: both },
      { a: { country: 'DE' }, b: { country: 'CA' } },
      ['country.not_allowed'],
    ],
    ['platform B is asked where A names none', { links: both }, { a: { country: null }, b: { country: 'US' } }, []],
    ['platform B alone', { links: [onB] }, { b: { country: 'DE' } }, ['country.not_allowed']],
    ['neither names one', { links: both }, { a: { country: null }, b: { country: null } }, ['country.unknown']],
    ['no links', {}, {}, ['country.unknown']],
    ['unverified links', { links: [link('ranking-a', '11', false)] }, { a: { country: 'CA' } }, ['country.unknown']],
    [
      'platform A cannot be reached, and might name another',
      { links: both },
      { a: 'unreachable', b: { country: 'CA' } },
      ['ranking.unreachable'],
    ],
    ['platform B cannot be reached, and A names one', { links: both }, { a: { country: 'CA' }, b: 'unreachable' }, []],
    [
      'platform B cannot be reached, and A names none',
      { links: both },
      { a: { country: null }, b: 'unreachable' },
      ['ranking.unreachable'],
    ],
    ['an administrator set one that may take part', { country: 'CA', links: both }, { a: { country: 'DE' } }, []],
    ['an administrator set another', { country: 'DE', links: both }, { a: { country: 'CA' } }, ['country.not_allowed']],
  ]
  test.each(rows)('%s', (_what, more, said, expected) => {
    expect(codes(requirements, player(more), findings(said))).toEqual(expected)
  })

  test('one platform that cannot be reached is told once, though country and rank both need it', () => {
    const all = { ...requirements, rankA: { max: 20 } }
    expect(codes(all, player({ links: [onA] }), findings({ a: 'unreachable' }))).toEqual(['ranking.unreachable'])
  })
})

test('every unmet requirement is told', () => {
  const all = {
    countries: ['CA'],
    rankA: { max: 10 },
    rankB: { max: 10 },
    rankingA: true,
    rankingB: true,
    emailVerified: true,
    chatAccountAgeDays: 5_000,
    verifiedLinks: true,
  }
  const one = player({ links: [onA, link('ranking-b', '22', false)] })
  expect(codes(all, one, findings({ a: { country: 'DE', rank: 11 } }))).toEqual([
    'email.not_verified',
    'chat_account.too_young',
    'links.not_verified',
    'country.not_allowed',
    'ranking_a.out_of_range',
    'ranking_b.not_linked',
  ])
})

describe('platforms are asked for what the requirements need alone', () => {
  const both = player({ links: [onA, onB, link('streaming', 's')] })
  const a = { platform: 'ranking-a', externalId: '11' }
  const b = { platform: 'ranking-b', externalId: '22' }
  const rows: [string, Requirements, Player, object[]][] = [
    ['links and accounts', { rankingA: true, rankingB: true, emailVerified: true, verifiedLinks: true }, both, []],
    ['rank A', { rankA: { min: 1 } }, both, [a]],
    ['rank B', { rankB: { max: 1 } }, both, [b]],
    ['countries', { countries: ['CA'] }, both, [a, b]],
    ['countries, which an administrator has set', { countries: ['CA'] }, { ...both, country: 'CA' }, []],
    ['countries and rank, set country', { countries: ['CA'], rankB: { max: 1 } }, { ...both, country: 'CA' }, [b]],
  ]
  test.each(rows)('%s', (_what, requirements, one, expected) => {
    expect(accountsToAsk(requirements, [one])).toEqual(expected)
    if (expected.length > 0) expect(needsRankings(requirements)).toBe(true)
  })
})
