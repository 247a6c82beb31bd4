import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { hold } from '../../../../test/locks.ts'
import type { MadeTournament } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'

/** Concurrent changes of one tournament's requests on two processes; each outcome must be possible in some order. */

let api: Harness
let sibling: Harness
let kit: Visibility
let owner: Caller
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  kit = await makeVisibility(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

type Call = (on: Harness) => Promise<Reply>

const reviewed =
  (platform: { id: string }, request: string, decision: string): Call =>
  (on) =>
    on.post(`/tournament-platforms/${platform.id}/requests/${request}/review`, owner, { decision, reason: 'Why.' })
const chosen =
  (tournament: MadeTournament, body: object): Call =>
  (on) =>
    on.put(`/tournaments/${tournament.guid}/visibility`, kit.organiser, body)

const outcome = (reply: Reply) => reply.headers.get('problem-code') ?? reply.status

/** Makes all calls wait for the tournament's lock in this order, and then lets them run. */
async function atOnce(tournament: MadeTournament, ...calls: readonly Call[]) {
  const held = await hold(api, ['select from tournaments where guid = $1 for update', tournament.guid])
  const called: Promise<Reply>[] = []
  for (const [index, call] of calls.entries()) {
    called.push(call(index % 2 === 0 ? api : sibling))
    await held.waiting(called.length)
  }
  await held.release()
  return (await Promise.all(called)).map(outcome)
}

/**
 * Each event for the platforms begins with the status of the one before it, and the last one equals the stored request.
 */
async function expectChain(tournament: MadeTournament, platform: string, first: string | null) {
  const all = (await kit.told(tournament)) as { before: { status: string } | null; after: Record<string, string> }[]
  const events = all.filter(({ after }) => after.platformGuid === platform)
  const befores = events.map(({ before }) => before?.status ?? null)
  const afters = events.map(({ after }) => after.status ?? null)
  expect(befores).toEqual([first, ...afters].slice(0, afters.length))
  expect((await kit.stored(tournament, platform))?.status ?? null).toBe(afters.at(-1) ?? first)
}

test.each(['approved', 'rejected', 'blocked'])(
  'a request that is %s while it is withdrawn: either is told that it came too late, or comes first',
  async (decision) => {
    const platform = await kit.community()
    for (const reviewFirst of [true, false]) {
      const tournament = await kit.arrange('ongoing', 'approved')
      const request = await kit.place(tournament, platform.guid, 'pending')
      const review = reviewed(platform, request, decision)
      const withdrawal = chosen(tournament, { scope: 'selected' })
      const outcomes = await atOnce(tournament, ...(reviewFirst ? [review, withdrawal] : [withdrawal, review]))
      expect(outcomes).toEqual(reviewFirst ? [200, 200] : [200, 'visibility.withdrawn'])
      const isBlocked = reviewFirst && decision === 'blocked'
      expect((await kit.stored(tournament, platform.guid))?.status).toBe(isBlocked ? 'blocked' : 'withdrawn')
      expect(await kit.standing(tournament, platform.guid)).toEqual(['ongoing', null])
      await expectChain(tournament, platform.guid, 'pending')
      const { body } = await kit.history(platform, request, owner)
      expect(body.decisions.length).toBe(reviewFirst ? 1 : 0)
    }
  },
)

test('of many decisions the last one stands, and the history has them in the order in which they came to hold', async () => {
  const platform = await kit.community()
  const tournament = await kit.arrange('ongoing', 'approved')
  const request = await kit.place(tournament, platform.guid, 'pending')
  const decisions = ['approved', 'rejected', 'blocked', 'rejected', 'approved', 'blocked', 'approved', 'rejected']
  const outcomes = await atOnce(tournament, ...decisions.map((decision) => reviewed(platform, request, decision)))
  expect(outcomes).toEqual(decisions.map(() => 200))
  await expectChain(tournament, platform.guid, 'pending')
  const { body } = await kit.history(platform, request, owner)
  expect(body.decisions.map(({ decision }: { decision: string }) => decision)).toEqual([...decisions].reverse())
  expect((await kit.stored(tournament, platform.guid))?.status).toBe('rejected')
  expect(await kit.standing(tournament, platform.guid)).toEqual(['ongoing', null])
})

test('decisions without any order among them leave request, list, log and history of one mind', async () => {
  const platform = await kit.community()
  for (let round = 0; round < 3; round++) {
    const tournament = await kit.arrange('ongoing', 'approved')
    const request = await kit.place(tournament, platform.guid, 'pending')
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        reviewed(platform, request, n % 3 === 0 ? 'approved' : 'rejected')(n % 2 === 0 ? api : sibling),
      ),
    )
    expect(replies.map(outcome)).toEqual(replies.map(() => 200))
    await expectChain(tournament, platform.guid, 'pending')
    const status = (await kit.stored(tournament, platform.guid))?.status
    const { body } = await kit.history(platform, request, owner)
    expect(body.decisions[0].decision).toBe(status)
    expect(body.decisions.length).toBe((await kit.told(tournament)).length)
    expect(await kit.standing(tournament, platform.guid)).toEqual(['ongoing', status === 'approved' ? 'ongoing' : null])
  }
})

