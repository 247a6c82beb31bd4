import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import {
  grantRole,
  type MadeTournament,
  makeTeam,
  makeTournament,
  type TournamentOptions,
} from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** The registration desk, and the notes of the staff. (additions: Registration desk) */

let rankings: Awaited<ReturnType<typeof startFakeScoreSaber>>
let api: Harness
let organiser: Caller
beforeAll(async () => {
  rankings = await startFakeScoreSaber()
  api = await startHarness({ rankingAUrl: rankings.url })
  organiser = await api.user({ name: 'maestro' })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rankings.close()
})

const shirt = '7f0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'
const privateField = {
  guid: shirt,
  label: 'Shirt',
  help: null,
  type: 'text',
  required: true,
  options: [],
  subject: 'team',
  private: true,
}

const deskOf = (cup: MadeTournament, as: Caller | null = organiser, query = '') =>
  api.get(`/tournaments/${cup.guid}/registrations${query}`, as)

// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole elsewhere.
type Row = any
const codesOf = ({ eligibility }: Row) => [
  ...eligibility.team.failures.map(({ code }: Row) => code),
  ...eligibility.players.flatMap(({ failures }: Row) => failures.map(({ code }: Row) => code)),
]
const namesOf = (body: Row): string[] => body.teams.map(({ team }: Row) => team.name)

async function staffed(options: TournamentOptions = {}) {
  const cup = await makeTournament(api, organiser, options)
  const [staff, caster] = await Promise.all([api.user(), api.user()])
  await grantRole(api, cup, staff, 'role:staff')
  await grantRole(api, cup, caster, 'role:caster')
  return { cup, staff, caster }
}

test('sends captains a message of the staff once, and says whose captain has no account', async () => {
  const { cup, staff } = await staffed()
  const captain = await api.user({ name: 'quaver' })
  const one = await makeTeam(api, cup, captain)
  const elsewhere = await makeTournament(api, organiser)
  const foreign = await makeTeam(api, elsewhere, await api.user())
  const sheet = await api.post(`/tournaments/${cup.guid}/teams/import`, organiser, {
    rows: [{ teamName: 'Absent', captain: 'Longa' }],
  })
  const absent: string = sheet.body.rows[0].team.guid
  const message = (teams: readonly string[], as = organiser, text = 'Answer until *Friday*.') =>
    api.post(`/tournaments/${cup.guid}/registrations/messages`, as, { teams, text })
  const inboxOf = async (user: Caller) =>
    (await api.get('/users/@me/notifications', user)).body.notifications.filter(
      ({ type }: Row) => type === 'registration.message',
    )
  // A refusal sends nothing.
  for (const refused of [
    message([one.guid], staff),
    message([one.guid], captain),
    message([one.guid, foreign.guid]),
    message([]),
    message([one.guid], organiser, '  '),
  ])
    expect((await refused).status).toBeGreaterThanOrEqual(400)
  expect(await inboxOf(captain)).toEqual([])
  const sent = await message([one.guid, one.guid.toUpperCase(), absent])
  expect(sent.body, sent.text).toEqual({ sent: 1, unreached: [absent] })
  expect(await inboxOf(captain)).toMatchObject([
    {
      title: expect.stringMatching(/^Message from the staff of \S/),
      body: 'Answer until *Friday*.',
      data: { tournamentGuid: cup.guid, teamGuid: one.guid },
    },
  ])
  const { entries } = (await api.get(`/tournaments/${cup.guid}/audit`, staff)).body
  expect(JSON.stringify(entries[0])).toContain(absent)
  expect(JSON.stringify(entries)).not.toContain('Friday')
})

