import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AssistantWorld,
  assistantPath,
  makeAssistantPlay,
  startAssistantWorld,
} from '../../../../test/assistant.ts'
import { makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { FlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, outcome, type Reply } from '../../../../test/harness.ts'
import { makeApplication, roleHolder, touch } from '../../../../test/make.ts'
import { beginSong } from '../../../../test/proposals.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { countStatements } from '../../../../test/statements.ts'
import { savePlayState } from './commands/holding.ts'
import { lockSession } from './store/sessions.ts'

/**
 * Matches that are played through the assistant, from opening a session to a result. (assistant: Session; assistant:
 * Live scores; assistant: Results)
 */

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const patient = { timeout: 30_000, interval: 50 }

async function done(call: Promise<Reply>): Promise<Reply> {
  const reply = await call
  expect([reply.status, reply.status < 300 ? '' : reply.text]).toEqual([reply.status, ''])
  return reply
}

/** The session's entry of a player who is in the game. */
const inGame = {
  side: 1,
  platformId: null,
  connected: true,
  playState: 'game',
  downloadState: 'downloaded',
  load: { state: 'loaded', error: null },
  readyCheck: 'none',
  bannedMods: [],
  streamDelayMs: null,
  mapped: null,
}

/** A match with all players present, and an open session that the referee controls. */
async function openMatch(options: Parameters<typeof makeAssistantPlay>[1] = {}) {
  const { api } = world
  const made = await makeAssistantPlay(world, options)
  const path = assistantPath(made)
  await done(api.post(path, made.referee))
  const read = async (as: Caller | null = made.referee) => (await api.get(path, as)).body
  const phase = (wanted: string) => expect.poll(async () => (await read()).phase, patient).toBe(wanted)
  await phase('ready')
  return { made, path, read, phase }
}

describe('what is played in a match whose flow is shown late', () => {
  test('is told now to those who see that now, and to nobody else', async () => {
    const { api } = world
    const made = await makeFlowPlay(api, { teams: 2, bestOf: 3, maps: 7 })
    const path = `${made.match(1)}/assistant`
    const play = new FlowPlay(api, made)
    const [caster, host, player] = [
      await roleHolder(api, made.cup, 'role:caster'),
      await roleHolder(api, made.cup, 'role:host'),
      await api.user(),
    ]
    const flowGuid = await makeFlow(api, made, { ...toTheEnd, bestOf: null, rules: { viewDelaySeconds: 900 } })
    const topic = `/tournaments/${made.cup.guid}/matches/${(await made.readMatch(1)).guid}/live`
    const early = await openSocket(api, { as: null })
    expect(await early.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'state' })
    expect(outcome(await play.begin({ flowGuid, poolGuid: made.pool.guid }))).toEqual([201, null])
    // Callers who followed before are outsiders from now on.
    await expect.poll(() => early.copies.packets.some(({ type }) => type === 'ended'), patient).toBe(true)
    const { match, session: flowSessionGuid, games, pool } = play.state
    const entry = pool.maps.find(({ guid }: { guid: string }) => guid === games[0].map)
    const map = { poolMapGuid: entry.guid, hash: entry.map.hash, characteristic: 'Standard', name: 'Secret pick' }
    const state = { players: [{ ...inGame, userGuid: player.guid }], others: [], map: null, warnings: [] }
    // No process holds a failed session, so its state stays as it is.
    const [row] = await api.sql<{ guid: string }>(
      `insert into assistant_sessions (tournament_guid, match_guid, opened_by, status, phase, state)
       values ($1, $2, $3, 'failed', 'playing', $4) returning guid`,
      [made.cup.guid, match, made.organiser.guid, JSON.stringify(state)],
    )
    const sessionGuid = row?.guid ?? ''
    const song = await beginSong(api, {
      tournamentGuid: made.cup.guid,
      matchGuid: match,
      sessionGuid,
      flowSessionGuid,
      expected: [],
      map: { ...map, difficulty: entry.map.difficulty, modifiers: [], maxScore: null },
    })
    await touch(api, sessionGuid, match)
    const read = async (as: Caller | null) => (await api.get(path, as)).body
    const nothing = { phase: 'idle', map: null, play: null }
    // Read twice, because answers are cached by audience.
    for (const as of [null, host, await api.user(), null]) expect(await read(as)).toEqual(nothing)
    const speaker = play.captain(1)
    const phases = await Promise.all([speaker, player, caster, made.referee].map(async (as) => (await read(as)).phase))
    expect(phases).toEqual(['playing', 'playing', 'playing', 'playing'])
    expect((await read(speaker)).map).toMatchObject({ hash: map.hash })
    expect(await read(null)).toEqual(nothing)
    const list = `/tournaments/${made.cup.guid}/assistant/sessions`
    expect((await api.get(list, caster)).body.sessions).toMatchObject([{ guid: sessionGuid, phase: 'playing' }])
    expect((await api.get(list, host)).body.sessions).toEqual([nothing])
    for (const [as, type] of [
      [null, 'error'],
      [host, 'error'],
      [speaker, 'state'],
      [caster, 'state'],
    ] as const) {
      const socket = await openSocket(api, { as })
      expect((await socket.ask({ type: 'subscribe', topic })).type).toBe(type)
      await socket.close()
    }
    // Outsiders are not notified that a song begins and ends.
    const follower = await openSocket(api, { as: null })
    expect(await follower.ask({ type: 'subscribe', topic: path, facts: true })).toMatchObject({ type: 'snapshot' })
    const speaking = await openSocket(api, { as: speaker })
    expect((await speaking.ask({ type: 'subscribe', topic: path, facts: true })).type).toBe('snapshot')
    const watcher = await openSocket(api, { as: caster })
    expect((await watcher.ask({ type: 'subscribe', topic: path, facts: true })).type).toBe('snapshot')
    const opened = await api.app.database.transaction((tx) => lockSession(tx, sessionGuid))
    if (opened === undefined) throw new Error('a session was made')
    for (const state of ['started', 'aborted'] as const) {
      const effect = { type: 'playState', play: song.play.guid, state } as const
      await api.app.database.transaction((tx) => savePlayState(tx, opened, effect, new Date()))
    }
    // The staff have received the same event by then.
    await expect.poll(() => JSON.stringify(watcher.copies.packets), patient).toContain('assistant.play_aborted')
    for (const { copies } of [follower, speaking]) expect(JSON.stringify(copies.packets)).not.toContain('assistant.')
    for (const socket of [early, follower, speaking, watcher]) await socket.close()
  })
})

