import { expect, test } from 'vitest'
import { codeOf } from '../../../../test/problems.ts'
import type { BadgeInput } from './bodies.ts'
import {
  checkCompleted,
  checkInTime,
  checkNotStale,
  checkPending,
  draftOf,
  ordinal,
  readBadges,
  readReason,
} from './rules.ts'

const now = new Date('2026-06-01T12:00:00.000Z')
const daysAgo = (days: number, ms = 0) => new Date(now.getTime() - days * 86_400_000 + ms)

test.each([
  ['draft', 'tournament.not_completed'],
  ['approved', 'tournament.not_completed'],
  ['ongoing', 'tournament.not_completed'],
  ['completed', null],
  ['cancelled', 'tournament.not_completed'],
] as const)('of a tournament that is %s: %s', (status, code) => {
  expect(codeOf(() => checkCompleted({ status }))).toBe(code)
})

test.each([
  [daysAgo(0), null],
  [daysAgo(90), null],
  [daysAgo(90, -1), 'badge_request.too_late'],
] as const)('of one that was completed at %s: %s', (completedAt, code) => {
  expect(codeOf(() => checkInTime({ completedAt }, now))).toBe(code)
})

test.each([
  ['pending', null],
  ['approved', 'badge_request.decided'],
  ['rejected', 'badge_request.decided'],
  ['withdrawn', 'badge_request.decided'],
] as const)('a request that is %s: %s', (status, code) => {
  expect(codeOf(() => checkPending({ status }))).toBe(code)
})

test('a change is for the request as it was seen', () => {
  expect(codeOf(() => checkNotStale({ updatedAt: now }, '2026-06-01T14:00:00+02:00'))).toBeNull()
  expect(codeOf(() => checkNotStale({ updatedAt: now }, '2026-06-01T12:00:00.001Z'))).toBe('badge_request.stale')
  expect(codeOf(() => checkNotStale({ updatedAt: now }, '1970-01-01T00:00:00.000Z'))).toBe('badge_request.stale')
  expect(codeOf(() => checkNotStale({ updatedAt: now }, '2026-06-01T12:00:00'))).toBe('request.invalid')
})

test('whoever rejects says why', () => {
  expect(readReason('approved', undefined)).toBeNull()
  expect(readReason('approved', 'Well done.')).toBe('Well done.')
  expect(readReason('rejected', 'Too small.')).toBe('Too small.')
  for (const reason of [undefined, null, '']) {
    expect(codeOf(() => readReason('rejected', reason))).toBe('badge_request.reason_missing')
  }
})

const badge = (recipients: BadgeInput['recipients']): BadgeInput => ({
  name: 'A  badge',
  description: '',
  kind: 'staff',
  mediaGuid: 'AAAAAAAA-0000-4000-8000-000000000001',
  recipients,
})
const found = new Map(Array.from({ length: 600 }, (_, index) => [`${index}`, `guid-${index}`]))
found.set('same', 'guid-1')
const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ user: `${from + index}` }))

test('badges are read with each user once, and with 1 to 500 recipients in all', () => {
  expect(
    readBadges(
      [
        badge([
          { user: '1', label: ' 1st\tplace ', place: 1 },
          { user: '2', label: '' },
        ]),
      ],
      found,
    ),
  ).toEqual([
    {
      name: 'A badge',
      description: '',
      kind: 'staff',
      mediaGuid: 'aaaaaaaa-0000-4000-8000-000000000001',
      recipients: [
        { userGuid: 'guid-1', label: '1st place', place: 1 },
        { userGuid: 'guid-2', label: null, place: null },
      ],
    },
  ])
  const code = (...lists: BadgeInput['recipients'][]) => codeOf(() => readBadges(lists.map(badge), found))
  expect(code([])).toBe('badge_request.invalid')
  expect(code([{ user: '1' }], [])).toBeNull()
  expect(code([{ user: '1' }], [{ user: '1' }])).toBeNull()
  expect(code([{ user: '1' }, { user: 'same' }])).toBe('badge_request.invalid')
  expect(code([{ user: 'nobody' }])).toBe('user.unknown')
  expect(code(users(0, 250), users(250, 500))).toBeNull()
  expect(code(users(0, 250), users(250, 501))).toBe('badge_request.invalid')
})

test.each([
  ...([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
  ] as const),
  ...([
    [21, '21st'],
    [102, '102nd'],
    [111, '111th'],
    [113, '113th'],
    [123, '123rd'],
  ] as const),
])('place %i is called %s', (place, word) => {
  expect(ordinal(place)).toBe(word)
})

test('a draft has a badge for each of three places, one for the others, and as many people as may be named', () => {
  const roster = (place: number, ...userGuids: string[]) => ({ place, teamGuid: `team-${place}`, userGuids })
  const draft = draftOf('Spring Cup', [roster(5, 'e'), roster(1, 'a', 'b'), roster(3, 'c'), roster(3, 'd')])
  expect(draft).toEqual([
    {
      name: 'Spring Cup: 1st place',
      description: 'Took the 1st place in Spring Cup.',
      kind: 'placement',
      recipients: ['a', 'b'].map((userGuid) => ({ userGuid, label: '1st place', place: 1 })),
    },
    {
      name: 'Spring Cup: 3rd place',
      description: 'Took the 3rd place in Spring Cup.',
      kind: 'placement',
      recipients: ['c', 'd'].map((userGuid) => ({ userGuid, label: '3rd place', place: 3 })),
    },
    {
      name: 'Spring Cup: participant',
      description: 'Played in Spring Cup.',
      kind: 'participation',
      recipients: [{ userGuid: 'e', label: '5th place', place: 5 }],
    },
  ])
  expect(draftOf('Spring Cup', [])).toEqual([])
  const many = Array.from({ length: 128 }, (_, index) =>
    roster(index + 1, ...Array.from({ length: 16 }, (_, member) => `${index}-${member}`)),
  )
  const named = draftOf('x'.repeat(100), many)
  expect(named.flatMap(({ recipients }) => recipients)).toHaveLength(500)
  expect(named[0]?.recipients).toHaveLength(16)
  for (const { name, description } of named) {
    expect([...name].length).toBeLessThanOrEqual(60)
    expect([...description].length).toBeLessThanOrEqual(280)
  }
})
