import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../../test/problems.ts'
import { checkNotTooOften, expiryOf, isOpen, shortened, statusOf, sweptBefore } from './rules.ts'
import type { VerificationOfUser } from './types.ts'

const now = new Date('2026-05-01T18:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

describe('five mails an hour', () => {
  const five = [1, 2, 3, 4, 50].map(minutesAgo)
  const times: [string, Date[], Date[], string | null][] = [
    ['none yet', [], [], null],
    ['four of the user’s', five.slice(1), [], null],
    ['five of the user’s', five, [], '600'],
    ['five to the address', [], five, '600'],
    ['both: the longer wait counts', five, [1, 2, 3, 4, 20].map(minutesAgo), '2400'],
    ['two and three are not added up', five.slice(0, 2), five.slice(0, 3), null],
    ['the oldest is all but an hour old', [1, 2, 3, 4, 59.999].map(minutesAgo), [], '1'],
  ]
  test.each(times)('%s', (_what, ofUser, toAddress, expected) => {
    const problem = problemOf(() => checkNotTooOften(ofUser, toAddress, now))
    expect(problem?.headers['retry-after'] ?? null).toBe(expected)
    if (expected !== null) expect([problem?.kind, problem?.code]).toEqual(['limited', 'email.too_often'])
  })

  test('whether the user or the address is the reason makes no difference to what is told', () => {
    const [ofUser, toAddress] = [
      problemOf(() => checkNotTooOften(five, [], now)),
      problemOf(() => checkNotTooOften([], five, now)),
    ]
    expect(ofUser).toMatchObject({ code: toAddress?.code, message: toAddress?.message, headers: toAddress?.headers })
  })
})

const verification = (changes: Partial<VerificationOfUser> = {}): VerificationOfUser => ({
  guid: '00000000-0000-4000-8000-000000000001',
  userGuid: '00000000-0000-4000-8000-000000000002',
  email: 'quaver@example.org',
  requestedAt: minutesAgo(10),
  expiresAt: expiryOf(minutesAgo(10)),
  sentAt: null,
  refusedAt: null,
  usedAt: null,
  voidedAt: null,
  username: 'quaver',
  isBarred: false,
  ...changes,
})

describe('what became of a request, and whether its link counts', () => {
  test.each<[string, Partial<VerificationOfUser>, string, boolean]>([
    ['asked for', {}, 'pending', true],
    ['sent', { sentAt: minutesAgo(5) }, 'pending', true],
    ['a millisecond before 24 hours', { expiresAt: new Date(now.getTime() + 1) }, 'pending', true],
    ['after 24 hours', { expiresAt: now }, 'expired', false],
    ['used', { usedAt: minutesAgo(1) }, 'verified', false],
    ['used, long ago', { usedAt: minutesAgo(1), expiresAt: minutesAgo(1) }, 'verified', false],
    ['replaced', { voidedAt: minutesAgo(1) }, 'voided', false],
    ['refused by the mail server', { refusedAt: minutesAgo(1) }, 'undeliverable', false],
    ['of a user who is barred', { isBarred: true }, 'pending', false],
  ])('%s', (_what, changes, status, open) => {
    const record = verification(changes)
    expect([statusOf(record, now), isOpen(record, now)]).toEqual([status, open])
  })
})

test('a link lasts 24 hours, and what became of it is kept a week longer', () => {
  expect(expiryOf(now)).toEqual(new Date('2026-05-02T18:00:00Z'))
  expect(sweptBefore(now)).toEqual(new Date('2026-04-24T18:00:00Z'))
})

test.each([
  ['quaver@example.org', 'q…@example.org'],
  ['q@example.org', 'q…@example.org'],
])('%s is shown as %s', (email, expected) => {
  expect(shortened(email)).toBe(expected)
})
