import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeSession, makeSession, type SessionOptions } from '../../../../test/flow-sessions.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder, touch } from '../../../../test/make.ts'
import { type MadePool, makeMaps, makePool } from '../../../../test/pools.ts'

/** Who may see a session at all: free sessions that are not public, and sessions with a draft pool. */

let api: Harness
let cup: MadeTournament
let path: string
let callers: Readonly<
  Record<'organiser' | 'referee' | 'coordinator' | 'caster' | 'pooler' | 'speaker' | 'other', Caller>
>
beforeAll(async () => {
  api = await startHarness()
  const organiser = await api.user()
  cup = await makeTournament(api, organiser)
  path = `/tournaments/${cup.id}`
  const [referee, coordinator, caster, pooler, speaker, other] = await Promise.all([
    ...(['role:referee', 'role:hcoordinator', 'role:caster', 'role:pooler'] as const).map((role) =>
      roleHolder(api, cup, role),
    ),
    ...[api.user(), api.user()],
  ])
  callers = { organiser, referee, coordinator, caster, pooler, speaker, other } as typeof callers
})
afterAll(() => api[Symbol.asyncDispose]())

const make = (options: Partial<SessionOptions> = {}) =>
  makeSession(api, {
    tournamentGuid: cup.guid,
    by: callers.organiser.guid,
    seats: [
      { team: null, captain: callers.speaker.guid, name: 'Speaker' },
      { team: null, captain: null, name: 'Guest' },
    ],
    ...options,
  })

const everybody = (): [string, Caller | null][] => [['anonymous', null], ...Object.entries(callers)]

/** The callers who see a session's state, its log, and its entry in the list. */
async function seenBy({ guid }: MadeSession): Promise<string[]> {
  const seen: string[] = []
  for (const [kind, caller] of everybody()) {
    const [state, log, listed] = await Promise.all([
      api.get(`${path}/flow-sessions/${guid}`, caller),
      api.get(`${path}/flow-sessions/${guid}/log`, caller),
      api.get(`${path}/flow-sessions?free=true&limit=100`, caller),
    ])
    const isListed = listed.text.includes(guid)
    expect([log.status, isListed], kind).toEqual([state.status, state.status === 200])
    if (state.status === 200) seen.push(kind)
    else expect(outcome(state)).toEqual([404, 'flow.session_unknown'])
  }
  return seen.sort()
}

const all = ['anonymous', 'organiser', 'referee', 'coordinator', 'caster', 'pooler', 'speaker', 'other']

test('a public session is for everybody', async () => {
  const session = await make()
  expect(await seenBy(session)).toEqual(all.toSorted())
  const { body } = await api.get(`${path}/flow-sessions/${session.guid}`)
  expect(body).toMatchObject({ match: null, public: true, pool: { guid: null, name: null, maps: [] } })
  expect(body.seats).toMatchObject([
    { seat: 1, team: null, name: 'Speaker', speakers: [{ guid: callers.speaker.guid }] },
    { seat: 2, team: null, name: 'Guest', speakers: [] },
  ])
})

test('one that is not public is for referees and its speakers', async () => {
  const session = await make({ isPublic: false })
  expect(await seenBy(session)).toEqual(['coordinator', 'organiser', 'referee', 'speaker'])
  // A user named by a referee becomes a speaker and sees the session; a former speaker does not.
  const reason = 'Stands in.'
  const users = [callers.other.guid]
  await session.write([{ kind: 'override', seat: 1, data: { op: 'speakers', users, reason } }], callers.referee.guid)
  expect(await seenBy(session)).toEqual(['coordinator', 'organiser', 'other', 'referee'])
})

describe('of a pool', () => {
  const poolWith = async (options: Parameters<typeof makePool>[2]): Promise<MadePool> => {
    const maps = await makeMaps(api, 3)
    return makePool(api, cup.guid, { ...options, maps: maps.map(({ guid }) => guid) })
  }

  test('that is a draft, it is for those who may read that', async () => {
    const pool = await poolWith({})
    const session = await make({ pool })
    expect(await seenBy(session)).toEqual(['organiser', 'pooler'])
    await api.sql(`update pools set preview_roles = '{role:caster}' where guid = $1`, [pool.guid])
    await touch(api, cup.guid)
    expect(await seenBy(session)).toEqual(['caster', 'organiser', 'pooler'])
    await api.sql(`update pools set status = 'published', revision = 1, published_at = now() where guid = $1`, [
      pool.guid,
    ])
    await api.sql(`update pool_maps set released_at = now() where pool_guid = $1`, [pool.guid])
    await touch(api, cup.guid)
    expect(await seenBy(session)).toEqual(all.toSorted())
  })

  test('that is gone, it is for poolers', async () => {
    const pool = await poolWith({})
    const session = await make({ pool })
    await api.sql('delete from pools where guid = $1', [pool.guid])
    await touch(api, cup.guid)
    expect(await seenBy(session)).toEqual(['organiser', 'pooler'])
  })

  test('with maps that are not released, it is for those who see them', async () => {
    const [released, kept] = await makeMaps(api, 2)
    const maps = [released?.guid as string, { mapGuid: kept?.guid as string, isReleased: false }]
    const pool = await makePool(api, cup.guid, { status: 'published', maps })
    expect(await seenBy(await make({ pool }))).toEqual(['organiser', 'pooler'])
    expect(await seenBy(await make({ pool, isPublic: false }))).toEqual(['organiser'])
  })
})

