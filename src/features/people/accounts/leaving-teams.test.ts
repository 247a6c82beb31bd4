import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTeam, makeTournament, remembered } from '../../../../test/make.ts'

/** What happens to the teams of a user who deletes their account. */

let api: Harness
let host: Caller
beforeAll(async () => {
  api = await startHarness()
  host = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const leave = (user: Caller) => api.delete('/users/@me', user)
const teamOf = async (cup: { id: string }, team: { guid: string }) =>
  (await api.get(`/tournaments/${cup.id}/teams/${team.guid}`)).body

const counts = async (cup: { guid: string }) =>
  (await api.sql('select teams, registered, players from tournament_counts where tournament_guid = $1', [cup.guid]))[0]

test('a captain’s place passes to the member who joined first and can act', async () => {
  const [user, banned, second, third] = [await api.user(), await api.user(), await api.user(), await api.user()]
  const cup = await makeTournament(api, host)
  const team = await makeTeam(api, cup, user, { members: [banned, second, third] })
  await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
  expect((await leave(user)).status).toBe(204)
  const { captain, members } = await teamOf(cup, team)
  expect(captain.guid).toBe(second.guid)
  expect(members.map((member: { user: Caller }) => member.user.guid)).toEqual([banned.guid, second.guid, third.guid])
  expect(await counts(cup)).toEqual({ teams: 1, registered: 0, players: 3 })
  expect((await api.patch(`/tournaments/${cup.id}/teams/${team.id}`, second, { name: 'The Thirds' })).status).toBe(200)
})

test('a member leaves, even a roster that the date has locked', async () => {
  const [user, captain] = [await api.user(), await api.user()]
  const cup = await makeTournament(api, host, { rosterLocksAt: new Date(Date.now() - 60_000) })
  const team = await makeTeam(api, cup, captain, { members: [user] })
  expect((await leave(user)).status).toBe(204)
  expect((await teamOf(cup, team)).members).toMatchObject([{ user: { guid: captain.guid } }])
  expect(await counts(cup)).toEqual({ teams: 1, registered: 0, players: 1 })
})

test('a team without anybody else is deleted', async () => {
  const user = await api.user()
  const cup = await makeTournament(api, host)
  const team = await makeTeam(api, cup, user)
  expect((await leave(user)).status).toBe(204)
  expect(outcome(await api.get(`/tournaments/${cup.id}/teams/${team.guid}`))).toEqual([404, 'team.unknown'])
  expect(await counts(cup)).toEqual({ teams: 0, registered: 0, players: 0 })
  const deleted = {
    type: 'team.deleted',
    subject: team.guid,
    before: { status: 'unregistered', captainGuid: user.guid, memberGuids: [user.guid] },
  }
  expect(
    await api.sql('select type, subject, before from event_log where tournament = $1 and actor = $2', [
      cup.guid,
      user.guid,
    ]),
  ).toEqual([deleted])
})

test('nobody who is gone becomes a captain', async () => {
  const [user, gone] = [await api.user(), await api.user()]
  const cup = await makeTournament(api, host)
  const team = await makeTeam(api, cup, user, { members: [gone], status: 'registered' })
  expect((await leave(gone)).status).toBe(204)
  expect((await api.post(`/tournaments/${cup.id}/unregister/${team.guid}`, user)).status).toBe(200)
  expect((await leave(user)).status).toBe(204)
  expect(outcome(await api.get(`/tournaments/${cup.id}/teams/${team.guid}`))).toEqual([404, 'team.unknown'])
  expect(await counts(cup)).toEqual({ teams: 0, registered: 0, players: 0 })
})

test('a registered team keeps a deleted member, whose place its organiser frees, and who plays no more', async () => {
  const [user, captain] = [await api.user(), await api.user()]
  const cup = await makeTournament(api, host)
  const team = await makeTeam(api, cup, captain, { members: [user], status: 'registered' })
  expect((await leave(user)).status).toBe(204)
  const { members } = await teamOf(cup, team)
  expect(members.map((member: { user: { preferredName: string } }) => member.user.preferredName)).toEqual([
    captain.username,
    'Deleted user',
  ])
  expect(await counts(cup)).toEqual({ teams: 1, registered: 1, players: 2 })

  expect((await api.post(`/tournaments/${cup.id}/unregister/${team.guid}`, captain)).status).toBe(200)
  const refused = await api.post(`/tournaments/${cup.id}/register/${team.guid}`, captain)
  expect(outcome(refused)).toEqual([400, 'registration.refused'])
  expect(refused.body.eligibility.players).toMatchObject([
    { failures: [] },
    { userGuid: user.guid, failures: [{ code: 'account.deleted' }] },
  ])
  const place = `/tournaments/${cup.id}/teams/${team.guid}/members/${user.guid.toUpperCase()}`
  expect(outcome(await api.delete(place, await api.user()))).toEqual([403, 'role.missing'])
  expect(outcome(await api.delete(place, captain))).toEqual([204, null])
  expect(outcome(await api.delete(place, captain))).toEqual([404, 'user.unknown'])
  expect((await api.post(`/tournaments/${cup.id}/register/${team.guid}`, captain)).status).toBe(200)
  expect(await counts(cup)).toEqual({ teams: 1, registered: 1, players: 1 })
})

test('ids and names that tell who they were go, in whatever state the tournament is', async () => {
  const user = await api.user({ name: 'Contrabass' })
  const [over, coming, left] = [
    await makeTournament(api, host),
    await makeTournament(api, host),
    await makeTournament(api, host),
  ]
  const make = async (cup: { id: string }) =>
    (await api.post(`/tournaments/${cup.id}/teams`, user, { captainId: user.guid })).body.newTeam
  const [played, formed, handed] = [await make(over), await make(coming), await make(left)]
  expect([played.id, played.name]).toEqual([user.chatPlatformId, "Contrabass's team"])
  await api.sql(`update tournaments set status = 'completed' where guid = $1`, [over.guid])
  const mates = [await api.user(), await api.user()]
  for (const [at, [cup, team]] of (
    [
      [coming, formed],
      [left, handed],
    ] as const
  ).entries()) {
    await api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3)', [
      team.guid,
      cup.guid,
      mates[at]?.guid,
    ])
  }
  // A team that they handed over and left still has an id derived from theirs.
  expect(
    (
      await api.patch(`/tournaments/${left.id}/teams/${handed.guid}`, user, {
        captain: mates[1]?.guid,
        name: 'The Lows',
      })
    ).status,
  ).toBe(200)
  expect((await api.delete(`/tournaments/${left.id}/teams/${handed.guid}/members/@me`, user)).status).toBe(204)

  await api.sql('update teams set pronunciation = $2 where guid = any($1::uuid[])', [
    [played.guid, formed.guid, handed.guid],
    'spoken',
  ])

  const oldAddress = `/tournaments/${left.id}/teams/${user.chatPlatformId}`
  expect((await remembered(api, oldAddress)).status).toBe(200)
  expect((await leave(user)).status).toBe(204)
  expect(outcome(await api.get(oldAddress))).toEqual([404, 'team.unknown'])
  for (const [cup, team] of [
    [over, played],
    [coming, formed],
  ] as const) {
    const digits = team.guid.replaceAll('-', '')
    expect(await teamOf(cup, team)).toMatchObject({
      id: digits,
      name: `Team ${digits.slice(0, 8)}`,
      pronunciation: null,
    })
    expect((await api.get(`/tournaments/${cup.id}/teams/${digits}`)).status).toBe(200)
  }
  expect(await teamOf(left, handed)).toMatchObject({
    id: handed.guid.replaceAll('-', ''),
    name: 'The Lows',
    pronunciation: 'spoken',
  })
})