test('shows every team with status, members, answers, verdict and note, to all staff alike', async () => {
  const { cup, staff, caster } = await staffed({
    capacity: 2,
    teamSize: { min: 2, max: 4, active: 2 },
    additionalFields: [privateField],
    registrationClosesAt: new Date(Date.now() - 60_000),
  })
  const [captain, mate, alone] = await Promise.all([api.user({ name: 'Quaver' }), api.user(), api.user()])
  const whole = await makeTeam(api, cup, captain, { name: 'The Quavers', members: [mate], status: 'registered' })
  await makeTeam(api, cup, alone, { name: 'Offbeat' })
  await api.sql('insert into field_answers (team_guid, field_guid, response, is_private) values ($1, $2, $3, true)', [
    whole.guid,
    shirt,
    JSON.stringify('L'),
  ])
  const reply = await deskOf(cup)
  expect(reply.status).toBe(200)
  expect(reply.body.registration).toEqual({
    state: 'closed',
    opensAt: null,
    closesAt: expect.any(String),
    capacity: 2,
    registered: 1,
  })
  expect(reply.body.nextCursor).toBeNull()
  const [first, second] = reply.body.teams
  const [row] = await api.sql<{ at: Date }>('select registered_at as at from teams where guid = $1', [whole.guid])
  expect(first).toEqual({
    team: { guid: whole.guid, id: whole.id, name: 'The Quavers', imageUrl: null, color: null },
    status: 'registered',
    seed: null,
    since: row?.at.toISOString(),
    withdrawnAt: null,
    changedAt: null,
    members: [
      { guid: captain.guid, name: 'Quaver', isActive: true, isCaptain: true },
      { guid: mate.guid, name: mate.username, isActive: true, isCaptain: false },
    ],
    answers: [{ fieldGuid: shirt, userGuid: null, response: 'L' }],
    // Public registration is over, which says nothing about a team.
    eligibility: {
      eligible: true,
      team: { failures: [] },
      players: [captain, mate].map(({ guid }) => ({ userGuid: guid, failures: [] })),
      requiredFields: [],
    },
    note: null,
    notedAt: null,
  })
  expect(codesOf(second)).toEqual(['team.too_small', 'field.unanswered'])
  expect(second.eligibility.requiredFields).toEqual([shirt])
  for (const caller of [staff, caster]) expect((await deskOf(cup, caller)).body).toEqual(reply.body)
})

test('is for the staff alone; a draft is unknown to others', async () => {
  const { cup } = await staffed()
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const captain = await api.user()
  await makeTeam(api, cup, captain)
  expect(outcome(await deskOf(cup, null))).toEqual([401, 'token.missing'])
  expect(outcome(await deskOf(cup, captain))).toEqual([403, 'role.missing'])
  expect(outcome(await deskOf(draft, captain))).toEqual([404, 'tournament.unknown'])
  expect(outcome(await deskOf(cup, organiser, '?filter=late'))[0]).toBe(400)
  expect(outcome(await deskOf(cup, organiser, '?limit=501'))[0]).toBe(400)
  expect(outcome(await deskOf(cup, organiser, '?before=nonsense'))).toEqual([400, 'cursor.invalid'])
})

