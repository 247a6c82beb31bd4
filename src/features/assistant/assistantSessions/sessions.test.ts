import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AssistantWorld,
  assistantPath,
  makeAssistantPlay,
  startAssistantWorld,
} from '../../../../test/assistant.ts'
import { type Caller, outcome, type Reply } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'

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
