import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSheet, respond } from '../../../../test/availability.ts'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTeam, makeTournament, type TournamentOptions } from '../../../../test/make.ts'
import { makeAssignment } from '../../../../test/streaming.ts'

/** The agenda of the signed-in user. (additions: Agenda) */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const path = '/users/@me/agenda'
const inHours = (hours: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + hours * 3_600_000)
const cupWith = (options: TournamentOptions = {}) => makeTournament(api, organiser, options)

// biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member.
type Agenda = any
async function agendaOf(user: Caller, query = ''): Promise<Agenda> {
  const reply = await api.get(path + query, user)
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  return reply.body
}
const nothing = {
  matches: [],
  duties: [],
  streams: [],
  invitations: [],
  sheets: [],
  deadlines: [],
  rosterProblems: [],
}
const numbersOf = (entries: Agenda) => entries.map(({ match }: Agenda) => match.number)
const kindsOf = ({ deadlines }: Agenda) => deadlines.map(({ kind }: Agenda) => kind)

test('is empty for somebody who is in no tournament, and for nobody else', async () => {
  expect(await agendaOf(await api.user())).toEqual(nothing)
  expect(outcome(await api.get(path, null))).toEqual([401, 'token.missing'])
  const narrow = await api.user({ scopes: ['ws:read'] })
  expect(outcome(await api.get(path, narrow))).toEqual([401, 'scope.missing'])
})

test.each([
  '?from=2026-05-02T00:00:00Z&to=2026-05-01T00:00:00Z',
  '?from=2026-05-01T00:00:00Z&to=2028-05-01T00:00:00Z',
  '?from=1970-01-01T00:00:00Z',
])('%s is no period', async (query) => {
  expect(outcome(await api.get(path + query, await api.user()))).toEqual([400, 'calendar.window_invalid'])
})

