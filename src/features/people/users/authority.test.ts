import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'

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

  /** These tests count all owners of the system, so each has a system of its own. */
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
    // The second request is refused because of the actor's role or, once the ban is committed, because of their token.
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
