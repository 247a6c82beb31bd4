import { createECDH } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createLocalJWKSet, createRemoteJWKSet, importSPKI, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makeApplication } from '../../test/make.ts'
import { type KeyRing, openKeyRing } from './keys.ts'
import { accessTokenLifetime } from './tokens.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  for (const directory of temporary) await rm(directory, { recursive: true })
})

const temporary: string[] = []

/** The keys of a separate installation. */
async function temporaryKeys(now: Date): Promise<KeyRing> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'downbeat-keys-'))
  temporary.push(directory)
  return openKeyRing(directory, accessTokenLifetime, now)
}

test('two first starts at once make one key for push services, which only its owner reads', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'downbeat-keys-'))
  temporary.push(directory)
  const open = () => openKeyRing(directory, accessTokenLifetime, new Date())
  const rings = await Promise.all([open(), open(), open()])
  const [first] = rings
  expect(new Set(rings.map(({ vapid }) => JSON.stringify(vapid))).size).toBe(1)
  expect((await open()).vapid).toEqual(first?.vapid)
  expect((await stat(path.join(directory, 'vapid.key'))).mode & 0o777).toBe(0o600)
  expect((await readdir(directory)).filter((name) => name.startsWith('vapid'))).toEqual(['vapid.key'])
  const { publicKey = '', privateKey = '' } = first?.vapid ?? {}
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey, 'base64url')
  expect([pair.getPublicKey('base64url'), Buffer.from(privateKey, 'base64url').length]).toEqual([publicKey, 32])
})

const jwksUrl = (service: Harness) => new URL(`${service.url}/.well-known/jwks.json`)
const ask = (service: Harness, token: string) => service.call('GET', '/users/@me/sessions', { token })
const nowS = () => Math.floor(Date.now() / 1000)
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('an access token', () => {
  test('verifies with the published key set, and holds exactly the documented claims', async () => {
    const user = await api.user({ name: 'quaver' })
    const before = nowS()
    const application = await makeApplication(api, user)
    const token = await api.token(user, ['rest:read', 'ws:read'], application)
    const { payload, protectedHeader } = await jwtVerify(token, createRemoteJWKSet(jwksUrl(api)), {
      issuer: api.app.config.publicUrl,
      audience: api.app.config.publicUrl,
      algorithms: ['RS256'],
    })
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) })
    const { iat, exp, nbf, jti, ...rest } = payload
    expect(rest).toEqual({
      iss: api.app.config.publicUrl,
      aud: api.app.config.publicUrl,
      sub: user.guid,
      scope: 'rest:read ws:read',
      scopes: ['rest:read', 'ws:read'],
      client_id: application.clientId,
      guid: user.guid,
      id: user.chatPlatformId,
      username: 'quaver',
      avatarUrl: expect.stringMatching(/^https:/),
    })
    expect(iat).toBeGreaterThanOrEqual(before)
    expect(iat).toBeLessThanOrEqual(nowS())
    expect([exp, nbf]).toEqual([(iat as number) + 5_184_000, iat])
    expect(jti).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('verifies with the key that requestPublicSignature shows', async () => {
    const { token } = await api.user()
    const reply = await api.get('/requestPublicSignature')
    expect([reply.status, Object.keys(reply.body).sort()]).toEqual([200, ['algorithm', 'publicKey']])
    expect(reply.body.algorithm).toBe('RS256')
    expect(reply.body.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/)
    await jwtVerify(token, await importSPKI(reply.body.publicKey, 'RS256'))
  })
})

test('the key documents are public, validated by ETag, and show nothing private', async () => {
  for (const target of ['//.well-known/jwks.json', '/requestPublicSignature']) {
    const reply = await api.get(target)
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'public, max-age=0, must-revalidate'])
    const again = await api.get(target, null, { 'if-none-match': reply.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect(reply.text).not.toMatch(/PRIVATE|"(d|p|q|dp|dq|qi)"/)
  }
  const { keys } = (await api.get('//.well-known/jwks.json')).body
  expect(keys).toEqual([
    {
      kty: 'RSA',
      n: expect.stringMatching(/^[\w-]{342}$/),
      e: 'AQAB',
      kid: expect.any(String),
      alg: 'RS256',
      use: 'sig',
    },
  ])
})

