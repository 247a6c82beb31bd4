import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePlay, makeFlow, toTheEnd, waits } from '../../../../test/flow-free.ts'
import { type FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { asTimePasses, passUntilLapse } from '../../../../test/flow-time.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'

/** Concurrent acts, and acts when the time ends, on two services with one database. */

let api: Harness
let second: Harness
let made: MadeFlowPlay
let few: { readonly guid: string }
let banning: string
let waiting: string
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  made = await makeFlowPlay(api, { teams: 4, bestOf: 1, maps: 56 })
  few = await makePool(api, made.cup.guid, {
    status: 'published',
    maps: (await makeMaps(api, 4)).map(({ guid }) => guid),
  })
  banning = await makeFlow(api, made, {
    bestOf: 1,
    steps: [{ action: 'ban', actor: 'seat:1' }, { action: 'ban', actor: 'seat:2' }, ...toTheEnd.steps],
  })
  waiting = await makeFlow(api, made, waits([1, 2], 11))
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const log = async (play: FlowPlay) => {
  const { body } = await api.get(`${play.path}/log`)
  return body.rows
}

describe('many at once', () => {
  test('of 50 different acts on one position one counts, and the others are told how it stands', async () => {
    const play = await freePlay(api, made, { flow: banning })
    const { position } = play.state
    const replies = await Promise.all(
      made.poolMaps.slice(0, 50).map((map, index) =>
        (index % 2 === 0 ? api : second).post(`${play.path}/act`, play.captain(1), {
          expect: position,
          action: 'ban',
          map,
        }),
      ),
    )
    const done = replies.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    const banned = done[0]?.body.maps.find(({ state }: { state: string }) => state === 'banned').map
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect(outcome(reply)).toEqual([409, 'flow.moved'])
      expect(reply.body.state).toMatchObject({ session: play.state.session, position: position + 1 })
      expect(reply.body.state.maps).toContainEqual({ map: banned, state: 'banned', seat: 1, game: null, winner: null })
    }
    expect((await log(play)).slice(position)).toMatchObject([{ position: position + 1, kind: 'ban', map: banned }])
  })

  test('the very same act of the same caller counts once, and is answered alike', async () => {
    const play = await freePlay(api, made, { flow: banning })
    await play.act(2, { action: 'present' })
    const body = { expect: play.state.position, action: 'ban', map: made.poolMaps[7] }
    const send = (service: Harness, as: Caller, more = {}) => service.post(`${play.path}/act`, as, { ...body, ...more })
    const captain = play.captain(1)
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => send(n % 2 === 0 ? api : second, captain)))
    expect(replies.map(outcome)).toEqual(replies.map(() => [200, null]))
    expect(new Set(replies.map(({ body: { position } }) => position))).toEqual(new Set([body.expect + 1]))
    expect(await log(play)).toHaveLength(body.expect + 1)
    // Another caller, another act or another position is not the same act.
    for (const [as, more] of [
      [made.referee, { seat: 1 }],
      [captain, { map: made.poolMaps[8] }],
      [captain, { expect: body.expect - 1 }],
    ] as const) {
      expect(outcome(await send(api, as, more))).toEqual([409, 'flow.moved'])
    }
    await play.read()
    expect(outcome(await play.act(2, { action: 'ban', map: made.poolMaps[9] }))).toEqual([200, null])
    // The repetition also succeeds after the session has continued, has ended, or its time was over.
    const again = await send(second, captain)
    expect(outcome(again)).toEqual([200, null])
    expect(again.body).toEqual(await play.read(captain))
    await play.call(made.referee, 'finish', { reason: 'Enough.' })
    expect(outcome(await send(api, captain))).toEqual([200, null])
    expect(await log(play)).toHaveLength(play.state.position)
  })

  test('of an act and a lapse at the same instant one comes, a thousand times on two services', async () => {
    const plays = await Promise.all(
      Array.from({ length: 50 }, () => freePlay(api, made, { flow: waiting, pool: few.guid })),
    )
    const sessions = plays.map(({ state }) => state.session)
    // The average time in milliseconds between an act and the end of the clock. It is adjusted so that acts and lapses
    // occur equally often.
    let leadMs = 100
    for (let round = 0; round < 20; round++) {
      const seat = 1 + (round % 2)
      const leftMs = 500
      await passUntilLapse(api, sessions, leftMs)
      const late = await Promise.all(
        plays.map(async (play, index) => {
          const { position } = play.state
          await wait(Math.max(0, leftMs - leadMs + ((index * 37 + round * 11) % 200) - 100))
          const replies = await Promise.all(
            [[api, play.captain(seat), {}] as const, [second, made.referee, { seat }] as const].map(
              ([service, as, more]) =>
                service.post(`${play.path}/act`, as, { expect: position, action: 'ready', ...more }),
            ),
          )
          for (const reply of replies) {
            expect([null, 'flow.moved', 'flow.time_over']).toContain(outcome(reply)[1])
            const { state = reply.body } = reply.body
            expect(state.position).toBe(position + 1)
            play.state = state
          }
          return replies.every(({ status }) => status !== 200)
        }),
      )
      leadMs += late.filter((isLate) => isLate).length > plays.length / 2 ? 40 : -40
    }
    const counted = await api.sql<{ kind: string; position: number; session_guid: string }>(
      'select session_guid, position, kind from flow_rows where session_guid = any($1::uuid[]) order by 1, 2',
      [sessions],
    )
    for (const session of sessions) {
      const rows = counted.filter(({ session_guid }) => session_guid === session)
      // The start, and one row for each turn.
      expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
    }
    const kinds = Object.groupBy(counted, ({ kind }) => kind)
    expect(kinds.lapse?.length).toBeGreaterThan(100)
    expect(kinds.ready?.length).toBeGreaterThan(100)
    expect((kinds.lapse?.length ?? 0) + (kinds.ready?.length ?? 0)).toBe(1_000)
  })
})

