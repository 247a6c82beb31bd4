import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strayEvent } from '../../../../test/event-log.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { grantRole } from '../../../../test/make.ts'
import { allTold, messagesOf } from '../../../../test/notifications.ts'
import { makeWorld, nobody } from '../../../../test/world.ts'
import type { NewEvent } from '../../../core/events.ts'
import { emit } from '../../../infra/events/emit.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const allNotified = () => allTold(api)
const messages = (user: Caller) => messagesOf(api, user)
const types = async (user: Caller) => (await messages(user)).map(({ type }) => type)
const happen = (event: NewEvent) => api.app.database.transaction(async (tx) => emit(tx, event))

describe('what is told', () => {
  test('members learn what somebody else did with their team, newest first', async () => {
    const { organiser, captain, member, tournament, team } = await makeWorld(api)
    const at = (verb: string) => `/tournaments/${tournament.guid}/${verb}/${team}`
    expect((await api.post(at('register'), organiser)).status).toBe(200)
    expect((await api.post(at('qualify'), organiser, { seed: 3 })).status).toBe(200)
    expect((await api.post(at('disqualify'), organiser)).status).toBe(200)
    expect((await api.post(at('unregister'), organiser)).status).toBe(200)
    const withdrawal = { reason: 'They do not answer.', policy: 'walkover' }
    const withdrawn = await api.post(`/tournaments/${tournament.guid}/teams/${team}/withdraw`, organiser, withdrawal)
    expect(withdrawn.status).toBe(200)
    const data = { teamGuid: team, tournamentGuid: tournament.guid }
    const name = `Tournament ${tournament.id}`
    const expected = [
      { type: 'team.withdrawn', title: `the-team was withdrawn from ${name}`, body: '', data },
      { type: 'team.unregistered', title: `the-team is no longer registered for ${name}`, body: '', data },
      {
        type: 'team.disqualified',
        title: `the-team is no longer among the qualified teams of ${name}`,
        body: '',
        data,
      },
      { type: 'team.qualified', title: `the-team has qualified in ${name}`, body: 'Its seed is 3.', data },
      { type: 'team.registered', title: `the-team is registered for ${name}`, body: '', data },
    ]
    expect(await messages(captain)).toEqual(expected)
    expect(await messages(member)).toEqual(expected)
    expect(await messages(organiser)).toEqual([])
  })

  test('nobody is told of what they did themselves', async () => {
    const { captain, member, tournament, team } = await makeWorld(api)
    expect((await api.post(`/tournaments/${tournament.guid}/register/${team}`, captain)).status).toBe(200)
    expect(await types(member)).toEqual(['team.registered'])
    expect(await types(captain)).toEqual([])
  })

  test('a new seed is told, the same seed again is not', async () => {
    const { organiser, member, tournament, team } = await makeWorld(api)
    await api.post(`/tournaments/${tournament.guid}/register/${team}`, organiser)
    for (const seed of [2, 2, 1]) {
      expect((await api.post(`/tournaments/${tournament.guid}/qualify/${team}`, organiser, { seed })).status).toBe(200)
    }
    const bodies = (await messages(member)).map(({ type, body }) => [type, body])
    expect(bodies).toEqual([
      ['team.qualified', 'Its seed is 1.'],
      ['team.qualified', 'Its seed is 2.'],
      ['team.registered', ''],
    ])
  })

  test('captains of registered teams learn that their tournament was cancelled', async () => {
    const { organiser, captain, member, tournament, team } = await makeWorld(api)
    const idle = await api.user()
    await api.sql('insert into teams (tournament_guid, id, name, captain_guid) values ($1, $2, $2, $3)', [
      tournament.guid,
      'idle-team',
      idle.guid,
    ])
    await api.sql('update tournament_counts set teams = 2 where tournament_guid = $1', [tournament.guid])
    await api.post(`/tournaments/${tournament.guid}/register/${team}`, captain)
    const reason = 'the venue burnt down'
    const reply = await api.post(`/tournaments/${tournament.guid}/status`, organiser, { status: 'cancelled', reason })
    expect(reply.status).toBe(200)
    expect(await messages(captain)).toEqual([
      {
        type: 'tournament.cancelled',
        title: `Tournament ${tournament.id} was cancelled`,
        body: '',
        data: { tournamentGuid: tournament.guid },
      },
    ])
    expect(await types(member)).toEqual(['team.registered'])
    expect(await types(idle)).toEqual([])
    expect(await types(organiser)).toEqual([])
  })

  test('other steps of a tournament are not told', async () => {
    const { organiser, captain, tournament, team } = await makeWorld(api)
    await api.post(`/tournaments/${tournament.guid}/register/${team}`, captain)
    const reply = await api.post(`/tournaments/${tournament.guid}/status`, organiser, { status: 'ongoing' })
    expect(reply.status).toBe(200)
    expect(await types(captain)).toEqual([])
  })

  test('a user learns which role they were given, and lost', async () => {
    const { organiser, tournament } = await makeWorld(api)
    const caster = await api.user()
    const role = 'role:hcaster'
    const path = `/tournaments/${tournament.guid}/permissions/${caster.guid}`
    expect((await api.post(`${path}/grant`, organiser, { role })).status).toBe(200)
    expect((await api.delete(`${path}/revoke`, organiser, { role })).status).toBe(200)
    const data = { tournamentGuid: tournament.guid, role }
    const name = `Tournament ${tournament.id}`
    expect(await messages(caster)).toEqual([
      { type: 'access.revoked', title: `You are no longer a head caster of ${name}`, body: '', data },
      { type: 'access.granted', title: `You are now a head caster of ${name}`, body: '', data },
    ])
    expect(await messages(organiser)).toEqual([])
  })

  test('a role that a user gave themselves is no news', async () => {
    const { tournament } = await makeWorld(api)
    const admin = await api.user()
    await grantRole(api, tournament, admin, 'role:admin')
    const path = `/tournaments/${tournament.guid}/permissions/${admin.guid}/grant`
    expect((await api.post(path, admin, { role: 'role:caster' })).status).toBe(200)
    expect(await types(admin)).toEqual([])
  })

  test('the organiser learns of decisions on visibility, and of a block no more than that it is not listed', async () => {
    const { organiser, tournament } = await makeWorld(api, { status: 'draft' })
    const reviewer = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const [platform] = await api.sql<{ guid: string }>('select guid from platforms where is_system')
    const visibility = (verb: string, as: Caller, body?: unknown) =>
      api.post(`/tournaments/${tournament.guid}/visibility/${verb}`, as, body)
    expect((await visibility('request', organiser)).status).toBe(200)
    expect((await visibility('reject', reviewer, { reason: 'Say when it starts.' })).status).toBe(200)
    expect((await visibility('approve', reviewer)).status).toBe(200)
    const data = { tournamentGuid: tournament.guid, platformGuid: platform?.guid }
    const name = `Tournament ${tournament.id}`
    const first = [
      { type: 'visibility.approved', title: `Main listing lists ${name}`, body: '', data },
      { type: 'visibility.rejected', title: `Main listing does not list ${name}`, body: 'Say when it starts.', data },
    ]
    expect(await messages(organiser)).toEqual(first)

    const platformGuid = platform?.guid as string
    await happen({
      type: 'visibility.rejected',
      subject: nobody,
      tournament: tournament.guid,
      actor: reviewer.guid,
      after: { platformGuid, status: 'rejected', reason: null },
    })
    await happen({
      type: 'platform.visibility_blocked',
      subject: nobody,
      actor: reviewer.guid,
      after: { platformGuid, tournamentGuid: tournament.guid, status: 'blocked', reason: 'they cheat' },
    })
    expect(await messages(organiser)).toEqual([
      { type: 'visibility.rejected', title: `Main listing does not list ${name}`, body: '', data },
      ...first,
    ])
    expect(await types(reviewer)).toEqual([])
  })

  test('whoever gave up their account is told nothing', async () => {
    const { captain, member, tournament, team } = await makeWorld(api)
    // Only a global manager can register a team with a deleted member.
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    await api.sql('update users set anonymised_at = now() where guid = $1', [member.guid])
    await api.post(`/tournaments/${tournament.guid}/register/${team}`, manager)
    expect(await types(captain)).toEqual(['team.registered'])
    expect(await api.sql('select 1 from notifications where user_guid = $1', [member.guid])).toEqual([])
  })
})