test('of two choices the last one stands whole', async () => {
  const [one, other] = [await kit.community(), await kit.community()]
  const wishes: readonly [object, (string | undefined)[]][] = [
    [{ scope: 'all' }, ['pending', 'pending']],
    [{ scope: 'selected', platformGuids: [one.guid] }, ['pending', 'withdrawn']],
    [{ scope: 'selected', platformGuids: [other.guid] }, ['withdrawn', 'pending']],
  ]
  for (const [first] of wishes) {
    for (const [last, expected] of wishes) {
      const tournament = await kit.arrange('draft', null)
      await chosen(tournament, { scope: 'all' })(api)
      const choices = [first, last].map((wish) => chosen(tournament, wish))
      expect(await atOnce(tournament, ...choices)).toEqual([200, 200])
      const statuses = [one, other].map(async ({ guid }) => (await kit.stored(tournament, guid))?.status)
      expect(await Promise.all(statuses)).toEqual(expected)
      const overview = (await kit.overview(tournament)).body
      expect(overview.scope).toBe((last as { scope: string }).scope)
      for (const { guid } of [one, other]) await expectChain(tournament, guid, null)
    }
  }
})

test('many choices at once are one of them', async () => {
  const [one, other] = [await kit.community(), await kit.community()]
  const tournament = await kit.arrange('ongoing', 'approved')
  const wishes = [{ scope: 'all' }, { scope: 'selected', platformGuids: [one.guid] }, { scope: 'selected' }]
  const replies = await Promise.all(
    Array.from({ length: 15 }, (_, n) => chosen(tournament, wishes[n % 3] as object)(n % 2 === 0 ? api : sibling)),
  )
  expect(replies.map(outcome)).toEqual(replies.map(() => 200))
  const statuses = await Promise.all(
    [one, other].map(async ({ guid }) => (await kit.stored(tournament, guid))?.status ?? 'withdrawn'),
  )
  expect([(await kit.overview(tournament)).body.scope, ...statuses]).toBeOneOf([
    ['all', 'pending', 'pending'],
    ['selected', 'pending', 'withdrawn'],
    ['selected', 'withdrawn', 'withdrawn'],
  ])
  for (const { guid } of [one, other]) await expectChain(tournament, guid, null)
  expect(await kit.standing(tournament)).toEqual(['ongoing', 'ongoing'])
})

test('a tournament that is blocked while its organiser chooses is cancelled either way', async () => {
  const platform = await kit.community()
  for (const blockFirst of [true, false]) {
    const tournament = await kit.arrange('draft', null)
    const { guid } = (await kit.ask(tournament)).body.request
    const calls = [reviewed(kit.main, guid, 'blocked'), chosen(tournament, { scope: 'all' })]
    const outcomes = await atOnce(tournament, ...(blockFirst ? calls : calls.reverse()))
    expect(outcomes).toEqual(blockFirst ? [200, 'visibility.not_active'] : [200, 200])
    expect(await kit.standing(tournament)).toEqual(['cancelled', null])
    expect((await kit.stored(tournament, platform.guid))?.status).toBe(blockFirst ? undefined : 'pending')
    expect((await kit.stored(tournament))?.status).toBe('blocked')
  }
})

test('a draft that is deleted while it is decided on', async () => {
  for (const deletedFirst of [true, false]) {
    const tournament = await kit.arrange('draft', null)
    const { guid } = (await kit.ask(tournament)).body.request
    const deletion: Call = (on) => on.delete(`/tournaments/${tournament.guid}`, kit.organiser)
    const calls = [deletion, reviewed(kit.main, guid, 'approved')]
    const outcomes = await atOnce(tournament, ...(deletedFirst ? calls : calls.reverse()))
    expect(outcomes).toEqual(deletedFirst ? [204, 'request.unknown'] : [200, 'tournament.not_draft'])
  }
})

test('a tournament that starts while a platform lists it is listed as what it is', async () => {
  const platform = await kit.community()
  for (const startFirst of [true, false]) {
    const tournament = await kit.arrange('approved', 'approved')
    const request = await kit.place(tournament, platform.guid, 'pending')
    const start: Call = (on) => on.post(`/tournaments/${tournament.guid}/status`, kit.organiser, { status: 'ongoing' })
    const calls = [start, reviewed(platform, request, 'approved')]
    expect(await atOnce(tournament, ...(startFirst ? calls : calls.reverse()))).toEqual([200, 200])
    expect(await kit.standing(tournament, platform.guid)).toEqual(['ongoing', 'ongoing'])
  }
})

test('a platform that is deleted while it is asked, left out, reviewed and its list refreshed leaves nothing behind', async () => {
  for (let round = 0; round < 5; round++) {
    const platform = await kit.community()
    const tournaments = await Promise.all(Array.from({ length: 3 }, () => kit.arrange('approved', 'approved')))
    const [asking, leaving, starting] = tournaments as [MadeTournament, MadeTournament, MadeTournament]
    await kit.place(leaving, platform.guid, 'approved')
    const request = await kit.place(starting, platform.guid, 'pending')
    const deletion: Call = (on) => on.delete(`/admin/tournament-platforms/${platform.id}`, owner)
    const calls: Call[] = [
      chosen(asking, { scope: 'selected', platformGuids: [platform.guid] }),
      chosen(asking, { scope: 'all' }),
      chosen(leaving, { scope: 'selected' }),
      reviewed(platform, request, 'approved'),
      reviewed(platform, request, 'rejected'),
      (on) => on.post(`/tournaments/${starting.guid}/status`, kit.organiser, { status: 'ongoing' }),
    ]
    calls.splice(round + 1, 0, deletion)
    const replies = await Promise.all(calls.map((call, index) => call(index % 2 === 0 ? api : sibling)))
    for (const reply of replies) {
      expect(outcome(reply)).toBeOneOf([200, 204, 'platform.unknown', 'request.unknown'])
    }
    expect(replies.filter(({ status }) => status === 204).length).toBe(1)
    for (const table of ['visibility_requests', 'listings', 'platform_members']) {
      expect(await api.sql(`select from ${table} where platform_guid = $1`, [platform.guid])).toEqual([])
    }
  }
})
