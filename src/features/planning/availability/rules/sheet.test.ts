import { describe, expect, test } from 'vitest'
import { at, span } from '../../../../../test/availability.ts'
import { availabilityStatuses } from '../../../../engine/availability.ts'
import type { SheetInput } from '../bodies.ts'
import { checkMatches, checkRoomForSheet, inheritGuids, readSheet, slotLengthOf, slotsToAnswer } from './sheet.ts'

const input = (changes: Partial<SheetInput> = {}): SheetInput => ({
  title: 'Finals',
  mode: 'days',
  timezone: 'Europe/Berlin',
  windows: [span(18, 22)],
  ...changes,
})
const time = (hour: number) => Date.parse(at(hour))
const guid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

test('what a sheet is unless it says otherwise', () => {
  expect(readSheet(input())).toEqual({
    audience: 'staff',
    teamEligibility: 'both',
    slotMinutes: 15,
    acceptedStatuses: availabilityStatuses,
    title: 'Finals',
    description: null,
    mode: 'days',
    roles: [],
    timezone: 'Europe/Berlin',
    closesAt: null,
    windows: [{ start: time(18), end: time(22) }],
    matchGuids: [],
  })
})

describe('what a sheet asks', () => {
  test('windows, in the order of time whatever order they were given in; they may touch', () => {
    const { windows } = readSheet(input({ windows: [span(42, 46), span(18, 20), span(20, 22)] }))
    expect(windows).toEqual([
      { start: time(18), end: time(20) },
      { start: time(20), end: time(22) },
      { start: time(42), end: time(46) },
    ])
  })

  test('one span, as the only window', () => {
    const read = readSheet(input({ mode: 'range', startsAt: at(18), endsAt: at(40), windows: [] }))
    expect([read.windows, read.matchGuids]).toEqual([[{ start: time(18), end: time(40) }], []])
  })

  test('matches, in the order given and in lower case', () => {
    const read = readSheet(input({ mode: 'matches', matchGuids: [guid(2), guid(1).replace('8000', 'A000')] }))
    expect([read.windows, read.matchGuids]).toEqual([[], [guid(2), guid(1).replace('8000', 'a000')]])
  })

  test('nothing that belongs to another mode', () => {
    const all = { windows: [span(18, 22)], startsAt: at(1), endsAt: at(2), matchGuids: [guid(1)] }
    expect(readSheet(input({ ...all, mode: 'matches' })).windows).toEqual([])
    expect(readSheet(input({ ...all, mode: 'range' })).windows).toEqual([{ start: time(1), end: time(2) }])
    const days = readSheet(input(all))
    expect([days.windows, days.matchGuids]).toEqual([[{ start: time(18), end: time(22) }], []])
  })

  test('instants of any zone mean the same time', () => {
    const windows = [{ startsAt: '2026-05-01T20:00:00+02:00', endsAt: '2026-05-02T03:45:00+05:45' }]
    expect(readSheet(input({ windows })).windows).toEqual([{ start: time(18), end: time(22) }])
  })

  test('62 days at most, in windows or in one', () => {
    const days = Array.from({ length: 62 }, (_, index) => span(index * 24, index * 24 + 24))
    expect(readSheet(input({ windows: days })).windows).toHaveLength(62)
    expect(readSheet(input({ mode: 'range', ...span(0, 62 * 24) })).windows).toHaveLength(1)
    expect(() => readSheet(input({ windows: [...days, span(2_000, 2_000.25)] }))).toThrow(/62 days/)
    expect(() => readSheet(input({ mode: 'range', ...span(0, 62 * 24 + 0.25) }))).toThrow(/62 days/)
  })
})

