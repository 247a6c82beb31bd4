import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../test/harness.ts'

let api: Harness
let owner: Caller
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const applications = '/oauth/applications'
const addressOf = ({ clientId }: { clientId: string }) => `${applications}/${clientId}`
const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const registration = (changes: object = {}) => ({
  name: 'Overlay Editor',
  scopes: ['rest:read', 'ws:read'],
  redirectUris: ['https://client.example/callback', 'http://localhost:3000/cb?x=1'],
  type: 'confidential',
  ...changes,
})

async function register(as: Caller, changes: object = {}): Promise<{ clientId: string; clientSecret: string }> {
  const reply = await api.post(applications, as, registration(changes))
  expect(outcome(reply)).toEqual([201, null])
  return reply.body
}

async function storedHash({ clientId }: { clientId: string }): Promise<string | null | undefined> {
  const [row] = await api.sql<{ hash: string | null }>(
    `select encode(secret_hash, 'hex') as hash from applications where client_id = $1`,
    [clientId],
  )
  return row?.hash
}

describe('registering', () => {
  test('a confidential application answers its record and, this once, its secret', async () => {
    const reply = await api.post(
      applications,
      owner,
      registration({ imageUrl: 'https://media.example.org/overlay.png' }),
    )
    expect(outcome(reply)).toEqual([201, null])
    expect(reply.body).toEqual({
      clientId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      name: 'Overlay Editor',
      imageUrl: 'https://media.example.org/overlay.png',
      type: 'confidential',
      scopes: ['rest:read', 'ws:read'],
      redirectUris: ['https://client.example/callback', 'http://localhost:3000/cb?x=1'],
      createdAt: expect.stringMatching(instant),
      updatedAt: expect.stringMatching(instant),
    })
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(await storedHash(reply.body)).toBe(sha256(reply.body.clientSecret))
  })

  test('a public application has no secret', async () => {
    const reply = await api.post(applications, owner, registration({ type: 'public' }))
    expect([outcome(reply), reply.body.type]).toEqual([[201, null], 'public'])
    expect(reply.body).not.toHaveProperty('clientSecret')
    expect(await storedHash(reply.body)).toBeNull()
  })

  test('no two applications share a client id or a secret', async () => {
    const made = await Promise.all([register(owner), register(owner), register(owner)])
    expect(new Set(made.map(({ clientId }) => clientId)).size).toBe(3)
    expect(new Set(made.map(({ clientSecret }) => clientSecret)).size).toBe(3)
  })

  test.each([{}, { imageUrl: null }])('needs no image: %j', async (changes) => {
    const reply = await api.post(applications, owner, registration(changes))
    expect([outcome(reply), reply.body.imageUrl]).toEqual([[201, null], null])
  })

  test('takes a name in its composed form, without white space around it', async () => {
    const reply = await api.post(applications, owner, registration({ name: '  Re\u0301gie 2\n' }))
    expect([outcome(reply), reply.body.name]).toEqual([[201, null], 'R\u00e9gie 2'])
  })

  test('counts characters rather than bytes', async () => {
    expect(outcome(await api.post(applications, owner, registration({ name: '譜'.repeat(64) })))).toEqual([201, null])
    expect(outcome(await api.post(applications, owner, registration({ name: '𐐀'.repeat(64) })))).toEqual([201, null])
  })

  test('takes every scope there is, and up to 20 redirect addresses of 1000 characters', async () => {
    const scopes = [
      ...['rest:user:read', 'rest:user:write', 'rest:read', 'rest:write', 'ws:read', 'ws:write'],
      ...['assistant', 'assistant:game', 'compsystem'],
    ]
    const redirectUris = Array.from({ length: 20 }, (_, index) => `https://client.example/${index}`)
    redirectUris[0] = `https://client.example/${'a'.repeat(977)}`
    const reply = await api.post(applications, owner, registration({ scopes, redirectUris }))
    expect([outcome(reply), reply.body.scopes, reply.body.redirectUris]).toEqual([[201, null], scopes, redirectUris])
  })

  test('keeps redirect addresses as they were written', async () => {
    const redirectUris = ['https://client.example', 'http://[::1]:8080/cb?a=%2F&b', 'https://client.example/@x']
    const reply = await api.post(applications, owner, registration({ redirectUris }))
    expect([outcome(reply), reply.body.redirectUris]).toEqual([[201, null], redirectUris])
  })

  test('ignores members that it does not know', async () => {
    const stranger = await api.user()
    const reply = await api.post(
      applications,
      owner,
      registration({ clientId: unknownGuid, clientSecret: 'mine', ownerGuid: stranger.guid, secretHash: 'x' }),
    )
    expect(outcome(reply)).toEqual([201, null])
    expect(reply.body.clientId).not.toBe(unknownGuid)
    expect(reply.body.clientSecret).not.toBe('mine')
    expect((await api.get(applications, stranger)).body).toEqual([])
  })

  const uri = 'https://client.example/'
  test.each<[string, object, string]>([
    ['no name', { name: undefined }, 'request.invalid'],
    ['no scopes', { scopes: undefined }, 'request.invalid'],
    ['no redirect addresses', { redirectUris: undefined }, 'request.invalid'],
    ['no type', { type: undefined }, 'request.invalid'],
    ['a number for a name', { name: 1 }, 'request.invalid'],
    ['an empty name', { name: '  ' }, 'application.name_invalid'],
    ['two spaces in the name', { name: 'Overlay  Editor' }, 'application.name_invalid'],
    ['a hyphen in the name', { name: 'Overlay-Editor' }, 'application.name_invalid'],
    ['an emoji in the name', { name: 'Overlay 🎵' }, 'application.name_invalid'],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, 'request.invalid'],
    ['an empty list of scopes', { scopes: [] }, 'request.invalid'],
    ['a scope that does not exist', { scopes: ['rest:read', 'rest:admin'] }, 'request.invalid'],
    ['a scope in another case', { scopes: ['REST:READ'] }, 'request.invalid'],
    ['a scope twice', { scopes: ['rest:read', 'rest:read'] }, 'request.invalid'],
    ['scopes as one text', { scopes: 'rest:read ws:read' }, 'request.invalid'],
    ['an unknown type', { type: 'native' }, 'request.invalid'],
    ['an empty list of redirect addresses', { redirectUris: [] }, 'request.invalid'],
    ['a redirect address twice', { redirectUris: [uri, uri] }, 'request.invalid'],
    [
      '21 redirect addresses',
      { redirectUris: Array.from({ length: 21 }, (_, index) => `${uri}${index}`) },
      'request.invalid',
    ],
    ['a redirect address of 1001 characters', { redirectUris: [`${uri}${'a'.repeat(978)}`] }, 'request.invalid'],
    ['a redirect address that is null', { redirectUris: [null] }, 'request.invalid'],
    ['http in the open', { redirectUris: [uri, 'http://client.example/'] }, 'application.redirect_invalid'],
    ['a wildcard', { redirectUris: ['https://*.client.example/'] }, 'application.redirect_invalid'],
    ['a fragment', { redirectUris: [`${uri}#`] }, 'application.redirect_invalid'],
    ['user information', { redirectUris: ['https://me@client.example/'] }, 'application.redirect_invalid'],
    ['a scheme that runs a program', { redirectUris: ['javascript:alert(1)'] }, 'application.redirect_invalid'],
    ['another spelling of an address', { redirectUris: ['https://CLIENT.example/'] }, 'application.redirect_invalid'],
    ['an http image', { imageUrl: 'http://media.example.org/a.png' }, 'application.image_invalid'],
    ['an empty image', { imageUrl: '' }, 'application.image_invalid'],
    ['a number for an image', { imageUrl: 1 }, 'request.invalid'],
  ])('is refused with %s', async (_what, changes, code) => {
    const reply = await api.post(applications, owner, registration(changes))
    expect(outcome(reply)).toEqual([400, code])
    expect(reply.text).toMatch(/^[A-Z].*\.$/s)
  })

  test('says how a redirect address is to be written', async () => {
    const reply = await api.post(applications, owner, registration({ redirectUris: ['http://127.1:80/cb'] }))
    expect(reply.text).toContain('http://127.0.0.1/cb')
  })

  test('ends at 100 applications of one user, however many are registered at once', async () => {
    const [busy, other] = [await api.user(), await api.user()]
    await api.sql(
      `insert into applications (owner_guid, name, type, scopes, redirect_uris)
       select $1, 'Application ' || number, 'public', '{rest:read}', '{https://client.example/}'
       from generate_series(1, 95) as number`,
      [busy.guid],
    )
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.post(applications, busy, registration())))
    const outcomes = replies.map((reply) => outcome(reply).join())
    expect(outcomes.filter((text) => text === '201,')).toHaveLength(5)
    expect(outcomes.filter((text) => text === '400,application.limit_reached')).toHaveLength(15)
    const listed = (await api.get(applications, busy)).body as { clientId: string }[]
    expect(listed).toHaveLength(100)
    await register(other)

    expect(outcome(await api.delete(addressOf(listed[0] as { clientId: string }), busy))).toEqual([204, null])
    await register(busy)
    expect(outcome(await api.post(applications, busy, registration()))).toEqual([400, 'application.limit_reached'])
  })
})
