import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../../test/make.ts'
import { countStatements } from '../../../../test/statements.ts'
import { nobody } from '../../../../test/world.ts'

let api: Harness
let owner: Caller
let developer: Caller
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user({ name: 'owner', globalRoles: ['role:owner'] })
  developer = await api.user({ name: 'developer', globalRoles: ['role:dev'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const patch = (user: { readonly guid: string }, body: unknown, as: Caller | null = owner) =>
  api.patch(`/admin/users/${user.guid}`, as, body)

const fresh = (user: Caller) => ({
  guid: user.guid,
  chatPlatformId: user.chatPlatformId,
  username: user.username,
  preferredName: user.username,
  avatarUrl: expect.stringMatching(/^https:/),
  description: '',
  badges: [],
  permissions: [],
  pronouns: null,
  pronunciation: null,
  headset: null,
  grip: null,
  controllers: null,
  country: null,
  rankingIdA: null,
  rankingIdB: null,
  streamingName: null,
  email: null,
  emailVerified: false,
  isBot: false,
  isPlaceholder: false,
  joinedAt: instant,
  globalRoles: [],
  bannedAt: null,
  banReason: null,
})

describe('who may', () => {
  const operations = ['GET /admin/users', 'GET /admin/users/:user', 'PATCH /admin/users/:user'] as const

  test.each(operations)('%s: owners and developers', async (operation) => {
    const user = await api.user()
    const [method = '', path = ''] = operation.split(' ')
    const call = (as: Caller | null) =>
      api.call(method, path.replace(':user', user.guid), { as, ...(method === 'PATCH' ? { body: {} } : {}) })
    const managers = await api.user({
      globalRoles: ['global:users:read', 'global:tournaments:manage', 'global:badges:manage', 'global:notices:manage'],
    })
    expect(problem(await call(null))).toEqual([401, 'token.missing'])
    expect(problem(await call(await api.user()))).toEqual([403, 'role.missing'])
    expect(problem(await call(managers))).toEqual([403, 'role.missing'])
    const [status, code] = method === 'PATCH' ? [400, 'account.nothing_to_change'] : [200, null]
    for (const as of [owner, developer]) expect(problem(await call(as))).toEqual([status, code])
  })

  test.each(operations)('%s: with the scope for it', async (operation) => {
    const [method = '', path = ''] = operation.split(' ')
    const scope = method === 'GET' ? 'rest:user:read' : 'rest:read'
    const reply = await api.call(method, path.replace(':user', owner.guid), { token: await api.token(owner, [scope]) })
    expect(problem(reply)).toEqual([401, 'scope.missing'])
  })

  test('an unknown user is 404', async () => {
    expect(problem(await api.get(`/admin/users/${nobody}`, owner))).toEqual([404, 'user.unknown'])
    expect(problem(await patch({ guid: nobody }, { isBot: true }))).toEqual([404, 'user.unknown'])
  })
})

describe('GET /admin/users', () => {
  test('lists users with their roles in tournaments, drafts included, and no stream keys or notifications', async () => {
    const host = await api.user({ name: 'zz-host' })
    const draft = await makeTournament(api, host, { id: 'zz-draft', status: 'draft' })
    const listed = await makeTournament(api, await api.user(), { id: 'zz-listed' })
    await grantRole(api, listed, host, 'role:host')
    const { status, body, headers } = await api.get('/admin/users?q=zz-ho', developer)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('private, no-store')
    const tournament = ({ guid, id }: { guid: string; id: string }) => ({ guid, id, name: `Tournament ${id}` })
    expect(body).toEqual({
      users: [
        {
          ...fresh(host),
          permissions: expect.toSatisfy(
            (permissions: object[]) =>
              permissions.length === 2 &&
              [
                { role: 'role:host', scope: 'tournament', tournament: tournament(listed) },
                { role: 'organiser', scope: 'tournament', tournament: tournament(draft) },
              ].every((expected) =>
                permissions.some((permission) => JSON.stringify(permission) === JSON.stringify(expected)),
              ),
          ),
        },
      ],
      nextCursor: null,
    })
  })

  test('finds by linked and chat-platform ID', async () => {
    const user = await api.user()
    await patch(user, { rankingIdB: '7771' })
    for (const q of ['7771', user.chatPlatformId]) {
      const { body } = await api.get(`/admin/users?q=${q}`, owner)
      expect(body.users.map(({ guid }: { guid: string }) => guid)).toEqual([user.guid])
    }
  })

  test('pages show everybody once', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Reply = await api.get(`/admin/users?limit=3${cursor === '' ? '' : `&before=${cursor}`}`, owner)
      expect(page.status).toBe(200)
      expect(page.body.users.length).toBeLessThanOrEqual(3)
      seen.push(...page.body.users.map(({ guid }: { guid: string }) => guid))
      cursor = page.body.nextCursor
    }
    const all = await api.sql<{ guid: string }>('select guid from users order by created_at desc, guid desc')
    expect(seen).toEqual(all.map(({ guid }) => guid))
  })

  test.each([
    ['limit=0', 'request.invalid'],
    ['limit=101', 'request.invalid'],
    ['before=x', 'cursor.invalid'],
    [`before=${Buffer.from('["accounts","x","y"]').toString('base64url')}`, 'cursor.invalid'],
    [
      `before=${Buffer.from(`["users","2026-01-01T00:00:00.000Z","${nobody}"]`).toString('base64url')}`,
      'cursor.invalid',
    ],
  ])('%s is refused', async (query, code) => {
    expect(problem(await api.get(`/admin/users?${query}`, owner))).toEqual([400, code])
  })

  test('a long page takes as many statements as a short one', async () => {
    const user = await api.user()
    for (let count = 0; count < 5; count++) {
      await grantRole(api, await makeTournament(api, owner), user, 'role:caster')
    }
    const page = (limit: number) =>
      countStatements(
        ['users', 'tournaments'],
        async () => (await api.get(`/admin/users?limit=${limit}`, owner)).body.users,
      )
    await Promise.all(Array.from({ length: 20 }, () => api.user()))
    await api.get('/admin/users?limit=1', owner)
    const [short, long] = [await page(1), await page(100)]
    expect(short.statements).toBeGreaterThan(2)
    expect(long.answer.length).toBeGreaterThan(short.answer.length + 10)
    expect(long.statements).toBe(short.statements)
    const found = long.answer.find(({ guid }: { guid: string }) => guid === user.guid)
    expect(found.permissions).toHaveLength(5)
  })
})

describe('GET /admin/users/{identifier}', () => {
  test('is as @me without notifications and team invites, and with what administrators know', async () => {
    const user = await api.user()
    await api.sql(`insert into notifications (user_guid, type, title) values ($1, 'test.left', 'SECRET')`, [user.guid])
    const reply = await api.get(`/admin/users/${user.chatPlatformId}`, developer)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        ...fresh(user),
        ...{ streamKeys: [], emailVerificationRequests: [], liveStreams: 0, controlledAssistants: 0 },
        access: { websites: 0, clients: 0, applications: 0, tokens: 1 },
      },
    ])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const own = Object.keys((await api.get('/users/@me', user)).body)
    const known = Object.keys(reply.body)
    expect(own.filter((name) => !known.includes(name)).sort()).toEqual(['notifications', 'teamInvites'])
  })
})
