import { describe, expect, test } from 'vitest'
import { planReplacement, type TimelineEventInput } from './rules.ts'
import type { TimelineEvent } from './types.ts'

const guid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const start = '2026-05-01T18:00:00.000Z'

function stored(n: number, changes: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    guid: guid(n),
    title: `Event ${n}`,
    description: null,
    icon: 'flag',
    startTime: new Date(start),
    endTime: null,
    ...changes,
  }
}

function input(n: number | null, changes: Partial<TimelineEventInput> = {}): TimelineEventInput {
  return { ...(n === null ? {} : { guid: guid(n) }), title: `Event ${n}`, icon: 'flag', startTime: start, ...changes }
}

const outcome = (current: TimelineEvent[], wanted: TimelineEventInput[]) => {
  const { created, updated, deleted } = planReplacement(current, wanted)
  return [created.map(({ title }) => title), updated.map((event) => event.guid), deleted.map((event) => event.guid)]
}

describe('what a new timeline makes of the old one', () => {
  test.each<[string, TimelineEvent[], TimelineEventInput[], [string[], string[], string[]]]>([
    ['nothing from nothing', [], [], [[], [], []]],
    ['everything is created', [], [input(null), input(null, { title: 'B' })], [['Event null', 'B'], [], []]],
    ['everything is deleted', [stored(1), stored(2)], [], [[], [], [guid(1), guid(2)]]],
    ['what is the same stays', [stored(1)], [input(1)], [[], [], []]],
    [
      'a GUID counts in any case',
      [stored(1, { guid: guid(1).replace('00000001', 'abcdef01') })],
      [input(1, { guid: guid(1).replace('00000001', 'ABCDEF01') })],
      [[], [], []],
    ],
    [
      'an equal event without GUID is another one',
      [stored(1)],
      [input(null, { title: 'Event 1' })],
      [['Event 1'], [], [guid(1)]],
    ],
    [
      'all three at once',
      [stored(1), stored(2), stored(3)],
      [input(3), input(null), input(1, { title: 'New' })],
      [['Event null'], [guid(1)], [guid(2)]],
    ],
  ])('%s', (_name, current, wanted, expected) => {
    expect(outcome(current, wanted)).toEqual(expected)
  })

  test.each<[string, Partial<TimelineEventInput>, boolean]>([
    ['title', { title: 'Other' }, true],
    ['description', { description: 'Other' }, true],
    ['icon', { icon: 'star' }, true],
    ['start', { startTime: '2026-05-01T18:00:01Z' }, true],
    ['end', { endTime: '2026-05-02T00:00:00Z' }, true],
    ['the same start in another zone', { startTime: '2026-05-01T20:00:00+02:00' }, false],
    ['an empty description', { description: '' }, false],
    ['an unset end', { endTime: null }, false],
    ['an end at the epoch, which means unset', { endTime: '1970-01-01T00:00:00Z' }, false],
  ])('a change of %s', (_name, changes, isChange) => {
    expect(planReplacement([stored(1)], [input(1, changes)]).updated).toHaveLength(isChange ? 1 : 0)
  })

  test('an end may be taken away, and may fall together with the start', () => {
    const ending = stored(1, { endTime: new Date(start) })
    expect(planReplacement([ending], [input(1)]).updated).toEqual([{ ...ending, endTime: null }])
    expect(planReplacement([ending], [input(1, { endTime: start })]).updated).toEqual([])
  })
})

describe('what a timeline cannot be', () => {
  test.each<[string, TimelineEventInput[], string, RegExp]>([
    ['a GUID that is not of this timeline', [input(9)], 'timeline.event_unknown', /000009/],
    ['a GUID twice', [input(1), input(1)], 'timeline.event_twice', /000001/],
    [
      'no start',
      [input(1), input(null, { startTime: '1970-01-01T00:00:00Z' })],
      'timeline.time_invalid',
      /"timelineEvents\[1\]\.startTime" must be set/,
    ],
    ['a start without zone', [input(null, { startTime: '2026-05-01T18:00:00' })], 'timeline.time_invalid', /zone/],
    ['a start before 2020', [input(null, { startTime: '2019-12-31T23:59:59Z' })], 'timeline.time_invalid', /2020/],
    [
      'an end before the start',
      [input(null, { endTime: '2026-05-01T17:59:59.999Z' })],
      'timeline.time_invalid',
      /"timelineEvents\[0\]\.endTime" must not be before/,
    ],
  ])('%s', (_name, wanted, code, message) => {
    expect(() => planReplacement([stored(1)], wanted)).toThrow(
      expect.objectContaining({ kind: 'invalid', code, message: expect.stringMatching(message) }),
    )
  })
})
