import { describe, expect, test } from 'vitest'
import { type Actor, anonymous } from '../../../core/actor.ts'
import { type GlobalRole, type PlatformRole, withImpliedRoles } from '../../../core/roles.ts'
import { mayReview, platformAdministrators, platformOverseers, platformReviewers, roleOn } from './policy.ts'
import {
  checkDeletable,
  checkRoom,
  customWebhookFault,
  readContextId,
  readRecord,
  readSettings,
  secretFault,
} from './rules.ts'
import type { PlatformSettings } from './types.ts'

const refusal = (code: string, message?: string | RegExp) =>
  expect.objectContaining({ code, ...(message === undefined ? {} : { message: expect.stringMatching(message) }) })

describe('who may do what on a platform', () => {
  const actor = (platformRole: PlatformRole | null, ...held: GlobalRole[]): Actor => ({
    ...anonymous,
    guid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
    platformRole,
    globalRoles: withImpliedRoles(held),
  })

  test.each<[string, Actor, boolean, ReturnType<typeof roleOn>, boolean, boolean]>([
    // Columns: name, actor, whether on the system platform, role there, administers, oversees.
    ['nobody', anonymous, true, null, false, false],
    ['a user', actor(null), true, null, false, false],
    ['a reviewer', actor('reviewer'), false, 'reviewer', false, false],
    ['an administrator', actor('admin'), false, 'admin', true, false],
    ['an administrator of the system platform', actor('admin'), true, 'admin', true, false],
    [
      'a tournament manager on the system platform',
      actor(null, 'global:tournaments:manage'),
      true,
      'reviewer',
      false,
      true,
    ],
    ['a tournament manager elsewhere', actor(null, 'global:tournaments:manage'), false, null, false, true],
    ['a tournament manager who administers', actor('admin', 'global:tournaments:manage'), true, 'admin', true, true],
    ['a developer', actor(null, 'role:dev'), false, 'global', true, true],
    ['a developer who reviews', actor('reviewer', 'role:dev'), false, 'global', true, true],
    ['an owner', actor(null, 'role:owner'), true, 'global', true, true],
    ['a manager of badges', actor(null, 'global:badges:manage'), true, null, false, false],
  ])('%s', (_who, who, isSystem, role, administers, oversees) => {
    expect(roleOn(who, { isSystem })).toBe(role)
    expect(mayReview(who, { isSystem })).toBe(role !== null)
    expect(platformReviewers.allows(who, { platform: { isSystem } })).toBe(role !== null)
    expect(platformAdministrators.allows(who, {})).toBe(administers)
    expect(platformOverseers.allows(who, {})).toBe(oversees)
  })
})

describe('the public record', () => {
  const current = { name: 'Night League', description: 'Old.', imageUrl: 'https://a.example/1.png', websiteUrl: null }

  test('what is not given stays', () => {
    expect(readRecord({}, current)).toEqual(current)
    expect(readRecord({ name: 'Day League' }, current)).toEqual({ ...current, name: 'Day League' })
  })

  test('names stand on one line, descriptions lose what is unsafe, addresses may be emptied', () => {
    expect(
      readRecord(
        {
          name: ' Night \n League ',
          description: 'Hi <script>alert(1)</script>[x](javascript:alert(1))',
          imageUrl: '',
          websiteUrl: '',
        },
        { ...current, websiteUrl: 'https://a.example' },
      ),
    ).toEqual({
      name: 'Night League',
      description: expect.not.stringMatching(/script/),
      imageUrl: '',
      websiteUrl: null,
    })
    expect(readRecord({ websiteUrl: null }, { ...current, websiteUrl: 'https://a.example' }).websiteUrl).toBeNull()
  })

  test.each([
    [{ name: ' \n ' }, '"name" must not be empty'],
    [{ name: '\u3164\n\u2800' }, '"name" must have a visible character'],
    [{ imageUrl: 'javascript:alert(1)' }, '"imageUrl" must start with https:// or http://'],
    [{ imageUrl: 'picture.png' }, '"imageUrl" must be an absolute address'],
    [{ websiteUrl: 'https://me:secret@a.example' }, '"websiteUrl" must not hold a user name or password'],
  ])('%o is refused', (input, message) => {
    expect(() => readRecord(input, current)).toThrow(refusal('platform.invalid', message))
  })

  test('context ids are kept in lower case', () => {
    expect(readContextId('Night-League')).toBe('night-league')
  })

  test.each(['', 'mine', 'ADMIN', 'new', '3F0C2C9E-5d1b-4c58-9a53-6d3b9c1f7a42', '-a', 'a_b', 'ä', 'a'.repeat(33)])(
    'the context id "%s" is refused',
    (id) => {
      expect(() => readContextId(id)).toThrow(refusal('platform.invalid', /^"contextId" /))
    },
  )

  test('the system platform stays', () => {
    expect(() => checkDeletable({ isSystem: true })).toThrow(refusal('platform.is_system'))
    expect(() => checkDeletable({ isSystem: false })).not.toThrow()
  })

  test.each(['platforms', 'members'] as const)('there are at most 500 %s', (what) => {
    expect(() => checkRoom(what, 499)).not.toThrow()
    expect(() => checkRoom(what, 500)).toThrow(refusal('platform.limit_reached'))
  })
})

