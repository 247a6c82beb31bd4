import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'
import { until } from '../../../../test/waiting.ts'

/** Sessions over sockets: sent commands, followed topics, and events that reveal nothing too early. */

let api: Harness
let second: Harness
let made: MadeFlowPlay
let caster: Caller
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 7 })
  caster = await roleHolder(api, made.cup, 'role:caster')
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

/** Viewers of every role on two services, each subscribed to the topics of the match and later of the session. */
async function audiences(play: FlowPlay, number: number) {
  const followers: readonly [name: string, as: Caller | null, service: Harness][] = [
    ['referee', made.referee, second],
    ['speaker', play.captain(1), api],
    ['other speaker', play.captain(2), second],
    ['caster', caster, second],
    ['stranger', null, second],
    ['user', await api.user(), api],
  ]
  const topics = [`${made.path}/matches/${number}/flow`, play.path]
  const all = await Promise.all(
    followers.map(async ([name, as, service]) => {
      const socket = await openSocket(service, { as })
      for (const topic of topics) {
        const answer = await socket.ask({ type: 'subscribe', topic, facts: true })
        expect(answer, `${name} ${topic}`).toMatchObject({ type: 'snapshot' })
      }
      return { name, as, socket }
    }),
  )
  const close = async () => {
    await Promise.all(all.map(({ socket }) => socket.close()))
  }
  return { all, topics, close, [Symbol.asyncDispose]: close }
}

const copyOf = (socket: Socket, topic: string) => {
  // The name of a topic has the tournament's GUID.
  const found = [...socket.copies.all].find(
    ([name]) => name.startsWith(topic.replace(made.path, `/tournaments/${made.cup.guid}`)) || name.startsWith(topic),
  )
  if (found === undefined) throw new Error(`no copy of ${topic} among ${[...socket.copies.all.keys()]}`)
  return found[1]
}

test('two captains and a referee play a match over sockets alone, and all who follow hold what they would read', async () => {
  const [referee, ...captains] = await Promise.all([
    openSocket(api, { as: made.referee }),
    ...made.captains.map((as, index) => openSocket(index % 2 === 0 ? api : second, { as })),
  ])
  const play = new FlowPlay(api, made)
  const tournament = made.cup.guid
  const send = async (socket: Socket, name: string, body: object, params: object = {}) => {
    const answer = await socket.ask({
      type: 'command',
      name: `flowSessions.${name}`,
      params: { tournament, ...(play.state === null ? {} : { flowSession: play.state.session }), ...params },
      body,
    })
    expect(answer, `${name} ${JSON.stringify(answer).slice(0, 500)}`).toMatchObject({ type: 'result' })
    play.state = answer.body
  }
  const socketOf = (seat: number) => captains[made.captains.indexOf(play.captain(seat))] as Socket
  const act = (seat: number, body: object) => send(socketOf(seat), 'act', { expect: play.state.position, ...body })
  const body = { flowGuid: 'accsaber-bo3', poolGuid: made.pool.guid }
  await send(referee, 'begin', body, { match: '1' })
  // Two rows, and one more for each tied roll.
  const followed = play.state.position
  await using followers = await audiences(play, 1)
  /** Waits until every copy equals what the same caller reads now. */
  const agree = async () => {
    for (const topic of followers.topics) {
      for (const { name, as, socket } of followers.all) {
        const copy = copyOf(socket, topic)
        await socket.copies.until(() => (copyOf(socket, topic).body as StateBody).position >= play.state.position, name)
        const reply = await api.get(topic, as)
        await until(() => copyOf(socket, topic).etag === reply.headers.get('etag'))
        expect(copyOf(socket, topic).body, `${name} ${topic}`).toEqual(reply.body)
        expect(copy.ended).toBeNull()
      }
    }
  }
  await agree()
  const [winner] = play.state.turn.seats
  const loser = 3 - winner
  const maps = made.poolMaps
  for (const [seat, said] of [
    [winner, { action: 'choose', place: 1 }],
    [loser, { action: 'ban', map: maps[2] }],
    [winner, { action: 'ban', map: maps[4] }],
    [winner, { action: 'pick', map: maps[0] }],
    [loser, { action: 'pick', map: maps[3] }],
    [winner, { action: 'ban', map: maps[6] }],
    [loser, { action: 'ban', map: maps[1] }],
  ] as const) {
    await act(seat, said)
    await agree()
  }
  const scores = (...told: number[]) =>
    send(referee, 'reportScores', { scores: told.map((score, index) => ({ user: play.player(index + 1), score })) })
  await scores(812_340, 815_002)
  await send(socketOf(1), 'claim', { expect: play.state.position })
  await agree()
  await scores(820_111, 809_950)
  await scores(700_000, 700_000)
  await scores(698_500, 701_250)
  await agree()
  expect(play.state).toMatchObject({ scoreline: [1, 1], phase: 'playing' })
  await scores(905_120, 905_121)
  expect(play.state).toMatchObject({ status: 'over', scoreline: [1, 2], winner: 2 })
  await agree()
  expect(await made.readMatch(1)).toMatchObject({ status: 'completed', sides: [{ score: 1 }, { score: 2 }] })

  const { rows } = (await api.get(`${play.path}/log`)).body
  for (const { name, socket } of followers.all) {
    for (const topic of followers.topics) {
      const told = copyOf(socket, topic).facts.filter(({ type }) => type === 'flow.row')
      expect(told, `${name} ${topic}`).toHaveLength(rows.length - followed)
      for (const [index, { changed, subject, after }] of told.entries()) {
        expect(subject).toEqual({ kind: 'flow_session', guid: play.state.session })
        expect(changed).toEqual(expect.arrayContaining(['position', 'kind', 'seat', 'map']))
        const { position, kind, map } = rows[index + followed]
        // Only the staff receives the contents of the row.
        if (name === 'referee') expect(after).toMatchObject({ position, kind, map })
        if (name === 'stranger') expect(after).toBeUndefined()
      }
    }
  }
  // A refusal contains the state over a socket too.
  const refused = await socketOf(1).ask({
    type: 'command',
    name: 'flowSessions.act',
    params: { tournament, flowSession: play.state.session },
    body: { expect: 3, action: 'present' },
  })
  expect(refused).toMatchObject({
    type: 'error',
    code: 'flow.moved',
    data: { state: { position: play.state.position } },
  })
  await Promise.all([referee, ...captains].map((socket) => socket.close()))
})

