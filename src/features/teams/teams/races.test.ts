import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTeam, type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'

/** Invariants under concurrent requests on several processes. */

let api: Harness
let sibling: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const either = (at: number) => (at % 2 === 0 ? api : sibling)

/** Counts how often each outcome occurred. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, headers } of replies) {
    const outcome = [status, headers.get('problem-code')].filter((part) => part !== null).join(' ')
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

async function invited(cup: MadeTournament, team: MadeTeam, captain: Caller, guest: Caller): Promise<string> {
  const path = `/tournaments/${cup.id}/teams/${team.id}/invitations`
  const reply = await api.post(path, captain, { userIdentifier: guest.guid })
  expect(reply.status).toBe(201)
  return reply.body.guid
}

const users = (count: number) => Promise.all(Array.from({ length: count }, () => api.user()))

/** The totals equal the counted rows. */
async function expectTrueCounts(cup: MadeTournament): Promise<void> {
  const [row] = await api.sql<Record<string, number>>(
    `select c.teams, c.players, (select count(*)::int from teams where tournament_guid = $1) as teams_there,
       (select count(*)::int from team_members where tournament_guid = $1) as players_there
     from tournament_counts c where c.tournament_guid = $1`,
    [cup.guid],
  )
  expect([row?.teams, row?.players]).toEqual([row?.teams_there, row?.players_there])
}

test('of twenty who accept the last place at once, one gets it', async () => {
  const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 3, active: 3 } })
  const captain = await api.user()
  const team = await makeTeam(api, cup, captain, { members: [await api.user()] })
  const guests = await users(20)
  const guids: string[] = []
  for (const guest of guests) guids.push(await invited(cup, team, captain, guest))
  const replies = await Promise.all(
    guests.map((guest, at) => either(at).post(`/invitations/${guids[at]}/accept`, guest)),
  )
  expect(tally(replies)).toEqual({ 200: 1, '409 team.full': 19 })
  expect((await api.get(`/tournaments/${cup.id}/teams/${team.id}`)).body.members.length).toBe(3)
  await expectTrueCounts(cup)
})

test('a user who accepts ten teams at once is in one', async () => {
  const cup = await makeTournament(api, organiser)
  const guest = await api.user()
  const guids: string[] = []
  for (const captain of await users(10)) {
    guids.push(await invited(cup, await makeTeam(api, cup, captain), captain, guest))
  }
  const replies = await Promise.all(guids.map((guid, at) => either(at).post(`/invitations/${guid}/accept`, guest)))
  expect(tally(replies)).toEqual({ 200: 1, '409 user.has_team': 9 })
  await expectTrueCounts(cup)
})

test('one invitation that is accepted, declined and revoked at once has one outcome', async () => {
  const cup = await makeTournament(api, organiser)
  for (let round = 0; round < 4; round++) {
    const [captain, guest] = (await users(2)) as [Caller, Caller]
    const team = await makeTeam(api, cup, captain)
    const guid = await invited(cup, team, captain, guest)
    const replies = await Promise.all([
      api.post(`/invitations/${guid}/accept`, guest),
      sibling.post(`/invitations/${guid}/accept`, guest),
      api.post(`/invitations/${guid}/decline`, guest),
      sibling.delete(`/invitations/${guid}`, captain),
    ])
    expect(replies.filter(({ status }) => status < 300).length).toBe(1)
    const [row] = await api.sql<{ status: string }>('select status from team_invitations where guid = $1', [guid])
    const { body } = await api.get(`/tournaments/${cup.id}/teams/${team.id}`)
    expect(body.members.length).toBe(row?.status === 'accepted' ? 2 : 1)
  }
  await expectTrueCounts(cup)
})

test('one user who is invited ten times at once is invited once', async () => {
  const cup = await makeTournament(api, organiser)
  const [captain, guest] = (await users(2)) as [Caller, Caller]
  const team = await makeTeam(api, cup, captain)
  const path = `/tournaments/${cup.id}/teams/${team.id}/invitations`
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) => either(at).post(path, captain, { userIdentifier: guest.guid })),
  )
  expect(tally(replies)).toEqual({ 201: 1, '409 invitation.exists': 9 })
  expect(await api.sql('select count(*)::int from notifications where user_guid = $1', [guest.guid])).toEqual([
    { count: 1 },
  ])
})