describe('the verdict', () => {
  test('is that of registration: a ready team is registered by the organiser, a blocked one is refused for what the desk says', async () => {
    const { cup } = await staffed({
      capacity: 3,
      teamSize: { min: 1, max: 2, active: 1 },
      requirements: { emailVerified: true },
    })
    const verified = await api.user()
    await api.sql(`update users set email_verified_at = now() where guid = $1`, [verified.guid])
    const good = await makeTeam(api, cup, verified)
    const bad = await makeTeam(api, cup, await api.user())
    const { teams } = (await deskOf(cup)).body
    for (const [index, { guid }] of [good, bad].entries()) {
      const reply = await api.post(`/tournaments/${cup.guid}/register/${guid}`, organiser)
      const { eligible, team, players, requiredFields } = teams[index].eligibility
      expect(reply.status).toBe(eligible ? 200 : 400)
      if (!eligible) expect(reply.body.eligibility).toMatchObject({ eligible, team, players, requiredFields })
    }
    expect(codesOf(teams[1])).toEqual(['email.not_verified'])
  })

  test('of a team with a place is whether it would get that place again; a full cup blocks others alone', async () => {
    const { cup } = await staffed({ capacity: 2, requirements: { emailVerified: true } })
    const verified = await Promise.all([1, 2].map(() => api.user()))
    await api.sql(`update users set email_verified_at = now() where guid = any($1)`, [verified.map(({ guid }) => guid)])
    await makeTeam(api, cup, verified[0] as Caller, { name: 'Placed', status: 'registered' })
    await makeTeam(api, cup, await api.user(), { name: 'No longer', status: 'qualified' })
    await makeTeam(api, cup, verified[1] as Caller, { name: 'Waiting' })
    const { body } = await deskOf(cup)
    expect(body.teams.map(codesOf)).toEqual([[], ['email.not_verified'], ['registration.full']])
  })

  test('of a team that withdrew says so, since then', async () => {
    const { cup } = await staffed()
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain, { status: 'registered' })
    const address = `/tournaments/${cup.guid}/teams/${team.guid}/withdraw`
    expect((await api.post(address, captain, { reason: 'Ill.', policy: 'walkover' })).status).toBe(200)
    const [row] = (await deskOf(cup)).body.teams
    expect(codesOf(row)).toEqual(['team.withdrawn'])
    expect(row.since).toBe(row.withdrawnAt)
  })

  test('asks the ranking platforms for 40 players at a time, and for none on behalf of followers', async () => {
    const { cup, staff } = await staffed({ requirements: { rankA: { max: 100 } } })
    const players = await Promise.all(Array.from({ length: 43 }, () => api.user()))
    for (const [index, player] of players.entries()) {
      const { id } = rankings.players.add({ rank: index === 0 ? 500 : 50 })
      await api.sql(
        `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', $2, now())`,
        [player.guid, id],
      )
      await makeTeam(api, cup, player)
    }
    const counts = async () => {
      const { teams } = (await deskOf(cup, organiser, '?limit=100')).body
      const codes = Map.groupBy(teams.flatMap(codesOf) as string[], (code) => code)
      return Object.fromEntries([...codes].map(([code, all]) => [code, all.length]))
    }
    const before = rankings.requests.length
    await using socket = await openSocket(api, { as: staff })
    const topic = `/tournaments/${cup.guid}/registrations`
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
    expect(rankings.requests.length).toBe(before)
    expect(await counts()).toEqual({ 'ranking_a.out_of_range': 1, 'ranking.unreachable': 3 })
    expect(rankings.requests.length).toBe(before + 40)
    expect(await counts()).toEqual({ 'ranking_a.out_of_range': 1 })
    expect(rankings.requests.length).toBe(before + 43)
  })
})

