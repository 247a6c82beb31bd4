import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../core/problem.ts'
import { type GlobalRole, globalRoles, withImpliedRoles } from '../../../../core/roles.ts'
import { mayAdminister } from '../policy.ts'
import type { AccountPatch, User } from '../types.ts'
import { accountChanges, banStep, checkMaySetRoles, checkOwnerRemains, linkChanges } from './administration.ts'

const now = new Date('2026-05-01T18:00:00Z')
const earlier = new Date('2026-01-01T00:00:00Z')

const user = (changes: Partial<User> = {}): User => ({
  guid: 'user',
  chatPlatformId: '1',
  username: 'quaver',
  preferredName: 'Quaver',
  avatarUrl: 'https://cdn.example.org/1.png',
  chatAvatarUrl: 'https://cdn.example.org/1.png',
  description: '',
  pronouns: null,
  pronunciation: null,
  headset: null,
  grip: null,
  controllers: null,
  country: null,
  email: null,
  emailVerifiedAt: null,
  isBot: false,
  isPlaceholder: false,
  globalRoles: [],
  bannedAt: null,
  banReason: null,
  createdAt: earlier,
  updatedAt: earlier,
  ...changes,
})

function outcome(work: () => unknown): unknown {
  try {
    return work() ?? null
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

describe('mayAdminister: owners anybody, developers anybody but owners', () => {
  const targets: GlobalRole[][] = [[], ['role:dev'], ['role:owner'], ['role:owner', 'role:dev']]
  test.each<[GlobalRole[], boolean[]]>([
    [[], [false, false, false, false]],
    [
      ['global:users:read', 'global:tournaments:manage'],
      [false, false, false, false],
    ],
    [['role:dev'], [true, true, false, false]],
    [['role:owner'], [true, true, true, true]],
  ])('%j', (held, expected) => {
    const actor = { globalRoles: withImpliedRoles(held) }
    expect(targets.map((roles) => mayAdminister(actor, { globalRoles: roles }))).toEqual(expected)
  })
})

describe('checkMaySetRoles: owner and developer are an owner’s to give', () => {
  const developer = withImpliedRoles(['role:dev'])
  test.each<[GlobalRole[], GlobalRole[], unknown]>([
    [[], ['global:users:read'], null],
    [['global:users:read'], [], null],
    [['role:dev'], ['role:dev', 'global:users:read'], null],
    [[], ['role:dev'], 'account.role_protected'],
    [['role:dev'], [], 'account.role_protected'],
    [[], ['role:owner'], 'account.role_protected'],
    [['role:owner'], ['role:dev'], 'account.role_protected'],
  ])('from %j to %j', (before, after, expected) => {
    expect(outcome(() => checkMaySetRoles({ globalRoles: before }, after, developer))).toBe(expected)
    expect(outcome(() => checkMaySetRoles({ globalRoles: before }, after, new Set(globalRoles)))).toBeNull()
  })
})

describe('checkOwnerRemains', () => {
  const self = { guid: 'user', bannedAt: null }
  const other = { guid: 'other', bannedAt: null }
  const barred = { guid: 'barred', bannedAt: earlier }
  test.each<[string, GlobalRole[], { guid: string; bannedAt: Date | null }[], unknown]>([
    ['who is none', [], [other], null],
    ['who is none where there is none', [], [], null],
    ['one of two', [], [self, other], null],
    ['the only one', [], [self], 'account.last_owner'],
    ['the only one who is not banned', ['role:dev'], [self, barred], 'account.last_owner'],
    ['the only one, who keeps it', ['role:owner'], [self], null],
  ])('%s', (_who, roles, owners, expected) => {
    expect(outcome(() => checkOwnerRemains(self, roles, owners))).toBe(expected)
  })
})

describe('banStep', () => {
  const ban = (reason: string | null) => ({ do: 'ban', reason })
  const reword = (reason: string | null) => ({ do: 'reword', reason })
  test.each<[string, Date | null, AccountPatch, unknown]>([
    ['nothing of it', null, { isBot: true }, null],
    ['a ban', null, { banned: true }, ban(null)],
    ['a ban with a reason', null, { banned: true, banReason: 'x' }, ban('x')],
    ['a ban with an empty reason', null, { banned: true, banReason: '' }, ban(null)],
    ['no ban', null, { banned: false }, null],
    ['no reason for no ban', null, { banReason: null }, null],
    ['a reason for no ban', null, { banReason: 'x' }, 'account.ban_reason_stray'],
    ['a second ban', earlier, { banned: true }, null],
    ['another reason', earlier, { banReason: 'y' }, reword('y')],
    ['a second ban with another reason', earlier, { banned: true, banReason: 'y' }, reword('y')],
    ['no reason any more', earlier, { banReason: null }, reword(null)],
    ['the end of a ban', earlier, { banned: false }, { do: 'unban' }],
    ['the end of a ban without a reason', earlier, { banned: false, banReason: null }, { do: 'unban' }],
    ['the end of a ban with a reason', earlier, { banned: false, banReason: 'x' }, 'account.ban_reason_stray'],
  ])('%s', (_what, bannedAt, patch, expected) => {
    expect(outcome(() => banStep({ guid: 'user', bannedAt }, patch, 'actor'))).toEqual(expected)
  })

  test('nobody bans themselves, but may say that they are not banned', () => {
    const self = { guid: 'actor', bannedAt: null }
    expect(outcome(() => banStep(self, { banned: true }, 'actor'))).toBe('account.self_ban')
    expect(outcome(() => banStep(self, { banned: false }, 'actor'))).toBeNull()
  })
})

describe('accountChanges of the e-mail address', () => {
  const address = 'a@example.org'
  const none = { email: null, emailVerifiedAt: null }
  const unverified = { email: address, emailVerifiedAt: null }
  const verified = { email: address, emailVerifiedAt: earlier }
  test.each<[Partial<User>, AccountPatch, unknown]>([
    [none, { email: address }, unverified],
    [none, { email: address, emailVerified: true }, { email: address, emailVerifiedAt: now }],
    [none, { emailVerified: true }, 'account.email_missing'],
    [none, { emailVerified: false }, none],
    [unverified, { emailVerified: true }, { email: address, emailVerifiedAt: now }],
    [verified, { emailVerified: true }, verified],
    [verified, { email: address }, verified],
    [verified, { email: 'b@example.org' }, { email: 'b@example.org', emailVerifiedAt: null }],
    [verified, { emailVerified: false }, unverified],
    [verified, { email: null }, none],
    [verified, { email: null, emailVerified: true }, 'account.email_missing'],
    [verified, { isBot: true }, { isBot: true }],
  ])('%j with %j', (before, patch, expected) => {
    expect(outcome(() => accountChanges(user(before), patch, now))).toEqual(expected)
  })
})

test('roles are kept in the order of the table of roles', () => {
  const roles: GlobalRole[] = ['global:notices:manage', 'role:owner', 'global:users:read']
  expect(accountChanges(user(), { roles }, now)).toEqual({
    globalRoles: ['role:owner', 'global:users:read', 'global:notices:manage'],
  })
})

test.each<[AccountPatch, unknown]>([
  [{}, []],
  [
    { rankingIdA: '1', rankingIdB: null },
    [
      ['ranking-a', '1'],
      ['ranking-b', null],
    ],
  ],
  [{ streamingName: 'quaver_live' }, [['streaming', 'quaver_live']]],
  [{ streamingName: 'Quaver_Live' }, [['streaming', 'quaver_live']]],
  [{ rankingIdA: 'x' }, 'account.invalid'],
  [{ rankingIdB: '１２' }, 'account.invalid'],
  [{ streamingName: 'é' }, 'account.invalid'],
])('the links of %j', (patch, expected) => {
  expect(outcome(() => linkChanges(patch))).toEqual(expected)
})
