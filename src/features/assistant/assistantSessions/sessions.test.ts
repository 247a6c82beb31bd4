import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AssistantWorld,
  assistantPath,
  beginFlow,
  makeAssistantPlay,
  startAssistantWorld,
} from '../../../../test/assistant.ts'
import { outcome } from '../../../../test/harness.ts'

/** A match is played through the assistant, with a flow session and without. (assistant: Session, Results) */

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const patient = { timeout: 20_000, interval: 50 }

test('from opening a session to an accepted result', async () => {
  const { api } = world
  const made = await makeAssistantPlay(world)
  const flow = await beginFlow(api, made, 'accsaber-bo3')
  const path = assistantPath(made)
  const opened = await api.post(path, made.organiser)
  expect(outcome(opened)).toEqual([201, null])
  const read = async () => (await api.get(path, made.organiser)).body
  await expect.poll(async () => (await read()).phase, patient).toBe('ready')
  const set = await api.put(`${path}/map`, made.organiser, {
    hash: made.hashes[0],
    characteristic: 'Standard',
    difficulty: 'ExpertPlus',
  })
  expect(outcome(set)).toEqual([200, null])
  const load = await api.post(`${path}/load`, made.organiser)
  expect(outcome(load)).toEqual([200, null])
  expect(load.body.phase).toBe('loaded')
  const play = await api.post(`${path}/play`, made.organiser)
  expect(outcome(play)).toEqual([200, null])
  expect(play.body.phase).toBe('playing')
  await expect.poll(async () => (await read()).phase, patient).toBe('finished')
  const proposals = await api.get(`${made.match(1)}/proposals`, made.organiser)
  expect(proposals.body.proposals).toMatchObject([{ status: 'proposed', game: 1, players: [{ side: 1 }, { side: 2 }] }])
  void flow
})
