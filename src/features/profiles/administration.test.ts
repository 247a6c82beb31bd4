import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../test/make.ts'
import { nobody } from '../../../test/world.ts'

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
const read = async (user: Caller) => (await api.get(`/admin/users/${user.guid}`, owner)).body

/** Everything that is stored of a user, to see that nothing changed. */
async function stored(user: Caller) {
  const [record] = await api.sql('select * from users where guid = $1', [user.guid])
  const links = await api.sql('select * from identities where user_guid = $1 order by platform', [user.guid])
  return { record, links }
}

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
    const statements = async (limit: number) => {
      const queries = vi.spyOn(pg.Client.prototype, 'query')
      const { body } = await api.get(`/admin/users?limit=${limit}`, owner)
      // What the service does beside the call does not name these.
      const asked = queries.mock.calls.filter(([query]) =>
        /"(users|tournaments)\\?"/.test(JSON.stringify(query)),
      ).length
      queries.mockRestore()
      return { asked, users: body.users.length, body }
    }
    await api.get('/admin/users?limit=1', owner)
    const short = await statements(1)
    expect(short.asked).toBeGreaterThan(2)
    const long = await statements(100)
    expect(long.users).toBeGreaterThan(short.users + 10)
    expect(long.asked).toBe(short.asked)
    const found = long.body.users.find(({ guid }: { guid: string }) => guid === user.guid)
    expect(found.permissions).toHaveLength(5)
  })
})

describe('GET /admin/users/{identifier}', () => {
  test('is as @me without notifications and team invites, and with what administrators know', async () => {
    const user = await api.user()
    await api.sql(`insert into notifications (user_guid, type, title) values ($1, 'test.left', 'SECRET')`, [user.guid])
    const reply = await api.get(`/admin/users/${user.chatPlatformId}`, developer)
    expect([reply.status, reply.body]).toEqual([200, { ...fresh(user), streamKeys: [], emailVerificationRequests: [] }])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const own = Object.keys((await api.get('/users/@me', user)).body)
    const known = Object.keys(reply.body)
    expect(own.filter((name) => !known.includes(name)).sort()).toEqual(['notifications', 'teamInvites'])
  })
})

