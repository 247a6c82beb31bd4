import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBracket } from '../bracket-play.ts'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { comeBack, doors } from '../realtime/coming-back.ts'
import { openSocket } from '../realtime/sockets.ts'

/** Facts for outsiders of a held tournament: each comes with the state that it led to, once, and never before. (V2) */

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

interface Told {
  readonly id: string
  readonly changed: readonly string[]
}

test('facts come when they are shown, in that order, also to those who come back', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { path, organiser } = made
  const cup = `/tournaments/${made.cup.guid}`
  const matches = `${cup}/matches`
  const set = async (settings: object) =>
    expect(outcome(await api.patch(path, organiser, settings))).toEqual([200, null])
  await set({ spoilerMode: 'held', streamDelaySeconds: 600 })

  await using here = await openSocket(api, { as: null })
  await using there = await openSocket(second, { as: null })
  await using staff = await openSocket(second, { as: organiser })
  for (const socket of [here, there, staff]) {
    for (const topic of [cup, matches]) await socket.ask({ type: 'subscribe', topic, facts: true })
  }
  const held = (socket: typeof here, topic: string) => socket.copies.of(`${topic}?facts=1`)
  const allOf = (socket: typeof here, topic: string) => held(socket, topic).facts as readonly Told[]
  const factsOf = (socket: typeof here, topic: string) => allOf(socket, topic).map(({ id }) => id)
  const told = (socket: typeof here, topic: string, count: number) =>
    socket.copies.until((all) => all.of(`${topic}?facts=1`).facts.length === count, `${count} facts of ${topic}`)
  const position = (topic: string) => held(here, topic).position
  const back = async (topic: string, since: string) => {
    const all = []
    for (const door of doors) {
      const packets = await comeBack(door, second, topic, { since, facts: true })
      const facts = packets.flatMap((packet) => packet.facts ?? []) as readonly Told[]
      all.push([facts.map(({ id }) => id), packets.find(({ resync }) => resync)?.resync ?? null])
    }
    expect(all[1]).toEqual(all[0])
    return all[0]
  }
  const begun = { cup: position(cup), matches: position(matches) }

  // A held change, and then one that is seen at once: outsiders learn of the second alone.
  await made.win(1, 'team-1')
  expect(outcome(await api.post(`${path}/status`, organiser, { status: 'completed' }))).toEqual([200, null])
  await set({ summary: 'Seen at once.' })
  await staff.copies.until((all) => JSON.stringify(all.of(`${cup}?facts=1`).facts).includes('"summary"'), 'the staff')
  // The staff learn of more.
  const known = ['status', 'summary'].map(
    (member) => allOf(staff, cup).find(({ changed }) => changed.join() === member)?.id,
  )
  for (const socket of [here, there]) await told(socket, cup, 1)
  expect([factsOf(here, cup), factsOf(there, cup)]).toEqual(Array(2).fill([known[1]]))
  expect(position(cup)).toBe(held(there, cup).position)
  expect(await back(cup, begun.cup)).toEqual([[known[1]], null])
  expect(await back(matches, begun.matches)).toEqual([[], null])
  expect(factsOf(here, matches)).toEqual([])
  const middle = position(cup)

  // A reveal shows the match: facts of it come with its state, and no others.
  const first = (await made.readMatch(1)).guid
  const wanted = factsOf(staff, matches)
  expect(wanted.length).toBeGreaterThan(0)
  expect(outcome(await api.post(`${path}/reveal`, organiser, { match: first }))).toEqual([200, null])
  for (const socket of [here, there]) await told(socket, matches, wanted.length)
  expect(factsOf(here, matches)).toEqual(wanted)
  expect(await back(matches, begun.matches)).toEqual([wanted, null])
  expect(factsOf(here, cup).length).toBe(1)

  // The earlier event comes last, also to a follower who knows the later one already.
  expect(outcome(await api.post(`${path}/reveal`, organiser, { all: true }))).toEqual([200, null])
  for (const socket of [here, there]) await told(socket, cup, 2)
  expect(factsOf(here, cup)).toEqual(known.toReversed())
  expect(position(cup)).toBe(held(there, cup).position)
  expect(await back(cup, middle)).toEqual([[known[0]], null])
  expect(await back(cup, begun.cup)).toEqual([known.toReversed(), null])

  // Switching off shows all at once: those who follow get the facts, and who comes back from before gets them too.
  const before = position(matches)
  await made.win(2, 'team-2')
  await told(staff, matches, wanted.length * 2)
  await set({ spoilerMode: 'open' })
  for (const socket of [here, there]) await told(socket, matches, wanted.length * 2)
  expect(factsOf(here, matches)).toEqual(factsOf(staff, matches))
  const [facts, resync] = (await back(matches, before)) as [unknown[], unknown]
  expect(resync === null ? facts : resync).toEqual(
    resync === null ? factsOf(staff, matches).slice(wanted.length) : { reason: 'unknown' },
  )
})