test('outsiders are told of a session as late as its view delay says, and of nothing before; who referees, casts or speaks, at once', async () => {
  const flow = await makeFlow(api, made, {
    ...toTheEnd,
    bestOf: 3,
    rules: { viewDelaySeconds: 2 },
    steps: [{ action: 'ban', actor: 'seat:1' }, { action: 'ban', actor: 'seat:2' }, ...toTheEnd.steps],
  })
  const play = new FlowPlay(api, made, 2)
  const topic = `${made.path}/matches/2/flow`
  await using early = await openSocket(second)
  expect(await early.ask({ type: 'subscribe', topic })).toMatchObject({ body: { status: 'planned', session: null } })
  expect((await play.begin({ flowGuid: flow, poolGuid: made.pool.guid })).status).toBe(201)
  expect((await api.get(play.path)).status).toBe(404)
  await until(async () => (await api.get(play.path)).status === 200)
  await using followers = await audiences(play, 2)
  const isLate = (name: string) => name === 'stranger' || name === 'user'
  const steps: [number, object][] = [
    [1, { action: 'ban', map: made.poolMaps[0] }],
    [2, { action: 'ban', map: made.poolMaps[1] }],
  ]
  for (const [seat, said] of steps) {
    const before = play.state.position
    await play.act(seat, said)
    const { position } = play.state
    const { rows } = (await api.get(`${play.path}/log`, made.referee)).body
    const at = Date.parse(rows[before].at)
    await Promise.all(
      followers.all.flatMap(({ name, as, socket }) =>
        followers.topics.map(async (followed) => {
          const positionOf = () => (copyOf(socket, followed).body as StateBody).position
          await until(() => positionOf() >= position)
          // The database and the test use the same clock.
          if (isLate(name)) expect(Date.now() - at).toBeGreaterThanOrEqual(2_000)
          const reply = await api.get(followed, as)
          await until(() => copyOf(socket, followed).etag === reply.headers.get('etag'))
          expect(copyOf(socket, followed).body, name).toEqual(reply.body)
        }),
      ),
    )
  }
  for (const { name, socket } of followers.all) {
    if (!isLate(name)) continue
    const { facts } = copyOf(socket, play.path)
    for (const { type, changed, after } of facts) {
      expect(type).toBe('flow.shown')
      expect([changed, after]).toEqual([['position'], undefined])
    }
    expect(facts.length).toBeGreaterThan(0)
  }
  await until(() => JSON.stringify(copyOf(early, topic).body).includes(made.poolMaps[1] as string))
})

test('with a stream that is behind, the state is read as it stood when the stream was there', async () => {
  const streamDelaySeconds = 3
  expect((await api.patch(made.path, made.organiser, { streamDelaySeconds })).status).toBe(200)
  const flow = await makeFlow(api, made, {
    ...toTheEnd,
    steps: [{ action: 'ban', actor: 'seat:1' }, ...toTheEnd.steps],
  })
  const reply = await api.post(`${made.path}/flow-sessions`, made.referee, {
    flow,
    pool: made.pool.guid,
    public: true,
    seats: made.teams.slice(0, 2).map(({ guid }) => ({ teamGuid: guid })),
  })
  expect(reply.status).toBe(201)
  const play = new FlowPlay(api, made)
  play.state = reply.body
  const late = `${play.path}?delayed=true`
  await until(async () => (await api.get(late)).status === 200)
  await using socket = await openSocket(second)
  expect(await socket.ask({ type: 'subscribe', topic: play.path, delayed: true })).toMatchObject({ delayedBy: 3 })
  const before = (await api.get(late)).body
  const at = Date.now()
  await play.act(1, { action: 'ban', map: made.poolMaps[0] })
  for (;;) {
    const { headers, body } = await second.get(late)
    expect(headers.get('delayed')).toBe(String(streamDelaySeconds))
    if (body.position !== before.position) break
    expect(body).toEqual(before)
    await wait(100)
  }
  expect(Date.now() - at).toBeGreaterThanOrEqual(streamDelaySeconds * 1_000)
  await until(() => (copyOf(socket, play.path).body as StateBody).position === play.state.position)
  expect(copyOf(socket, play.path).body).toEqual((await api.get(play.path)).body)
})
