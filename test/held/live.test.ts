import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBracket } from '../bracket-play.ts'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { roleHolder } from '../make.ts'
import { openSocket, type Socket } from '../realtime/sockets.ts'
import { until } from '../waiting.ts'

/** Values that are in no table are as late as the rest for outsiders of a held tournament. (V2) */

let api: Harness
let second: Harness
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

test('live scores come with the delay, at once after a reveal, and as before when the mode is off', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { path, organiser, captains } = made
  const topic = `/tournaments/${made.cup.guid}/matches/1/live`
  const key = `player:${randomUUID()}`
  const set = async (settings: object) =>
    expect(outcome(await api.patch(path, organiser, settings))).toEqual([200, null])

  await using writer = await openSocket(api, { as: await roleHolder(api, made.cup, 'role:coordinator') })
  await using here = await openSocket(api, { as: null })
  await using there = await openSocket(second, { as: await api.user() })
  await using staff = await openSocket(second, { as: organiser })
  await using player = await openSocket(second, { as: captains[0] ?? null })
  const outsiders = [here, there]
  const insiders = [staff, player]
  for (const socket of [...outsiders, ...insiders]) await socket.ask({ type: 'subscribe', topic })
  let seq = 0
  const publish = (score: number) => writer.send({ type: 'publish', topic, key, value: { score }, seq: ++seq })
  const scoreOf = ({ copies }: Socket): number | undefined => {
    let score: number | undefined
    for (const { type, topic: name, states, full } of copies.packets) {
      if (type !== 'state' || name !== topic) continue
      score = states[key]?.score ?? (full ? undefined : score)
    }
    return score
  }
  const all = (sockets: readonly Socket[], score: number) =>
    until(() => sockets.every((each) => scoreOf(each) === score))

  publish(1)
  await all([...outsiders, ...insiders], 1)
  await set({ streamDelaySeconds: 2, spoilerMode: 'held' })
  // Followers move to the late values.
  await until(() => outsiders.every((each) => scoreOf(each) === undefined))
  const at = performance.now()
  publish(2)
  await all(insiders, 2)
  expect(outsiders.map(scoreOf)).not.toContain(2)
  await all(outsiders, 2)
  expect(performance.now() - at).toBeGreaterThan(2_000)

  await set({ streamDelaySeconds: 600 })
  publish(3)
  await all(insiders, 3)
  await using late = await openSocket(api, { as: null })
  const first = await late.ask({ type: 'subscribe', topic })
  expect(first.states[key]?.score).not.toBe(3)
  // A value counts as of the end of its second.
  await until(async () => {
    await api.post(`${path}/reveal`, organiser, { all: true })
    return [...outsiders, late].every((each) => scoreOf(each) === 3)
  })
  publish(4)
  await all(insiders, 4)
  expect([...outsiders, late].map(scoreOf)).not.toContain(4)
  await set({ spoilerMode: 'open' })
  await all([...outsiders, late], 4)
  publish(5)
  await all([...outsiders, late, ...insiders], 5)
})
