import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** The clock of a rehearsal, and what runs by it. (R2) */

let api: Harness
/** Another process, which does one step for each call. */
let slow: Harness
let made: MadeFlowPlay
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 4, bestOf: 1, maps: 5 })
  organiser = made.organiser
  slow = await api.sibling({ timeouts: { advanceMs: 0 } })
  const ban = { action: 'ban', actor: 'seat:1', onTimeout: ['again', 'again', 'skip'] }
  const steps = [420, 60, 900, 1_200].map((seconds) => ({ ...ban, seconds }))
  await makeFlow(api, made, { ...toTheEnd, rules: { graceSeconds: 5 }, steps: [...steps, ...toTheEnd.steps] })
  for (const name of ['Second', 'Third', 'Fourth']) {
    const maps = (await makeMaps(api, 2)).map((map) => ({ mapGuid: map.guid }))
    await makePool(api, made.cup.guid, { name, status: 'draft', maps })
  }
})
afterAll(async () => {
  await slow[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const minute = 60_000
const start = Date.parse('2031-05-01T10:00:00.000Z')
const at = (minutes: number) => new Date(start + minutes * minute).toISOString()

type Ran = readonly [type: string, kind: string | null, seconds: number]

class Rehearsal {
  readonly guid: string
  readonly path: string
  readonly own: string

  constructor(guid: string) {
    this.guid = guid
    this.path = `/tournaments/${guid}`
    this.own = `${made.path}/rehearsals/${guid}`
  }

  clock(body: object, as: Caller = organiser, process: Harness = api) {
    return process.post(`${this.own}/clock`, as, body)
  }

  /** Repeats a call that is not done; returns what its answers said. */
  async step(body: object): Promise<{ readonly ran: number; readonly calls: number }> {
    let ran = 0
    for (let calls = 1; ; calls++) {
      const reply = await this.clock(body, organiser, slow)
      expect(reply.status, reply.text).toBe(200)
      ran += reply.body.ran
      if (reply.body.done) return { ran, calls }
    }
  }

  async now(): Promise<number> {
    return Date.parse((await api.get(`${this.own}/clock`, organiser)).body.clock.now)
  }

  /** What ran by itself, with the instants at which it did. */
  async ran(): Promise<readonly Ran[]> {
    const rows = await api.sql<{ type: string; clock_at: Date; kind: string | null }>(
      `select type, clock_at, after->>'kind' as kind from event_log
       where tournament = $1 and actor is null and type !~ '^(rehearsal|tournament)\\.' order by clock_at, type, kind`,
      [this.guid],
    )
    return rows.map(({ type, clock_at, kind }) => [type, kind, (clock_at.getTime() - start) / 1_000])
  }
}

/** A rehearsal whose clock begins at `start`, with three pools to publish and sessions with clocks of their own. */
async function rehearse(): Promise<Rehearsal> {
  const reply = await api.post(`${made.path}/rehearsals`, organiser, { name: 'Dry run', startsAt: at(0) })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body.clock).toMatchObject({ base: at(0), rate: 1, paused: true, now: at(0) })
  const rehearsal = new Rehearsal(reply.body.guid)
  for (const [index, name] of ['Second', 'Third', 'Fourth'].entries()) {
    await api.sql('update pools set publish_at = $3 where tournament_guid = $1 and name = $2', [
      ...[rehearsal.guid, name],
      at(10 + 20 * index),
    ])
  }
  const guids = async (table: string, name: string | null) =>
    (
      await api.sql<{ guid: string }>(
        `select guid from ${table} where tournament_guid = $1 and ($2::text is null or name = $2) order by created_at`,
        [rehearsal.guid, name],
      )
    ).map(({ guid }) => guid)
  const [pool] = await guids('pools', 'Finals')
  const [copied] = await guids('flows', null)
  expect(outcome(await api.post(`${rehearsal.path}/status`, organiser, { status: 'ongoing' }))).toEqual([200, null])
  for (const number of [1, 2]) {
    const begun = await api.post(`${rehearsal.path}/matches/${number}/flow`, made.referee, {
      ...{ flowGuid: copied, poolGuid: pool },
    })
    expect(begun.status, begun.text).toBe(201)
    expect(outcome(await rehearsal.clock({ advanceTo: at(3) }))).toEqual([200, null])
  }
  return rehearsal
}

test('what runs in an hour is the same by one advance, by many, and by the clock itself at any rate', async () => {
  const [one, sixty, running] = [await rehearse(), await rehearse(), await rehearse()]
  const once = await one.clock({ advanceTo: at(60) })
  expect(once.body, once.text).toMatchObject({ done: true, clock: { now: at(60), paused: true } })
  expect(once.body.ran).toBeGreaterThan(10)
  let ran = 0
  for (let minutes = 4; minutes <= 60; minutes++) {
    const { body } = await sixty.clock({ advanceTo: at(minutes) })
    expect(body).toMatchObject({ done: true, clock: { now: at(minutes) } })
    ran += body.ran
  }
  expect(ran).toBe(once.body.ran)
  expect(outcome(await running.clock({ paused: false, rate: 600 }))).toEqual([200, null])
  await expect.poll(() => running.now(), { timeout: 60_000, interval: 100 }).toBeGreaterThan(start + 60 * minute)
  await running.clock({ paused: true })
  await running.clock({ advanceTo: new Date(await running.now()).toISOString() })
  const inAnHour = await one.ran()
  expect(inAnHour.filter(([type]) => type === 'pool.published')).toEqual([
    ['pool.published', null, 600],
    ['pool.published', null, 1_800],
    ['pool.published', null, 3_000],
  ])
  // It is over after its seconds, and lapses after the grace, and not a millisecond later.
  expect(inAnHour).toContainEqual(['flow.overdue', null, 420])
  expect(inAnHour).toContainEqual(['flow.row', 'lapse', 425])
  expect(await sixty.ran()).toEqual(inAnHour)
  expect((await running.ran()).filter(([, , seconds]) => seconds <= 3_600)).toEqual(inAnHour)
  for (const { guid } of [one, sixty, running]) await api.delete(`${made.path}/rehearsals/${guid}`, organiser)
  // In many calls that are not done, and by two processes at once.
  const [stepped, raced] = [await rehearse(), await rehearse()]
  const { ran: ranInSteps, calls } = await stepped.step({ advanceTo: at(60), rate: 0 })
  expect([ranInSteps, calls > 10]).toEqual([once.body.ran, true])
  expect((await api.get(`${stepped.own}/clock`, organiser)).body.clock).toMatchObject({ now: at(60), rate: 0 })
  // Meanwhile somebody turns it on and off, and it never goes back.
  let isOver = false
  const turned = (async () => {
    for (let before = 0; !isOver; ) {
      expect(outcome(await raced.clock({ paused: false, rate: 0 }, organiser, slow))).toEqual([200, null])
      const now = await raced.now()
      expect(now).toBeGreaterThanOrEqual(before)
      before = now
      expect(outcome(await raced.clock({ paused: true }))).toEqual([200, null])
    }
  })()
  const [mine, yours, theirs] = await Promise.all([
    raced.clock({ advanceTo: at(60) }),
    raced.clock({ advanceTo: at(60) }),
    raced.step({ advanceTo: at(60) }),
  ]).finally(() => {
    isOver = true
  })
  await turned
  for (const { body } of [mine, yours]) expect(body).toMatchObject({ done: true, clock: { now: at(60) } })
  expect(mine.body.ran + yours.body.ran + theirs.ran).toBe(once.body.ran)
  for (const each of [stepped, raced]) expect(await each.ran()).toEqual(inAnHour)
  for (const { guid } of [stepped, raced]) await api.delete(`${made.path}/rehearsals/${guid}`, organiser)
})

test('operations, deadlines and answers go by it; only those who prepare matches change it', async () => {
  const rehearsal = await rehearse()
  const [coordinator, stranger] = [await roleHolder(api, made.cup, 'role:coordinator'), await api.user()]
  const read = async (as: Caller | null) => outcome(await api.get(`${rehearsal.own}/clock`, as))
  expect([await read(made.referee), await read(stranger)]).toEqual([
    [200, null],
    [404, 'rehearsal.unknown'],
  ])
  const refused = async (body: object, as?: Caller) => outcome(await rehearsal.clock(body, as))
  expect([
    await refused({ rate: 60 }, made.referee),
    await refused({ rate: 60 }, stranger),
    await refused({ rate: 601 }),
    await refused({ advanceTo: 'soon' }),
    await refused({ advanceTo: at(2) }),
    await refused({ advanceTo: at(401 * 24 * 60) }),
    await refused({ rate: 60 }, coordinator),
    await refused({ advanceTo: at(3) }),
  ]).toEqual([
    [403, 'role.missing'],
    [404, 'rehearsal.unknown'],
    [400, 'request.invalid'],
    [400, 'request.invalid'],
    [409, 'clock.backwards'],
    [400, 'clock.too_far'],
    [200, null],
    [200, null],
  ])
  const [match, second] = (await api.get(`${rehearsal.path}/matches`, organiser)).body.matches
  expect([match.startedAt, second.startedAt]).toEqual([at(0), at(3)])
  const session = async () => (await api.get(`${rehearsal.path}/matches/1/flow`, made.referee)).body
  expect((await session()).clock).toMatchObject({ dueAt: at(7), overdue: false })
  // The deadline is over, the grace that follows is not.
  await rehearsal.clock({ advanceTo: at(7 + 4 / 60) })
  expect((await session()).clock).toMatchObject({ dueAt: at(7), overdue: true })
  await rehearsal.clock({ advanceTo: at(8) })
  expect((await session()).clock).toMatchObject({ dueAt: at(7 + 5 / 60 + 7), overdue: false })
  // A referee acts now, which is a minute later.
  await rehearsal.clock({ advanceTo: at(9) })
  const { position } = await session()
  const { session: guid } = await session()
  const skipped = await api.post(`${rehearsal.path}/flow-sessions/${guid}/clock`, made.referee, {
    ...{ expect: position, op: 'set', seconds: 30 },
  })
  expect(outcome(skipped), skipped.text).toEqual([200, null])
  expect((await session()).clock.dueAt).toBe(at(9.5))
  // The audit list shows its instants; the log keeps the real ones, too.
  const { entries } = (await api.get(`${rehearsal.path}/audit?limit=20`, organiser)).body
  expect(entries[0].at).toBe(at(9))
  const [logged] = await api.sql<{ recent: boolean }>(
    `select bool_and(at between now() - interval '5 minutes' and now()) as recent from event_log where tournament = $1`,
    [rehearsal.guid],
  )
  expect(logged?.recent).toBe(true)
  // Nothing of it runs by the real clock, and the real tournament does not run by it.
  expect(
    await api.sql('select from pools where tournament_guid = $1 and status = $2', [made.cup.guid, 'draft']),
  ).toHaveLength(3)
  await api.delete(rehearsal.own, organiser)
})

test('an answer that changes by itself does so by the clock, for callers and for followers', async () => {
  const reply = await api.post(`${made.path}/rehearsals`, organiser, { name: 'Rosters', startsAt: at(0) })
  const rehearsal = new Rehearsal(reply.body.guid)
  await api.sql('update tournaments set roster_locks_at = $2 where guid = $1', [rehearsal.guid, at(5)])
  await api.sql('update teams set roster_locked = false where tournament_guid = $1', [rehearsal.guid])
  const [team] = (await api.get(`${rehearsal.path}/teams`, organiser)).body.teams
  const topic = `${rehearsal.path}/teams/${team.guid}`
  const isLocked = async () => (await api.get(topic, organiser)).body.rosterLocked
  await using socket = await openSocket(api, { as: organiser })
  const followed = () => expect.poll(() => socket.copies.of(topic).body, { timeout: 30_000, interval: 20 })
  expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ body: { rosterLocked: false } })
  expect(await isLocked()).toBe(false)
  await rehearsal.clock({ advanceTo: at(4) })
  expect(await isLocked()).toBe(false)
  await rehearsal.clock({ advanceTo: at(5) })
  expect(await isLocked()).toBe(true)
  await followed().toMatchObject({ rosterLocked: true })
  // By the clock alone: a minute of it takes a second.
  await api.sql('update tournaments set roster_locks_at = $2 where guid = $1', [rehearsal.guid, at(8)])
  await rehearsal.clock({ paused: false, rate: 60 })
  await followed().toMatchObject({ rosterLocked: false })
  await followed().toMatchObject({ rosterLocked: true })
  await api.delete(rehearsal.own, organiser)
})
