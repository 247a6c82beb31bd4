import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../test/problems.ts'
import type { MatchStatus } from '../../../engine/types.ts'
import { checkQueue, followMatches, planReplacement } from './rules.ts'
import type { Channel, QueueStatus } from './types.ts'

const channel = (letter: string, position: number): Channel => ({
  guid: letter.repeat(8),
  tournamentGuid: 't',
  name: letter,
  url: `https://example.org/${letter}`,
  position,
  delaySeconds: 0,
  queueRevision: 0,
  createdAt: new Date(0),
  updatedAt: new Date(0),
})
const inputOf = ({ guid, name, url, delaySeconds }: Channel) => ({ guid, name, url, delaySeconds })

describe('a list in the place of another', () => {
  const [a, b, c] = [channel('a', 0), channel('b', 1), channel('c', 2)]
  const present = [a, b, c]

  test('keeps what it names, in its order, and has nothing to change where it is the same', () => {
    expect(planReplacement(present, present.map(inputOf))).toEqual({ created: [], updated: [], deleted: [] })
    const { created, updated, deleted } = planReplacement(present, [
      { ...inputOf(b), guid: b.guid.toUpperCase() },
      { name: 'new', url: 'https://example.org/new' },
      { ...inputOf(c), delaySeconds: 90 },
    ])
    expect(created).toEqual([{ name: 'new', url: 'https://example.org/new', delaySeconds: 0, position: 1 }])
    expect(updated.map(({ before, position, delaySeconds }) => [before, position, delaySeconds])).toEqual([
      [b, 0, 0],
      [c, 2, 90],
    ])
    expect(deleted).toEqual([a])
  })

  test.each([
    [[{ ...inputOf(a), guid: 'd' }], 'channel.unknown'],
    [[inputOf(a), inputOf(a)], 'channel.twice'],
    [[{ name: 'x', url: 'http://example.org' }], 'channel.invalid'],
    [[{ name: 'x', url: 'javascript:alert(1)' }], 'channel.invalid'],
    [[{ name: 'x', url: 'https://me:secret@example.org' }], 'channel.invalid'],
    [[{ name: 'x', url: 'example' }], 'channel.invalid'],
    [[{ name: '\u3164', url: 'https://example.org/x' }], 'channel.invalid'],
  ])('%j is refused', (wanted, code) => {
    expect(codeOf(() => planReplacement(present, wanted))).toBe(code)
  })
})

describe('a queue', () => {
  const entries = (...statuses: QueueStatus[]) => statuses.map((status, index) => ({ matchGuid: `${index}`, status }))

  test.each<[QueueStatus[], MatchStatus[], number[], QueueStatus[]]>([
    [['queued', 'next'], ['ready', 'ready'], [], ['queued', 'next']],
    // A match that begins becomes live, from any place.
    [['queued', 'next'], ['ready', 'running'], [1], ['queued', 'live']],
    [['queued', 'next'], ['running', 'ready'], [0], ['live', 'next']],
    [['queued', 'queued'], ['ready', 'running'], [], ['queued', 'live']],
    // A match that is over becomes done, and a running match becomes live.
    [['live', 'queued'], ['completed', 'ready'], [], ['done', 'queued']],
    [['live', 'next'], ['completed', 'running'], [], ['done', 'live']],
    [['live', 'queued', 'queued'], ['cancelled', 'running', 'running'], [], ['done', 'live', 'queued']],
    [['next', 'queued'], ['cancelled', 'locked'], [], ['done', 'queued']],
    // The live match stays live while it runs.
    [['live', 'next'], ['running', 'running'], [1], ['live', 'next']],
    [['queued', 'live'], ['running', 'running'], [0], ['queued', 'live']],
    // A live match that has not begun gives way to one that runs.
    [['live', 'queued'], ['ready', 'running'], [1], ['next', 'live']],
    [['live', 'next'], ['ready', 'running'], [1], ['next', 'live']],
    [['live', 'queued', 'next'], ['ready', 'running', 'ready'], [1], ['queued', 'live', 'next']],
    [['live', 'queued'], ['ready', 'running'], [], ['live', 'queued']],
    // A match that was set to done stays done until it begins.
    [['done', 'queued'], ['running', 'ready'], [], ['done', 'queued']],
    [['done', 'queued'], ['running', 'ready'], [0], ['live', 'queued']],
    [['done', 'live'], ['running', 'running'], [0], ['queued', 'live']],
    [['done'], ['ready'], [], ['done']],
  ])('%j of matches %j of which %j began is %j', (statuses, ofMatches, began, expected) => {
    const before = entries(...statuses)
    const statusOf = ({ matchGuid }: (typeof before)[number]) => ofMatches[Number(matchGuid)] as MatchStatus
    const after = followMatches(before, statusOf, new Set(began.map(String)))
    expect(after.map(({ status }) => status)).toEqual(expected)
    // A second run changes nothing, and the result is a valid queue.
    expect(followMatches(after, statusOf)).toEqual(after)
    expect(codeOf(() => checkQueue(after))).toBeNull()
  })

  test.each([
    [entries('live', 'next', 'queued', 'done', 'done'), null],
    [entries('live', 'live'), 'queue.invalid'],
    [entries('next', 'next'), 'queue.invalid'],
    [[...entries('queued'), ...entries('done')], 'queue.invalid'],
  ])('%j: %s', (queue, code) => {
    expect(codeOf(() => checkQueue(queue))).toBe(code)
  })
})