describe('the list', () => {
  let board: string
  let made: MadeSession[]
  let hidden: MadeSession
  let speaker: Caller
  beforeAll(async () => {
    const organiser = await api.user()
    speaker = await api.user()
    const other = await makeTournament(api, organiser)
    board = `/tournaments/${other.id}/flow-sessions`
    const start = Date.now() - 60_000
    made = []
    const options = (index: number): SessionOptions => ({
      tournamentGuid: other.guid,
      by: organiser.guid,
      at: new Date(start + index * 1_000),
      seats: [
        { team: null, captain: speaker.guid },
        { team: null, captain: null },
      ],
    })
    for (let index = 0; index < 5; index += 1) made.push(await makeSession(api, options(index)))
    hidden = await makeSession(api, { ...options(2.5), isPublic: false })
    await made[1]?.write([{ kind: 'clock', data: { op: 'pause', ...unset } }], organiser.guid)
  })
  const unset = { seconds: null, dueAt: null, remainingMs: null, number: null }
  const guids = (reply: { body: { sessions: { guid: string }[] } }) => reply.body.sessions.map(({ guid }) => guid)

  test('has the newest first, in pages that do not tell of what is hidden', async () => {
    for (const [caller, expected] of [
      [null, made.toReversed()],
      [speaker, [made[4], made[3], hidden, made[2], made[1], made[0]]],
    ] as const) {
      const found: string[] = []
      let before = ''
      for (;;) {
        const reply = await api.get(`${board}?limit=2${before}`, caller)
        expect(reply.status, reply.text).toBe(200)
        found.push(...guids(reply))
        if (reply.body.nextCursor === null) break
        before = `&before=${reply.body.nextCursor}`
      }
      expect(found).toEqual(expected.map((session) => session?.guid))
    }
    expect(outcome(await api.get(`${board}?before=x`))).toEqual([400, 'cursor.invalid'])
  })

  test('is narrowed by status and match', async () => {
    expect(guids(await api.get(`${board}?status=paused`))).toEqual([made[1]?.guid])
    expect(guids(await api.get(`${board}?status=running,paused`))).toHaveLength(5)
    expect(guids(await api.get(`${board}?free=false`))).toEqual([])
    expect(guids(await api.get(`${board}?match=${made[0]?.guid}`))).toEqual([])
    expect(outcome(await api.get(`${board}?status=planned`))).toEqual([400, 'flow.status_unknown'])
    expect((await api.get(`${board}?status=paused`)).body.sessions[0]).toEqual({
      guid: made[1]?.guid,
      match: null,
      public: true,
      status: 'paused',
      position: expect.any(Number),
      flow: { guid: null, name: 'Test flow' },
      pool: null,
      viewDelaySeconds: 0,
      seats: [
        { seat: 1, team: null, name: 'Seat 1' },
        { seat: 2, team: null, name: 'Seat 2' },
      ],
      createdAt: expect.any(String),
      endedAt: null,
    })
  })
})

test('sessions of a draft tournament, and of others, are unknown', async () => {
  const organiser = await api.user()
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const session = await makeSession(api, {
    tournamentGuid: draft.guid,
    by: organiser.guid,
    seats: [
      { team: null, captain: callers.speaker.guid },
      { team: null, captain: null },
    ],
  })
  for (const caller of [null, callers.speaker]) {
    const reply = await api.get(`/tournaments/${draft.id}/flow-sessions/${session.guid}`, caller)
    expect(outcome(reply)).toEqual([404, 'tournament.unknown'])
  }
  expect((await api.get(`/tournaments/${draft.id}/flow-sessions/${session.guid}`, organiser)).status).toBe(200)
  for (const word of [session.guid, 'x', session.guid.slice(1)])
    expect(outcome(await api.get(`${path}/flow-sessions/${word}`))).toEqual([404, 'flow.session_unknown'])
})
