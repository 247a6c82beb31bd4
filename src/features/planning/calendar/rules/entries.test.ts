import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../core/problem.ts'
import type { EntryFacts } from '../types.ts'
import { entryOf, readKinds } from './entries.ts'
import { readFeedWindow, readWindow } from './windows.ts'

const now = new Date('2026-05-20T15:30:45.678Z')

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (problem) {
    expect(problem).toBeInstanceOf(Problem)
    expect((problem as Problem).message).toMatch(/^.+\.$/)
    return (problem as Problem).code
  }
  return 'none'
}

describe('a window', () => {
  test.each([
    ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', 'a year'],
    ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', 'a leap year, which has 366 days'],
    ['2026-01-01T00:00:00Z', '2027-01-02T00:00:00Z', '366 days to the millisecond'],
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', 'a millisecond'],
    ['2025-12-31T00:00:00Z', '2026-01-02T00:00:00Z', 'a turn of the year'],
    // In Berlin, 29 March 2026 has 23 hours and 25 October has 25.
    ['2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', 'a day of 23 hours'],
    ['2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', 'a day of 25 hours'],
  ])('from %s to %s: %s', (from, to) => {
    expect(readWindow(from, to)).toEqual({ from: new Date(from), to: new Date(to) })
  })

  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'nothing in between'],
    ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', 'nothing in between, in other words'],
    ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', 'the wrong order'],
    ['2026-01-01T00:00:00.000Z', '2027-01-02T00:00:00.001Z', 'a millisecond over 366 days'],
    ['1970-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'an unset start'],
    ['2026-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 'an unset end'],
    ['2026-01-01T00:00:00', '2026-01-02T00:00:00Z', 'no zone'],
    ['2019-12-31T00:00:00Z', '2020-01-02T00:00:00Z', 'a start before 2020'],
  ])('not from %s to %s: %s', (from, to) => {
    expect(codeOf(() => readWindow(from, to))).toBe('calendar.window_invalid')
  })
})

describe('the window of a feed', () => {
  test('without any, the last 30 days and what is to come of 366, from midnight to midnight UTC', () => {
    expect(readFeedWindow(undefined, undefined, now)).toEqual({
      from: new Date('2026-04-20T00:00:00Z'),
      to: new Date('2027-04-21T00:00:00Z'),
    })
  })

  test('stays the same all day, and moves with the next', () => {
    const at = (time: string) => readFeedWindow(undefined, undefined, new Date(time)).from.toISOString()
    expect(at('2026-12-31T00:00:00.000Z')).toBe('2026-12-01T00:00:00.000Z')
    expect(at('2026-12-31T23:59:59.999Z')).toBe('2026-12-01T00:00:00.000Z')
    expect(at('2027-01-01T00:00:00.000Z')).toBe('2026-12-02T00:00:00.000Z')
  })

  test('a given start moves the end with it; the epoch means unset', () => {
    const from = '2026-06-01T12:00:00Z'
    const given = { from: new Date(from), to: new Date('2027-06-02T12:00:00Z') }
    expect(readFeedWindow(from, undefined, now)).toEqual(given)
    expect(readFeedWindow(from, '1970-01-01T00:00:00Z', now)).toEqual(given)
    expect(readFeedWindow(from, '2026-07-01T00:00:00Z', now).to).toEqual(new Date('2026-07-01T00:00:00Z'))
    expect(readFeedWindow(undefined, '2026-06-01T00:00:00Z', now)).toEqual({
      from: new Date('2026-04-20T00:00:00Z'),
      to: new Date('2026-06-01T00:00:00Z'),
    })
  })

  test('ends with the last year that can be written', () => {
    expect(readFeedWindow('9999-12-01T00:00:00Z', undefined, now).to).toEqual(new Date('9999-12-31T23:59:59.999Z'))
  })

  test.each([
    ['9999-12-31T23:59:59.999Z', undefined],
    ['2026-06-01T00:00:00Z', '2026-06-01T00:00:00Z'],
    ['2026-06-01T00:00:00Z', '2027-06-02T00:00:00.001Z'],
    [undefined, '2026-04-20T00:00:00Z'],
    [undefined, 'tomorrow'],
  ])('not from %s to %s', (from, to) => {
    expect(codeOf(() => readFeedWindow(from, to, now))).toBe('calendar.window_invalid')
  })
})

describe('kinds', () => {
  test.each([
    [undefined, ['tournament', 'registration', 'timeline', 'match', 'qualifier', 'award']],
    ['award,match', ['award', 'match']],
    ['timeline', ['timeline']],
    ['timeline,tournament', ['timeline', 'tournament']],
    [' registration , registration', ['registration']],
  ])('%s', (text, kinds) => {
    expect(readKinds(text)).toEqual(kinds)
  })

  test.each(['', ',', 'timeline,', 'Timeline', 'award-voting', 'tournament;timeline', '__proto__'])(
    'not %j',
    (text) => {
      expect(codeOf(() => readKinds(text))).toBe('calendar.kind_unknown')
    },
  )
})

describe('an entry', () => {
  const [earlier, later] = [new Date('2026-05-01T18:00:00Z'), new Date('2026-05-03T18:00:00Z')]
  const tournament: Extract<EntryFacts, { key: 'match' }>['tournament'] = {
    guid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
    id: 'spring-cup',
    name: 'Spring Cup',
    summary: 'For all.',
    status: 'approved',
    timezone: 'Europe/Berlin',
    startsAt: null,
    endsAt: null,
    registrationOpensAt: null,
    registrationClosesAt: null,
    updatedAt: earlier,
  }
  const cases: [string, 'tournament' | 'registration', Partial<typeof tournament>, object][] = [
    [
      'a tournament',
      'tournament',
      { startsAt: earlier, endsAt: later },
      { title: 'Spring Cup', description: 'For all.', startsAt: earlier, endsAt: later },
    ],
    ['a tournament without an end', 'tournament', { startsAt: earlier }, { startsAt: earlier, endsAt: null }],
    ['a tournament without a start', 'tournament', { endsAt: later }, { startsAt: later, endsAt: null }],
    [
      'a registration',
      'registration',
      { registrationOpensAt: earlier, registrationClosesAt: later },
      { title: 'Registration', description: null, startsAt: earlier, endsAt: later },
    ],
    [
      'a registration that nobody closes',
      'registration',
      { registrationOpensAt: earlier },
      { title: 'Registration opens', startsAt: earlier, endsAt: null },
    ],
    [
      'a registration that was always open',
      'registration',
      { registrationClosesAt: later },
      { title: 'Registration closes', startsAt: later, endsAt: null },
    ],
  ]
  test.each(cases)('%s', (_name, key, dates, expected) => {
    const entry = entryOf({ key, tournament: { ...tournament, ...dates } })
    expect(entry).toMatchObject({ kind: key, key, guid: tournament.guid, icon: null, changedAt: earlier, ...expected })
  })

  test.each([
    [earlier, later],
    [later, earlier],
  ])('of the timeline changed when it or its tournament did: %s, %s', (tournamentUpdated, eventUpdated) => {
    const event = {
      guid: '8f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
      title: 'Finals',
      description: null,
      icon: 'trophy',
      startTime: later,
      endTime: null,
      updatedAt: eventUpdated,
    }
    const entry = entryOf({ key: 'timeline', tournament: { ...tournament, updatedAt: tournamentUpdated }, event })
    expect(entry).toMatchObject({ guid: event.guid, title: 'Finals', icon: 'trophy', startsAt: later, endsAt: null })
    expect(entry.changedAt).toEqual(later)
  })
})
