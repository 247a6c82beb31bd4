import { describe, expect, it, test } from 'vitest'
import type { Song } from '../../../infra/clients/catalogue-songs.ts'
import { identityKey } from '../catalogue/rules/identities.ts'
import type { Difficulty, Finding, MapIdentity } from '../catalogue/types.ts'
import { expanded, isTooLarge, itemsOfLines, itemsOfPlaylist, judge, plan, type Verdict, withMaps } from './rules.ts'
import type { DifficultyRule, ImportItem } from './types.ts'

const hash = '1'.repeat(40)
const other = '2'.repeat(40)
const answeredAt = new Date('2026-05-01T12:00:00Z')
const nothing = { difficulty: null, characteristic: null }

function songOf(names: string, published = hash): Song {
  const numbers = { njs: 1, nps: 1, notes: 1, bombs: 1, obstacles: 1, maxScore: 1, starsA: null, starsB: null }
  return {
    key: '1a2b3',
    hash: published,
    name: 'Song',
    subName: null,
    artist: null,
    mapper: null,
    imageUrl: null,
    previewUrl: null,
    bpm: 1,
    durationSeconds: 1,
    rankedA: false,
    rankedB: false,
    ai: 'none',
    uploadedAt: null,
    difficulties: names.split(' ').map((name) => {
      const [difficulty = '', characteristic = 'Standard'] = name.split('/').toReversed()
      return { ...numbers, characteristic, difficulty: difficulty as Difficulty, requirements: [] }
    }),
  }
}

const itemOf = (parts: Partial<ImportItem> = {}): ImportItem => ({
  input: 'x',
  reference: { kind: 'hash', hash },
  ...nothing,
  fault: null,
  settings: null,
  ...parts,
})
const found = (names: string, published = hash, asked: string | null = hash): Finding => ({
  outcome: 'found',
  song: songOf(names, published),
  answeredAt,
  hash: asked,
  named: nothing,
})
const unknown: Finding = { outcome: 'unknown', answeredAt, hash, named: nothing }
const unreachable: Finding = { outcome: 'unreachable', hash, named: nothing }
const told = ({ outcome, reason, identity, finding }: Verdict) =>
  [outcome, reason ?? '', identity === null ? '' : identityKey(identity).replace(hash, 'H'), finding !== null].join(' ')

describe('what is said of a row', () => {
  const expert = { difficulty: 'Expert' } as const
  it.each<[string, Partial<ImportItem>, Finding | null, DifficultyRule, string]>([
    ['the only difficulty', {}, found('Hard'), 'ask', 'added  H:standard:Hard true'],
    ['several', {}, found('Hard Expert'), 'ask', 'choice map.difficulty_missing  false'],
    ['the highest of several', {}, found('Hard Expert Lawless/ExpertPlus'), 'highest', 'added  H:standard:Expert true'],
    ['its own, whatever the rule', expert, found('Expert ExpertPlus'), 'highest', 'added  H:standard:Expert true'],
    ['that of the rule', {}, found('Hard Expert'), 'Hard', 'added  H:standard:Hard true'],
    ['that of the rule, which it lacks', {}, found('Hard'), 'Easy', 'rejected map.difficulty_unknown  false'],
    ['one that it lacks', expert, found('Hard'), 'highest', 'rejected map.difficulty_unknown  false'],
    [
      'a mode that it lacks',
      { characteristic: 'Lawless' },
      found('Hard'),
      'highest',
      'rejected map.difficulty_unknown  false',
    ],
    ['outdated', expert, found('Expert', other), 'ask', 'added  H:standard:Expert true'],
    ['outdated, with what the new one lacks', expert, found('Hard', other), 'ask', 'added  H:standard:Expert true'],
    ['outdated, of several', {}, found('Hard Expert', other), 'ask', 'choice map.difficulty_missing  false'],
    ['not in the catalogue', expert, unknown, 'ask', 'missing map.unknown H:standard:Expert true'],
    ['not in the catalogue, without a difficulty', {}, unknown, 'highest', 'missing map.unknown  false'],
    ['not in the catalogue, by the rule', {}, unknown, 'Easy', 'missing map.unknown H:standard:Easy true'],
    ['not answered', expert, unreachable, 'ask', 'pending catalogue.unreachable H:standard:Expert true'],
    ['not answered, without a difficulty', {}, unreachable, 'ask', 'pending catalogue.unreachable  false'],
    [
      'not answered, without a hash',
      expert,
      { ...unreachable, hash: null },
      'ask',
      'pending catalogue.unreachable  false',
    ],
    ['not readable', { reference: null, fault: 'playlist.unknown' }, null, 'ask', 'rejected playlist.unknown  false'],
    [
      'a playlist that was not answered',
      { fault: 'catalogue.unreachable' },
      null,
      'ask',
      'pending catalogue.unreachable  false',
    ],
  ])('%s', (_what, parts, finding, difficulty, expected) => {
    expect(told(judge(itemOf(parts), finding, { difficulty, keepMissing: true }))).toBe(expected)
  })

  test('of a leaderboard is its difficulty, unless the row names one', () => {
    const board: Finding = { ...found('Hard Expert'), named: { difficulty: 'Hard', characteristic: 'Standard' } }
    const wishes = { difficulty: 'Expert', keepMissing: true } as const
    expect(told(judge(itemOf(), board, wishes))).toBe('added  H:standard:Hard true')
    expect(told(judge(itemOf({ difficulty: 'Expert' }), board, wishes))).toBe('added  H:standard:Expert true')
  })

  test('that is missing is not added where that is not wished', () => {
    const verdict = judge(itemOf({ difficulty: 'Easy' }), unknown, { difficulty: 'ask', keepMissing: false })
    expect(told(verdict)).toBe('missing map.unknown H:standard:Easy false')
  })
})