describe('how it is told', () => {
  const registered = (world: Awaited<ReturnType<typeof makeWorld>>): NewEvent => ({
    type: 'team.registered',
    subject: world.team,
    tournament: world.tournament.guid,
    actor: world.organiser.guid,
    before: { status: 'unregistered', seed: null },
    after: { status: 'registered', seed: null },
  })

  test('an event that names nothing that is left, or nothing that is known, holds up none of those behind it', async () => {
    const world = await makeWorld(api)
    const [before, after] = [{ status: 'registered', seed: 1 } as const, { status: 'qualified', seed: 2 } as const]
    for (const tournament of [nobody, world.tournament.guid]) {
      const at = { subject: nobody, tournament, actor: null }
      const strange: NewEvent[] = [
        { ...at, type: 'team.registered', before, after },
        { ...at, type: 'team.unregistered', before, after },
        { ...at, type: 'team.qualified', before, after },
        { ...at, type: 'team.disqualified', before, after },
        strayEvent({ ...at, type: 'tournament.status_changed', before: { status: 7 }, after: { status: 'postponed' } }),
        strayEvent({ ...at, type: 'access.granted', after: { role: 'role:king' } }),
        strayEvent({ ...at, type: 'access.revoked', before: { role: 'role:king' } }),
        { ...at, type: 'visibility.approved', after: { platformGuid: nobody, status: 'approved', reason: null } },
        { ...at, type: 'visibility.rejected', after: { platformGuid: nobody, status: 'rejected', reason: null } },
        { ...at, type: 'sign_in.new_place', tournament: null, after: { sessionGuid: nobody, userAgent: null } },
        { ...at, type: 'token.reused', tournament: null, after: { clientId: nobody, kind: 'code' }, rights: true },
        { ...at, type: 'application.granted', tournament: null, after: { clientId: nobody, scopes: [] } },
        strayEvent({ ...at, type: 'test.forgotten', after: { role: 1, scopes: 'all', kind: {}, clientId: 'x' } }),
        strayEvent({ type: 'test.forgotten', subject: null, actor: null }),
      ]
      for (const event of strange) await happen(event)
    }
    await happen(registered(world))
    expect(await types(world.member)).toEqual(['team.registered'])
    expect(await types(world.organiser)).toEqual([])
  })

  test('an event without what its name promises is set aside, and holds up none of those behind it', async () => {
    const world = await makeWorld(api)
    const at = { tournament: world.tournament.guid, actor: null }
    await happen(strayEvent({ ...at, type: 'team.qualified', subject: world.team }))
    await happen(strayEvent({ ...at, type: 'token.reused', subject: world.member.guid, after: { clientId: 'x' } }))
    await happen(registered(world))
    const setAside = () => api.sql(`select from set_aside_events where follower = 'notifications'`)
    await expect.poll(setAside, { timeout: 40_000 }).toHaveLength(2)
    expect(await types(world.member)).toEqual(['team.registered'])
  })

  test('two processes that follow the log tell each event once', async () => {
    await using sibling = await api.sibling()
    const world = await makeWorld(api)
    const both = [api, sibling]
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        both[index % 2]?.app.database.transaction(async (tx) => emit(tx, registered(world))),
      ),
    )
    await allNotified()
    const counts = await api.sql(
      'select user_guid as guid, count(*)::int from notifications where user_guid = any($1) group by 1',
      [[world.captain.guid, world.member.guid, world.organiser.guid]],
    )
    expect(counts).toHaveLength(2)
    expect(counts.map(({ count }) => count)).toEqual([30, 30])
  })

  test('a process that dies between two messages leaves neither a gap nor a repetition', async () => {
    const [first, second] = [await makeWorld(api), await makeWorld(api)]
    await allNotified()
    const client = await api.app.database.pool.connect()
    try {
      // Blocks the notification to the second team's member, while those to the first team's are written but not
      // committed.
      await client.query('begin')
      await client.query('select 1 from users where guid = $1 for update', [second.member.guid])
      await api.app.database.transaction(async (tx) => {
        for (const world of [first, second, first]) emit(tx, registered(world))
      })
      const waiting = async () => {
        const rows = await api.sql<{ pid: number }>(
          `select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "notifications"%'`,
        )
        return rows[0]?.pid
      }
      await expect.poll(waiting, { interval: 10 }).toBeTypeOf('number')
      await api.sql('select pg_terminate_backend($1)', [await waiting()])
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await types(first.captain)).toEqual(['team.registered', 'team.registered'])
    expect(await types(first.member)).toEqual(['team.registered', 'team.registered'])
    expect(await types(second.member)).toEqual(['team.registered'])
    expect(await types(second.captain)).toEqual(['team.registered'])
  })
})
