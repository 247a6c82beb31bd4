import { describe, expect, test } from 'vitest'
import { Problem } from '../../../core/problem.ts'
import { seesAudience } from './policy.ts'
import {
  checkRoom,
  checkSomethingGiven,
  defaults,
  hasEnded,
  inOrder,
  maxCurrent,
  type NoticeInput,
  readNotice,
} from './rules.ts'
import type { Notice, NoticeLevel } from './types.ts'

const now = new Date('2026-05-01T12:00:00.000Z')
const current = { ...defaults(now), title: 'Old', content: 'Old words.', startsAt: new Date('2026-04-01T00:00:00Z') }

function problemOf(work: () => unknown): string {
  try {
    work()
  } catch (problem) {
    expect(problem).toBeInstanceOf(Problem)
    return `${(problem as Problem).code}: ${(problem as Problem).message}`
  }
  return 'none'
}

describe('what is given replaces what was', () => {
  const cases: [string, NoticeInput, object][] = [
    ['nothing', {}, {}],
    ['a title, on one line', { title: 'New\n\t title' }, { title: 'New title' }],
    [
      'Markdown, without what is unsafe',
      { content: '**Safe** <script>alert(1)</script>[x](javascript:alert(1))' },
      { content: '**Safe** [x](#)' },
    ],
    ['a level', { level: 'critical' }, { level: 'critical' }],
    ['a link', { link: 'https://status.example.org/a?b=c' }, { link: 'https://status.example.org/a?b=c' }],
    ['no link, by null', { link: null }, { link: null }],
    ['no link, by an empty text', { link: '' }, { link: null }],
    ['a start', { startsAt: '2026-06-01T02:00:00+02:00' }, { startsAt: new Date('2026-06-01T00:00:00Z') }],
    ['no start, which is now', { startsAt: null }, { startsAt: now }],
    ['the epoch for the start, which is now', { startsAt: '1970-01-01T00:00:00Z' }, { startsAt: now }],
    ['an end', { endsAt: '2026-04-01T00:00:00.001Z' }, { endsAt: new Date('2026-04-01T00:00:00.001Z') }],
    ['the epoch for the end, which is none', { endsAt: '1970-01-01T00:00:00Z' }, { endsAt: null }],
    ['whether it may be put away', { dismissible: false }, { dismissible: false }],
    ['an audience', { audience: 'staff' }, { audience: 'staff' }],
  ]
  test.each(cases)('%s', (_name, input, changes) => {
    const before = { ...current, link: 'https://old.example' }
    expect(readNotice(input, before, now)).toEqual({ ...before, ...changes })
  })

  const refused: [string, NoticeInput, string][] = [
    ['content that is HTML alone', { content: '<script>alert(1)</script>' }, 'content'],
    ['a link that runs', { link: 'javascript:alert(1)' }, 'link'],
    ['a relative link', { link: '/tournaments' }, 'link'],
    ['a link with a password', { link: 'https://a:b@example.org' }, 'link'],
    ['an end at its start', { endsAt: '2026-04-01T00:00:00Z' }, 'endsAt'],
    ['an end before its start', { endsAt: '2026-03-01T00:00:00Z' }, 'endsAt'],
    ['a start after its end', { startsAt: '2026-06-01T00:00:00Z', endsAt: '2026-05-31T00:00:00Z' }, 'endsAt'],
    ['a start before 2020', { startsAt: '2019-01-01T00:00:00Z' }, 'startsAt'],
  ]
  test.each(refused)('not %s', (_name, input, member) => {
    expect(problemOf(() => readNotice(input, current, now))).toMatch(new RegExp(`^notice.invalid: "${member}" .+\\.$`))
  })

  test('a new start is held against the end that there was', () => {
    const ending = { ...current, endsAt: new Date('2026-05-10T00:00:00Z') }
    expect(problemOf(() => readNotice({ startsAt: '2026-05-10T00:00:00Z' }, ending, now))).toContain('notice.invalid')
    expect(readNotice({ startsAt: '2026-05-09T00:00:00Z' }, ending, now).endsAt).toEqual(ending.endsAt)
  })
})

test('a change names at least one member that a notice has', () => {
  expect(problemOf(() => checkSomethingGiven({}))).toContain('notice.nothing_given')
  expect(problemOf(() => checkSomethingGiven({ colour: 'red' } as NoticeInput))).toContain('notice.nothing_given')
  for (const input of [{ link: null }, { dismissible: false }, { endsAt: null }, { title: 'a' }]) {
    expect(problemOf(() => checkSomethingGiven(input))).toBe('none')
  }
})

test('a hundred that have not ended are as many as there may be', () => {
  expect(maxCurrent).toBe(100)
  expect(problemOf(() => checkRoom(99))).toBe('none')
  expect(problemOf(() => checkRoom(100))).toContain('notice.limit_reached')
})

test.each([
  [null, false],
  ['2026-05-01T12:00:00.001Z', false],
  ['2026-05-01T12:00:00.000Z', true],
  ['2026-05-01T11:59:59.999Z', true],
])('one with the end %s has ended: %s', (end, ended) => {
  expect(hasEnded({ endsAt: end === null ? null : new Date(end) }, now)).toBe(ended)
})

test.each([
  ['everyone', false, false, true],
  ['everyone', true, true, true],
  ['signed-in', false, false, false],
  ['signed-in', true, false, true],
  ['signed-in', true, true, true],
  ['staff', false, false, false],
  ['staff', true, false, false],
  ['staff', true, true, true],
] as const)(
  'what is for %s is shown to somebody signed in (%s) and staff (%s): %s',
  (audience, isSignedIn, isStaff, sees) => {
    expect(seesAudience(audience, { isSignedIn, isStaff })).toBe(sees)
  },
)

test('the most urgent come first, then those that start first, and ties always fall the same way', () => {
  const notice = (guid: string, level: NoticeLevel, day: number): Notice => ({
    ...current,
    guid,
    level,
    startsAt: new Date(Date.UTC(2026, 4, day)),
    createdByGuid: 'x',
    createdAt: now,
    updatedAt: now,
  })
  const ordered = [
    notice('d', 'critical', 2),
    notice('a', 'critical', 3),
    notice('b', 'warning', 1),
    notice('c', 'warning', 1),
    notice('e', 'info', 1),
  ]
  expect(inOrder([...ordered].reverse())).toEqual(ordered)
  expect(inOrder([ordered[3], ordered[0], ordered[4], ordered[2], ordered[1]] as Notice[])).toEqual(ordered)
})
