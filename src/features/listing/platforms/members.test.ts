import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { type MadePlatform, makePlatform, platformMember } from '../../../../test/make.ts'
import { nobody } from '../../../../test/world.ts'

let api: Harness
let owner: Caller
let developer: Caller
let manager: Caller
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user({ globalRoles: ['role:owner'] })
  developer = await api.user({ globalRoles: ['role:dev'] })
  manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const at = ({ contextId }: { contextId: string }) => `/tournament-platforms/${contextId}/members`
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const add = (platform: MadePlatform, as: Caller | null, userIdentifier: string, role: string) =>
  api.post(at(platform), as, { userIdentifier, role })
const drop = (platform: MadePlatform, as: Caller | null, user: string) => api.delete(`${at(platform)}/${user}`, as)

/** The role of each member, by GUID. */
async function team(platform: MadePlatform): Promise<Record<string, string>> {
  const rows = await api.sql<{ user: string; role: string }>(
    'select user_guid as "user", role from platform_members where platform_guid = $1',
    [platform.guid],
  )
  return Object.fromEntries(rows.map(({ user, role }) => [user, role]))
}

const logged = (user: Caller) =>
  api.sql(
    `select type, tournament, actor, before, after from event_log where subject = $1 and type like 'platform.%' order by seq`,
    [user.guid],
  )

