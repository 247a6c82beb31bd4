import { describe, expect, test } from 'vitest'
import { type Actor, anonymous } from '../../../core/actor.ts'
import type { GlobalRole } from '../../../core/roles.ts'
import { withImpliedRoles } from '../../../core/roles.ts'
import { mayReview } from '../platforms/policy.ts'
import { maySeeBlocks } from './policy.ts'
import {
  asOrganisersSee,
  canRequest,
  changesOf,
  checkActive,
  checkReason,
  checkReviewable,
  consequenceOf,
  isShownToReviewers,
  mayAsk,
  platformsToAsk,
  readRequestStatuses,
  statusAfterAsking,
  statusAfterWithdrawal,
} from './rules.ts'
import { type Decision, type RequestStatus, requestStatuses, type Standing, type VisibilityRequest } from './types.ts'

describe('the state table of a visibility request', () => {
  test.each<[RequestStatus | null, RequestStatus]>([
    [null, 'pending'],
    ['rejected', 'pending'],
    ['withdrawn', 'pending'],
    ['pending', 'pending'],
    ['approved', 'approved'],
    ['blocked', 'blocked'],
  ])('asking: %s becomes %s', (before, after) => {
    expect(statusAfterAsking(before)).toBe(after)
  })

  test.each<[RequestStatus, RequestStatus]>([
    ['pending', 'withdrawn'],
    ['approved', 'withdrawn'],
    ['rejected', 'withdrawn'],
    ['withdrawn', 'withdrawn'],
    ['blocked', 'blocked'],
  ])('leaving the platform out: %s becomes %s', (before, after) => {
    expect(statusAfterWithdrawal(before)).toBe(after)
  })

  const request = (status: RequestStatus): VisibilityRequest => ({
    guid: 'r',
    tournamentGuid: 't',
    platformGuid: 'p',
    status,
    reason: 'Why.',
    requestedAt: new Date(0),
    decidedAt: null,
    decidedByGuid: null,
  })

  test.each<RequestStatus>(['pending', 'approved', 'rejected', 'blocked'])('%s can be decided', (status) => {
    expect(checkReviewable(request(status))).toEqual(request(status))
  })

  test.each<[string, VisibilityRequest | undefined, string]>([
    ['withdrawn', request('withdrawn'), 'visibility.withdrawn'],
    ['never asked', undefined, 'visibility.not_requested'],
  ])('%s cannot be decided', (_name, given, code) => {
    expect(() => checkReviewable(given)).toThrow(expect.objectContaining({ kind: 'conflict', code }))
  })

  test.each<[Decision, string | null, boolean]>([
    ['approved', null, true],
    ['approved', 'Well made.', true],
    ['rejected', 'No rules.', true],
    ['blocked', 'Spam.', true],
    ['rejected', null, false],
    ['blocked', null, false],
  ])('%s for the reason %j: %s', (decision, reason, isFine) => {
    const check = () => checkReason(decision, reason)
    if (isFine) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ kind: 'invalid', code: 'visibility.reason_missing' }))
  })

  test.each([
    ['draft', true],
    ['approved', true],
    ['ongoing', true],
    ['completed', false],
    ['cancelled', false],
  ] as const)('a tournament that is %s asks: %s', (status, isFine) => {
    const check = () => checkActive(status)
    if (isFine) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ kind: 'invalid', code: 'visibility.not_active' }))
  })
})

test.each<[RequestStatus, Decision, ReturnType<typeof consequenceOf>]>([
  ['pending', 'approved', 'approval'],
  ['rejected', 'approved', 'approval'],
  ['blocked', 'approved', 'approval'],
  ['approved', 'approved', 'approval'],
  ['pending', 'rejected', null],
  ['rejected', 'rejected', null],
  ['blocked', 'rejected', null],
  ['approved', 'rejected', 'revocation'],
  ['pending', 'blocked', 'block'],
  ['rejected', 'blocked', 'block'],
  ['approved', 'blocked', 'block'],
])('on the system platform, %s decided as %s means %s', (before, decision, consequence) => {
  expect(consequenceOf(before, decision)).toBe(consequence)
})

describe('what organisers see', () => {
  test('a block is a rejection without a reason, after which they cannot ask', () => {
    expect(asOrganisersSee({ status: 'blocked', reason: 'Spam.' })).toEqual({ status: 'rejected', reason: null })
    expect(canRequest('blocked')).toBe(false)
  })

  test.each<RequestStatus>(['pending', 'approved', 'rejected', 'withdrawn'])('%s is what it is', (status) => {
    expect(asOrganisersSee({ status, reason: 'Why.' })).toEqual({ status, reason: 'Why.' })
    expect(canRequest(status)).toBe(true)
  })
})

