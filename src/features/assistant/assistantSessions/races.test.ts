import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AssistantWorld,
  assistantPath,
  makeAssistantPlay,
  startAssistantWorld,
} from '../../../../test/assistant.ts'
import { type Caller, outcome, type Reply } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'

/** Two operators at the same time: only the controller's commands are sent. (AS5) */

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const codeOf = (reply: Reply) => reply.headers.get('problem-code')

test('a hundred races of commands and takeovers: each command that was answered well is sent once, and no other', async () => {
  const { api, fake } = world
  const made = await makeAssistantPlay(world)
  await using sibling = await api.sibling()
  const path = assistantPath(made)
  const [one, other] = await Promise.all([
    roleHolder(api, made.cup, 'role:referee'),
    roleHolder(api, made.cup, 'role:coordinator'),
  ])
  expect((await api.post(path, one)).status).toBe(201)
  await expect.poll(async () => (await api.get(path, one)).body.phase, { interval: 50 }).toBe('ready')
  const colours = () => fake.received.filter(({ kind }) => kind === 'command.showColorForStreamSync').length
  let sent = 0
  for (let round = 0; round < 25; round++) {
    const take = (as: Caller) => api.post(`${path}/control`, as, { action: 'takeover', reason: `Round ${round}.` })
    const show = (service: typeof api, as: Caller) => service.post(`${path}/sync-color`, as, { color: '#00ff00' })
    const replies = await Promise.all([show(api, one), take(other), show(sibling, other), take(one), show(api, one)])
    const commands = [replies[0], replies[2], replies[4]] as Reply[]
    for (const reply of commands) expect([null, 'assistant.not_controller']).toContain(codeOf(reply))
    sent += commands.filter(({ status }) => status === 200).length
    await expect.poll(colours, { interval: 10 }).toBe(sent)
  }
  expect(sent).toBeGreaterThan(10)

  // A repeated key sends nothing again, and gets the same answer.
  await api.post(`${path}/control`, one, { action: 'takeover', reason: 'Once more.' })
  const before = colours()
  const keyed = () =>
    api.call('POST', `${path}/sync-color`, {
      as: one,
      body: { color: '#0000ff' },
      headers: { 'idempotency-key': 'colour-1' },
    })
  const repeated = await Promise.all([keyed(), keyed(), keyed()])
  expect(repeated.map(outcome)).toEqual([
    [200, null],
    [200, null],
    [200, null],
  ])
  expect(colours()).toBe(before + 1)

  // An operator who loses the role loses control immediately.
  const role = { role: 'role:referee' }
  await api.delete(`${made.path}/permissions/${one.guid}/revoke`, made.organiser, role)
  expect(outcome(await api.post(`${path}/sync-color`, one, { color: '#ff0000' }))).toEqual([403, 'role.missing'])
  expect(colours()).toBe(before + 1)
})