test('a captain who creates ten teams at once has one', async () => {
  const cup = await makeTournament(api, organiser)
  const captain = await api.user()
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      either(at).post(`/tournaments/${cup.id}/teams`, at < 5 ? captain : organiser, { captainId: captain.guid }),
    ),
  )
  expect(tally(replies)).toEqual({ 200: 1, '403 user.has_team': 9 })
  await expectTrueCounts(cup)
})

test('creating a team and joining another at once leaves a user in one', async () => {
  const cup = await makeTournament(api, organiser)
  for (let round = 0; round < 4; round++) {
    const [captain, guest] = (await users(2)) as [Caller, Caller]
    const guid = await invited(cup, await makeTeam(api, cup, captain), captain, guest)
    const replies = await Promise.all([
      api.post(`/tournaments/${cup.id}/teams`, guest, { captainId: guest.guid }),
      sibling.post(`/invitations/${guid}/accept`, guest),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual(replies[0].status === 200 ? [200, 409] : [200, 403])
  }
  await expectTrueCounts(cup)
})

test('of ten who take the same name or id at once, one has it', async () => {
  const cup = await makeTournament(api, organiser)
  const create = (body: object) => async (captain: Caller, at: number) =>
    either(at).post(`/tournaments/${cup.id}/teams`, captain, { captainId: captain.guid, ...body })
  const byName = await Promise.all((await users(10)).map(create({ teamName: 'The Same' })))
  expect(tally(byName)).toEqual({ 200: 1, '400 team.name_taken': 9 })
  const byId = await Promise.all((await users(10)).map(create({ teamId: 'the-same' })))
  expect(tally(byId)).toEqual({ 200: 1, '400 team.id_taken': 9 })
  const teams = (await api.get(`/tournaments/${cup.id}/teams`)).body.teams as { id: string; captain: Caller }[]
  const renamed = await Promise.all(
    teams.map(({ id, captain }, at) =>
      api
        .token(captain, ['rest:write'])
        .then((token) =>
          either(at).call('PATCH', `/tournaments/${cup.id}/teams/${id}`, { token, body: { name: 'New' } }),
        ),
    ),
  )
  expect(tally(renamed)).toEqual({ 200: 1, '409 team.name_taken': 1 })
  await expectTrueCounts(cup)
})

test('of ten who take names that look the same at once, one has it', async () => {
  const cup = await makeTournament(api, organiser)
  const names = [
    'Saber',
    'ѕаber',
    'SABER',
    'Sab\u200Der',
    'Ｓａｂｅｒ',
    'Ѕaber',
    'saber\u3164',
    'Sаber',
    '𝐒aber',
    'sabеr',
  ]
  const captains = await users(names.length)
  const replies = await Promise.all(
    captains.map((captain, at) =>
      either(at).post(`/tournaments/${cup.id}/teams`, captain, { captainId: captain.guid, teamName: names[at] }),
    ),
  )
  expect(tally(replies)).toEqual({ 200: 1, '400 team.name_taken': 9 })
  await expectTrueCounts(cup)
})

test('the database refuses a name that looks taken, whoever writes it', async () => {
  const cup = await makeTournament(api, organiser)
  const [one, other] = (await users(2)) as [Caller, Caller]
  await makeTeam(api, cup, one, { name: 'Saber' })
  await expect(makeTeam(api, cup, other, { name: 'ЅАВЕR' })).rejects.toThrow(/teams_name_look/)
  await expect(makeTeam(api, cup, other, { name: 'SABER' })).rejects.toThrow(/teams_name_key/)
})

test('ten captains of one name who create at once get ten names', async () => {
  const cup = await makeTournament(api, organiser)
  const captains = await Promise.all(Array.from({ length: 10 }, () => api.user({ name: 'Echo' })))
  const replies = await Promise.all(
    captains.map((captain, at) =>
      either(at).post(`/tournaments/${cup.id}/teams`, captain, { captainId: captain.guid }),
    ),
  )
  expect(tally(replies)).toEqual({ 200: 10 })
  const names = replies.map(({ body }) => body.newTeam.name).sort()
  expect(names).toEqual(["Echo's team", ...[10, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `Echo's team ${n}`)])
})

test('a team that is deleted while people join it leaves nobody behind', async () => {
  const cup = await makeTournament(api, organiser)
  const captain = await api.user()
  const team = await makeTeam(api, cup, captain)
  const guests = await users(3)
  const guids: string[] = []
  for (const guest of guests) guids.push(await invited(cup, team, captain, guest))
  const replies = await Promise.all([
    ...guests.map((guest, at) => either(at).post(`/invitations/${guids[at]}/accept`, guest)),
    sibling.delete(`/tournaments/${cup.id}/teams`, captain, { teamGuid: team.guid }),
  ])
  expect(replies.at(-1)?.status).toBe(200)
  for (const { status } of replies) expect([200, 404]).toContain(status)
  expect(await api.sql('select teams, players from tournament_counts where tournament_guid = $1', [cup.guid])).toEqual([
    { teams: 0, players: 0 },
  ])
})

test('teams that are deleted while they are read are shown or unknown', async () => {
  const cup = await makeTournament(api, organiser)
  const captains = await users(12)
  for (const captain of captains) await makeTeam(api, cup, captain, { id: `of-${captain.guid.slice(0, 8)}` })
  const replies = await Promise.all(
    (await api.get(`/tournaments/${cup.id}/teams`)).body.teams.flatMap((team: { guid: string }, at: number) => [
      either(at).delete(`/tournaments/${cup.id}/teams`, organiser, { teamGuid: team.guid }),
      ...[0, 1, 2, 3].map(() => api.get(`/tournaments/${cup.id}/teams/${team.guid}`, organiser)),
      ...[0, 1, 2, 3].map(() => api.get(`/tournaments/${cup.id}/teams`, organiser)),
    ]),
  )
  expect(replies.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
})

test('a captaincy that is handed over twice at once stays with one member', async () => {
  const cup = await makeTournament(api, organiser)
  const [captain, first, second] = (await users(3)) as [Caller, Caller, Caller]
  const team = await makeTeam(api, cup, captain, { members: [first, second] })
  const path = `/tournaments/${cup.id}/teams/${team.id}`
  const replies = await Promise.all([
    api.patch(path, captain, { captain: first.guid }),
    sibling.patch(path, captain, { captain: second.guid }),
  ])
  expect(tally(replies)).toEqual({ 200: 1, '403 role.missing': 1 })
})

test('a team that withdraws ten times at once does so once', async () => {
  const cup = await makeTournament(api, organiser)
  const captain = await api.user()
  const team = await makeTeam(api, cup, captain, { status: 'qualified' })
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      either(at).post(`/tournaments/${cup.id}/teams/${team.id}/withdraw`, captain, { reason: 'Ill', policy: 'void' }),
    ),
  )
  expect(tally(replies)).toEqual({ 200: 1, '409 team.withdrawn': 9 })
  const counts = await api.sql('select registered, qualified from tournament_counts where tournament_guid = $1', [
    cup.guid,
  ])
  expect(counts).toEqual([{ registered: 0, qualified: 0 }])
})

test('of two members who take the last active place at once, one has it', async () => {
  const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 4, active: 2 } })
  const [captain, first, second] = (await users(3)) as [Caller, Caller, Caller]
  const team = await makeTeam(api, cup, captain, { members: [first, second] })
  await api.sql('update team_members set is_active = false where user_guid = any($1)', [[first.guid, second.guid]])
  const replies = await Promise.all(
    [first, second].map((member, at) =>
      either(at).patch(`/tournaments/${cup.id}/teams/${team.id}/members/${member.guid}`, captain, { isActive: true }),
    ),
  )
  expect(tally(replies)).toEqual({ 200: 1, '409 team.active_full': 1 })
})