describe('POST /tournament-platforms/{contextId}/members', () => {
  test('adds a member, who acts as one from then on', async () => {
    const platform = await makePlatform(api)
    const user = await api.user()
    const settings = `/tournament-platforms/${platform.contextId}/settings`
    expect((await api.get(settings, user)).status).toBe(403)
    const reply = await add(platform, owner, user.guid, 'admin')
    const card = (await api.get(`/users/${user.guid}/card`)).body
    expect([reply.status, reply.body]).toEqual([200, { user: card, role: 'admin', addedAt: instant }])
    expect((await api.get(settings, user)).status).toBe(200)
    expect(await logged(user)).toEqual([
      {
        type: 'platform.member_added',
        tournament: null,
        actor: owner.guid,
        before: null,
        after: { platformGuid: platform.guid, userGuid: user.guid, role: 'admin' },
      },
    ])
  })

  test('changes the role of one, and is no event where it is that already', async () => {
    const platform = await makePlatform(api)
    const user = await api.user()
    const first = await add(platform, owner, user.guid, 'reviewer')
    const again = await add(platform, owner, user.guid, 'reviewer')
    expect([again.status, again.body]).toEqual([200, first.body])
    const promoted = await add(platform, owner, user.guid, 'admin')
    expect([promoted.status, promoted.body]).toEqual([200, { ...first.body, role: 'admin' }])
    expect(await team(platform)).toEqual({ [user.guid]: 'admin' })
    expect(await logged(user)).toMatchObject([
      { before: null, after: { role: 'reviewer' } },
      { before: { role: 'reviewer' }, after: { role: 'admin' } },
    ])
  })

  test('takes any identifier of a user', async () => {
    const platform = await makePlatform(api)
    const user = await api.user()
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at)
       values ($1, 'ranking-a', '76561190000000011', now()), ($1, 'ranking-b', '76561190000000012', now())`,
      [user.guid],
    )
    for (const identifier of [
      user.guid,
      user.guid.toUpperCase(),
      user.chatPlatformId,
      '76561190000000011',
      '76561190000000012',
    ]) {
      const reply = await add(platform, owner, identifier, 'reviewer')
      expect([reply.status, reply.body.user.guid]).toEqual([200, user.guid])
    }
    const self = await add(platform, owner, '@me', 'reviewer')
    expect([self.status, self.body.user.guid]).toEqual([200, owner.guid])
  })

  test('a user may be of the team of several platforms', async () => {
    const [one, two] = [await makePlatform(api), await makePlatform(api)]
    const user = await api.user()
    await add(one, owner, user.guid, 'admin')
    await add(two, owner, user.guid, 'reviewer')
    expect([await team(one), await team(two)]).toEqual([{ [user.guid]: 'admin' }, { [user.guid]: 'reviewer' }])
  })

  test('an unknown user is 404, as is an unproven link and an account that was given up', async () => {
    const platform = await makePlatform(api)
    const claimer = await api.user()
    await api.sql(
      `insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '76561190000000013')`,
      [claimer.guid],
    )
    const gone = await api.user()
    expect((await api.delete('/users/@me', gone)).status).toBe(204)
    for (const identifier of [nobody, '1', 'quaver', "' or 1=1", '76561190000000013', gone.guid, gone.chatPlatformId]) {
      expect(problem(await add(platform, owner, identifier, 'reviewer'))).toEqual([404, 'user.unknown'])
    }
    expect(await team(platform)).toEqual({})
  })

  test.each([
    [{ role: 'reviewer' }],
    [{ userIdentifier: '1' }],
    [{ userIdentifier: '', role: 'reviewer' }],
    [{ userIdentifier: 7, role: 'reviewer' }],
    [{ userIdentifier: 'x'.repeat(101), role: 'reviewer' }],
    [{ userIdentifier: '1', role: 'global' }],
    [{ userIdentifier: '1', role: 'owner' }],
    [{ userIdentifier: '1', role: null }],
    [{ userIdentifier: '1', role: ['admin'] }],
  ])('%o is refused', async (body) => {
    const reply = await api.post('/tournament-platforms/main/members', owner, body)
    expect(problem(reply)).toEqual([400, 'request.invalid'])
  })

  test('the team has at most 500 members, whose roles may still change', async () => {
    const platform = await makePlatform(api)
    const member = await platformMember(api, platform, 'reviewer')
    await api.sql(
      `with made as (
         insert into users (chat_platform_id, username, preferred_name, avatar_url)
         select 'member-' || n, 'member', 'Member', '' from generate_series(1, 498) n returning guid)
       insert into platform_members (platform_guid, user_guid, role) select $1, guid, 'reviewer' from made`,
      [platform.guid],
    )
    const [last, late] = [await api.user(), await api.user()]
    const replies = await Promise.all([last, late].map(({ guid }) => add(platform, owner, guid, 'reviewer')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.map((reply) => reply.headers.get('problem-code'))).toContain('platform.limit_reached')
    expect((await add(platform, owner, member.guid, 'admin')).status).toBe(200)
    const settings = await api.get(`/tournament-platforms/${platform.contextId}/settings`, owner)
    expect([settings.status, settings.body.members.length]).toEqual([200, 500])
  })
})

describe('DELETE /tournament-platforms/{contextId}/members/{userGuid}', () => {
  test('removes a member, who acts as one no longer', async () => {
    const platform = await makePlatform(api)
    const member = await platformMember(api, platform, 'admin')
    const kept = await platformMember(api, platform, 'reviewer')
    const reply = await drop(platform, owner, member.guid)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(await team(platform)).toEqual({ [kept.guid]: 'reviewer' })
    expect((await api.get(`/tournament-platforms/${platform.contextId}/settings`, member)).status).toBe(403)
    expect(await logged(member)).toEqual([
      {
        type: 'platform.member_removed',
        tournament: null,
        actor: owner.guid,
        before: { role: 'admin' },
        after: { platformGuid: platform.guid, userGuid: member.guid },
      },
    ])
  })

  test('whoever is no member is 404, whether there is such a user or not', async () => {
    const platform = await makePlatform(api)
    const member = await platformMember(api, platform, 'reviewer')
    const elsewhere = await platformMember(api, await makePlatform(api), 'reviewer')
    expect(problem(await drop(platform, owner, elsewhere.guid))).toEqual([404, 'member.unknown'])
    expect(problem(await drop(platform, owner, nobody))).toEqual([404, 'user.unknown'])
    expect(problem(await drop(platform, owner, "'--"))).toEqual([404, 'user.unknown'])
    expect((await drop(platform, owner, member.guid)).status).toBe(204)
    expect(problem(await drop(platform, owner, member.guid))).toEqual([404, 'member.unknown'])
    expect(await logged(elsewhere)).toEqual([])
  })

  test('whoever gives up their account is removed everywhere, which is told like any removal', async () => {
    const [one, two] = [await makePlatform(api), await makePlatform(api)]
    const member = await platformMember(api, one, 'admin')
    await add(two, owner, member.guid, 'reviewer')
    expect((await api.delete('/users/@me', member)).status).toBe(204)
    expect([await team(one), await team(two)]).toEqual([{}, {}])
    const removals = (await logged(member)).filter(({ type }) => type === 'platform.member_removed')
    expect(removals).toHaveLength(2)
    const emitted = { type: 'platform.member_removed', tournament: null, actor: member.guid }
    expect(removals).toEqual(
      expect.arrayContaining([
        { ...emitted, before: { role: 'admin' }, after: { platformGuid: one.guid, userGuid: member.guid } },
        { ...emitted, before: { role: 'reviewer' }, after: { platformGuid: two.guid, userGuid: member.guid } },
      ]),
    )
  })

  test('administrators may leave', async () => {
    const platform = await makePlatform(api)
    const admin = await platformMember(api, platform, 'admin')
    expect((await drop(platform, admin, '@me')).status).toBe(204)
    expect(problem(await drop(platform, admin, '@me'))).toEqual([403, 'role.missing'])
    expect(await team(platform)).toEqual({})
  })
})

describe('who chooses the team', () => {
  test('administrators of the platform, owners and developers, and nobody else', async () => {
    const platform = await makePlatform(api)
    const elsewhere = await platformMember(api, await makePlatform(api), 'admin')
    const reviewer = await platformMember(api, platform, 'reviewer')
    const before = await team(platform)
    for (const caller of [await api.user(), manager, reviewer, elsewhere]) {
      expect(problem(await add(platform, caller, caller.guid, 'admin'))).toEqual([403, 'role.missing'])
      expect(problem(await drop(platform, caller, reviewer.guid))).toEqual([403, 'role.missing'])
    }
    expect(problem(await add(platform, null, reviewer.guid, 'admin'))).toEqual([401, 'token.missing'])
    expect(problem(await drop(platform, null, reviewer.guid))).toEqual([401, 'token.missing'])
    expect(await team(platform)).toEqual(before)
    for (const caller of [await platformMember(api, platform, 'admin'), developer, owner]) {
      const user = await api.user()
      expect((await add(platform, caller, user.guid, 'reviewer')).status).toBe(200)
      expect((await drop(platform, caller, user.guid)).status).toBe(204)
    }
  })

  test('a tournament manager, who reviews for the system platform, does not choose its team', async () => {
    expect(problem(await api.post('/tournament-platforms/main/members', manager, {}))).toEqual([403, 'role.missing'])
  })

  test('an unknown platform is told before role and body', async () => {
    const outsider = await api.user()
    const nowhere = { contextId: 'nowhere', guid: nobody }
    expect(problem(await add(nowhere, outsider, '', ''))).toEqual([404, 'platform.unknown'])
    expect(problem(await drop(nowhere, outsider, outsider.guid))).toEqual([404, 'platform.unknown'])
  })
})

describe('at the same time', () => {
  test('one user who is added many times is one member, told of once', async () => {
    const platform = await makePlatform(api)
    const user = await api.user()
    const replies = await Promise.all(Array.from({ length: 8 }, () => add(platform, owner, user.guid, 'reviewer')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await team(platform)).toEqual({ [user.guid]: 'reviewer' })
    expect(await logged(user)).toHaveLength(1)
  })

  test('of two administrators who remove each other, one stays', async () => {
    for (let round = 0; round < 5; round++) {
      const platform = await makePlatform(api)
      const [one, two] = [await platformMember(api, platform, 'admin'), await platformMember(api, platform, 'admin')]
      const replies = await Promise.all([drop(platform, one, two.guid), drop(platform, two, one.guid)])
      expect(replies.map(({ status }) => status).sort()).toEqual([204, 403])
      expect(Object.keys(await team(platform))).toHaveLength(1)
    }
  })

  test('whoever gives up their account while being added is no member afterwards', async () => {
    const platform = await makePlatform(api)
    const leaver = await platformMember(api, await makePlatform(api), 'reviewer')
    const calls: Promise<Reply>[] = []
    // The account is locked by now, but the user is still in the other team.
    const membership = ['select from platform_members where user_guid = $1 for update', leaver.guid] as const
    await whileHeld(api, membership, async (waiting) => {
      calls.push(api.delete('/users/@me', leaver))
      await waiting(1)
      calls.push(add(platform, owner, leaver.guid, 'reviewer'))
      await waiting(2)
    })
    const [left, added] = (await Promise.all(calls)) as [Reply, Reply]
    expect([left.status, problem(added)]).toEqual([204, [404, 'user.unknown']])
    expect(await team(platform)).toEqual({})
  })
})
