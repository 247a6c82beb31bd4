import { describe, expect, test } from 'vitest'
import { at, says } from '../../../../../test/availability.ts'
import { availabilityStatuses } from '../../../../engine/availability.ts'
import type { ResponseInput, TeamResponseInput } from '../bodies.ts'
import type { Sheet } from '../types.ts'
import { checkOpen, chooseRole, readResponses, readTeamResponses } from './answers.ts'

const guid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const time = (hour: number) => Date.parse(at(hour))
const hour = (ms: number) => (ms - time(0)) / 3_600_000

const sheet = (changes: Partial<Sheet> = {}): Sheet => ({
  guid: guid(0),
  tournamentGuid: guid(8),
  createdByGuid: guid(9),
  audience: 'staff',
  teamEligibility: 'both',
  slotMinutes: 15,
  acceptedStatuses: availabilityStatuses,
  title: 'Finals',
  description: null,
  mode: 'days',
  roles: [],
  timezone: 'UTC',
  closesAt: null,
  windows: [
    { guid: guid(1), start: time(18), end: time(20) },
    { guid: guid(2), start: time(20), end: time(21) },
    { guid: guid(3), start: time(22), end: time(24) },
  ],
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...changes,
})
const matchSheet = sheet({ mode: 'matches', windows: [] })
const onSheet = new Set([guid(1), guid(2)])

const times = (inputs: object[], changes: Partial<Sheet> = {}) =>
  readResponses(sheet(changes), new Set(), inputs as ResponseInput[]).runs.map(
    ({ start, end, status, reason }) =>
      `${hour(start)}–${hour(end)} ${status}${reason === undefined ? '' : ` ${reason}`}`,
  )
const teamTimes = (inputs: object[], changes: Partial<Sheet> = {}) =>
  readTeamResponses(sheet({ audience: 'teams', ...changes }), inputs as TeamResponseInput[]).map(
    ({ start, end, status }) => `${hour(start)}–${hour(end)} ${status}`,
  )