describe('matches', () => {
  test('of one’s teams and those at which one works, in the period, and what can be played now', async () => {
    const made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
    const [player, opponent] = [made.captains[0] as Caller, made.captains[7] as Caller]
    const referee = await api.user()
    const at = async (number: number, when: Date | null, body: object = {}) => {
      const reply = await api.patch(made.match(number), made.organiser, { scheduledAt: when?.toISOString(), ...body })
      expect([number, reply.status]).toEqual([number, 200])
    }
    const planned = inHours(48)
    await at(1, planned, { officials: [{ user: referee.guid, role: 'role:referee' }] })
    const agenda = await agendaOf(player)
    expect(agenda).toEqual({ ...nothing, matches: [{ teamGuid: made.teams[0]?.guid, match: expect.anything() }] })
    const [{ match }] = agenda.matches
    expect(match).toMatchObject({
      number: 1,
      status: 'ready',
      tournament: { guid: made.cup.guid },
      scheduledAt: planned.toISOString(),
      sides: [{ team: { id: 'team-1' } }, { team: { id: 'team-8' } }],
    })
    expect(numbersOf((await agendaOf(opponent)).matches)).toEqual([1])
    const duties = await agendaOf(referee)
    expect(duties).toEqual({ ...nothing, duties: [{ role: 'role:referee', match }] })

    // Outside the next 30 days, and in a period of one's own.
    await at(1, inHours(24 * 31))
    for (const user of [player, referee]) expect(await agendaOf(user)).toEqual(nothing)
    const far = `?from=${inHours(24 * 30.5).toISOString()}&to=${inHours(24 * 32).toISOString()}`
    expect(numbersOf((await agendaOf(player, far)).matches)).toEqual([1])
    expect(numbersOf((await agendaOf(referee, far)).duties)).toEqual([1])
    // A match that runs is there, whatever its time.
    expect((await api.post(`${made.match(1)}/start`, made.organiser)).status).toBe(200)
    expect(numbersOf((await agendaOf(player)).matches)).toEqual([1])
    expect((await agendaOf(player, `?from=${inHours(1).toISOString()}`)).matches).toEqual([])

    // One that is ready and has no time comes first.
    const other = made.captains[3] as Caller
    const [unset] = (await agendaOf(other)).matches
    expect([unset.match.scheduledAt, unset.match.status]).toEqual([null, 'ready'])
  })

  test('the next one is there as soon as one’s team is in it, without a time after those with one', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
    const referee = await api.user()
    const [winner, loser] = [made.captains[0] as Caller, made.captains[3] as Caller]
    const next = async (user: Caller) =>
      (await agendaOf(user)).matches.map(({ match }: Agenda) => [match.number, match.status, match.scheduledAt])
    const final = made.bracket.rounds.find(({ section, number }: Agenda) => section === 'upper' && number === 2)
    const upper = (await api.get(`/tournaments/${made.cup.id}/matches/${final.matchGuids[0]}`, null)).body.number
    const officials = [{ user: referee.guid, role: 'role:referee' }]
    expect((await api.patch(made.match(upper), made.organiser, { officials })).status).toBe(200)
    // No team is in it yet.
    expect(await agendaOf(referee)).toEqual(nothing)
    await made.win(1, 'team-1')
    expect(await next(winner)).toEqual([[upper, 'waiting', null]])
    expect(await next(loser)).toMatchObject([[expect.any(Number), 'waiting', null]])
    expect(numbersOf((await agendaOf(referee)).duties)).toEqual([upper])
    // Those of the period come before it, and other periods have nothing of it.
    const other = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await api.sql('update team_members set user_guid = $1 where user_guid = $2', [winner.guid, other.captains[0]?.guid])
    const time = inHours(48).toISOString()
    expect((await api.patch(other.match(1), other.organiser, { scheduledAt: time })).status).toBe(200)
    expect(await next(winner)).toEqual([
      [1, 'ready', time],
      [upper, 'waiting', null],
    ])
    expect((await agendaOf(winner, `?from=${inHours(1).toISOString()}`)).matches).toHaveLength(1)
    // Its other side comes, and then it comes first.
    await made.win(2, 'team-2')
    expect(await next(winner)).toEqual([
      [upper, 'ready', null],
      [1, 'ready', time],
    ])
    await api.sql(`update tournaments set status = 'draft' where guid = $1`, [made.cup.guid])
    expect(await next(winner)).toEqual([[1, 'ready', time]])
  })

  test('of teams that one left, and of tournaments that are over, are not one’s own', async () => {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const [captain] = made.captains as [Caller]
    expect((await agendaOf(captain)).matches).toHaveLength(1)
    await api.sql(`update tournaments set status = 'completed' where guid = $1`, [made.cup.guid])
    expect(await agendaOf(captain)).toEqual(nothing)
    await api.sql(`update tournaments set status = 'ongoing' where guid = $1`, [made.cup.guid])
    await api.sql('delete from team_members where user_guid = $1', [captain.guid])
    expect(await agendaOf(captain)).toEqual(nothing)
  })

  test('assignments to streams are there until they are cancelled', async () => {
    const cup = await cupWith({ status: 'ongoing' })
    const caster = await api.user()
    const guid = await makeAssignment(api, cup, caster, { role: 'caster', from: 120, to: 240 })
    expect(await agendaOf(caster)).toMatchObject({ streams: [{ role: 'caster', tournament: { guid: cup.guid } }] })
    await api.sql('update stream_assignments set cancelled_at = now() where guid = $1', [guid])
    expect(await agendaOf(caster)).toEqual(nothing)
  })
})