describe('PATCH /admin/users/{identifier}', () => {
  test('changes every member that there is, and answers with the account', async () => {
    const user = await api.user()
    const body = {
      username: 'renamed',
      preferredName: 'Renamed',
      description: 'I play.\n\n<script>alert(1)</script>',
      pronouns: 'he/him',
      headset: 'Quest',
      grip: 'palm',
      controllers: 'touch',
      avatarUrl: 'https://cdn.example.org/new.png',
      country: 'DE',
      streamingName: 'Renamed_Live',
      rankingIdA: '76561198444444444',
      rankingIdB: '8881',
      email: 'renamed@example.org',
      emailVerified: true,
      isBot: true,
      roles: ['global:notices:manage', 'global:badges:manage'],
      banned: true,
      banReason: 'Sold its place.',
    }
    const { roles: _, banned: __, ...plain } = body
    const reply = await patch(user, body, developer)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      ...fresh(user),
      ...plain,
      description: expect.not.stringContaining('<script'),
      globalRoles: ['global:badges:manage', 'global:notices:manage'],
      permissions: [
        { role: 'global:badges:manage', scope: 'global', tournament: null },
        { role: 'global:notices:manage', scope: 'global', tournament: null },
      ],
      bannedAt: instant,
      streamKeys: [],
      emailVerificationRequests: [],
    })
    expect(await read(user)).toEqual(reply.body)
    const card = (await api.get(`/users/${user.guid}/card`)).body
    expect(card).toMatchObject({ username: 'renamed', country: 'DE', rankingIdA: '76561198444444444', isBot: true })
  })

  test('leaves alone what it does not name, and unsets what it names as null', async () => {
    const user = await api.user()
    const set = { pronouns: 'x', headset: 'x', country: 'FR', rankingIdA: '9991', streamingName: 'x', email: 'x@y.org' }
    await patch(user, set)
    expect((await patch(user, { grip: 'claw' })).body).toMatchObject({ ...set, grip: 'claw' })
    const unset = { pronouns: null, headset: null, country: null, rankingIdA: null, streamingName: null, email: null }
    expect((await patch(user, unset)).body).toMatchObject({ ...unset, grip: 'claw' })
    expect(problem(await api.get('/users/9991'))).toEqual([404, 'user.unknown'])
    expect((await patch(user, { grip: '' })).body.grip).toBeNull()
  })

  test('a remembered card shows the change at once', async () => {
    const user = await api.user()
    const card = async () => (await api.get(`/users/${user.guid}/card`)).body.preferredName
    expect(await card()).toBe(user.username)
    await patch(user, { preferredName: 'Other' })
    expect(await card()).toBe('Other')
  })

  test('a name stands on one line', async () => {
    const user = await api.user()
    const { body } = await patch(user, { username: 'two\n lines', preferredName: ' tab\tbed ' })
    expect(body).toMatchObject({ username: 'two lines', preferredName: 'tab bed' })
  })

  test.each([
    ['nothing', {}, 'account.nothing_to_change'],
    ['an unknown member', { isBot: true, admin: true }, 'request.unknown_member'],
    ['a member that is not to be set', { guid: nobody }, 'request.unknown_member'],
    ['the chat identity', { chatPlatformId: '1' }, 'request.unknown_member'],
    ['no object', ['isBot'], 'request.invalid'],
    ['an empty username', { username: ' ' }, 'settings.invalid'],
    ['no username', { username: null }, 'request.invalid'],
    ['a username of 101 characters', { username: 'x'.repeat(101) }, 'request.invalid'],
    ['a control character', { username: 'a\u0000b' }, 'request.invalid'],
    ['a reversed name', { preferredName: 'a\u202eb' }, 'request.invalid'],
    ['an empty preferred name', { preferredName: '' }, 'settings.invalid'],
    ['a preferred name of 65 characters', { preferredName: 'x'.repeat(65) }, 'request.invalid'],
    ['a long description', { description: 'x'.repeat(20_001) }, 'request.invalid'],
    ['an avatar that is no address', { avatarUrl: 'javascript:alert(1)' }, 'settings.invalid'],
    ['a country in lower case', { country: 'de' }, 'account.invalid'],
    ['a country that is none', { country: 'XX' }, 'account.invalid'],
    ['a country of three letters', { country: 'DEU' }, 'request.invalid'],
    ['a ranking ID with letters', { rankingIdA: '12a' }, 'account.invalid'],
    ['an empty ranking ID', { rankingIdB: '' }, 'account.invalid'],
    ['a ranking ID of 21 digits', { rankingIdB: '1'.repeat(21) }, 'request.invalid'],
    ['a ranking ID as a number', { rankingIdA: 12 }, 'request.invalid'],
    ['a streaming name with a slash', { streamingName: 'a/b' }, 'account.invalid'],
    ['no e-mail address', { email: 'nobody' }, 'request.invalid'],
    ['a long e-mail address', { email: `${'x'.repeat(243)}@example.org` }, 'request.invalid'],
    ['a verified e-mail without one', { emailVerified: true }, 'account.email_missing'],
    ['a verified e-mail while it is removed', { email: null, emailVerified: true }, 'account.email_missing'],
    ['isBot as text', { isBot: 'true' }, 'request.invalid'],
    ['roles that there are not', { roles: ['role:king'] }, 'request.invalid'],
    ['a role of tournaments', { roles: ['role:admin'] }, 'request.invalid'],
    ['a role twice', { roles: ['global:users:read', 'global:users:read'] }, 'request.invalid'],
    ['a role as text', { roles: 'global:users:read' }, 'request.invalid'],
    ['banned as null', { banned: null }, 'request.invalid'],
    ['a reason without a ban', { banReason: 'Because.' }, 'account.ban_reason_stray'],
    ['a reason for an unban', { banned: false, banReason: 'Because.' }, 'account.ban_reason_stray'],
    ['a long reason', { banned: true, banReason: 'x'.repeat(501) }, 'request.invalid'],
  ])('%s is refused and changes nothing, whatever else is right', async (_what, body, code) => {
    const user = await api.user()
    const before = await stored(user)
    const good = Object.keys(body).length === 0 || Array.isArray(body) ? {} : { headset: 'Index', rankingIdA: '5151' }
    expect(problem(await patch(user, Array.isArray(body) ? body : { ...good, ...body }))).toEqual([400, code])
    expect(await stored(user)).toEqual(before)
  })

  test.each(['rankingIdA', 'rankingIdB', 'streamingName'])(
    '%s of another user is 400 and changes nothing',
    async (name) => {
      const [holder, user] = await Promise.all([api.user(), api.user()])
      const taken = { [name]: `42${name.length}${name.charCodeAt(8)}` }
      expect((await patch(holder, taken)).status).toBe(200)
      const before = await stored(user)
      expect(problem(await patch(user, { preferredName: 'Thief', ...taken }))).toEqual([400, 'identity.taken'])
      expect(await stored(user)).toEqual(before)
      expect((await patch(holder, taken)).status).toBe(200)
      expect((await patch(holder, { [name]: null })).status).toBe(200)
      expect((await patch(user, taken)).body).toMatchObject(taken)
    },
  )

  test('of several who are given one ID at the same time, one gets it', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => api.user()))
    const replies = await Promise.all(users.map((user) => patch(user, { rankingIdA: '616161' })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    const links = await api.sql(`select user_guid from identities where external_id = '616161'`)
    expect(links).toHaveLength(1)
  })

  test('a link that is set displaces unproven claims to the same account', async () => {
    const [claimant, user] = await Promise.all([api.user(), api.user()])
    await api.sql(`insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '717171')`, [
      claimant.guid,
    ])
    expect((await patch(user, { rankingIdA: '717171' })).body.rankingIdA).toBe('717171')
    expect((await stored(claimant)).links).toEqual([])
  })

  test('another e-mail address has to be verified again, the same one has not', async () => {
    const user = await api.user()
    const outcome = async (body: object) => {
      const reply = await patch(user, body)
      return [reply.body.email, reply.body.emailVerified]
    }
    expect(await outcome({ email: 'a@example.org' })).toEqual(['a@example.org', false])
    expect(await outcome({ emailVerified: true })).toEqual(['a@example.org', true])
    expect(await outcome({ email: 'a@example.org' })).toEqual(['a@example.org', true])
    expect(await outcome({ email: 'b@example.org' })).toEqual(['b@example.org', false])
    expect(await outcome({ email: 'c@example.org', emailVerified: true })).toEqual(['c@example.org', true])
    expect(await outcome({ emailVerified: false })).toEqual(['c@example.org', false])
    expect(await outcome({ email: null })).toEqual([null, false])
  })
})