test('a list costs the same few statements whatever the number of sessions', async () => {
  const { api } = world
  const made = await makeFlowPlay(api, { teams: 8 })
  const { guid: organiser } = made.organiser
  const state = JSON.stringify({ players: [], others: [], map: null, warnings: [] })
  const list = `/tournaments/${made.cup.guid}/assistant/sessions`
  const costs: number[] = []
  for (const number of [1, 2, 3, 4]) {
    const { guid } = await made.readMatch(number)
    const [row] = await api.sql<{ guid: string }>(
      `insert into assistant_sessions (tournament_guid, match_guid, opened_by, status, phase, state,
         controller_guid, controller_since, controller_until)
       values ($1, $2, $3, 'failed', 'idle', $4, $3, now(), now() + interval '1 hour') returning guid`,
      [made.cup.guid, guid, organiser, state],
    )
    const { statements, answer } = await countStatements(['assistant_sessions', 'users'], async () => {
      await touch(api, row?.guid ?? '')
      return (await api.get(list, made.referee)).body.sessions
    })
    expect(answer).toHaveLength(number)
    for (const { controller } of answer) expect(controller.user.guid).toBe(organiser)
    costs.push(statements)
  }
  expect(costs[0]).toBeGreaterThan(2)
  expect(new Set(costs).size).toBe(1)
})

