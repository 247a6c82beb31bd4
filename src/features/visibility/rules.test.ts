import { describe, expect, test } from 'vitest'
import { type Actor, anonymous } from '../../core/actor.ts'
import type { GlobalRole } from '../../core/roles.ts'
import { withImpliedRoles } from '../../core/roles.ts'
import { mayReview, maySeeBlocks } from './policy.ts'
import {
  asOrganisersSee,
  canRequest,
  checkActive,
  checkReason,
  checkReviewable,
  consequenceOf,
  statusAfterAsking,
  statusAfterWithdrawal,
} from './rules.ts'
import type { Decision, RequestStatus, VisibilityRequest } from './types.ts'

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