describe('settings', () => {
  const context = { chatApiUrl: 'https://discord.com/api/v10', allowHttp: false, allowPrivate: false }
  const current: PlatformSettings = {
    chatWebhookUrl: 'https://discord.com/api/webhooks/1/abc',
    customWebhookUrl: 'https://hooks.example.org/in',
    customWebhookSecret: 'a secret',
    webhookEvents: ['member_added'],
  }

  test('what is left out stays, and an empty text removes', () => {
    expect(readSettings({}, current, context)).toEqual(current)
    expect(
      readSettings(
        { chatWebhookUrl: '', customWebhookUrl: '', customWebhookSecret: '', webhookEvents: [] },
        current,
        context,
      ),
    ).toEqual({ chatWebhookUrl: null, customWebhookUrl: null, customWebhookSecret: null, webhookEvents: [] })
  })

  test('events stand in the order in which they are defined', () => {
    const given = { webhookEvents: ['member_removed', 'visibility_requested'] } as const
    expect(readSettings(given, current, context).webhookEvents).toEqual(['visibility_requested', 'member_removed'])
  })

  test.each([
    [{ chatWebhookUrl: 'https://evil.example/api/webhooks/1/abc' }, /^"chatWebhookUrl" /],
    [{ customWebhookUrl: 'http://hooks.example.org/in' }, /^"customWebhookUrl" must start with https:/],
    [{ customWebhookSecret: 'whsec_???' }, /^"customWebhookSecret" /],
  ])('%o is refused without being repeated', (input, message) => {
    const attempt = () => readSettings(input, current, context)
    expect(attempt).toThrow(refusal('platform.webhook_invalid', message))
    expect(attempt).not.toThrow(Object.values(input)[0])
  })
})

describe('custom webhook addresses (D34)', () => {
  const outside = { allowHttp: false, allowPrivate: false }

  test.each(['https://hooks.example.org', 'https://hooks.example.org:8443/a?b=c', 'https://93.184.216.34/x'])(
    '%s is one',
    (address) => {
      expect(customWebhookFault(address, outside)).toBeNull()
    },
  )

  test.each([
    'http://hooks.example.org',
    'https://user@hooks.example.org',
    'https://:pass@hooks.example.org',
    'ftp://hooks.example.org',
    'file:///etc/passwd',
    'hooks.example.org',
    '//hooks.example.org',
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://10.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://service.internal/x',
    `https://hooks.example.org/${'x'.repeat(2_000)}`,
  ])('%s is none', (address) => {
    expect(customWebhookFault(address, outside)).not.toBeNull()
  })

  test('the local environment may use http, and private networks only where that is allowed', () => {
    const local = { allowHttp: true, allowPrivate: false }
    expect(customWebhookFault('http://hooks.example.org/x', local)).toBeNull()
    expect(customWebhookFault('http://localhost:8080/x', local)).not.toBeNull()
    expect(customWebhookFault('http://localhost:8080/x', { ...local, allowPrivate: true })).toBeNull()
    expect(customWebhookFault('http://localhost:8080/x', { ...outside, allowPrivate: true })).not.toBeNull()
  })
})

describe('secrets of custom webhooks (D34)', () => {
  test.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_TWE=', 'whsec_TWE', 'whsec', 'any text: ä, 1'])(
    '%s is one',
    (secret) => {
      expect(secretFault(secret)).toBeNull()
    },
  )

  test.each(['whsec_', 'whsec_=', 'whsec_a', 'whsec_a b c d', 'whsec_ä', 'whsec_TWE===', 'configured'])(
    '%s is none',
    (secret) => {
      expect(secretFault(secret)).not.toBeNull()
    },
  )
})
