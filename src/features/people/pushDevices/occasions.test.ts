import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type Browser, type FakePush, startFakePush } from '../../../../test/fakes/push.ts'
import { makeSession, type SessionOptions } from '../../../../test/flow-sessions.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'
import { allPushed, makePushDevice } from '../../../../test/push.ts'
import { countStatements } from '../../../../test/statements.ts'
import { until } from '../../../../test/waiting.ts'
import type { FlowInput } from '../../../engine/flows/flow.ts'
import { emit } from '../../../infra/events/emit.ts'
import { remindOfMatches } from './commands/reminders.ts'
import { pushDevicesDue } from './jobs.ts'

/** What users are told of, and who. */

let api: Harness
let fake: FakePush
beforeAll(async () => {
  fake = await startFakePush()
  api = await startHarness({ webhookAllowPrivate: true }, { jobSlots: 4 })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
})

const device = (user: Caller) => makePushDevice(api, fake, user)
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
/** Looks for what is due, as every process does each second. */
async function looked(): Promise<void> {
  const { database, log, services, clients } = api.app
  for (const { run } of pushDevicesDue) await run({ database, log, services, clients, now: () => new Date() })
}

async function makeCup() {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { sides } = await made.readMatch(1)
  const captainOf = async (index: number): Promise<Caller> => {
    const [row] = await api.sql<{ captain: string }>('select captain_guid as captain from teams where guid = $1', [
      sides[index].team.guid,
    ])
    const captain = made.captains.find(({ guid }) => guid === row?.captain)
    if (captain === undefined) throw new Error('no captain')
    return captain
  }
  const [first, second] = [await captainOf(0), await captainOf(1)]
  const referee = await roleHolder(api, made.cup, 'role:referee')
  return { ...made, first, second, referee, matchGuid: (await made.readMatch(1)).guid as string, sides }
}

describe('a match', () => {
  test('that starts soon is told of once, to its players and those who work there', async () => {
    const made = await makeCup()
    const [player, other, referee] = [await device(made.first), await device(made.second), await device(made.referee)]
    const stranger = await device(await api.user())
    const elsewhere = made.captains.find((one) => one !== made.first && one !== made.second)
    if (elsewhere === undefined) throw new Error('no other captain')
    const absent = await device(elsewhere)
    const officials = [{ user: made.referee.guid, role: 'role:referee' }]
    const changed = await api.patch(made.match(1), made.organiser, { scheduledAt: soon(9), officials })
    expect(changed.status, changed.text).toBe(200)
    await until(() => player.told().length === 1 && other.told().length === 1 && referee.told().length === 2)
    await looked()
    await allPushed(api)
    const data = { tournamentGuid: made.cup.guid, matchGuid: made.matchGuid }
    expect(player.told()).toMatchObject([{ kind: 'match_starting', data }])
    expect(player.told()[0].body).toContain(made.sides[0].team.name)
    expect(other.told()).toMatchObject([{ kind: 'match_starting', data }])
    expect(referee.told()).toMatchObject([
      { kind: 'duty', data },
      { kind: 'duty', data },
    ])
    expect([...stranger.requests, ...absent.requests]).toEqual([])
    // Another time is another reminder.
    await api.patch(made.match(1), made.organiser, { scheduledAt: soon(8) })
    await until(() => player.told().length === 2)
  })

  test('that starts later, began or is over is not told of', async () => {
    const made = await makeCup()
    const player = await device(made.first)
    await api.patch(made.match(1), made.organiser, { scheduledAt: soon(30) })
    await looked()
    await api.sql(
      `update matches set scheduled_at = now() + interval '5 minutes', status = 'completed' where guid = $1`,
      [made.matchGuid],
    )
    await looked()
    await allPushed(api)
    expect(player.requests).toEqual([])
  })

  test('whose time comes while two services run is told of once', async () => {
    await using second = await api.sibling()
    const made = await makeCup()
    const player = await device(made.first)
    await second.patch(made.match(1), made.organiser, { scheduledAt: soon(9) })
    await until(() => player.told().length === 1)
    await looked()
    await allPushed(api)
    expect(player.requests).toHaveLength(1)
  })
})