describe('an act', () => {
  test('is for those who speak and for referees, who act for any seat', async () => {
    const play = await freePlay(api, made, { flow: banning })
    const body = { expect: play.state.position, action: 'ban', map: made.poolMaps[0] }
    const others = await Promise.all(
      ['role:caster', 'role:pooler', 'role:host'].map((role) => roleHolder(api, made.cup, role)),
    )
    for (const as of [await api.user(), made.captains[2] as Caller, ...others]) {
      for (const operation of ['act', 'claims', 'undo', 'clock']) {
        const given = operation === 'clock' ? { op: 'pause' } : operation === 'act' ? body : {}
        const reply = await play.call(as, operation, given)
        expect(reply.status, operation).toBe(403)
        expect(reply.body.state).toBeUndefined()
      }
    }
    expect((await play.call(null, 'act', body)).status).toBe(401)
    expect(outcome(await play.call(play.captain(2), 'act', body))).toEqual([409, 'flow.not_your_turn'])
    expect(outcome(await play.call(play.captain(2), 'act', { ...body, seat: 1 }))).toEqual([409, 'flow.not_your_turn'])
    expect(outcome(await play.call(made.referee, 'act', { ...body, seat: 2 }))).toEqual([409, 'flow.not_your_turn'])
    expect(outcome(await play.call(made.referee, 'act', body))).toEqual([200, null])
    expect((await log(play)).at(-1)).toMatchObject({ seat: 1, onBehalf: true, by: { guid: made.referee.guid } })
    // A member who is not the captain is a speaker if the rules say so or a referee names them.
    const speakers = { seat: 2, users: [others[0]?.guid] }
    expect(outcome(await play.call(made.referee, 'override', { op: 'speakers', ...speakers, reason: 'Ill.' }))).toEqual(
      [200, null],
    )
    const ban = { action: 'ban', map: made.poolMaps[1] }
    expect((await play.call(play.captain(2), 'act', ban)).status).toBe(403)
    expect(outcome(await play.call(others[0] as Caller, 'act', ban))).toEqual([200, null])
    expect(
      (await log(play)).find(({ kind, seat }: { kind: string; seat: number }) => kind === 'ban' && seat === 2),
    ).toMatchObject({ onBehalf: false, by: { guid: others[0]?.guid } })
  })

  test('that finds a time over leaves the lapse, with a key too, and is answered alike when it is sent again', async () => {
    const play = await freePlay(api, made, { flow: waiting, pool: few.guid })
    const { position, session } = play.state
    const send = (service: Harness) =>
      service.call('POST', `${play.path}/act`, {
        as: play.captain(1),
        headers: { 'idempotency-key': `act-${session}` },
        body: { expect: position, action: 'ready' },
      })
    const reply = await asTimePasses(api, [session], 3_700_000, () => send(api))
    expect(outcome(reply)).toEqual([409, 'flow.time_over'])
    expect(reply.body.state).toMatchObject({ position: position + 1, turn: { seats: [2] } })
    const again = await send(second)
    expect([outcome(again), again.body]).toEqual([outcome(reply), reply.body])
    expect((await log(play)).slice(position)).toMatchObject([{ kind: 'lapse', seat: 1 }])
  })

  test('is refused in the order of the reasons', async () => {
    const flow = await makeFlow(api, made, {
      bestOf: 1,
      steps: [{ action: 'ban', actor: 'seat:1', seconds: 3_600, times: 2 }, ...toTheEnd.steps],
    })
    const play = await freePlay(api, made, { flow })
    const first = made.poolMaps[0]
    await play.act(1, { action: 'ban', map: first })
    const one = play.captain(1)
    const two = play.captain(2)
    const refused = async (as: Caller, body: object) => {
      const reply = await api.post(`${play.path}/act`, as, { expect: play.state.position, ...body })
      expect(reply.body.state).toMatchObject({ session: play.state.session })
      return outcome(reply)[1]
    }
    const legal = { action: 'ban', map: made.poolMaps[1] }
    expect(await refused(one, { action: 'ban', map: first })).toBe('flow.map_illegal')
    expect(await refused(one, { action: 'pick', map: first })).toBe('flow.wrong_action')
    expect(await refused(two, { action: 'pick', map: first })).toBe('flow.not_your_turn')
    await play.call(made.referee, 'clock', { op: 'pause' })
    expect(await refused(two, legal)).toBe('flow.paused')
    expect(await refused(one, { ...legal, expect: 1 })).toBe('flow.moved')
    await play.call(made.referee, 'clock', { op: 'resume' })
    const { position, session } = play.state
    // The transaction that gets the lock first writes the lapse, whatever else is wrong with the act.
    expect(await asTimePasses(api, [session], 3_700_000, () => refused(two, legal))).toBe('flow.time_over')
    await play.read()
    expect((await log(play)).slice(position)).toMatchObject([
      { kind: 'lapse', seat: 1, by: null, data: { policy: 'skip', result: 'skipped' } },
      { kind: 'random' },
    ])
    await play.call(made.referee, 'finish', { reason: 'Enough.' })
    expect(await refused(two, legal)).toBe('flow.over')
    expect(await refused(two, { ...legal, expect: 1 })).toBe('flow.moved')
  })
})