describe('control ends with the right to it', () => {
  test.each(['the role', 'the account', 'the grant', 'the sign-in'] as const)('%s', async (what) => {
    const { api } = world
    const { made, path, read } = await openMatch()
    await using sibling = await api.sibling()
    const coordinator = await roleHolder(api, made.cup, 'role:coordinator')
    const application = await makeApplication(api, made.organiser, { scopes: ['assistant', 'rest:write'] })
    const signIn = crypto.randomUUID()
    await api.sql(
      `insert into sessions (guid, user_guid, created_at, expires_at) values ($1, $2, now(), now() + interval '1 day')`,
      [signIn, coordinator.guid],
    )
    const tokenOf = async () => {
      if (what === 'the grant') return api.token(coordinator, ['assistant'], application)
      if (what !== 'the sign-in') return coordinator.token
      const token = await api.token(coordinator, ['rest:write', 'ws:write'])
      const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      await api.sql('update access_tokens set session_guid = $2 where jti = $1', [jti, signIn])
      return token
    }
    const operator = { ...coordinator, token: await tokenOf() }
    await done(api.post(`${path}/control`, operator, { action: 'takeover', reason: 'My turn.' }))
    const follower = await openSocket(api, { as: made.organiser })
    expect(await follower.ask({ type: 'subscribe', topic: path })).toMatchObject({ type: 'snapshot' })
    expect((await read(made.organiser)).controller.user.guid).toBe(coordinator.guid)
    expect((await sibling.get(path, made.organiser)).body.controller.user.guid).toBe(coordinator.guid)

    const { guid } = coordinator
    if (what === 'the role') {
      await done(api.delete(`${made.path}/permissions/${guid}/revoke`, made.organiser, { role: 'role:coordinator' }))
    } else if (what === 'the account') {
      const owner = await api.user({ globalRoles: ['role:owner'] })
      const controlled = async () => (await api.get(`/admin/users/${guid}`, owner)).body.controlledAssistants
      expect(await controlled()).toBe(1)
      await done(api.patch(`/admin/users/${guid}`, owner, { banned: true, banReason: 'A test.' }))
      await expect.poll(controlled, patient).toBe(0)
    } else {
      const ended = what === 'the grant' ? application.clientId : signIn
      await done(api.delete(`/users/@me/sessions/${ended}`, coordinator))
    }
    // From now on every process shows that nobody has control, and followers are notified.
    expect((await sibling.get(path, made.organiser)).body.controller).toBeNull()
    expect((await read(made.organiser)).controller).toBeNull()
    const received = () => JSON.stringify(follower.copies.of(path).body)
    await expect.poll(received, patient).toContain('"controller":null')
    if (what === 'the grant' || what === 'the sign-in') {
      const renewed = await api.post(`${path}/control`, coordinator, { action: 'renew' })
      expect(outcome(renewed)).toEqual([409, 'assistant.not_controller'])
    }
    // Another operator can take control without a takeover.
    await done(sibling.post(`${path}/control`, made.referee, { action: 'take' }))
    await done(api.post(`${path}/return`, made.referee))
    const lost = `select before ->> 'controller' as who from event_log where type = 'assistant.control_ended' and tournament = $1`
    await expect.poll(() => api.sql(lost, [made.cup.guid]), patient).toEqual([{ who: guid }])
    await follower.close()
  })
})

describe('who may', () => {
  test('see of a session what is for them, and do what their role lets them', async () => {
    const { api } = world
    const { made, path, read } = await openMatch()
    const [own, other] = made.players.map(([player]) => player as { user: Caller }) as [
      { user: Caller },
      { user: Caller },
    ]
    const caster = await roleHolder(api, made.cup, 'role:caster')
    expect(await read(null)).toEqual({ phase: 'idle', map: null, play: null })
    const mine = await read(own.user)
    expect(mine.players).toHaveLength(1)
    expect(Object.keys(mine).toSorted()).toEqual(['map', 'phase', 'play', 'players'])
    expect(mine.players[0].side).not.toBe((await read(other.user)).players[0].side)
    expect((await read(caster)).players).toHaveLength(2)
    for (const as of [caster, own.user])
      expect(outcome(await api.post(`${path}/play`, as))).toEqual([403, 'role.missing'])
    // An operator without control cannot give commands.
    const coordinator = await roleHolder(api, made.cup, 'role:coordinator')
    const refused = await api.post(`${path}/return`, coordinator)
    expect(outcome(refused)).toEqual([409, 'assistant.not_controller'])
    expect(refused.body.controller).toBe(made.referee.guid)
    // A takeover needs a reason.
    const takeover = (body: object) => api.post(`${path}/control`, coordinator, { action: 'takeover', ...body })
    expect(outcome(await takeover({}))).toEqual([400, 'assistant.reason_missing'])
    await done(takeover({ reason: 'The referee is away.' }))
    expect((await read()).controller.user.guid).toBe(coordinator.guid)
    await done(api.post(`${path}/return`, coordinator))
    expect(outcome(await api.post(`${path}/return`, made.referee))).toEqual([409, 'assistant.not_controller'])
    expect(outcome(await api.delete(path, made.referee))).toEqual([409, 'assistant.not_controller'])
    await done(api.delete(path, made.organiser))
    expect(outcome(await api.post(`${path}/return`, coordinator))).toEqual([409, 'assistant.closed'])
  })
})