test('reminders of many matches take as many statements as those of one', async () => {
  const made = await makeCup()
  for (const captain of made.captains) await device(captain)
  const guids = [made.matchGuid, (await made.readMatch(2)).guid as string]
  const remind = async (matches: readonly string[], start: number) =>
    countStatements(['team_members', 'match_officials', 'jsonb_to_recordset'], async (round) => {
      const dueAt = new Date(start + round)
      const reminders = matches.map((guid) => ({ guid, tournamentGuid: made.cup.guid, dueAt }))
      await api.app.database.transaction((tx) => remindOfMatches(tx, reminders))
    })
  expect((await remind(guids.slice(0, 1), Date.now() + 60_000)).statements).toBe(3)
  expect((await remind(guids, Date.now() + 120_000)).statements).toBe(3)
})

describe('a session', () => {
  async function begun() {
    const made = await makeCup()
    const [one, two] = [await device(made.first), await device(made.second)]
    const seats = [made.first, made.second].map(({ guid }, index) => ({
      team: made.sides[index].team.guid as string,
      captain: guid,
    }))
    const { cup, matchGuid, referee } = made
    const maps = await makeMaps(api, 5)
    const pool = await makePool(api, cup.guid, { status: 'published', maps: maps.map(({ guid }) => guid) })
    const begin = (options: Partial<SessionOptions> = {}) =>
      makeSession(api, { tournamentGuid: cup.guid, matchGuid, seats, by: referee.guid, pool, flow, ...options })
    const data = { tournamentGuid: cup.guid, matchGuid }
    return { ...made, one, two, begin, data }
  }
  const replays = { rule: 'better_of_each', perMatch: 1, perMap: 1, windowSeconds: 60 } as const
  const toTheEnd = { repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] } as const
  const flow: FlowInput = { bestOf: 3, steps: [{ action: 'ready' }, toTheEnd], rules: { replays } }
  const told = (browser: Browser, kind: string) => browser.told().filter((message) => message.kind === kind)

  test.each([
    ['that everybody may see', {}],
    ['with a delay for outsiders', { viewDelaySeconds: 300 }],
    ['that not everybody may see', { isPublic: false, matchGuid: null }],
  ])('%s tells a seat once that the other is ready, and who may confirm a map', async (_, options) => {
    const { begin, one, two, first, second, referee, data } = await begun()
    const session = await begin(options)
    const about =
      'matchGuid' in options
        ? { tournamentGuid: data.tournamentGuid, sessionGuid: session.guid }
        : { ...data, sessionGuid: session.guid }
    await session.act(1, first.guid)
    await until(() => two.told().length === 1)
    await session.act(2, second.guid)
    await session.score([900, 800], referee.guid)
    await until(() => told(two, 'result_to_confirm').length === 1)
    await allPushed(api)
    expect(two.told()).toMatchObject([
      { kind: 'opponent_ready', data: about },
      { kind: 'result_to_confirm', data: about },
    ])
    expect(two.told()[0].data).toEqual(about)
    expect(one.requests).toEqual([])
  })

  test('without claims asks nobody to confirm a map', async () => {
    const { begin, one, two, first, second, referee } = await begun()
    const session = await begin({ flow: { ...flow, rules: { replays: { rule: 'none' } } } })
    await session.act(1, first.guid)
    await session.act(2, second.guid)
    await session.score([900, 800], referee.guid)
    await allPushed(api)
    expect([...told(one, 'result_to_confirm'), ...told(two, 'result_to_confirm')]).toEqual([])
  })
})

test('an assignment to a stream is told to who is to stream, once', async () => {
  const made = await makeCup()
  const browser = await device(made.first)
  const body = { user: made.first.guid, role: 'player', match: made.matchGuid, startsAt: soon(60), endsAt: soon(120) }
  const reply = await api.post(`${made.path}/streamAssignments`, made.organiser, body)
  expect(reply.status, reply.text).toBe(201)
  const moved = await api.patch(`${made.path}/streamAssignments/${reply.body.guid}`, made.organiser, {
    endsAt: soon(130),
  })
  expect(moved.status, moved.text).toBe(200)
  await allPushed(api)
  const data = { tournamentGuid: made.cup.guid, matchGuid: made.matchGuid, assignmentGuid: reply.body.guid }
  expect(browser.told()).toMatchObject([{ kind: 'duty', data }])
})

