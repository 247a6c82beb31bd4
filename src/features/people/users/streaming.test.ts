import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import {
  chatUser,
  type LinkedWorld,
  linksOf,
  problemOf,
  putIdentity,
  startLinkedWorld,
} from '../../../../test/identities.ts'

/** Streaming accounts, which the chat platform verifies. */

let world: LinkedWorld
let api: Harness
beforeAll(async () => {
  world = await startLinkedWorld()
  api = world.api
})
afterAll(() => world[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const scopes = ['identify', 'connections']
const put = (user: Caller, name: string, proof?: string) => putIdentity(api, user, 'streaming', name, proof)
const tokenOf = (user: Caller, options: Parameters<typeof world.chat.issueToken>[1] = {}) =>
  world.chat.issueToken(user.chatPlatformId, { scopes, ...options })

describe('a streaming account', () => {
  test('is linked without proof, has no code, and asks nobody', async () => {
    const user = await chatUser(world)
    const asked = world.chat.requests.length
    const reply = await put(user, 'Quaver_Live')
    expect([reply.status, reply.body]).toEqual([
      200,
      { platform: 'streaming', externalId: 'quaver_live', verifiedAt: null, linkedAt: instant },
    ])
    expect((await put(user, 'QUAVER_LIVE')).body).toEqual(reply.body)
    expect(world.chat.requests.length).toBe(asked)
  })

  test('is proven by the chat account that is connected to it, whatever the case', async () => {
    const user = await chatUser(world)
    world.chat.connect(user.chatPlatformId, { type: 'steam', name: 'other' })
    world.chat.connect(user.chatPlatformId, { name: 'MinimLive', visibility: 0 })
    const claim = (await put(user, 'minimlive')).body
    const reply = await put(user, 'minimLive', tokenOf(user))
    expect([reply.status, reply.body]).toEqual([
      200,
      { platform: 'streaming', externalId: 'minimlive', verifiedAt: instant, linkedAt: claim.linkedAt },
    ])
    expect((await api.get(`/users/${user.guid}/card`)).body.streamingName).toBe('minimlive')
  })

  test('stays proven without a further proof, and a bad one changes nothing', async () => {
    const user = await chatUser(world)
    world.chat.connect(user.chatPlatformId, { name: 'clef' })
    const proven = (await put(user, 'clef', tokenOf(user))).body
    expect((await put(user, 'Clef')).body).toEqual(proven)
    expect(problemOf(await put(user, 'clef', 'nonsense'))).toEqual([400, 'identity.proof_refused'])
    expect(problemOf(await put(user, 'another', tokenOf(user)))).toEqual([400, 'identity.proof_refused'])
    expect(await linksOf(api, user)).toEqual([proven])
    expect((await put(user, 'another')).body).toMatchObject({ externalId: 'another', verifiedAt: null })
  })

  test('that somebody else has proven stays theirs, whoever is connected to it now', async () => {
    const [owner, other] = [await chatUser(world), await chatUser(world)]
    for (const { chatPlatformId } of [owner, other]) world.chat.connect(chatPlatformId, { name: 'shared' })
    await put(owner, 'shared', tokenOf(owner))
    expect(problemOf(await put(other, 'shared', tokenOf(other)))).toEqual([409, 'identity.taken'])
  })
})

describe('a proof is refused, and nothing is stored,', () => {
  test.each<[string, (user: Caller, other: Caller) => string]>([
    ['when it is no token', () => 'not a token'],
    ['when nobody issued it', () => 'abcdef'],
    ['when it has run out', (user) => tokenOf(user, { expiresInS: 0 })],
    ['when another application holds it', (user) => tokenOf(user, { clientId: '4200000000000000000' })],
    ['when it is somebody else’s', (_user, other) => tokenOf(other)],
    ['when it does not tell connections', (user) => tokenOf(user, { scopes: ['identify', 'email'] })],
    ['when it does not tell whose it is', (user) => tokenOf(user, { scopes: ['connections'] })],
    ['when it is a token of ours', (user) => user.token],
  ])('%s', async (_when, proofOf) => {
    const [user, other] = [await chatUser(world), await chatUser(world)]
    for (const { chatPlatformId } of [user, other]) world.chat.connect(chatPlatformId, { name: 'wanted' })
    expect(problemOf(await put(user, 'wanted', proofOf(user, other)))).toEqual([400, 'identity.proof_refused'])
    expect(await linksOf(api, user)).toEqual([])
  })

  test.each([
    ['not verified', { verified: false }],
    ['taken back', { revoked: true }],
    ['to another account', { name: 'wanted2' }],
    ['to another service', { type: 'youtube' }],
  ])('when the connection is %s', async (_what, connection) => {
    const user = await chatUser(world)
    world.chat.connect(user.chatPlatformId, { name: 'wanted', ...connection })
    expect(problemOf(await put(user, 'wanted', tokenOf(user)))).toEqual([400, 'identity.proof_refused'])
    expect(await linksOf(api, user)).toEqual([])
  })

  test('when there is no connection', async () => {
    const user = await chatUser(world)
    expect(problemOf(await put(user, 'wanted', tokenOf(user)))).toEqual([400, 'identity.proof_refused'])
  })

  test.each(['', ' ', 'x'.repeat(2_001)])('when it has no form of a token: %j', async (proof) => {
    const user = await chatUser(world)
    expect(problemOf(await put(user, 'wanted', proof))).toEqual([400, 'request.invalid'])
  })

  test('when a token of another application is stopped before it is used for more', async () => {
    const user = await chatUser(world)
    const asked = world.chat.requests.length
    await put(user, 'wanted', tokenOf(user, { clientId: '4200000000000000000' }))
    expect(world.chat.requests.slice(asked).map(({ path }) => path)).toEqual(['/api/v10/oauth2/@me'])
  })
})

test.each(['/oauth2/@me', '/users/@me', '/users/@me/connections'])(
  'while the chat platform does not answer on %s, nothing is changed',
  async (path) => {
    const user = await chatUser(world)
    world.chat.connect(user.chatPlatformId, { name: 'patient' })
    const recover = world.chat.misbehave(new RegExp(`${path}$`), { status: 503 })
    expect(problemOf(await put(user, 'patient', tokenOf(user)))).toEqual([503, 'chat.unreachable'])
    recover()
    expect(await linksOf(api, user)).toEqual([])
  },
)

test('on a developer’s machine the stand-in vouches for a streaming account of the user’s own name', async () => {
  await using local = await startHarness()
  const user = await local.user({ name: 'crotchet' })
  const chatToken = async (scope: string) => {
    const standIn = `${local.url}/api/auth/stand-in/oauth2`
    const fields = { response_type: 'code', client_id: 'local', redirect_uri: `${local.url}/api/auth/chat/callback` }
    const form = (more: Record<string, string>): RequestInit => ({
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...fields, ...more }),
      headers: { authorization: `Basic ${btoa('local:local')}` },
    })
    const decided = await fetch(`${standIn}/authorize`, form({ scope, user: user.chatPlatformId }))
    const grant = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const granted = await fetch(`${standIn}/token`, form({ grant_type: 'authorization_code', code: grant }))
    return ((await granted.json()) as { access_token: string }).access_token
  }
  const outcome = async (name: string, scope: string) =>
    putIdentity(local, user, 'streaming', name, await chatToken(scope))
  expect(problemOf(await outcome('crotchet', 'identify'))).toEqual([400, 'identity.proof_refused'])
  expect(problemOf(await outcome('quaver', 'identify connections'))).toEqual([400, 'identity.proof_refused'])
  expect((await outcome('Crotchet', 'identify connections')).body).toMatchObject({
    externalId: 'crotchet',
    verifiedAt: instant,
  })
})