describe('global roles', () => {
  test('an owner grants and removes any, and a token obeys at once', async () => {
    const user = await api.user()
    const reads = async () => (await api.get('/admin/users?limit=1', user)).status
    expect(await reads()).toBe(403)
    const all = ['role:owner', 'role:dev', 'global:users:read']
    expect((await patch(user, { roles: all })).body.globalRoles).toEqual(all)
    expect(await reads()).toBe(200)
    expect((await patch(user, { roles: [] })).body.globalRoles).toEqual([])
    expect(await reads()).toBe(403)
  })

  test('a developer grants and removes all but owner and developer', async () => {
    const user = await api.user()
    const given = await patch(user, { roles: ['global:users:read'] }, developer)
    expect([given.status, given.body.globalRoles]).toEqual([200, ['global:users:read']])
    for (const role of ['role:owner', 'role:dev']) {
      const reply = await patch(user, { roles: ['global:users:read', role] }, developer)
      expect(problem(reply)).toEqual([403, 'account.role_protected'])
    }
    const colleague = await api.user({ globalRoles: ['role:dev'] })
    expect(problem(await patch(colleague, { roles: [] }, developer))).toEqual([403, 'account.role_protected'])
    const kept = await patch(colleague, { roles: ['role:dev', 'global:notices:manage'] }, developer)
    expect([kept.status, kept.body.globalRoles]).toEqual([200, ['role:dev', 'global:notices:manage']])
  })

  test('a developer neither edits nor bans an owner, and learns nothing of the body', async () => {
    for (const body of [{ preferredName: 'x' }, { banned: true }, { roles: [] }, { nonsense: 1 }, {}]) {
      expect(problem(await patch(owner, body, developer))).toEqual([403, 'role.missing'])
    }
    expect((await patch(owner, { grip: 'palm' })).body.grip).toBe('palm')
  })

  test('the last owner stays one, and one who is banned does not count', async () => {
    const rest = { globalRoles: ['role:owner', 'role:dev'] as const }
    await using alone = await aloneWith(rest)
    const { harness, owner: last } = alone
    const roles = (user: Caller, list: string[], as: Caller) =>
      harness.patch(`/admin/users/${user.guid}`, as, { roles: list })
    expect(problem(await roles(last, ['role:dev'], last))).toEqual([400, 'account.last_owner'])
    const second = await harness.user({ globalRoles: ['role:owner'] })
    await harness.patch(`/admin/users/${second.guid}`, last, { banned: true })
    expect(problem(await roles(last, [], last))).toEqual([400, 'account.last_owner'])
    await harness.patch(`/admin/users/${second.guid}`, last, { banned: false })
    expect((await roles(last, ['role:dev'], last)).status).toBe(200)
  })

  test('of two owners who remove each other at the same time, one stays', async () => {
    await using alone = await aloneWith({ globalRoles: ['role:owner'] })
    const { harness, owner: first } = alone
    for (let round = 0; round < 5; round++) {
      const second = await harness.user({ globalRoles: ['role:owner'] })
      const [a, b] = await Promise.all([
        harness.patch(`/admin/users/${second.guid}`, first, { roles: [] }),
        harness.patch(`/admin/users/${first.guid}`, second, { roles: [] }),
      ])
      expect([a.status, b.status].sort()).toEqual([200, 403])
      await harness.sql(`update users set global_roles = '{}' where guid = $1`, [second.guid])
      await harness.sql(`update users set global_roles = '{role:owner}' where guid = $1`, [first.guid])
    }
  })

  /** The system's owners are counted, so these tests have a system of their own. */
  async function aloneWith(options: { globalRoles: readonly ('role:owner' | 'role:dev')[] }) {
    const harness = await startHarness()
    const alone = await harness.user(options)
    return { harness, owner: alone, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() }
  }

  test('what was granted is in the log', async () => {
    const user = await api.user()
    await patch(user, { roles: ['global:users:read'], headset: 'Index' })
    await patch(user, { roles: ['global:users:read'] })
    const events = await api.sql(`select type, actor, before, after from event_log where subject = $1 order by seq`, [
      user.guid,
    ])
    expect(events).toEqual([
      { type: 'user.updated', actor: owner.guid, before: null, after: null },
      {
        type: 'user.roles_changed',
        actor: owner.guid,
        before: { globalRoles: [] },
        after: { globalRoles: ['global:users:read'] },
      },
      { type: 'user.updated', actor: owner.guid, before: null, after: null },
    ])
  })
})

