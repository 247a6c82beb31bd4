import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'

/** Transitions after registration: unregister, qualify, disqualify. */

let api: Harness
let organiser: Caller
let global: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
  global = await api.user({ globalRoles: ['global:tournaments:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

type Status = 'unregistered' | 'registered' | 'qualified'
async function arrange(status: Status, options: Parameters<typeof makeTournament>[2] = {}) {
  const [captain, member] = await Promise.all([api.user(), api.user()])
  const cup = await makeTournament(api, organiser, options)
  const team = await makeTeam(api, cup, captain, { members: [member], status })
  const act = (verb: string, as: Caller, body?: unknown) =>
    api.post(`/tournaments/${cup.guid}/${verb}/${team.guid}`, as, body)
  const read = async () => (await api.get(`/tournaments/${cup.guid}/teams/${team.guid}`, organiser)).body
  return { cup, team, captain, member, act, read }
}

async function countsOf(cup: MadeTournament) {
  const [counts] = await api.sql<{ registered: number; qualified: number }>(
    'select registered, qualified from tournament_counts where tournament_guid = $1',
    [cup.guid],
  )
  return [counts?.registered, counts?.qualified]
}

const lastEvent = async (cup: MadeTournament) =>
  (
    await api.sql('select type, actor, before, after from event_log where tournament = $1 order by seq desc', [
      cup.guid,
    ])
  )[0]

describe('unregistering', () => {
  test('gives the place back; members stay players but leave the active roster', async () => {
    const { cup, captain, member, act } = await arrange('registered')
    const reply = await act('unregister', captain)
    expect(reply.status).toBe(200)
    expect(reply.body.message).toEqual(expect.stringMatching(/ is no longer registered\.$/))
    expect(reply.body.newTeam).toMatchObject({
      status: 'unregistered',
      seed: null,
      rosterLocked: false,
      registeredAt: null,
      members: [
        { user: { guid: captain.guid }, isActive: false },
        { user: { guid: member.guid }, isActive: false },
      ],
    })
    expect(await countsOf(cup)).toEqual([0, 0])
    expect(await lastEvent(cup)).toEqual({
      type: 'team.unregistered',
      actor: captain.guid,
      before: { status: 'registered', seed: null },
      after: { status: 'unregistered', seed: null },
    })
  })

  test('a qualified team gives up its place in both counts, and its seed', async () => {
    const { cup, act } = await arrange('registered')
    await act('qualify', organiser, { seed: 4 })
    expect(await countsOf(cup)).toEqual([1, 1])
    expect((await act('unregister', organiser)).body.newTeam).toMatchObject({ status: 'unregistered', seed: null })
    expect(await countsOf(cup)).toEqual([0, 0])
  })

  test('an unregistered team is 400, for everybody and also after the deadline', async () => {
    const { captain, act } = await arrange('unregistered', { registrationClosesAt: inHours(-1) })
    for (const caller of [captain, organiser, global]) {
      expect(outcome(await act('unregister', caller))).toEqual([400, 'team.not_registered'])
    }
  })

  test.each([
    ['after the deadline', { registrationClosesAt: inHours(-1) }],
    ['once the tournament runs', { status: 'ongoing' as const }],
    ['once the tournament runs, deadline or not', { status: 'ongoing' as const, registrationClosesAt: inHours(1) }],
  ])('%s it is 403 for the captain, and open to those who manage', async (_when, options) => {
    for (const manager of [organiser, global]) {
      const { cup, captain, act } = await arrange('registered', options)
      expect(outcome(await act('unregister', captain))).toEqual([403, 'registration.deadline_passed'])
      expect(await countsOf(cup)).toEqual([1, 0])
      expect(outcome(await act('unregister', manager))).toEqual([200, null])
      expect(await countsOf(cup)).toEqual([0, 0])
    }
  })

  test('a captain before the deadline may, and register again', async () => {
    const { captain, act } = await arrange('registered', { registrationClosesAt: inHours(1) })
    expect(outcome(await act('unregister', captain))).toEqual([200, null])
    const again = await act('register', captain)
    expect(again.body.newTeam.members.map(({ isActive }: { isActive: boolean }) => isActive)).toEqual([true, false])
  })

  test('a body is ignored', async () => {
    const { captain, act } = await arrange('registered')
    expect((await act('unregister', captain, { seed: 'x' })).status).toBe(200)
  })
})

describe('qualifying', () => {
  test('advances a registered team, with its seed', async () => {
    const { cup, act, read } = await arrange('registered')
    const reply = await act('qualify', organiser, { seed: 3 })
    expect(reply.body.message).toEqual(expect.stringMatching(/ is qualified with seed 3\.$/))
    expect(reply.body.newTeam).toMatchObject({ status: 'qualified', seed: 3, rosterLocked: true })
    expect(reply.body.newTeam.registeredAt).not.toBeNull()
    expect(await read()).toMatchObject({ status: 'qualified', seed: 3 })
    expect(await countsOf(cup)).toEqual([1, 1])
    expect(await lastEvent(cup)).toMatchObject({
      type: 'team.qualified',
      before: { status: 'registered', seed: null },
      after: { status: 'qualified', seed: 3 },
    })
  })

  test.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['a null seed', { seed: null }],
  ])('works with %s, without a seed', async (_what, body) => {
    const { act } = await arrange('registered')
    const reply = await act('qualify', organiser, body)
    expect(reply.body.newTeam).toMatchObject({ status: 'qualified', seed: null })
  })

  test('changes the seed of a qualified team, keeps it when none is given, and takes it away with null', async () => {
    const { cup, act } = await arrange('registered')
    const seeds = []
    for (const body of [{ seed: 3 }, { seed: 5 }, undefined, {}, { seed: 5 }, { seed: null }]) {
      seeds.push((await act('qualify', organiser, body)).body.newTeam.seed)
    }
    expect(seeds).toEqual([3, 5, 5, 5, 5, null])
    expect(await countsOf(cup)).toEqual([1, 1])
  })

  test('an unregistered team is 400', async () => {
    const { act, cup } = await arrange('unregistered')
    for (const caller of [organiser, global]) {
      expect(outcome(await act('qualify', caller, { seed: 1 }))).toEqual([400, 'team.not_registered'])
    }
    expect(await countsOf(cup)).toEqual([0, 0])
  })

  test.each([[0], [-1], [1.5], ['1'], [true], [1_000_001], [9e15], [{}]])('a seed of %j is 400', async (seed) => {
    const { act } = await arrange('registered')
    expect(outcome(await act('qualify', organiser, { seed }))).toEqual([400, 'request.invalid'])
  })

  test('a seed belongs to one team of a tournament; the message names it', async () => {
    const { cup, team, act } = await arrange('registered')
    const rival = await makeTeam(api, cup, await api.user(), { status: 'registered', name: 'Semibreves' })
    const seedRival = (seed: number | null) =>
      api.post(`/tournaments/${cup.guid}/qualify/${rival.guid}`, organiser, { seed })
    await seedRival(1)
    const taken = await act('qualify', organiser, { seed: 1 })
    expect(outcome(taken)).toEqual([400, 'seed.taken'])
    expect(taken.text).toContain('“Semibreves”')
    expect(await countsOf(cup)).toEqual([2, 1])
    await seedRival(null)
    expect((await act('qualify', organiser, { seed: 1 })).body.newTeam.seed).toBe(1)
    const elsewhere = await arrange('registered')
    expect((await elsewhere.act('qualify', organiser, { seed: 1 })).status).toBe(200)
    expect(team.guid).not.toBe(elsewhere.team.guid)
  })
})

describe('disqualifying', () => {
  test('makes a qualified team a registered one without seed, whose roster is free', async () => {
    const { cup, act, captain, member, team } = await arrange('registered')
    await act('qualify', organiser, { seed: 2 })
    const reply = await act('disqualify', organiser)
    expect(reply.status).toBe(200)
    expect(reply.body.newTeam).toMatchObject({ status: 'registered', seed: null, rosterLocked: false })
    expect(reply.body.newTeam.registeredAt).not.toBeNull()
    expect(await countsOf(cup)).toEqual([1, 0])
    expect(await lastEvent(cup)).toMatchObject({
      type: 'team.disqualified',
      before: { status: 'qualified', seed: 2 },
      after: { status: 'registered', seed: null },
    })
    const bench = await api.patch(`/tournaments/${cup.guid}/teams/${team.guid}/members/${member.guid}`, captain, {
      isActive: false,
    })
    expect(bench.status).toBe(200)
  })

  test.each(['unregistered', 'registered'] as const)('a team that is %s is 400', async (status) => {
    const { act } = await arrange(status)
    for (const caller of [organiser, global]) {
      expect(outcome(await act('disqualify', caller))).toEqual([400, 'team.not_qualified'])
    }
  })
})

describe('who qualifies and disqualifies', () => {
  const rows: [string, (cup: MadeTournament, captain: Caller) => Promise<Caller> | Caller, number][] = [
    ['the organiser', () => organiser, 200],
    ['an admin of the tournament', (cup) => withRole(cup, 'role:admin'), 200],
    ['a global manager', () => global, 200],
    ['an owner', () => api.user({ globalRoles: ['role:owner'] }), 200],
    ['the captain', (_cup, captain) => captain, 401],
    ['staff', (cup) => withRole(cup, 'role:staff'), 401],
    ['a head coordinator', (cup) => withRole(cup, 'role:hcoordinator'), 401],
    ['anybody else', () => api.user(), 401],
  ]
  async function withRole(cup: MadeTournament, role: string): Promise<Caller> {
    const user = await api.user()
    await grantRole(api, cup, user, role)
    return user
  }
  test.each(rows)('%s', async (_who, find, status) => {
    const { cup, captain, act } = await arrange('registered')
    const caller = await find(cup, captain)
    const code = status === 401 ? 'role.missing' : null
    expect(outcome(await act('qualify', caller, { seed: 1 }))).toEqual([status, code])
    if (status === 401) await act('qualify', organiser)
    expect(outcome(await act('disqualify', caller))).toEqual([status, code])
  })
})

describe('a tournament that is over keeps its registrations', () => {
  const steps = [
    ['unregister', 'registered'],
    ['qualify', 'registered'],
    ['disqualify', 'qualified'],
  ] as const
  test.each(steps)('%s', async (verb, from) => {
    const completed = await arrange(from, { status: 'completed' })
    expect(outcome(await completed.act(verb, organiser))).toEqual([400, 'tournament.over'])
    expect(outcome(await completed.act(verb, global))).toEqual([200, null])
    const cancelled = await arrange(from, { status: 'cancelled' })
    expect(outcome(await cancelled.act(verb, organiser))).toEqual([400, 'tournament.over'])
    expect(outcome(await cancelled.act(verb, global))).toEqual([400, 'tournament.over'])
  })

  test('captains of a completed one are told so, rather than of the deadline', async () => {
    const { captain, act } = await arrange('registered', { status: 'completed' })
    expect(outcome(await act('unregister', captain))).toEqual([400, 'tournament.over'])
  })
})