describe('a plan', () => {
  const identity = (digit: string, characteristic = 'Standard'): MapIdentity => ({
    hash: digit.repeat(40),
    characteristic,
    difficulty: 'Hard',
  })
  const added = (digit: string, characteristic?: string): Verdict => ({
    outcome: 'added',
    reason: null,
    choices: [],
    identity: identity(digit, characteristic),
    finding: unknown,
  })

  test('adds each map once, as long as there is room, and names what stands there', () => {
    const verdicts = [added('1'), added('2', 'STANDARD'), added('1', 'standard'), added('3'), added('4'), added('3')]
    const standing = [{ guid: 'there', mapGuid: 'known', map: identity('2') }]
    const made = plan(
      verdicts.map(() => itemOf()),
      verdicts,
      standing,
      2,
    )
    expect(made.added.map(({ index }) => index)).toEqual([0, 3])
    expect(made.told.map(({ identity: { characteristic } }) => characteristic)).toEqual(['Standard'])
    const rows = withMaps(made, [
      { mapGuid: 'one', poolMapGuid: 'a' },
      { mapGuid: 'three', poolMapGuid: 'b' },
    ])
    expect(rows.map(({ outcome, reason, mapGuid, poolMapGuid }) => [outcome, reason, mapGuid, poolMapGuid])).toEqual([
      ['added', null, 'one', 'a'],
      ['present', null, 'known', 'there'],
      ['present', null, 'one', 'a'],
      ['added', null, 'three', 'b'],
      ['rejected', 'pool.full', null, null],
      ['present', null, 'three', 'b'],
    ])
  })
})

describe('a source', () => {
  test('of lines leaves out empty ones, and cuts what it shows of long ones', () => {
    const items = itemsOfLines(['', ' 1a2b3  expert+ ', '\t', '😀'.repeat(300)])
    expect(items.map(({ reference, difficulty, fault }) => [reference, difficulty, fault])).toEqual([
      [{ kind: 'key', key: '1a2b3' }, 'ExpertPlus', null],
      [null, null, 'map.reference_invalid'],
    ])
    expect(Array.from(items[1]?.input ?? '')).toHaveLength(200)
  })

  test('of a playlist prefers the hash to the key, and has a row for each difficulty', () => {
    const names = { songName: 'Song', mapper: 'Ann' }
    const song = { name: 'Song', ...names, hash, key: '1', difficulties: [], unread: [], fault: null }
    const [only] = itemsOfPlaylist({ entries: [song] })
    expect(only?.reference).toEqual({ kind: 'hash', hash, key: '1' })
    expect(only?.told).toEqual({ key: '1', name: 'Song', mapper: 'Ann' })
    const choices = (['Easy', 'Hard'] as const).map((difficulty) => ({ difficulty, characteristic: 'Standard' }))
    const items = itemsOfPlaylist({ entries: [{ ...song, difficulties: choices, unread: ['9000'] }] })
    expect(items.map(({ input, fault }) => [input, fault])).toEqual([
      ['Song (Standard Easy)', null],
      ['Song (Standard Hard)', null],
      ['Song (9000)', 'map.difficulty_unknown'],
    ])
  })

  test('with playlists is expanded in place, with the difficulty of the line', () => {
    const link = (id: string) => itemOf({ reference: { kind: 'playlist', id }, difficulty: 'Hard' })
    const entries = [
      { key: '1', hash },
      { key: '2', hash: null },
    ]
    const items = expanded(
      [itemOf(), link('1'), link('2'), link('3'), link('4')],
      new Map([
        ['1', { outcome: 'found', title: '', entries, hasMore: false }],
        ['2', { outcome: 'unknown' }],
        ['3', { outcome: 'unreachable' }],
      ] as const),
    )
    expect(items.map(({ reference, difficulty, fault }) => [reference, difficulty, fault])).toEqual([
      [{ kind: 'hash', hash }, null, null],
      [{ kind: 'hash', hash, key: '1' }, 'Hard', null],
      [{ kind: 'key', key: '2' }, 'Hard', null],
      [null, 'Hard', 'playlist.unknown'],
      [null, 'Hard', 'catalogue.unreachable'],
      [{ kind: 'playlist', id: '4' }, 'Hard', null],
    ])
  })

  test('has at most 500 rows and ten playlists', () => {
    const links = Array.from({ length: 11 }, (_, id) => itemOf({ reference: { kind: 'playlist', id: `${id}` } }))
    const rows = (count: number) => Array.from({ length: count }, () => itemOf())
    expect([rows(500), rows(501), links.slice(1), links].map(isTooLarge)).toEqual([false, true, false, true])
  })
})