describe('refused as invalid', () => {
  let user: Caller
  let claims: Record<string, unknown>
  beforeAll(async () => {
    user = await api.user()
    claims = claimsOf(user.token)
  })

  /** The user's token with changed claims, signed with the right key. */
  const signed = (changes: Record<string, unknown>, header: Record<string, unknown> = {}) => {
    const { kid, privateKey } = api.app.services.keys.current
    return new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey)
  }

  async function expectRefused(token: string): Promise<void> {
    const reply = await ask(api, token)
    expect([reply.status, reply.headers.get('problem-code')]).toEqual([401, 'token.invalid'])
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", error_description="[^"]+"$/)
  }

  test('is not the very token, nor one that is signed anew with the same claims', async () => {
    expect((await ask(api, user.token)).status).toBe(200)
    expect((await ask(api, await signed({}))).status).toBe(200)
  })

  test('are tokens without a signature', async () => {
    await expectRefused(new UnsecuredJWT(claims).encode())
    const [header, payload] = user.token.split('.')
    await expectRefused(`${header}.${payload}.`)
    await expectRefused(`${header}.${payload}`)
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: api.app.services.keys.current.kid })).toString(
      'base64url',
    )
    await expectRefused(`${none}.${payload}.`)
  })

  test('are tokens that use the public key as a shared secret', async () => {
    const { kid, publicPem } = api.app.services.keys.current
    const forged = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(new TextEncoder().encode(publicPem))
    await expectRefused(await forged)
  })

  test('are tokens of another algorithm of the same key, or another key under our name', async () => {
    const { kid } = api.app.services.keys.current
    const foreign = (await temporaryKeys(new Date())).current
    await expectRefused(await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(foreign.privateKey))
    await expectRefused(
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: foreign.kid }).sign(foreign.privateKey),
    )
  })

  test.each([
    ['an unknown one', '000000000000001-AAAAAAAAAAAA'],
    ['none', undefined],
    ['a path', '../../etc/passwd'],
    ['an empty one', ''],
    ['a number', 1],
  ])('are tokens that name as their key %s', async (_what, kid) => {
    await expectRefused(await signed({}, { kid }))
  })

  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'https://evil.example' }],
    ['no audience', { aud: undefined }],
    ['another subject', { sub: '00000000-0000-4000-8000-000000000000' }],
    ['no subject', { sub: undefined }],
    ['an id that was never given out', { jti: '00000000-0000-4000-8000-000000000000' }],
    ['an id that is none', { jti: 'x' }],
    ['an id that is a number', { jti: 1 }],
    ['no id', { jti: undefined }],
    ['no scope', { scope: undefined }],
    ['no expiry', { exp: undefined }],
    ['no start', { nbf: undefined }],
  ])('are tokens with %s', async (_what, changes) => {
    await expectRefused(await signed(changes))
  })

  test('are tokens that expired a second ago, and those that do not count yet', async () => {
    await expectRefused(await signed({ exp: nowS() - 1 }))
    await expectRefused(await signed({ nbf: nowS() + 60 }))
    expect((await ask(api, await signed({ exp: nowS() + 60 }))).status).toBe(200)
  })

  test('are tokens that were remembered as good and have expired since', async () => {
    const token = await signed({ exp: nowS() + 2 })
    expect((await ask(api, token)).status).toBe(200)
    await expect.poll(async () => (await ask(api, token)).status, { interval: 200 }).toBe(401)
  })

  test('are texts that are no tokens', async () => {
    for (const text of ['x', 'a.b.c', '..', `${'A'.repeat(9_000)}.e30.AA`, user.token.slice(0, -1), `${user.token}A`]) {
      await expectRefused(text)
    }
  })

  test('is what scopes of the header of claims cannot widen', async () => {
    const reader = await api.token(user, ['rest:user:read'])
    const [header, , signature] = reader.split('.')
    const widened = Buffer.from(JSON.stringify({ ...claimsOf(reader), scope: 'rest:write' })).toString('base64url')
    await expectRefused(`${header}.${widened}.${signature}`)
  })
})

describe('a change of keys', () => {
  test('leaves old tokens good, signs new ones with the new key, and shows both, on every process', async () => {
    await using first = await startHarness()
    await using second = await first.sibling()
    const user = await first.user()
    const oldKid = first.app.services.keys.current.kid
    const { kid } = await first.app.services.keys.rotate(new Date())
    expect(kid).not.toBe(oldKid)

    const renewed = await first.token(user, ['rest:read'])
    expect(JSON.parse(Buffer.from(renewed.split('.')[0] ?? '', 'base64url').toString()).kid).toBe(kid)
    for (const service of [first, second]) {
      expect((await ask(service, user.token)).status).toBe(200)
      // Immediately, even on a process that has not loaded the new key yet.
      expect((await ask(service, renewed)).status).toBe(200)
    }

    const shown = async (service: Harness) =>
      (await service.get('//.well-known/jwks.json')).body.keys.map((key: { kid: string }) => key.kid)
    expect(await shown(first)).toEqual([kid, oldKid])
    await expect.poll(() => shown(second), { interval: 200 }).toEqual([kid, oldKid])
    const set = createLocalJWKSet((await second.get('//.well-known/jwks.json')).body)
    await jwtVerify(user.token, set)
    await jwtVerify(renewed, set)

    const signature = await second.get('/requestPublicSignature')
    await jwtVerify(renewed, await importSPKI(signature.body.publicKey, 'RS256'))
    const ofSecond = await second.token(user, ['rest:read'])
    expect(JSON.parse(Buffer.from(ofSecond.split('.')[0] ?? '', 'base64url').toString()).kid).toBe(kid)
  })

  test('removes a key once everything that it signed has expired, and not a day before', async () => {
    const start = Date.now()
    const later = (days: number) => new Date(start + days * 86_400_000)
    const keys = await temporaryKeys(new Date(start))
    const first = keys.current.kid
    await keys.rotate(later(1))
    await keys.rotate(later(61))
    expect(keys.all.map(({ kid }) => kid)).toContain(first)
    await keys.rotate(later(63))
    expect(keys.all.map(({ kid }) => kid)).not.toContain(first)
    expect(keys.all.length).toBe(3)
    expect(await keys.find(first)).toBeUndefined()
  })

  test('keeps the private keys from everybody else on the machine', async () => {
    const directory = path.join(api.app.config.dataDir, 'keys')
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    const names = await readdir(directory)
    expect(names.some((name) => name.endsWith('.pem'))).toBe(true)
    for (const name of names) expect((await stat(path.join(directory, name))).mode & 0o777, name).toBe(0o600)
  })
})
