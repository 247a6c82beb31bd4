import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatConfig, makeVisitor } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { hold, whileHeld } from '../../../../test/locks.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'

/** An account is deleted while its user is given a role or a place: one of the two is refused, on any process. */

let chat: FakeChat
let api: Harness
let sibling: Harness
let host: Caller
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat) })
  sibling = await api.sibling()
  host = await api.user({ name: 'maestro' })
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const leave = (user: Caller) => sibling.delete('/users/@me', user)

const lockTournament = (cup: MadeTournament) =>
  ['select from tournaments where guid = $1 for update', cup.guid] as const
const lockUser = (user: Caller) => ['select from users where guid = $1 for update', user.guid] as const

/** Starts `act` and holds it at the tournament's lock until the account is deleted. */
async function afterLeaving(user: Caller, cup: MadeTournament, act: () => Promise<Reply>): Promise<Reply> {
  let acting: Promise<Reply> | undefined
  await whileHeld(api, lockTournament(cup), async (waiting) => {
    acting = act()
    await waiting(1)
    expect(outcome(await leave(user))).toEqual([204, null])
  })
  return (await acting) as Reply
}

/** Both requests wait for the user's lock, the first before the second. */
async function inLine(
  user: Caller,
  first: () => Promise<Reply>,
  second: () => Promise<Reply>,
): Promise<[Reply, Reply]> {
  const replies: Promise<Reply>[] = []
  await whileHeld(api, lockUser(user), async (waiting) => {
    replies.push(first())
    await waiting(1)
    replies.push(second())
    await waiting(2)
  })
  return (await Promise.all(replies)) as [Reply, Reply]
}

/** Checks that no record gives a deleted user a role that needs an account. */
async function expectNobodyBound(): Promise<void> {
  const bound = await api.sql(
    `select 'organiser' as what, t.id from tournaments t join users u on u.guid = t.organiser_guid
       where u.anonymised_at is not null and t.status in ('draft', 'approved', 'ongoing')
     union all
     select 'captain', t.id from teams t join tournaments x on x.guid = t.tournament_guid join users u on u.guid = t.captain_guid
       where u.anonymised_at is not null and x.status in ('draft', 'approved', 'ongoing')
     union all
     select 'member', x.id from team_members m join teams t on t.guid = m.team_guid join tournaments x on x.guid = t.tournament_guid
       join users u on u.guid = m.user_guid
       where u.anonymised_at is not null and x.status in ('draft', 'approved', 'ongoing') and t.status = 'unregistered'
     union all
     select 'role', r.role from tournament_role_holders r join users u on u.guid = r.user_guid where u.anonymised_at is not null
     union all
     select 'invitation', i.status from team_invitations i join users u on u.guid = i.user_guid where u.anonymised_at is not null
     union all
     select 'application', a.name from applications a join users u on u.guid = a.owner_guid where u.anonymised_at is not null
     union all
     select 'session', null from sessions s join users u on u.guid = s.user_guid where u.anonymised_at is not null
     union all
     select 'notification', n.title from notifications n join users u on u.guid = n.user_guid where u.anonymised_at is not null
     union all
     select 'profile', u.username from users u where u.anonymised_at is not null and u.description <> ''`,
  )
  expect(bound).toEqual([])
  const wrong = await api.sql(
    `select t.id from tournaments t join tournament_counts c on c.tournament_guid = t.guid
     where c.teams <> (select count(*) from teams where tournament_guid = t.guid)
       or c.players <> (select count(*) from team_members where tournament_guid = t.guid)
       or c.registered <> (select count(*) from teams where tournament_guid = t.guid and status <> 'unregistered')`,
  )
  expect(wrong).toEqual([])
}