describe('what is hidden', () => {
  test('a draft is for its staff alone: players, officials and captains learn nothing of it', async () => {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const [player, referee] = [made.captains[0] as Caller, await api.user()]
    await api.patch(made.match(1), made.organiser, {
      scheduledAt: inHours(3).toISOString(),
      officials: [{ user: referee.guid, role: 'role:referee' }],
    })
    await makeAssignment(api, made.cup, player, { from: 120, to: 240 })
    await makeSheet(api, made.cup, made.organiser, { audience: 'teams' })
    await api.sql(
      `update tournaments set status = 'draft', roster_locks_at = $2, starts_at = $2, requirements = '{"emailVerified":true}'
       where guid = $1`,
      [made.cup.guid, inHours(5)],
    )
    for (const user of [player, referee]) expect(await agendaOf(user)).toEqual(nothing)
    await grantRole(api, made.cup, referee, 'role:referee')
    expect(numbersOf((await agendaOf(referee)).duties)).toEqual([1])
    await api.sql(`update tournaments set status = 'cancelled', approved_at = null where guid = $1`, [made.cup.guid])
    expect(await agendaOf(referee)).toEqual(nothing)
  })

  test('a team’s problems are told to its members alone', async () => {
    const cup = await cupWith({ requirements: { emailVerified: true } })
    const [captain, member, other] = await Promise.all([api.user(), api.user(), api.user()])
    await makeTeam(api, cup, captain, { members: [member] })
    await grantRole(api, cup, other, 'role:caster')
    for (const user of [captain, member]) expect((await agendaOf(user)).rosterProblems).toHaveLength(1)
    expect((await agendaOf(other)).rosterProblems).toEqual([])
  })
})

test('invitations are those that can be accepted', async () => {
  const cup = await cupWith()
  const [captain, invited] = await Promise.all([api.user(), api.user()])
  const team = await makeTeam(api, cup, captain)
  const reply = await api.post(`/tournaments/${cup.guid}/teams/${team.guid}/invitations`, captain, {
    userIdentifier: invited.guid,
  })
  expect(reply.status).toBe(201)
  expect(await agendaOf(invited)).toEqual({ ...nothing, invitations: [reply.body] })
  expect((await api.get('/users/@me/invitations', invited)).body).toEqual([reply.body])
  await api.post(`/invitations/${reply.body.guid}/decline`, invited)
  expect(await agendaOf(invited)).toEqual(nothing)
})

test('sheets are those that are open and ask oneself or one’s team; whether they were answered is told', async () => {
  const cup = await cupWith({ status: 'ongoing' })
  const [referee, caster, captain, member] = (await Promise.all([1, 2, 3, 4].map(() => api.user()))) as [
    Caller,
    Caller,
    Caller,
    Caller,
  ]
  await grantRole(api, cup, referee, 'role:referee')
  await grantRole(api, cup, caster, 'role:caster')
  const team = await makeTeam(api, cup, captain, { members: [member], status: 'registered' })
  const window = {
    startsAt: inHours(24)
      .toISOString()
      .replace(/:\d\d:\d\d\./, ':00:00.'),
    endsAt: '',
  }
  window.endsAt = new Date(Date.parse(window.startsAt) + 3_600_000).toISOString()
  const sheet = (title: string, body: object) => makeSheet(api, cup, organiser, { title, windows: [window], ...body })
  const ofReferees = await sheet('Referees', { roles: ['role:referee'], closesAt: inHours(5).toISOString() })
  await sheet('Everybody', {})
  await sheet('Teams', { audience: 'teams' })
  await sheet('Qualified', { audience: 'teams', teamEligibility: 'qualified' })
  const closed = await sheet('Closed', { closesAt: inHours(1).toISOString() })
  await api.sql(`update availability_sheets set closes_at = now() - interval '1 minute' where guid = $1`, [closed.guid])

  const told = async (user: Caller) =>
    (await agendaOf(user)).sheets.map(({ title, answered, team: of }: Agenda) => [title, answered, of?.guid ?? null])
  expect(await told(referee)).toEqual([
    ['Referees', false, null],
    ['Everybody', false, null],
  ])
  expect(await told(caster)).toEqual([['Everybody', false, null]])
  expect(await told(captain)).toEqual([['Teams', false, team.guid]])
  expect(await told(member)).toEqual([])
  const answer = await respond(api, ofReferees, referee, [{ status: 'available', ...window }])
  expect(answer.status).toBe(200)
  expect(await told(referee)).toEqual([
    ['Referees', true, null],
    ['Everybody', false, null],
  ])
})