test('a proposal is told to those at the match who decide about it', async () => {
  const made = await makeCup()
  const caster = await roleHolder(api, made.cup, 'role:caster')
  const [player, referee, other] = [await device(made.first), await device(made.referee), await device(caster)]
  await api.sql(
    `insert into match_officials (match_guid, user_guid, role) values ($1, $2, 'role:referee'), ($1, $3, 'role:caster')`,
    [made.matchGuid, made.referee.guid, caster.guid],
  )
  for (const status of ['collecting', 'proposed'] as const) {
    await api.app.database.transaction(async (tx) =>
      emit(tx, {
        type: 'assistant.proposal_made',
        subject: made.matchGuid,
        tournament: made.cup.guid,
        actor: null,
        after: { match: made.matchGuid, game: 1, run: 1, status, winner: null, warnings: [] },
      }),
    )
  }
  await allPushed(api)
  expect(referee.told()).toMatchObject([
    { kind: 'result_to_confirm', data: { tournamentGuid: made.cup.guid, matchGuid: made.matchGuid } },
  ])
  expect([...player.requests, ...other.requests]).toEqual([])
})

test('a team that has become too small is told to its captain', async () => {
  const organiser = await api.user()
  const [captain, member, spare] = [await api.user(), await api.user(), await api.user()]
  const cup = await makeTournament(api, organiser, { teamSize: { min: 2, max: 4, active: 2 } })
  const team = await makeTeam(api, cup, captain, { members: [member, spare], status: 'registered' })
  const browser = await device(captain)
  const remove = (user: Caller) => api.delete(`/tournaments/${cup.id}/teams/${team.id}/members/${user.guid}`, organiser)
  expect((await remove(spare)).status).toBeLessThan(300)
  await allPushed(api)
  expect(browser.requests).toEqual([])
  expect((await remove(member)).status).toBeLessThan(300)
  await allPushed(api)
  expect(browser.told()).toMatchObject([
    { kind: 'roster_problem', data: { tournamentGuid: cup.guid, teamGuid: team.guid } },
  ])
})

describe('a sheet that closes soon', () => {
  const sheet = (closesAt: string, more: object = {}) => ({
    title: 'When can you?',
    mode: 'range',
    timezone: 'UTC',
    startsAt: '2099-05-01T10:00:00.000Z',
    endsAt: '2099-05-01T12:00:00.000Z',
    closesAt,
    ...more,
  })

  test('is told to those whom it asks and who have not answered', async () => {
    const organiser = await api.user()
    const cup = await makeTournament(api, organiser)
    const [host, answered, caster] = [
      await roleHolder(api, cup, 'role:host'),
      await roleHolder(api, cup, 'role:host'),
      await roleHolder(api, cup, 'role:caster'),
    ]
    const [asked, done, other] = [await device(host), await device(answered), await device(caster)]
    const later = await api.post(
      `/tournaments/${cup.id}/availability/sheets`,
      organiser,
      sheet(soon(3_000), { audience: 'staff', roles: ['role:host'] }),
    )
    expect(later.status, later.text).toBe(201)
    const at = `/tournaments/${cup.id}/availability/sheets/${later.body.guid}`
    const responses = [
      { status: 'available', startsAt: '2099-05-01T10:00:00.000Z', endsAt: '2099-05-01T11:00:00.000Z' },
    ]
    const reply = await api.put(`${at}/responses`, answered, { responses })
    expect(reply.status, reply.text).toBe(200)
    await looked()
    expect(asked.requests).toEqual([])
    await api.sql(`update availability_sheets set closes_at = now() + interval '20 hours' where guid = $1`, [
      later.body.guid,
    ])
    await until(() => asked.told().length === 1)
    await looked()
    await allPushed(api)
    expect(asked.told()).toMatchObject([
      { kind: 'sheet_closing', data: { tournamentGuid: cup.guid, sheetGuid: later.body.guid } },
    ])
    expect([...done.requests, ...other.requests]).toEqual([])
  })

  test('is told to captains of eligible teams', async () => {
    const organiser = await api.user()
    const cup = await makeTournament(api, organiser)
    const [captain, outside] = [await api.user(), await api.user()]
    await makeTeam(api, cup, captain, { status: 'registered' })
    await makeTeam(api, cup, outside)
    const [asked, other] = [await device(captain), await device(outside)]
    const made = await api.post(
      `/tournaments/${cup.id}/availability/sheets`,
      organiser,
      sheet(soon(600), { audience: 'teams', teamEligibility: 'both' }),
    )
    expect(made.status, made.text).toBe(201)
    await until(() => asked.told().length === 1)
    await allPushed(api)
    expect(other.requests).toEqual([])
  })
})
