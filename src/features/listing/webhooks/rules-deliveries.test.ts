import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../test/problems.ts'
import { webhookEvents } from '../platforms/types.ts'
import {
  changedChannels,
  deliveredTypes,
  dottedType,
  faultOf,
  isGone,
  isTaken,
  readEvent,
  readSince,
  readStatuses,
  requestStatusIn,
  verdictOf,
  waitAfter,
  webhookEventOf,
} from './rules.ts'

const hour = 3_600_000
const day = 24 * hour

describe('events', () => {
  test.each([
    ['platform.visibility_requested', 'visibility_requested', 'visibility.requested', 'pending'],
    ['platform.visibility_approved', 'visibility_approved', 'visibility.approved', 'approved'],
    ['platform.visibility_rejected', 'visibility_rejected', 'visibility.rejected', 'rejected'],
    ['platform.visibility_blocked', 'visibility_blocked', 'visibility.blocked', 'blocked'],
    ['platform.visibility_withdrawn', 'visibility_withdrawn', 'visibility.withdrawn', 'withdrawn'],
    ['platform.member_added', 'member_added', 'member.added', null],
    ['platform.member_removed', 'member_removed', 'member.removed', null],
  ] as const)('%s is told as %s, of type %s (D34)', (logged, event, type, status) => {
    expect([webhookEventOf(logged), readEvent(event), dottedType(event), requestStatusIn(event)]).toEqual([
      event,
      event,
      type,
      status,
    ])
  })

  test('there are no others', () => {
    expect([webhookEvents.length, deliveredTypes.length]).toEqual([7, 7])
    for (const type of [
      'visibility.approved',
      'platform.updated',
      'platform.',
      'member_added',
      'xplatform.member_added',
    ]) {
      expect(deliveredTypes).not.toContain(type)
    }
    for (const text of ['', 'updated', 'platform.member_added', 'MEMBER_ADDED', 'constructor']) {
      expect(codeOf(() => readEvent(text))).toBe('webhook.event_unknown')
    }
  })

  test.each([
    [{ chatWebhookUrl: 'configured' }, ['chat']],
    [{ customWebhookUrl: null, webhookEvents: [] }, ['custom']],
    [{ customWebhookUrl: 'configured', chatWebhookUrl: null }, ['chat', 'custom']],
    [{ customWebhookSecret: 'configured' }, []],
  ])('settings that changed in %j have another address for %j', (after, channels) => {
    expect(changedChannels(after)).toEqual(channels)
  })
})

describe('an answer', () => {
  test.each([
    [200, true, null],
    [204, true, null],
    [299, true, null],
    [199, false, 'It answered 199.'],
    [301, false, 'It answered 301: redirects are not followed.'],
    [308, false, 'It answered 308: redirects are not followed.'],
    [400, false, 'It answered 400.'],
    [410, false, 'It answered 410.'],
    [500, false, 'It answered 500.'],
  ])('of status %i', (status, taken, fault) => {
    expect([isTaken({ status }), faultOf({ status, error: null })]).toEqual([taken, fault])
  })

  test('that never came', () => {
    expect([isTaken({ status: null }), faultOf({ status: null, error: 'why' })]).toEqual([false, 'why'])
  })

  test.each([
    ['custom', 410, true],
    ['custom', 404, false],
    ['custom', 401, false],
    ['custom', 200, false],
    ['chat', 410, true],
    ['chat', 404, true],
    ['chat', 401, true],
    ['chat', 403, false],
    ['chat', null, false],
  ] as const)('of %s %s says that the address is gone: %s (D34)', (channel, status, isSo) => {
    expect(isGone(channel, status)).toBe(isSo)
  })
})

