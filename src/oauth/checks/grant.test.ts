import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/problems.ts'
import { refusal, Stolen } from '../problems.ts'
import type { RefreshToken } from '../store/grants.ts'
import type { Client } from '../types.ts'
import {
  checkFresh,
  checkGrantKnown,
  checkGrantOfClient,
  checkGrantStanding,
  checkGrantType,
  checkSubjectStanding,
  checkTokenOfClient,
  checkUnused,
  isStanding,
} from './grant.ts'

const now = new Date('2026-06-01T12:00:00.000Z')
const before = new Date(now.getTime() - 1)
const after = new Date(now.getTime() + 1)
const errorOf = (work: () => unknown) => problemOf(work)?.data?.error ?? null

const subject = {
  guid: '0f0e0d0c-1111-4222-8333-444455556666',
  chatPlatformId: '1',
  username: 'quaver',
  avatarUrl: 'https://cdn.example.org/1.png',
  isGood: true,
  credentialsValidFrom: new Date(0),
}
const client = { clientId: 'a' } as Client

describe('RFC 6749 §5.2: checkGrantType', () => {
  test.each(['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'takes %s',
    (type) => {
      expect(checkGrantType(new URLSearchParams({ grant_type: type }))).toBe(type)
    },
  )

  test.each(['password', 'client_credentials', 'Refresh_token', 'refresh_token ', 'device_code', '0', 'constructor'])(
    'refuses "%s"',
    (type) => {
      expect(errorOf(() => checkGrantType(new URLSearchParams({ grant_type: type })))).toBe('unsupported_grant_type')
    },
  )

  test.each(['', 'grant_type=', 'Grant_Type=refresh_token'])('misses it in "%s"', (form) => {
    expect(errorOf(() => checkGrantType(new URLSearchParams(form)))).toBe('invalid_request')
  })
})

describe('RFC 6749 §5.2: what is presented', () => {
  const cases: [string, () => unknown, boolean][] = [
    ['unknown', () => checkGrantKnown(undefined), false],
    ['known', () => checkGrantKnown({}), true],
    ['of the client', () => checkGrantOfClient({ clientId: 'a' }, client), true],
    ['of another client', () => checkGrantOfClient({ clientId: 'b' }, client), false],
    ['of a client whose id begins alike', () => checkGrantOfClient({ clientId: 'ab' }, client), false],
    ['good for a moment more', () => checkFresh({ expiresAt: after }, now), true],
    ['good until this moment', () => checkFresh({ expiresAt: now }, now), false],
    ['good until a moment ago', () => checkFresh({ expiresAt: before }, now), false],
    ['revoked', () => checkGrantStanding({ revokedAt: before }), false],
    ['not revoked', () => checkGrantStanding({ revokedAt: null }), true],
    ['of a user who is well', () => checkSubjectStanding(subject, now), true],
    ['of a user who is banned or gone', () => checkSubjectStanding({ ...subject, isGood: false }, now), false],
    ['from before a ban', () => checkSubjectStanding({ ...subject, credentialsValidFrom: after }, now), false],
    ['from the moment of a ban', () => checkSubjectStanding({ ...subject, credentialsValidFrom: now }, now), true],
    ['from after a ban', () => checkSubjectStanding({ ...subject, credentialsValidFrom: before }, now), true],
  ]
  test.each(cases)('%s', (_what, work, expected) => {
    expect(errorOf(work)).toBe(expected ? null : 'invalid_grant')
  })

  test('is refused in one wording, so that nobody learns which of them it was', () => {
    const told = cases.flatMap(([, work]) => problemOf(work)?.message ?? [])
    expect(told.length).toBeGreaterThan(5)
    expect(new Set(told).size).toBe(1)
  })
})

describe('D22, D38: checkUnused', () => {
  test('lets what was not used pass', () => {
    expect(problemOf(() => checkUnused({ usedAt: null }, 'grant', 'code'))).toBeNull()
  })

  test.each(['code', 'refresh_token', 'device_code'] as const)('names the grant that a used %s gave', (kind) => {
    const problem = problemOf(() => checkUnused({ usedAt: before }, 'the grant', kind))
    expect(problem).toBeInstanceOf(Stolen)
    expect(problem).toMatchObject({ grantGuid: 'the grant', stolen: kind, data: { error: 'invalid_grant' } })
  })

  test('and nothing else is taken for it', () => {
    expect(refusal('invalid_grant', 'grant.reused', 'Used.')).not.toBeInstanceOf(Stolen)
  })
})

test.each([
  ['a', true],
  ['b', false],
  [null, false],
] as const)('RFC 7009 §2.1: a token of %s is the client’s own: %s', (clientId, expected) => {
  expect(errorOf(() => checkTokenOfClient({ clientId }, client))).toBe(expected ? null : 'invalid_grant')
})

describe('RFC 7662 §2.2: isStanding', () => {
  const good = {
    usedAt: null,
    expiresAt: after,
    grant: { revokedAt: null, createdAt: before },
    subject,
  } as RefreshToken
  const cases: [string, RefreshToken, boolean][] = [
    ['a good one', good, true],
    ['a used one', { ...good, usedAt: before }, false],
    ['one that expires now', { ...good, expiresAt: now }, false],
    ['one of a revoked grant', { ...good, grant: { ...good.grant, revokedAt: before } }, false],
    ['one of a user who is banned or gone', { ...good, subject: { ...subject, isGood: false } }, false],
    ['one from before a ban', { ...good, subject: { ...subject, credentialsValidFrom: now } }, false],
    ['one from after a ban', { ...good, subject: { ...subject, credentialsValidFrom: before } }, true],
  ]
  test.each(cases)('%s', (_what, token, expected) => {
    expect(isStanding(token, now)).toBe(expected)
  })
})
