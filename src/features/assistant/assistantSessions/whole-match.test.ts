import { afterAll, beforeAll, test } from 'vitest'
import { type AssistantWorld, startAssistantWorld } from '../../../../test/assistant.ts'
import { arrangeMatch, byFlow, byHand, playAll } from '../../../../test/assistant-matches.ts'

/**
 * A best of seven, two against two, from opening the session to a decided bracket. All viewers see the same.
 * (assistant: What proves it, 1)
 */

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

test('a best of seven with replays, a player who fails and one who quits is the same for everybody, with a flow and without', async () => {
  const [flow, hand] = [await arrangeMatch(world, { hasFlow: true }), await arrangeMatch(world, { hasFlow: false })]
  await Promise.all([playAll(flow, byFlow), playAll(hand, byHand)])
})