describe('whoever was let in before, and gets there after the account is gone, is refused', () => {
  test('a tournament is not handed over to nobody', async () => {
    const user = await api.user()
    const cup = await makeTournament(api, host)
    const reply = await afterLeaving(user, cup, () =>
      api.post(`/tournaments/${cup.id}/organiser`, host, { userIdentifier: user.guid }),
    )
    expect(outcome(reply)).toEqual([404, 'user.unknown'])
    await expectNobodyBound()
  })

  test('a completed tournament is not resumed without an organiser', async () => {
    const [user, admin] = [await api.user(), await api.user()]
    const cup = await makeTournament(api, user, { status: 'completed' })
    await api.sql('update tournaments set completed_at = now() where guid = $1', [cup.guid])
    await grantRole(api, cup, admin, 'role:admin')
    const reply = await afterLeaving(user, cup, () =>
      api.post(`/tournaments/${cup.id}/status`, admin, { status: 'ongoing' }),
    )
    expect(outcome(reply)).toEqual([409, 'tournament.organiser_gone'])
    await expectNobodyBound()
  })

  test('a team has no captain that is gone: not by the captain, nor by the organiser', async () => {
    for (const by of ['captain', 'organiser'] as const) {
      const user = await api.user()
      const cup = await makeTournament(api, host)
      const reply = await afterLeaving(user, cup, () =>
        api.post(`/tournaments/${cup.id}/teams`, by === 'captain' ? user : host, { captainId: user.guid }),
      )
      expect(outcome(reply)).toEqual(by === 'captain' ? [401, 'token.invalid'] : [400, 'user.unknown'])
    }
    await expectNobodyBound()
  })

  test('a registered team is not handed to a member who is gone', async () => {
    const [user, captain] = [await api.user(), await api.user()]
    const cup = await makeTournament(api, host)
    const team = await makeTeam(api, cup, captain, { members: [user], status: 'registered' })
    const reply = await afterLeaving(user, cup, () =>
      api.patch(`/tournaments/${cup.id}/teams/${team.id}`, host, { captain: user.guid }),
    )
    expect(outcome(reply)).toEqual([404, 'user.unknown'])
    await expectNobodyBound()
  })

  test('nobody is invited who is gone, and no invitation of theirs is accepted', async () => {
    const [user, other, captain] = [await api.user(), await api.user(), await api.user()]
    const cup = await makeTournament(api, host)
    const team = await makeTeam(api, cup, captain)
    const path = `/tournaments/${cup.id}/teams/${team.id}/invitations`
    const invited = await afterLeaving(user, cup, () => api.post(path, captain, { userIdentifier: user.guid }))
    expect(outcome(invited)).toEqual([404, 'user.unknown'])
    const { guid } = (await api.post(path, captain, { userIdentifier: other.guid })).body
    const accepted = await afterLeaving(other, cup, () => api.post(`/invitations/${guid}/accept`, other))
    expect(outcome(accepted)).toEqual([401, 'token.invalid'])
    await expectNobodyBound()
  })

  test('no role is granted to nobody', async () => {
    const user = await api.user()
    const cup = await makeTournament(api, host)
    const reply = await afterLeaving(user, cup, () =>
      api.post(`/tournaments/${cup.id}/permissions/${user.guid}/grant`, host, { role: 'role:host' }),
    )
    expect(outcome(reply)).toEqual([400, 'user.unknown'])
    await expectNobodyBound()
  })

  test('a tournament, an application and a profile have no user that is gone', async () => {
    const registration = { name: 'Editor', scopes: ['rest:read'], redirectUris: ['http://localhost/'], type: 'public' }
    const acts: ((user: Caller) => Promise<Reply>)[] = [
      (user) => api.post('/tournaments', user, { id: `late-${user.guid.slice(0, 8)}`, name: 'Late' }),
      (user) => api.post('/oauth/applications', user, registration),
      (user) => api.post('/updateUserSettings', user, { description: 'Still here' }),
      (user) => api.delete('/users/@me', user),
    ]
    for (const act of acts) {
      const user = await api.user()
      const [gone, late] = await inLine(
        user,
        () => leave(user),
        () => act(user),
      )
      expect([outcome(gone), outcome(late)]).toEqual([
        [204, null],
        [401, 'token.invalid'],
      ])
    }
    await expectNobodyBound()
  })

  test('the chat account that signs in meanwhile is somebody new', async () => {
    const visitor = await makeVisitor(api, chat)
    const user: Caller = { guid: visitor.user, chatPlatformId: visitor.accountId, username: '', token: visitor.token }
    const authorization = `Bearer ${chat.issueToken(visitor.accountId)}`
    const [gone, arrived] = await inLine(
      user,
      () => leave(user),
      () => api.call('GET', '/requestAuthToken', { headers: { authorization } }),
    )
    expect([outcome(gone), arrived.status]).toEqual([[204, null], 200])
    const me = (await api.call('GET', '/users/@me', { token: arrived.body.token })).body
    expect(me.chatPlatformId).toBe(visitor.accountId)
    expect(me.guid).not.toBe(visitor.user)
    await expectNobodyBound()
  })
})