describe('the next attempt', () => {
  test.each([
    [1, 5_000],
    [2, 20_000],
    [3, 80_000],
    [4, 320_000],
    [7, 20_480_000],
    [8, 8 * hour],
    [14, 8 * hour],
  ])('comes, after %i, %i ms later and up to a fifth more (D53)', (attempts, ms) => {
    expect(waitAfter(attempts, null, 0)).toBe(ms)
    expect(waitAfter(attempts, null, 0.5)).toBe(Math.round(ms * 1.1))
    expect(waitAfter(attempts, null, 1)).toBe(Math.round(ms * 1.2))
  })

  test('comes no sooner than the receiver wants it', () => {
    expect(waitAfter(1, 120_000, 0)).toBe(120_000)
    expect(waitAfter(1, 1_000, 0)).toBe(5_000)
    expect(waitAfter(9, 1_000, 0)).toBe(8 * hour)
  })

  test.each([0, 1])('is the last of 15 about 3 days after the first (D34)', (fraction) => {
    const waits = Array.from({ length: 14 }, (_, index) => waitAfter(index + 1, null, fraction))
    const total = waits.reduce((sum, wait) => sum + wait, 0)
    expect(total).toBeGreaterThan(2.5 * day)
    expect(total).toBeLessThan(3.3 * day)
  })
})

describe('the verdict', () => {
  const now = new Date('2026-05-04T00:00:00Z')
  const delivery = { channel: 'custom' as const, attempts: 1, queuedAt: now }
  const answer = { status: 500, error: null, retryAfterMs: null }
  const ago = (ms: number) => new Date(now.getTime() - ms)

  test.each([
    ['taken', delivery, { ...answer, status: 204 }, 'delivered'],
    ['taken at last', { ...delivery, attempts: 15, queuedAt: ago(9 * day) }, { ...answer, status: 200 }, 'delivered'],
    ['gone', delivery, { ...answer, status: 410 }, 'gone'],
    ['gone at last', { ...delivery, attempts: 15 }, { ...answer, status: 410 }, 'gone'],
    ['refused', delivery, answer, 'retry'],
    ['not answered', delivery, { ...answer, status: null, error: 'why' }, 'retry'],
    ['refused for the 14th time', { ...delivery, attempts: 14 }, answer, 'retry'],
    ['refused for the 15th time', { ...delivery, attempts: 15 }, answer, 'failed'],
    ['refused early in its fourth day', { ...delivery, attempts: 14, queuedAt: ago(3.1 * day) }, answer, 'retry'],
    ['refused late in its fourth day', { ...delivery, attempts: 9, queuedAt: ago(3.4 * day) }, answer, 'failed'],
    [
      'refused for the first time after too long in the queue',
      { ...delivery, queuedAt: ago(3.6 * day) },
      answer,
      'failed',
    ],
    ['wanted too late', { ...delivery, queuedAt: ago(3 * day) }, { ...answer, retryAfterMs: day }, 'failed'],
  ] as const)('on what was %s', (_what, made, given, kind) => {
    expect(verdictOf(made, given, 0, now).kind).toBe(kind)
  })

  test('names when', () => {
    expect(verdictOf(delivery, answer, 1, now)).toEqual({ kind: 'retry', at: new Date(now.getTime() + 6_000) })
  })
})

describe('what lists and replays are asked for', () => {
  test.each([
    [undefined, ['pending', 'sending', 'delivered', 'failed', 'stopped']],
    ['failed', ['failed']],
    [' failed , stopped,failed', ['failed', 'stopped']],
  ])('statuses %j', (text, statuses) => {
    expect(readStatuses(text)).toEqual(statuses)
  })

  test.each(['', 'lost', 'failed,', 'Failed'])('no statuses: %j', (text) => {
    expect(codeOf(() => readStatuses(text))).toBe('webhook.status_unknown')
  })

  test('since an instant, or since ever (D7)', () => {
    expect(readSince('2026-05-01T20:00:00+02:00')).toEqual(new Date('2026-05-01T18:00:00Z'))
    expect(readSince('1970-01-01T00:00:00Z')).toEqual(new Date(0))
  })
})