describe('times', () => {
  test.each<[string, object[], string[]]>([
    ['nothing', [], []],
    ['a quarter', [says('maybe', 18, 18.25)], ['18–18.25 maybe']],
    [
      'the later over the earlier',
      [says('available', 18, 20), says('unavailable', 18.5, 19)],
      ['18–18.5 available', '18.5–19 unavailable', '19–20 available'],
    ],
    [
      'the later over the earlier, the other way round',
      [says('unavailable', 18.5, 19), says('available', 18, 20)],
      ['18–20 available'],
    ],
    ['across windows that touch', [says('available', 19, 21)], ['19–21 available']],
    ['equal answers next to each other', [says('available', 18, 19), says('available', 19, 20)], ['18–20 available']],
    [
      'another reason is another answer',
      [{ ...says('maybe', 18, 19), otherReason: 'late' }, says('maybe', 19, 20)],
      ['18–19 maybe late', '19–20 maybe'],
    ],
    [
      'an empty reason is none',
      [
        { ...says('maybe', 18, 19), otherReason: '' },
        { ...says('maybe', 19, 20), otherReason: null },
      ],
      ['18–20 maybe'],
    ],
    [
      'a match that is null, or an offset',
      [
        {
          status: 'maybe',
          matchGuid: null,
          startsAt: '2026-05-01T20:00:00+02:00',
          endsAt: '2026-05-01T20:15:00+02:00',
        },
      ],
      ['18–18.25 maybe'],
    ],
  ])('%s', (_name, inputs, expected) => {
    expect(times(inputs)).toEqual(expected)
  })

  test.each<[string, object, string, RegExp]>([
    [
      'both shapes',
      { ...says('maybe', 18, 19), matchGuid: guid(1) },
      'availability.response_invalid',
      /^Answer 2 must not have matchGuid/,
    ],
    ['a match', { status: 'maybe', matchGuid: guid(1) }, 'availability.response_invalid', /matchGuid/],
    ['nothing', { status: 'maybe' }, 'availability.response_invalid', /startsAt and endsAt/],
    ['no end', { status: 'maybe', startsAt: at(18) }, 'availability.response_invalid', /startsAt and endsAt/],
    [
      'an unset start',
      { status: 'maybe', startsAt: '1970-01-01T00:00:00Z', endsAt: at(18) },
      'availability.response_invalid',
      /startsAt and endsAt/,
    ],
    ['an end at the start', says('maybe', 18, 18), 'availability.response_invalid', /after it starts/],
    ['an end before the start', says('maybe', 19, 18), 'availability.response_invalid', /after it starts/],
    [
      'no zone',
      { status: 'maybe', startsAt: '2026-05-01T18:00:00', endsAt: at(19) },
      'availability.response_invalid',
      /zone/,
    ],
    [
      'off the quarters',
      { status: 'maybe', startsAt: '2026-05-01T18:05:00Z', endsAt: at(19) },
      'availability.unaligned',
      /quarters/,
    ],
    [
      'a millisecond off',
      { status: 'maybe', startsAt: at(18), endsAt: '2026-05-01T18:15:00.001Z' },
      'availability.unaligned',
      /quarters/,
    ],
    ['before the windows', says('maybe', 17.75, 18), 'availability.outside', /windows/],
    ['behind the windows', says('maybe', 24, 24.25), 'availability.outside', /windows/],
    ['past a window', says('maybe', 20, 21.25), 'availability.outside', /windows/],
    ['over a gap', says('maybe', 20, 23), 'availability.outside', /windows/],
  ])('%s is refused', (_name, input, code, message) => {
    expect(() => times([says('available', 18, 19), input])).toThrow(
      expect.objectContaining({ kind: 'invalid', code, message: expect.stringMatching(message) }),
    )
  })

  test('only with a status that the sheet accepts', () => {
    const only: Partial<Sheet> = { acceptedStatuses: ['available', 'unavailable'] }
    expect(times([says('unavailable', 18, 19)], only)).toEqual(['18–19 unavailable'])
    for (const status of ['maybe', 'would_rather_not']) {
      expect(() => times([says(status, 18, 19)], only)).toThrow(
        expect.objectContaining({
          code: 'availability.status_not_accepted',
          message: expect.stringContaining('available, unavailable'),
        }),
      )
    }
  })

  test('staff are not bound to the slots of the sheet', () => {
    expect(times([says('maybe', 18.25, 18.5)], { slotMinutes: 60 })).toEqual(['18.25–18.5 maybe'])
  })
})

describe('times of teams', () => {
  test('are whole slots, counted from the start of the window', () => {
    expect(teamTimes([says('available', 18, 19), says('maybe', 18.5, 20)], { slotMinutes: 30 })).toEqual([
      '18–18.5 available',
      '18.5–20 maybe',
    ])
    const odd = [{ guid: guid(1), start: time(18.25), end: time(20.5) }]
    expect(teamTimes([says('available', 18.25, 20.25)], { slotMinutes: 60, windows: odd })).toEqual([
      '18.25–20.25 available',
    ])
  })

  test.each<[string, object, string]>([
    ['half a slot', says('maybe', 18, 18.5), 'availability.unaligned'],
    ['from half of a slot to half of another', says('maybe', 18.5, 19.5), 'availability.unaligned'],
    [
      'off the quarters',
      { status: 'maybe', startsAt: '2026-05-01T18:01:00Z', endsAt: at(19) },
      'availability.unaligned',
    ],
    ['outside', says('maybe', 21, 22), 'availability.outside'],
    ['backwards', says('maybe', 19, 18), 'availability.response_invalid'],
  ])('%s is refused', (_name, input, code) => {
    expect(() => teamTimes([input], { slotMinutes: 60 })).toThrow(expect.objectContaining({ kind: 'invalid', code }))
  })

  test('what is left at the end of a window is in no slot', () => {
    const windows = [{ guid: guid(1), start: time(18), end: time(19.5) }]
    expect(() => teamTimes([says('maybe', 18, 19.5)], { slotMinutes: 60, windows })).toThrow(
      expect.objectContaining({ code: 'availability.outside' }),
    )
  })

  test('only with a status that the sheet accepts', () => {
    expect(() => teamTimes([says('maybe', 18, 19)], { acceptedStatuses: ['available'] })).toThrow(
      expect.objectContaining({ code: 'availability.status_not_accepted' }),
    )
  })
})

