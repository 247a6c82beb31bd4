import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { makePooling, type Pooling } from '../../../../test/suggestions.ts'

/** Poolers immediately receive the suggestions and comments of others; other users receive nothing. */

let catalogue: FakeCatalogue
let api: Harness
let cup: Pooling
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  cup = await makePooling(api, catalogue)
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

/** Opens a socket that subscribes to the topics with facts. */
async function follow(as: Caller | null, ...topics: string[]) {
  const socket = await openSocket(api, { as })
  for (const topic of topics) {
    expect(await socket.ask({ type: 'subscribe', topic, facts: true }), topic).toMatchObject({ type: 'snapshot' })
  }
  return socket
}

/** The service's name for a topic that is subscribed to with facts. */
const named = (topic: string) => `${topic}?facts=1`

type Follower = Awaited<ReturnType<typeof follow>>
// biome-ignore lint/suspicious/noExplicitAny: the body of whatever topic is asked for.
const bodyOf = ({ copies }: Follower, topic: string) => copies.of(named(topic)).body as any
const until = (follower: Follower, topic: string, isThere: (body: ReturnType<typeof bodyOf>) => boolean) =>
  follower.copies.until(() => isThere(bodyOf(follower, topic)), topic)

test('suggestions, votes and comments reach those who may see them, as far as they may', async () => {
  const list = `${cup.path}/suggestions`
  const own = await cup.suggest(cup.pooler)
  const talk = `${list}/${own.guid}/comments`
  const caster = await roleHolder(api, cup.tournament, 'role:caster')
  const outside = [
    await follow(null, cup.path, `${cup.path}/pools`),
    await follow(caster, cup.path, `${cup.path}/pools`, list),
  ]
  const [head, other] = [await follow(cup.head, list, talk), await follow(cup.other, list, talk)]
  const sent = () => outside.map(({ copies }) => copies.packets.filter(({ topic }) => topic !== undefined).length)
  const before = sent()

  await api.put(`${list}/${own.guid}/vote`, cup.pooler, { value: -1 })
  await until(head, list, ({ suggestions }) => suggestions[0].tally?.down === 1)
  await api.post(talk, cup.pooler, { text: 'Listen to the bridge.' })
  for (const follower of [head, other]) {
    await until(follower, talk, ({ comments }) => comments[0]?.text === 'Listen to the bridge.')
    await until(follower, list, ({ suggestions }) => suggestions[0].comments === 1)
  }
  expect(bodyOf(other, list).suggestions[0]).toMatchObject({ tally: null, myVote: null })
  await api.put(`${list}/${own.guid}/vote`, cup.other, { value: 1 })
  await until(other, list, ({ suggestions }) => suggestions[0].tally?.up === 1)

  const made = await cup.suggest(cup.pooler)
  for (const follower of [head, other]) {
    await until(follower, list, ({ suggestions }) => suggestions[0].guid === made.guid)
  }
  await api.post(`${list}/${made.guid}/reject`, cup.head, { reason: 'No.' })
  await until(other, list, ({ suggestions }) => suggestions[0].status === 'rejected')

  // No delivered fact contains the value of a vote.
  const facts = [head, other].flatMap(({ copies }) => [list, talk].flatMap((topic) => copies.of(named(topic)).facts))
  expect(JSON.stringify(facts)).not.toMatch(/"value"|bridge/)
  await wait(1_500)
  expect(sent()).toEqual(before)

  // A user who is no longer a pooler receives nothing more.
  const revoke = `/tournaments/${cup.tournament.id}/permissions/${cup.other.guid}/revoke`
  expect((await api.delete(revoke, cup.organiser, { role: 'role:pooler' })).status).toBe(200)
  await other.copies.until(({ all }) => all.get(named(talk))?.ended !== null, 'the end')
  await until(other, list, ({ suggestions }) => suggestions.length === 0)
  await Promise.all([...outside, head, other].map((follower) => follower.close()))
})