describe('whoever gets there first binds', () => {
  test('a tournament that is made just before', async () => {
    const user = await api.user()
    const [made, gone] = await inLine(
      user,
      () => api.post('/tournaments', user, { id: 'just-in-time', name: 'Early' }),
      () => leave(user),
    )
    expect([made.status, outcome(gone)]).toEqual([201, [409, 'account.organises']])
    await expectNobodyBound()
  })

  test('a tournament that somebody is just making for them', async () => {
    const user = await api.user()
    let leaving: Promise<Reply> | undefined
    const insert = `
      with made as (
        insert into tournaments (id, name, team_size_min, team_size_max, team_size_active, links, organiser_guid)
        values ('unfinished', 'Unfinished', 1, 1, 1, '{}', $1) returning guid)
      insert into tournament_counts (tournament_guid) select guid from made`
    await whileHeld(api, [insert, user.guid], async (waiting) => {
      leaving = leave(user)
      await waiting(1)
    })
    expect(outcome((await leaving) as Reply)).toEqual([409, 'account.organises'])
    await expectNobodyBound()
  })

  test('a team that was entered after the leaver’s teams were locked is locked as well, and left', async () => {
    const [user, captain] = [await api.user(), await api.user()]
    const cup = await makeTournament(api, host)
    const team = await makeTeam(api, cup, captain)
    const path = `/tournaments/${cup.id}/teams/${team.id}/invitations`
    const { guid } = (await api.post(path, captain, { userIdentifier: user.guid })).body
    const record = await hold(api, ['select from users where guid = $1 for no key update', user.guid])
    const leaving = leave(user)
    await record.waiting(1)
    expect((await api.post(`/invitations/${guid}/accept`, user)).status).toBe(200)
    const tournament = await hold(api, lockTournament(cup))
    await record.release()
    // The user's row is unlocked: the deletion now waits for the tournament.
    await tournament.waiting(1)
    await tournament.release()
    expect(outcome(await leaving)).toEqual([204, null])
    expect((await api.get(`/tournaments/${cup.id}/teams/${team.id}`)).body.members.length).toBe(1)
    await expectNobodyBound()
  })

  test('a registration that is under way: the captain cannot leave, and the team is registered', async () => {
    const user = await api.user()
    const cup = await makeTournament(api, host)
    const team = await makeTeam(api, cup, user)
    const replies: Promise<Reply>[] = []
    await whileHeld(api, lockTournament(cup), async (waiting) => {
      replies.push(api.post(`/tournaments/${cup.id}/register/${team.guid}`, user))
      await waiting(1)
      replies.push(leave(user))
      await waiting(2)
    })
    const [registered, gone] = (await Promise.all(replies)) as [Reply, Reply]
    expect([registered.status, outcome(gone)]).toEqual([200, [409, 'account.captains']])
    await expectNobodyBound()
  })

  test('a ban', async () => {
    const user = await api.user()
    let leaving: Promise<Reply> | undefined
    await whileHeld(api, ['update users set banned_at = now() where guid = $1', user.guid], async (waiting) => {
      leaving = leave(user)
      await waiting(1)
    })
    expect(outcome((await leaving) as Reply)).toEqual([403, 'user.banned'])
    const [row] = await api.sql('select username, anonymised_at from users where guid = $1', [user.guid])
    expect(row).toEqual({ username: user.username, anonymised_at: null })
  })
})

describe('in a rush', () => {
  const rounds = 6

  test('whatever comes first, nobody who is gone is bound to anything, and all is answered', async () => {
    for (let round = 0; round < rounds; round++) {
      const [user, mate] = [await api.user(), await api.user()]
      const cup = await makeTournament(api, host)
      const mine = await makeTournament(api, host)
      const team = await makeTeam(api, mine, user, { members: [mate] })
      const path = `/tournaments/${cup.id}/teams/${(await makeTeam(api, cup, mate)).id}/invitations`
      const invitation = (await api.post(path, mate, { userIdentifier: user.guid })).body.guid
      const replies = await Promise.all([
        api.post(`/invitations/${invitation}/accept`, user),
        leave(user),
        api.post(`/tournaments/${mine.id}/register/${team.guid}`, user),
        sibling.delete(`/tournaments/${mine.id}/teams/${team.guid}/members/@me`, mate),
        sibling.post('/tournaments', user, { id: `rush-${process.pid}-${round}`, name: 'Rush' }),
        api.post(`/tournaments/${cup.id}/permissions/${user.guid}/grant`, host, { role: 'role:host' }),
        sibling.post(`/tournaments/${cup.id}/organiser`, host, { userIdentifier: user.guid }),
        leave(user),
        api.post('/updateUserSettings', user, { description: 'Still here' }),
      ])
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
      const left = [replies[1], replies[7]].filter((reply) => reply?.status === 204)
      const card = await api.get(`/users/${user.guid}/card`)
      expect([left.length, card.status]).toEqual(card.status === 404 ? [1, 404] : [0, 200])
      await expectNobodyBound()
    }
  })

  test('of two last owners who leave at once, one stays', async () => {
    for (let round = 0; round < rounds; round++) {
      await api.sql(`update users set global_roles = '{}' where global_roles @> '{role:owner}'`)
      const owners = [
        await api.user({ globalRoles: ['role:owner'] }),
        await api.user({ globalRoles: ['role:owner'] }),
      ] as const
      const replies = await Promise.all([api.delete('/users/@me', owners[0]), sibling.delete('/users/@me', owners[1])])
      expect(replies.map(outcome).sort()).toEqual([
        [204, null],
        [409, 'account.last_owner'],
      ])
    }
  })

  test('of ten requests to delete one account, one does', async () => {
    const user = await api.user()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? api : sibling).delete('/users/@me', user)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 9 }, () => 401)])
  })

  test('members of one team who all leave at once leave none behind', async () => {
    const players = await Promise.all(Array.from({ length: 4 }, () => api.user()))
    const [captain, ...members] = players as [Caller, ...Caller[]]
    const cup = await makeTournament(api, host)
    const team = await makeTeam(api, cup, captain, { members })
    const replies = await Promise.all(
      players.map((player, at) => (at % 2 === 0 ? api : sibling).delete('/users/@me', player)),
    )
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect((await api.get(`/tournaments/${cup.id}/teams/${team.guid}`)).status).toBe(404)
    await expectNobodyBound()
  })
})
