import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../../test/make.ts'
import { makeWorld, nobody } from '../../../../test/world.ts'

let api: Harness
let admin: Caller
beforeAll(async () => {
  api = await startHarness()
  admin = await api.user({ name: 'admin', globalRoles: ['role:owner'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

async function change(user: Caller, patch: object): Promise<void> {
  const reply = await api.patch(`/admin/users/${user.guid}`, admin, patch)
  expect([reply.status, reply.text]).toEqual([200, reply.text])
}

describe('GET /users/{identifier}', () => {
  test('anybody sees the public profile, and no more', async () => {
    const minim = await api.user({ name: 'minim' })
    await change(minim, { description: '**Hello**', pronouns: 'she/her', email: 'minim@example.org', headset: 'Index' })
    const expected = {
      guid: minim.guid,
      chatPlatformId: minim.chatPlatformId,
      username: 'minim',
      avatarUrl: expect.stringMatching(/^https:/),
      isPlaceholder: false,
      description: '**Hello**',
      badges: [],
      permissions: [],
    }
    const anonymous = await api.get(`/users/${minim.guid}`)
    expect([anonymous.status, anonymous.body]).toEqual([200, expected])
    expect(anonymous.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(anonymous.headers.get('vary')).toBe('Authorization, Accept')
    const again = await api.get(`/users/${minim.guid}`, null, { 'if-none-match': anonymous.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    const other = await api.get(`/users/${minim.guid}`, await api.user())
    expect([other.status, other.body]).toEqual([200, expected])
    expect(other.headers.get('cache-control')).toBe('private, no-store')
  })

  test('users see of themselves what everybody sees, unless they ask as @me', async () => {
    const breve = await api.user({ name: 'breve' })
    const token = await api.token(breve, ['ws:read'])
    for (const identifier of [breve.guid, breve.chatPlatformId]) {
      expect(Object.keys((await api.get(`/users/${identifier}`, breve)).body)).not.toEqual(
        expect.arrayContaining(['email']),
      )
      expect(Object.keys((await api.call('GET', `/users/${identifier}`, { token })).body)).toEqual([
        'guid',
        'chatPlatformId',
        'username',
        'avatarUrl',
        'isPlaceholder',
        'description',
        'badges',
        'permissions',
      ])
    }
  })

  test('GUID in any case, chat-platform ID and verified ranking IDs name a user', async () => {
    const user = await api.user()
    await change(user, { rankingIdA: '76561198111111111', rankingIdB: '4222' })
    const identifiers = [user.guid, user.guid.toUpperCase(), user.chatPlatformId, '76561198111111111', '4222']
    for (const identifier of identifiers) expect((await api.get(`/users/${identifier}`)).body.guid).toBe(user.guid)
  })

  test('a link that nobody has proven names nobody', async () => {
    const user = await api.user()
    await api.sql(`insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '5333')`, [
      user.guid,
    ])
    expect(problem(await api.get('/users/5333'))).toEqual([404, 'user.unknown'])
  })

  test.each([nobody, '1', 'quaver', '%00', 'a%2Fb', '..%2Fadmin', "'%20or%201=1--", '9'.repeat(200)])(
    'there is no user %s',
    async (identifier) => {
      expect(problem(await api.get(`/users/${identifier}`))).toEqual([404, 'user.unknown'])
    },
  )

  test('a missing identifier is told', async () => {
    expect(problem(await api.get('/users/'))).toEqual([400, 'request.invalid'])
  })

  test('an account that was given up is unknown', async () => {
    const user = await api.user()
    await api.sql('update users set anonymised_at = now() where guid = $1', [user.guid])
    expect(problem(await api.get(`/users/${user.guid}`))).toEqual([404, 'user.unknown'])
    expect(problem(await api.get('/users/@me', user))).toEqual([401, 'token.invalid'])
  })

  test('a bad token makes the caller anonymous, but for @me', async () => {
    const user = await api.user()
    const token = 'no.such.token'
    const reply = await api.call('GET', `/users/${user.guid}`, { token })
    expect([reply.status, reply.body.guid]).toEqual([200, user.guid])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const me = await api.call('GET', '/users/@me', { token })
    expect(problem(me)).toEqual([401, 'token.invalid'])
    expect(me.headers.get('www-authenticate')).toContain('error="invalid_token"')
    const missing = await api.get('/users/@me')
    expect(problem(missing)).toEqual([400, 'token.missing'])
    expect(missing.headers.get('www-authenticate')).toBe('Bearer')
    const narrow = await api.call('GET', '/users/@me', { token: await api.token(user, ['ws:write']) })
    expect(problem(narrow)).toEqual([401, 'scope.missing'])
    expect(narrow.headers.get('www-authenticate')).toContain('scope="rest:user:read"')
  })

  test.each(['rest:user:read', 'rest:read', 'rest:user:write', 'rest:write'] as const)(
    'the scope %s is enough for @me',
    async (scope) => {
      const user = await api.user()
      const reply = await api.call('GET', '/users/@me', { token: await api.token(user, [scope]) })
      expect([reply.status, reply.body.guid]).toEqual([200, user.guid])
    },
  )

  test('@me holds all that is the caller’s own', async () => {
    const crotchet = await api.user({ name: 'crotchet', globalRoles: ['role:dev', 'global:users:read'] })
    await change(crotchet, {
      preferredName: 'Crotchet',
      pronouns: 'they/them',
      pronunciation: 'KROT-chet',
      headset: 'Index',
      grip: 'claw',
      controllers: 'knuckles',
      country: 'CA',
      rankingIdA: '76561198222222222',
      rankingIdB: '6444',
      streamingName: 'crotchet_live',
      email: 'crotchet@example.org',
      emailVerified: true,
    })
    const { status, body, headers } = await api.get('/users/@me', crotchet)
    expect(status).toBe(200)
    expect(body).toEqual({
      guid: crotchet.guid,
      chatPlatformId: crotchet.chatPlatformId,
      username: 'crotchet',
      avatarUrl: expect.stringMatching(/^https:/),
      isPlaceholder: false,
      description: '',
      badges: [],
      permissions: [
        { role: 'role:dev', scope: 'global', tournament: null },
        { role: 'global:users:read', scope: 'global', tournament: null },
      ],
      preferredName: 'Crotchet',
      pronouns: 'they/them',
      pronunciation: 'KROT-chet',
      headset: 'Index',
      grip: 'claw',
      controllers: 'knuckles',
      country: 'CA',
      rankingIdA: '76561198222222222',
      rankingIdB: '6444',
      streamingName: 'crotchet_live',
      email: 'crotchet@example.org',
      emailVerified: true,
      isBot: false,
      joinedAt: instant,
      streamKeys: [],
      notifications: [],
      teamInvites: [],
    })
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect((await api.get('/users/%40me', crotchet)).body).toEqual(body)
    expect((await api.get('/users/%40ME', crotchet)).status).toBe(404)
  })

  test('@me holds the newest 25 notifications and the pending invitations', async () => {
    const { captain, tournament, team } = await makeWorld(api)
    const user = await api.user()
    await api.sql(
      `insert into notifications (user_guid, type, title, created_at)
       select $1, 'test.left', 'Message ' || n, now() - n * interval '1 minute' from generate_series(1, 30) n`,
      [user.guid],
    )
    const path = `/tournaments/${tournament.guid}/teams/${team}/invitations`
    const invited = await api.post(path, captain, { userIdentifier: user.guid, message: 'Play with us?' })
    expect(invited.status).toBe(201)
    const { body } = await api.get('/users/@me', user)
    expect(body.notifications.map(({ title }: { title: string }) => title)).toEqual([
      expect.stringContaining('invites you'),
      ...Array.from({ length: 24 }, (_, index) => `Message ${index + 1}`),
    ])
    expect(body.teamInvites).toEqual([invited.body])
    expect((await api.post(`/invitations/${invited.body.guid}/decline`, user)).status).toBe(200)
    expect((await api.get('/users/@me', user)).body.teamInvites).toEqual([])
  })
})

describe('roles on a profile', () => {
  const rolesOf = (reply: Reply) =>
    reply.body.permissions.map(
      ({ role, scope, tournament }: { role: string; scope: string; tournament: { id: string } | null }) =>
        `${scope} ${role} ${tournament?.id ?? '-'}`,
    )

  test('others see those in listed tournaments and of owners and developers, the user sees all', async () => {
    const organiser = await api.user()
    const user = await api.user({ globalRoles: ['role:owner', 'role:dev', 'global:badges:manage'] })
    const make = (id: string, options: object) => makeTournament(api, organiser, { id, ...options })
    const listed = await make('roles-listed', { status: 'ongoing' })
    const draft = await make('roles-draft', { status: 'draft' })
    const cancelled = await make('roles-cancelled', { status: 'cancelled' })
    for (const tournament of [listed, draft, cancelled]) await grantRole(api, tournament, user, 'role:caster')
    await makeTournament(api, user, { id: 'roles-own', status: 'completed' })
    await makeTournament(api, user, { id: 'roles-own-draft', status: 'draft' })
    const shown = [
      'global role:owner -',
      'global role:dev -',
      'tournament organiser roles-own',
      'tournament role:caster roles-listed',
    ]
    expect(rolesOf(await api.get(`/users/${user.guid}`)).sort()).toEqual(shown.sort())
    expect(rolesOf(await api.get(`/users/${user.guid}`, organiser)).sort()).toEqual(shown.sort())
    const all = [
      ...shown,
      'global global:badges:manage -',
      'tournament organiser roles-own-draft',
      'tournament role:caster roles-cancelled',
      'tournament role:caster roles-draft',
    ]
    expect(rolesOf(await api.get('/users/@me', user)).sort()).toEqual(all.sort())
    expect(rolesOf(await api.get(`/admin/users/${user.guid}`, admin)).sort()).toEqual(all.sort())
    expect((await api.get(`/users/${user.guid}`)).body.permissions).toContainEqual({
      role: 'role:caster',
      scope: 'tournament',
      tournament: { guid: listed.guid, id: 'roles-listed', name: 'Tournament roles-listed' },
    })
  })

  test('hidden tournaments do not crowd out the listed one', async () => {
    const user = await api.user()
    const listed = await makeTournament(api, await api.user())
    await grantRole(api, listed, user, 'role:host')
    await api.sql(
      `insert into tournaments (id, name, team_size_min, team_size_max, team_size_active, links, organiser_guid, created_at)
       select 'crowd-' || n, 'Crowd', 1, 1, 1, '{}', $1, now() + n * interval '1 second' from generate_series(1, 250) n`,
      [user.guid],
    )
    expect(rolesOf(await api.get(`/users/${user.guid}`))).toEqual([`tournament role:host ${listed.id}`])
    expect(rolesOf(await api.get('/users/@me', user))).toHaveLength(201)
  })

  test('a role is on the profile as soon as it was granted, and gone as soon as it was revoked', async () => {
    const organiser = await api.user()
    const user = await api.user()
    const tournament = await makeTournament(api, organiser)
    const path = `/tournaments/${tournament.guid}/permissions/${user.guid}`
    const body = { role: 'role:referee' }
    expect(rolesOf(await api.get(`/users/${user.guid}`))).toEqual([])
    expect((await api.post(`${path}/grant`, organiser, body)).status).toBe(200)
    expect(rolesOf(await api.get(`/users/${user.guid}`))).toEqual([`tournament role:referee ${tournament.id}`])
    expect((await api.delete(`${path}/revoke`, organiser, body)).status).toBe(200)
    expect(rolesOf(await api.get(`/users/${user.guid}`))).toEqual([])
  })
})