describe('which platforms are asked', () => {
  const platforms = [
    { guid: 'system', isSystem: true },
    { guid: 'a', isSystem: false },
    { guid: 'b', isSystem: false },
  ]
  test.each<['all' | 'selected', string[], string[]]>([
    ['all', [], ['system', 'a', 'b']],
    ['all', ['a'], ['system', 'a', 'b']],
    ['all', ['unknown'], ['system', 'a', 'b']],
    ['selected', [], ['system']],
    ['selected', ['system'], ['system']],
    ['selected', ['b'], ['b', 'system']],
    ['selected', ['b', 'a', 'b'], ['b', 'a', 'system']],
  ])('%s with %j', (scope, platformGuids, asked) => {
    expect([...platformsToAsk({ scope, platformGuids }, platforms)].sort()).toEqual(asked.sort())
  })

  test('one that there is not is refused', () => {
    const wish = { scope: 'selected', platformGuids: ['a', 'c'] } as const
    expect(() => platformsToAsk(wish, platforms)).toThrow(expect.objectContaining({ code: 'platform.unknown' }))
  })

  test('what changes: some are asked, some requests taken back, and the rest is left alone', () => {
    const standing = (guid: string, status: RequestStatus | null): Standing => ({
      platform: { guid, contextId: guid, name: guid, imageUrl: '', isSystem: false },
      request:
        status === null
          ? null
          : {
              guid: `request-${guid}`,
              tournamentGuid: 't',
              platformGuid: guid,
              status,
              reason: null,
              requestedAt: new Date(0),
              decidedAt: null,
              decidedByGuid: null,
            },
    })
    const all = [null, ...requestStatuses]
    const standings = all.flatMap((status) => [standing(`in-${status}`, status), standing(`out-${status}`, status)])
    const { asked, withdrawn } = changesOf(standings, new Set(all.map((status) => `in-${status}`)))
    expect([...asked].sort()).toEqual(['in-null', 'in-rejected', 'in-withdrawn'])
    expect(withdrawn.map(({ guid }) => guid).sort()).toEqual([
      'request-out-approved',
      'request-out-pending',
      'request-out-rejected',
    ])
  })
})

test.each([
  ['draft', null, true],
  ['approved', 'pending', true],
  ['ongoing', 'rejected', true],
  ['ongoing', 'blocked', false],
  ['completed', 'rejected', false],
  ['cancelled', null, false],
  ['cancelled', 'blocked', false],
] as const)('a tournament that is %s, with a request that is %s: asking is of use: %s', (status, request, expected) => {
  expect(mayAsk(status, request)).toBe(expected)
})

test.each(requestStatuses.flatMap((status) => [[status, true] as const, [status, false] as const]))(
  'reviewers of a request that is %s see what its tournament, public: %s, is about unless it withdrew a secret',
  (status, isPublic) => {
    expect(isShownToReviewers(status, isPublic)).toBe(isPublic || status !== 'withdrawn')
  },
)

describe('a list of statuses', () => {
  test.each<[string | undefined, readonly RequestStatus[] | undefined]>([
    [undefined, undefined],
    ['pending', ['pending']],
    ['blocked, withdrawn', ['blocked', 'withdrawn']],
    ['pending,pending', ['pending']],
    [requestStatuses.join(','), undefined],
  ])('%j', (text, statuses) => {
    expect(readRequestStatuses(text)).toEqual(statuses)
  })

  test.each(['', ' ', 'pending,', 'open', 'PENDING', 'pending;blocked'])('%j is refused', (text) => {
    expect(() => readRequestStatuses(text)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'visibility.status_unknown' }),
    )
  })
})

describe('who reviews', () => {
  const globally = (...roles: GlobalRole[]): Actor => ({
    ...anonymous,
    guid: 'me',
    globalRoles: withImpliedRoles(roles),
  })
  const member = (platformRole: Actor['platformRole']): Actor => ({ ...anonymous, guid: 'me', platformRole })
  test.each<[string, Actor, boolean, boolean, boolean]>([
    ['a stranger', globally(), false, false, false],
    ['a reviewer', member('reviewer'), true, true, false],
    ['an administrator of the platform', member('admin'), true, true, false],
    ['a tournament manager', globally('global:tournaments:manage'), true, false, true],
    ['a developer', globally('role:dev'), true, true, true],
    ['an owner', globally('role:owner'), true, true, true],
    ['holders of other permissions', globally('global:users:read', 'global:notices:manage'), false, false, false],
    ['the organiser', { ...member(null), isOrganiser: true, roles: new Set(['role:admin']) }, false, false, false],
  ])('%s: system platform %s, other platforms %s; sees blocks: %s', (_name, actor, onSystem, onOthers, blocks) => {
    expect(mayReview(actor, { isSystem: true })).toBe(onSystem)
    expect(mayReview(actor, { isSystem: false })).toBe(onOthers)
    expect(maySeeBlocks(actor)).toBe(blocks)
  })
})