describe('deadlines', () => {
  const dates = {
    registrationOpensAt: inHours(1),
    registrationClosesAt: inHours(2),
    rosterLocksAt: inHours(3),
    startsAt: inHours(24),
    endsAt: inHours(48),
  }

  test('are those that matter to what one is in the tournament', async () => {
    const cup = await cupWith(dates)
    await api.sql(
      `insert into qualifiers (tournament_guid, status, opens_at, closes_at, attempts, hide_scores, method, settings)
       values ($1, 'draft', $2, $3, 0, true, 'sum_of_scores', '{}')`,
      [cup.guid, inHours(4), inHours(5)],
    )
    const [candidate, registered, caster, staff, stranger] = (await Promise.all(
      Array.from({ length: 5 }, () => api.user()),
    )) as [Caller, Caller, Caller, Caller, Caller]
    const team = await makeTeam(api, cup, candidate)
    await makeTeam(api, cup, registered, { status: 'registered' })
    await grantRole(api, cup, caster, 'role:caster')
    await grantRole(api, cup, staff, 'role:staff')
    const agenda = await agendaOf(candidate)
    expect(kindsOf(agenda)).toEqual(['registration_opens', 'registration_closes', 'roster_locks'])
    expect(agenda.deadlines[0]).toEqual({
      kind: 'registration_opens',
      at: dates.registrationOpensAt.toISOString(),
      team: { guid: team.guid, id: team.id, name: team.name, imageUrl: null, color: null },
      tournament: { guid: cup.guid, id: cup.id, name: `Tournament ${cup.id}`, imageUrl: null, timezone: 'UTC' },
    })
    expect(kindsOf(await agendaOf(registered))).toEqual(['qualifier_opens', 'qualifier_closes', 'tournament_starts'])
    expect(kindsOf(await agendaOf(caster))).toEqual(['tournament_starts'])
    expect(kindsOf(await agendaOf(staff))).toEqual(['registration_opens', 'registration_closes', 'tournament_starts'])
    expect(await agendaOf(stranger)).toEqual(nothing)
    const soon = `?to=${inHours(1.5).toISOString()}`
    expect(kindsOf(await agendaOf(candidate, soon))).toEqual(['registration_opens'])
  })
})

describe('roster problems', () => {
  test('are what registration would refuse: of a team with a place always, of another while it can ask for one', async () => {
    const problems = async (options: TournamentOptions, status: 'unregistered' | 'registered') => {
      const cup = await cupWith({ teamSize: { min: 2, max: 4, active: 2 }, ...options })
      const captain = await api.user()
      const team = await makeTeam(api, cup, captain, { status })
      const { rosterProblems } = await agendaOf(captain)
      return rosterProblems.map(({ team: of, eligibility }: Agenda) => [
        of.guid === team.guid,
        ...eligibility.team.failures.map(({ code }: Agenda) => code),
      ])
    }
    const small = [[true, 'team.too_small']]
    expect(await problems({}, 'unregistered')).toEqual(small)
    expect(await problems({ registrationOpensAt: inHours(2) }, 'unregistered')).toEqual(small)
    expect(await problems({ registrationClosesAt: inHours(-1) }, 'unregistered')).toEqual([])
    expect(await problems({ status: 'ongoing' }, 'unregistered')).toEqual([])
    expect(await problems({ status: 'ongoing', registrationClosesAt: inHours(-1) }, 'registered')).toEqual(small)
    expect(await problems({ teamSize: { min: 1, max: 4, active: 1 } }, 'registered')).toEqual([])
    expect(await problems({ status: 'completed' }, 'registered')).toEqual([])
  })
})

test('somebody in 20 tournaments is answered by the same number of statements as in one', async () => {
  const counted = async (tournaments: number) => {
    const user = await api.user()
    for (let made = 0; made < tournaments; made++) {
      const cup = await cupWith({ teamSize: { min: 2, max: 4, active: 2 } })
      await makeTeam(api, cup, user, { status: 'registered' })
    }
    const reply = await api.get(path, user)
    expect(reply.body.rosterProblems).toHaveLength(tournaments)
    return /sql;dur=[\d.]+;desc="(\d+)/.exec(reply.headers.get('server-timing') ?? '')?.[1]
  }
  const one = await counted(1)
  expect(one).toMatch(/^\d+$/)
  expect(await counted(20)).toBe(one)
})