describe('filters', () => {
  test('show what is ready, what is blocked, and what changed since it was registered', async () => {
    const { cup } = await staffed({ teamSize: { min: 1, max: 3, active: 1 }, requirements: { emailVerified: true } })
    const users = await Promise.all(Array.from({ length: 7 }, () => api.user()))
    await api.sql('update users set email_verified_at = now() where guid = any($1)', [
      users.slice(0, 5).map(({ guid }) => guid),
    ])
    const [a, b, c, mate, d, e, f] = users as [Caller, Caller, Caller, Caller, Caller, Caller, Caller]
    await makeTeam(api, cup, a, { name: 'Ready' })
    await makeTeam(api, cup, b, { name: 'Placed', status: 'registered' })
    const shrunk = await makeTeam(api, cup, c, { name: 'Shrunk', members: [mate], status: 'registered' })
    const renamed = await makeTeam(api, cup, d, { name: 'Renaming', status: 'qualified' })
    await makeTeam(api, cup, e, { name: 'Blocked' })
    await makeTeam(api, cup, f, { name: 'Placed and blocked', status: 'registered' })
    const path = `/tournaments/${cup.guid}/teams`
    expect((await api.delete(`${path}/${shrunk.guid}/members/${mate.guid}`, organiser)).status).toBe(204)
    expect((await api.patch(`${path}/${renamed.guid}`, organiser, { name: 'Renamed' })).status).toBe(200)
    // Seeds do not change what was registered.
    expect((await api.post(`/tournaments/${cup.guid}/qualify/${shrunk.guid}`, organiser, { seed: 1 })).status).toBe(200)
    const names = async (filter: string) => namesOf((await deskOf(cup, organiser, `?filter=${filter}`)).body)
    expect(await names('ready')).toEqual(['Ready'])
    expect(await names('blocked')).toEqual(['Blocked', 'Placed and blocked'])
    expect(await names('changed')).toEqual(['Shrunk', 'Renamed'])
    // A team that is registered anew is as it was registered.
    for (const verb of ['unregister', 'register']) {
      expect((await api.post(`/tournaments/${cup.guid}/${verb}/${shrunk.guid}`, organiser)).status).toBe(200)
    }
    expect(await names('changed')).toEqual(['Renamed'])
  })

  test('a withdrawal that is taken back leaves a team as it was registered', async () => {
    const { cup } = await staffed()
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain, { status: 'registered' })
    const path = `/tournaments/${cup.guid}/teams/${team.guid}`
    expect((await api.post(`${path}/withdraw`, captain, { reason: 'Ill.', policy: 'walkover' })).status).toBe(200)
    expect((await api.delete(`${path}/withdrawal`, organiser, { revisions: {} })).status).toBe(200)
    expect((await deskOf(cup, organiser, '?filter=changed')).body.teams).toEqual([])
  })

  test('pages lead through all teams, whatever the filter; 500 teams are one page', async () => {
    const { cup } = await staffed({ requirements: { emailVerified: true } })
    await api.sql(
      `with made as (
         insert into users (chat_platform_id, username, preferred_name, avatar_url, email_verified_at)
         select '77000000' || n, 'desk-' || n, 'Desk ' || n, '', case when n > 510 then now() end
         from generate_series(1, 512) n returning guid, username),
       teamed as (
         insert into teams (tournament_guid, id, name, captain_guid, created_at)
         select $1, username, username, guid, now() + substr(username, 6)::int * interval '1 ms' from made
         returning guid, captain_guid)
       insert into team_members (team_guid, tournament_guid, user_guid) select guid, $1, captain_guid from teamed`,
      [cup.guid],
    )
    const all = await deskOf(cup, organiser, '?limit=500')
    expect(all.body.teams).toHaveLength(500)
    expect((await deskOf(cup, organiser, `?limit=500&before=${all.body.nextCursor}`)).body.teams).toHaveLength(12)
    // Only the last two are ready, and one page looks at 500 teams.
    const none = await deskOf(cup, organiser, '?filter=ready')
    expect(none.body.teams).toEqual([])
    const rest = await deskOf(cup, organiser, `?filter=ready&before=${none.body.nextCursor}`)
    expect(namesOf(rest.body)).toEqual(['desk-511', 'desk-512'])
    expect(rest.body.nextCursor).toBeNull()
    const names: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await deskOf(cup, organiser, `?filter=blocked&limit=100${cursor && `&before=${cursor}`}`)
      names.push(...namesOf(page.body))
      cursor = page.body.nextCursor
    }
    expect(names).toEqual(Array.from({ length: 510 }, (_, index) => `desk-${index + 1}`))
  })
})