describe('bans', () => {
  test('end every token at once, on every process, and for good', async () => {
    await using sibling = await api.sibling()
    const user = await api.user()
    const statuses = async () => [
      (await api.get('/users/@me', user)).status,
      (await sibling.get('/users/@me', user)).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    const banned = await patch(user, { banned: true, banReason: 'Cheated.' }, developer)
    expect(banned.body).toMatchObject({ bannedAt: instant, banReason: 'Cheated.' })
    expect(await statuses()).toEqual([401, 401])
    const lifted = await patch(user, { banned: false }, developer)
    expect(lifted.body).toMatchObject({ bannedAt: null, banReason: null })
    expect(await statuses()).toEqual([401, 401])
    const renewed = await api.call('GET', '/users/@me', { token: await api.token(user, ['rest:read']) })
    expect(renewed.status).toBe(200)
  })

  test('a second ban leaves the first in place and may reword its reason', async () => {
    const user = await api.user()
    const { bannedAt } = (await patch(user, { banned: true })).body
    expect((await patch(user, { banned: true })).body).toMatchObject({ bannedAt, banReason: null })
    expect((await patch(user, { banReason: 'Cheated.' })).body).toMatchObject({ bannedAt, banReason: 'Cheated.' })
    expect((await patch(user, { banned: true, banReason: 'Lied.' })).body).toMatchObject({
      bannedAt,
      banReason: 'Lied.',
    })
    expect((await patch(user, { banned: true })).body).toMatchObject({ bannedAt, banReason: 'Lied.' })
    expect((await patch(user, { banReason: null })).body).toMatchObject({ bannedAt, banReason: null })
    const bans = await api.sql(`select 1 from event_log where subject = $1 and type = 'user.banned'`, [user.guid])
    expect(bans).toHaveLength(1)
  })

  test('lifting a ban that there is not changes nothing', async () => {
    const user = await api.user()
    const reply = await patch(user, { banned: false })
    expect([reply.status, reply.body.bannedAt]).toEqual([200, null])
    expect((await api.get('/users/@me', user)).status).toBe(200)
  })

  test('nobody bans themselves', async () => {
    for (const self of [owner, developer]) {
      expect(problem(await patch(self, { banned: true }, self))).toEqual([400, 'account.self_ban'])
      expect((await api.get('/users/@me', self)).status).toBe(200)
    }
  })

  test('of two owners who ban each other at the same time, one stays', async () => {
    const pair = [
      await api.user({ globalRoles: ['role:owner'] }),
      await api.user({ globalRoles: ['role:owner'] }),
    ] as const
    const replies = await Promise.all([
      patch(pair[0], { banned: true }, pair[1]),
      patch(pair[1], { banned: true }, pair[0]),
    ])
    // Whoever comes second is refused, by their role or, once the ban is done, by their token.
    expect(replies.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([401, 403])])
  })

  test('who is banned keeps a public profile, which tells nothing of it', async () => {
    const user = await api.user()
    await patch(user, { banned: true, banReason: 'SECRET-REASON' })
    for (const path of [`/users/${user.guid}`, `/users/${user.guid}/card`]) {
      const reply = await api.get(path)
      expect(reply.status).toBe(200)
      expect(reply.text).not.toMatch(/SECRET-REASON|banned/)
    }
  })
})