describe('matches', () => {
  const read = (...inputs: object[]) => readResponses(matchSheet, onSheet, inputs as ResponseInput[])
  test('the later over the earlier, whatever the spelling', () => {
    const mine = guid(1).replace('8000', 'A000')
    const lower = mine.toLowerCase()
    const { matches, runs } = readResponses(matchSheet, new Set([lower, guid(2)]), [
      { status: 'available', matchGuid: mine },
      { status: 'maybe', matchGuid: guid(2), otherReason: 'exam', startsAt: null, endsAt: '1970-01-01T00:00:00Z' },
      { status: 'unavailable', matchGuid: lower },
    ])
    expect(runs).toEqual([])
    expect(matches).toEqual([
      { matchGuid: lower, status: 'unavailable' },
      { matchGuid: guid(2), status: 'maybe', reason: 'exam' },
    ])
  })

  test.each<[string, object, string]>([
    ['times', says('maybe', 18, 19), 'availability.response_invalid'],
    ['both shapes', { ...says('maybe', 18, 19), matchGuid: guid(1) }, 'availability.response_invalid'],
    [
      'a match with a start',
      { status: 'maybe', matchGuid: guid(1), startsAt: at(18) },
      'availability.response_invalid',
    ],
    ['nothing', { status: 'maybe', matchGuid: null }, 'availability.response_invalid'],
    ['a match that is not on the sheet', { status: 'maybe', matchGuid: guid(3) }, 'availability.outside'],
  ])('%s is refused', (_name, input, code) => {
    expect(() => read(input)).toThrow(expect.objectContaining({ kind: 'invalid', code }))
  })

  test('only with a status that the sheet accepts', () => {
    const strict = { ...matchSheet, acceptedStatuses: ['available' as const] }
    expect(() => readResponses(strict, onSheet, [{ status: 'maybe', matchGuid: guid(1) }])).toThrow(
      expect.objectContaining({ code: 'availability.status_not_accepted' }),
    )
  })
})

describe('the role', () => {
  test('is the only one, or the one that is given', () => {
    expect(chooseRole(['role:caster'], undefined)).toBe('role:caster')
    expect(chooseRole(['role:caster'], null)).toBe('role:caster')
    expect(chooseRole(['role:caster'], 'role:caster')).toBe('role:caster')
    expect(chooseRole(['role:caster', 'role:host'], 'role:host')).toBe('role:host')
  })

  test('must be given where there are several, and be one of them', () => {
    expect(() => chooseRole(['role:caster', 'role:host'], undefined)).toThrow(
      expect.objectContaining({
        code: 'availability.role_needed',
        message: expect.stringContaining('role:caster, role:host'),
      }),
    )
    expect(() => chooseRole(['role:caster'], 'role:host')).toThrow(
      expect.objectContaining({ code: 'availability.role_invalid' }),
    )
  })
})

test('answers are taken up to the close, and no longer from then on', () => {
  const closesAt = new Date(at(12))
  expect(() => checkOpen({ closesAt: null }, new Date(at(99)))).not.toThrow()
  expect(() => checkOpen({ closesAt }, new Date(closesAt.getTime() - 1))).not.toThrow()
  expect(() => checkOpen({ closesAt }, closesAt)).toThrow(
    expect.objectContaining({ kind: 'conflict', code: 'availability.closed' }),
  )
})