describe('notes', () => {
  const noteOf = (cup: MadeTournament, team: { guid: string }, as: Caller | null, note: unknown) =>
    api.put(`/tournaments/${cup.guid}/registrations/${team.guid}/note`, as, { note })

  test('are written by organiser and staff, seen by staff alone, and survive what happens to the team', async () => {
    const { cup, staff, caster } = await staffed()
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain)
    const reply = await noteOf(cup, team, staff, '  Paid in cash. ')
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ note: 'Paid in cash.', notedAt: expect.any(String) })
    for (const [as, refusal] of [
      [caster, [403, 'role.missing']],
      [captain, [403, 'role.missing']],
      [null, [401, 'token.missing']],
    ] as const) {
      expect(outcome(await noteOf(cup, team, as, 'Mine.'))).toEqual(refusal)
    }
    expect(outcome(await noteOf(cup, { guid: cup.guid }, staff, 'x'))).toEqual([404, 'team.unknown'])
    expect((await noteOf(cup, team, staff, 'x'.repeat(2_001))).status).toBe(400)
    expect((await noteOf(cup, team, staff, 7)).status).toBe(400)
    expect((await api.post(`/tournaments/${cup.guid}/register/${team.guid}`, captain)).status).toBe(200)
    expect((await deskOf(cup, caster)).body.teams[0]).toMatchObject(reply.body)
    for (const as of [null, captain]) {
      expect((await api.get(`/tournaments/${cup.guid}/teams/${team.guid}`, as)).text).not.toContain('Paid')
    }
    const event = `select actor, before, after from event_log where type = 'registration.noted' and tournament = $1`
    expect(await api.sql(event, [cup.guid])).toEqual([
      { actor: staff.guid, before: { noted: false }, after: { noted: true } },
    ])
    // The same text again is no change; an empty one removes it.
    expect((await noteOf(cup, team, organiser, 'Paid in cash.')).body).toEqual(reply.body)
    expect(await api.sql(event, [cup.guid])).toHaveLength(1)
    for (const empty of ['', null]) {
      expect((await noteOf(cup, team, organiser, empty)).body).toEqual({ note: null, notedAt: null })
    }
    expect((await deskOf(cup)).body.teams[0].note).toBeNull()
  })

  test('written at once by many: one of them stands, and each is in the audit in turn', async () => {
    const { cup } = await staffed()
    const team = await makeTeam(api, cup, await api.user())
    const texts = Array.from({ length: 12 }, (_, index) => `Note ${index}`)
    const replies = await Promise.all(texts.map((text) => noteOf(cup, team, organiser, text)))
    expect(replies.map(({ status }) => status)).toEqual(texts.map(() => 200))
    const events = await api.sql<{ before: { noted: boolean } }>(
      `select before from event_log where type = 'registration.noted' and tournament = $1 order by seq`,
      [cup.guid],
    )
    expect(events.map(({ before }) => before.noted)).toEqual(texts.map((_, index) => index > 0))
    const [row] = (await deskOf(cup)).body.teams
    const latest = replies.map(({ body }) => body).filter(({ notedAt }) => notedAt === row.notedAt)
    expect(latest.map(({ note }) => note)).toContain(row.note)
  })
})

test('can be followed: notes, registrations, mail addresses and settings reach the desk', async () => {
  const { cup, staff } = await staffed({ requirements: { emailVerified: true } })
  const captain = await api.user()
  const team = await makeTeam(api, cup, captain)
  const topic = `/tournaments/${cup.guid}/registrations`
  await using socket = await openSocket(api, { as: staff })
  expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
  await using outsider = await openSocket(api, { as: captain })
  expect(await outsider.ask({ type: 'subscribe', topic })).toMatchObject({ code: 'topic.unknown' })
  const same = async (check: (row: Row) => void) =>
    vi.waitFor(
      async () => {
        const { body } = await deskOf(cup)
        check(body.teams[0])
        expect(socket.copies.of(topic).body).toEqual(body)
      },
      { timeout: 20_000, interval: 50 },
    )
  await api.put(`${topic}/${team.guid}/note`, organiser, { note: 'Asked.' })
  await same((row) => expect(row.note).toBe('Asked.'))
  await api.patch(`/tournaments/${cup.guid}`, organiser, { requirements: {} })
  await same((row) => expect(row.eligibility.eligible).toBe(true))
  await api.post(`/tournaments/${cup.guid}/register/${team.guid}`, captain)
  await same((row) => expect(row.status).toBe('registered'))
})