test('a name that another team has already is not given twice', async () => {
  const user = await api.user({ name: 'Piccolo' })
  const cup = await makeTournament(api, host, { status: 'completed' })
  const team = await makeTeam(api, cup, user, { name: "Piccolo's team" })
  const digits = team.guid.replaceAll('-', '')
  await makeTeam(api, cup, host, { name: `TEAM ${digits.slice(0, 8)}` })
  expect((await leave(user)).status).toBe(204)
  expect((await teamOf(cup, team)).name).toBe(`Team ${digits}`)
})

test('of many teams each is left, with true totals', async () => {
  const user = await api.user()
  await api.sql(
    `with cups as (
         insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, links, organiser_guid)
         select 'many-' || n, 'Many ' || n, 'approved', 1, 4, 1, '{}', $1 from generate_series(1, 600) n returning guid, id),
       counted as (insert into tournament_counts (tournament_guid, teams, players) select guid, 1, 2 from cups),
       made as (
         insert into teams (tournament_guid, id, name, captain_guid)
         select guid, 'the-team', 'The Team', case when id like '%0' then $2::uuid else $1 end from cups returning guid, tournament_guid)
       insert into team_members (team_guid, tournament_guid, user_guid)
       select guid, tournament_guid, player from made, unnest(array[$1, $2::uuid]) player`,
    [host.guid, user.guid],
  )
  const start = performance.now()
  expect((await leave(user)).status).toBe(204)
  expect(performance.now() - start).toBeLessThan(5_000)
  const [totals] = await api.sql(
    `select sum(c.teams)::int as teams, sum(c.players)::int as players, count(*) filter (where t.captain_guid = $1)::int as passed,
         (select count(*)::int from team_members where user_guid = $2) as left_over
       from tournament_counts c join teams t using (tournament_guid) join tournaments x on x.guid = t.tournament_guid where x.id like 'many-%'`,
    [host.guid, user.guid],
  )
  expect(totals).toEqual({ teams: 600, players: 600, passed: 600, left_over: 0 })
})

test('nobody’s notifications go on telling a team by the name that it had of its captain, whether it stays or not', async () => {
  const [user, friend] = [await api.user({ name: 'Zyzzyva' }), await api.user()]
  const [played, coming] = [await makeTournament(api, host), await makeTournament(api, host)]
  for (const cup of [played, coming]) {
    const made = await api.post(`/tournaments/${cup.id}/teams`, user, { captainId: user.guid })
    const team = made.body.newTeam
    const invited = await api.post(`/tournaments/${cup.id}/teams/${team.id}/invitations`, user, {
      userIdentifier: friend.guid,
    })
    expect(invited.status).toBe(201)
    if (cup !== played) continue
    expect((await api.post(`/invitations/${invited.body.guid}/accept`, friend)).status).toBe(200)
    expect((await api.post(`/tournaments/${cup.id}/register/${team.id}`, user)).status).toBe(200)
  }
  const received = async () => {
    const { notifications } = (await api.get('/users/@me/notifications', friend)).body
    return notifications.map(({ title }: { title: string }) => title)
  }
  await expect.poll(received).toHaveLength(3)
  const before = await received()
  expect(before.every((title: string) => title.startsWith("Zyzzyva's team "))).toBe(true)
  await api.sql(`update tournaments set status = 'completed' where guid = $1`, [played.guid])
  expect((await leave(user)).status).toBe(204)
  expect(await received()).toEqual(
    before.map((title: string) => expect.stringMatching(title.replace("Zyzzyva's team", '^Team [0-9a-f]{8}'))),
  )
})
