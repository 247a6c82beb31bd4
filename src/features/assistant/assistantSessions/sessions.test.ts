import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AssistantWorld,
  assistantPath,
  beginFlow,
  type MadeAssistantPlay,
  makeAssistantPlay,
  startAssistantWorld,
} from '../../../../test/assistant.ts'
import type { FlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, outcome, type Reply } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** Matches are played through the assistant, from opening a session to a result. (assistant: Session, Live scores, Results) */

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

/** A match in which everybody is there, its session open and controlled by the referee. */
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

async function chooseMap(play: FlowPlay, map: string): Promise<void> {
  const override = (body: object) => play.call(play.made.referee, 'override', { reason: 'To the point.', ...body })
  await done(override({ op: 'set_map', map }))
}

const scoreOf = (made: MadeAssistantPlay, side: number, song: object) =>
  made.players[side - 1]?.[0]?.game.script.songs.push(song)

describe('a whole match', () => {
  test('by a flow is decided by what the assistant tells, and everybody who watches sees the same', async () => {
    const { api } = world
    const { made, path, read, phase } = await openMatch()
    const flow = await beginFlow(api, made, 'accsaber-bo3')
    await done(flow.call(made.referee, 'override', { reason: 'To the point.', op: 'go_to', step: '10.1' }))
    const match = `/tournaments/${made.cup.guid}/matches/${(await made.readMatch(1)).guid}`
    const socket = await openSocket(api, { as: null })
    for (const topic of [`${match}/live`, `${match}/assistant`]) {
      expect(await socket.ask({ type: 'subscribe', topic })).not.toMatchObject({ type: 'error' })
    }
    const agree = () =>
      expect
        .poll(async () => isDeepStrictEqual(socket.copies.of(`${match}/assistant`).body, await read(null)), patient)
        .toBe(true)
    const proposals = `${made.match(1)}/proposals`
    const games: object[] = []
    for (const [index, map] of made.poolMaps.slice(0, 2).entries()) {
      await chooseMap(flow, map)
      scoreOf(made, 1, { score: 950_000 - index, maxScore: 1_000_000 })
      scoreOf(made, 2, { score: 900_000, maxScore: 1_000_000, completion: index === 1 ? 'failed' : 'passed' })
      const set = await done(api.put(`${path}/map`, made.referee, { source: 'flow' }))
      expect(set.body.map).toMatchObject({ poolMapGuid: map, hash: made.hashes[index] })
      expect((await done(api.post(`${path}/load`, made.referee))).body.phase).toBe('loaded')
      const play = await done(api.post(`${path}/play`, made.referee))
      expect(play.body).toMatchObject({ phase: 'playing', play: { game: index + 1, run: 1, state: 'started' } })
      expect(await read(null)).toEqual({
        phase: 'playing',
        map: expect.objectContaining({ hash: made.hashes[index] }),
        play: { startedAt: play.body.play.startedAt },
      })
      await phase('finished')
      await agree()
      const [proposal] = (await api.get(proposals, made.referee)).body.proposals
      expect(proposal).toMatchObject({
        ...{ status: 'proposed', game: index + 1, run: 1, source: 'assistant', play: play.body.play.guid, winner: 1 },
        players: [
          { side: 1, score: 950_000 - index, completion: 'passed' },
          { side: 2, score: 900_000, completion: index === 1 ? 'failed' : 'passed' },
        ],
      })
      const accepted = await done(api.post(`${proposals}/${proposal.guid}/accept`, made.referee))
      games.push({ number: index + 1, winner: 1 })
      expect(accepted.body).toMatchObject({ proposal: { status: 'accepted' }, state: { phase: 'window' } })
      // Whoever lost the map claims no replay: it is final.
      await flow.read()
      await done(flow.act(2, { action: 'accept' }))
      expect(await made.readMatch(1)).toMatchObject({ games })
      // What is asked for again shows what was done, and does it once.
      expect(outcome(await api.post(`${proposals}/${proposal.guid}/accept`, made.referee))).toEqual([
        409,
        'proposal.decided',
      ])
    }
    expect(await made.readMatch(1)).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 0 }] })
    expect(flow.state.status).toBe('over')
    const runs = flow.state.games.flatMap(({ chains }: { chains: object[][] }) => chains.flat())
    expect(runs).toHaveLength(2)
    await agree()
    const told = JSON.stringify(socket.copies.packets)
    for (const word of ['"source":"assistant"', '"state":"finished"', '"state":"failed"']) expect(told).toContain(word)
    await socket.close()
    const { closedAt, status } = await done(api.delete(path, made.referee)).then(() => read())
    expect([status, closedAt === null]).toEqual(['closed', false])
  })

  test('without a flow is told as its games', async () => {
    const { api } = world
    const { made, path, phase } = await openMatch()
    const map = { hash: made.hashes[0], characteristic: 'Standard', difficulty: 'ExpertPlus' }
    await done(api.put(`${path}/map`, made.referee, map))
    await done(api.post(`${path}/load`, made.referee))
    scoreOf(made, 1, { score: 800_000 })
    scoreOf(made, 2, { score: 850_000 })
    await done(api.post(`${path}/play`, made.referee))
    await phase('finished')
    const address = `${made.match(1)}/proposals`
    const [proposal] = (await api.get(address, made.referee)).body.proposals
    expect(proposal).toMatchObject({ winner: 2, warnings: [{ code: 'free_map', user: null }] })
    await done(api.post(`${address}/${proposal.guid}/accept`, made.referee))
    expect(await made.readMatch(1)).toMatchObject({ sides: [{ score: 0 }, { score: 1 }], games: [{ winner: 2 }] })
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
    // Whoever has no control gives no command.
    const coordinator = await roleHolder(api, made.cup, 'role:coordinator')
    const refused = await api.post(`${path}/return`, coordinator)
    expect(outcome(refused)).toEqual([409, 'assistant.not_controller'])
    expect(refused.body.controller).toBe(made.referee.guid)
    // Without a reason nothing is taken over.
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