describe('what cannot be a sheet', () => {
  test.each<[string, Partial<SheetInput>, RegExp]>([
    ['a time zone that is none', { timezone: 'Mars/Olympus' }, /"timezone" must be an IANA name/],
    ['an offset for a time zone', { timezone: '+02:00' }, /"timezone"/],
    ['no time zone', { timezone: '' }, /"timezone"/],
    [
      'matches for teams',
      { audience: 'teams', mode: 'matches', matchGuids: [guid(1)] },
      /"mode" must be days or range/,
    ],
    ['roles for teams', { audience: 'teams', roles: ['role:caster'] }, /"roles" must be empty for teams/],
    ['days without windows', { windows: [] }, /"windows" must hold at least one/],
    ['no range', { mode: 'range' }, /"startsAt" must be set/],
    ['a range without end', { mode: 'range', startsAt: at(18) }, /"endsAt" must be set/],
    ['a range without start', { mode: 'range', startsAt: null, endsAt: at(18) }, /"startsAt" must be set/],
    [
      'a range that starts at the epoch',
      { mode: 'range', startsAt: '1970-01-01T00:00:00Z', endsAt: at(18) },
      /must be set/,
    ],
    ['a range that ends where it starts', { mode: 'range', ...span(18, 18) }, /"endsAt" must be after startsAt/],
    [
      'a window that ends before it starts',
      { windows: [span(18, 19), span(22, 20)] },
      /"windows\[1\]\.endsAt" must be after/,
    ],
    [
      'an instant without zone',
      { windows: [{ startsAt: '2026-05-01T18:00:00', endsAt: at(22) }] },
      /"windows\[0\]\.startsAt" .*zone/,
    ],
    ['an instant before 2020', { windows: [{ startsAt: '2019-12-31T18:00:00Z', endsAt: at(22) }] }, /2020/],
    ['a window off the quarters', { windows: [span(18.1, 22)] }, /"windows\[0\]\.startsAt" must be at a quarter/],
    [
      'a window that ends off the quarters',
      { windows: [{ startsAt: at(18), endsAt: '2026-05-01T22:00:00.001Z' }] },
      /quarter/,
    ],
    ['windows that overlap', { windows: [span(18, 22), span(10, 12), span(21.75, 23)] }, /must not overlap.*21:45/],
    ['a window twice', { windows: [span(18, 22), span(18, 22)] }, /must not overlap/],
    ['no matches', { mode: 'matches' }, /"matchGuids" must name at least one/],
    ['an empty list of matches', { mode: 'matches', matchGuids: [] }, /at least one/],
    [
      'a match twice in two spellings',
      { mode: 'matches', matchGuids: [guid(1).replace('8', 'a'), guid(1).replace('8', 'A')] },
      /twice/,
    ],
    [
      'a window too short for a slot of teams',
      { audience: 'teams', slotMinutes: 60, windows: [span(18, 22), span(23, 23.75)] },
      /"slotMinutes" must not be longer.*23:00/,
    ],
    ['a close that is no instant', { closesAt: '2026-05-01' }, /"closesAt"/],
  ])('%s', (_name, changes, message) => {
    expect(() => readSheet(input(changes))).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'availability.sheet_invalid',
        message: expect.stringMatching(message),
      }),
    )
  })
})

test('a description is Markdown without what is unsafe, and none where nothing is said', () => {
  const described = (description: string | null) => readSheet(input({ description })).description
  expect(described('Bring **tea**.')).toBe('Bring **tea**.')
  expect(described('Tea <script>alert(1)</script>')).toMatch(/^Tea(?!.*<script)/)
  expect([described(''), described(null), described('  ')]).toEqual([null, null, null])
})

test('staff answer quarters of an hour whatever the sheet says, teams its slots', () => {
  const sheet = (audience: 'staff' | 'teams', slotMinutes: 15 | 30 | 60) => ({ audience, slotMinutes })
  expect(slotLengthOf(sheet('staff', 60))).toBe(900_000)
  expect([15, 30, 60].map((minutes) => slotLengthOf(sheet('teams', minutes as 15)))).toEqual([
    900_000, 1_800_000, 3_600_000,
  ])
  const windows = [{ start: time(18), end: time(20) }]
  expect(slotsToAnswer({ ...sheet('staff', 60), windows })).toHaveLength(8)
  expect(slotsToAnswer({ ...sheet('teams', 60), windows })).toHaveLength(2)
  expect(readSheet(input({ slotMinutes: 60, windows: [span(18, 18.25)] })).windows).toHaveLength(1)
})

test('a window that stays keeps its GUID', () => {
  const before = [
    { guid: guid(1), start: 0, end: 10 },
    { guid: guid(2), start: 10, end: 20 },
  ]
  expect(
    inheritGuids(
      [
        { start: 0, end: 11 },
        { start: 10, end: 20 },
        { start: 0, end: 10 },
      ],
      before,
    ),
  ).toEqual([null, guid(2), guid(1)])
})

test('a match that the tournament does not have is named', () => {
  expect(() => checkMatches([guid(1), guid(2)], new Set([guid(2), guid(1)]))).not.toThrow()
  expect(() => checkMatches([guid(1), guid(2)], new Set([guid(1)]))).toThrow(
    expect.objectContaining({
      kind: 'invalid',
      code: 'availability.match_unknown',
      message: expect.stringContaining(guid(2)),
    }),
  )
})

test('a hundred sheets are enough', () => {
  expect(() => checkRoomForSheet(99)).not.toThrow()
  expect(() => checkRoomForSheet(100)).toThrow(
    expect.objectContaining({ kind: 'conflict', code: 'availability.limit_reached' }),
  )
})
