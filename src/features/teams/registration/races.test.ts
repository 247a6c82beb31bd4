import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTeam, type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'

/** Concurrent registrations on two processes. (D31) */

let ranking: Awaited<ReturnType<typeof startFakeScoreSaber>>
let one: Harness
let two: Harness
let organiser: Caller
beforeAll(async () => {
  ranking = await startFakeScoreSaber()
  one = await startHarness({ rankingAUrl: ranking.url })
  two = await one.sibling()
  organiser = await one.user({ name: 'maestro' })
})
afterAll(async () => {
  await two[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
  await ranking.close()
})

interface Entry {
  readonly captain: Caller
  readonly team: MadeTeam
}

async function enter(cup: MadeTournament): Promise<Entry> {
  const captain = await one.user()
  return { captain, team: await makeTeam(one, cup, captain) }
}

/** Odd indexes go to one process, even ones to the other. */
function act(index: number, verb: string, cup: MadeTournament, team: MadeTeam, as: Caller, body?: unknown) {
  return (index % 2 === 0 ? one : two).post(`/tournaments/${cup.guid}/${verb}/${team.guid}`, as, body)
}

/** The totals equal the number of rows. */
async function expectTrueCounts(cup: MadeTournament): Promise<{ registered: number; qualified: number }> {
  const [counts] = await one.sql<{ registered: number; qualified: number }>(
    'select registered, qualified from tournament_counts where tournament_guid = $1',
    [cup.guid],
  )
  const [rows] = await one.sql<{ registered: number; qualified: number }>(
    `select count(*) filter (where status <> 'unregistered')::int as registered,
       count(*) filter (where status = 'qualified')::int as qualified from teams where tournament_guid = $1`,
    [cup.guid],
  )
  expect(counts).toEqual(rows)
  return counts as { registered: number; qualified: number }
}

test('of forty teams that register at once for eight places, exactly eight get one', async () => {
  const cup = await makeTournament(one, organiser, { capacity: 8, requirements: { rankA: { min: 1 } } })
  const entries = await Promise.all(Array.from({ length: 40 }, () => enter(cup)))
  for (const { captain } of entries) {
    await one.sql(
      "insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', $2, now())",
      [captain.guid, ranking.players.add().id],
    )
  }
  const replies = await Promise.all(
    entries.map(({ captain, team }, index) => act(index, 'register', cup, team, captain)),
  )
  const accepted = entries.filter((_, index) => replies[index]?.status === 200)
  expect(accepted).toHaveLength(8)
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    expect(outcome(reply)).toEqual([400, 'registration.refused'])
    expect(reply.body.eligibility).toMatchObject({
      eligible: false,
      registration: { state: 'full', capacity: 8, registered: 8 },
      team: { failures: [{ code: 'registration.full' }] },
    })
  }
  const stored = await one.sql<{ guid: string }>(
    "select guid from teams where tournament_guid = $1 and status = 'registered'",
    [cup.guid],
  )
  expect(stored.map(({ guid }) => guid).sort()).toEqual(accepted.map(({ team }) => team.guid).sort())
  expect(await expectTrueCounts(cup)).toEqual({ registered: 8, qualified: 0 })
  const events = await one.sql("select from event_log where tournament = $1 and type = 'team.registered'", [cup.guid])
  expect(events).toHaveLength(8)
})

test('one team that is registered many times at once is registered once', async () => {
  const cup = await makeTournament(one, organiser, { capacity: 4 })
  const { captain, team } = await enter(cup)
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => act(index, 'register', cup, team, index % 3 === 0 ? organiser : captain)),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(400)])
  expect(await expectTrueCounts(cup)).toEqual({ registered: 1, qualified: 0 })
})

test('teams that come and go leave totals that are true, and never more than there is room for', async () => {
  const cup = await makeTournament(one, organiser, { capacity: 3 })
  const entries = await Promise.all(Array.from({ length: 8 }, () => enter(cup)))
  let most = 0
  const comeAndGo = async ({ captain, team }: Entry, index: number) => {
    for (let round = 0; round < 4; round++) {
      const came = await act(index + round, 'register', cup, team, captain)
      if (came.status === 200) {
        const seen = await one.sql("select from teams where tournament_guid = $1 and status <> 'unregistered'", [
          cup.guid,
        ])
        most = Math.max(most, seen.length)
        expect((await act(index + round + 1, 'unregister', cup, team, captain)).status).toBe(200)
      } else expect(outcome(came)).toEqual([400, 'registration.refused'])
    }
  }
  await Promise.all(entries.map(comeAndGo))
  expect(most).toBeLessThanOrEqual(3)
  expect(await expectTrueCounts(cup)).toEqual({ registered: 0, qualified: 0 })
})

test('qualifying, disqualifying, unregistering and deleting at once leave totals that are true', async () => {
  const cup = await makeTournament(one, organiser)
  const entries = await Promise.all(Array.from({ length: 6 }, () => enter(cup)))
  await Promise.all(entries.map(({ captain, team }, index) => act(index, 'register', cup, team, captain)))
  const verbs = ['qualify', 'disqualify', 'unregister', 'register', 'qualify']
  const replies = await Promise.all(
    entries.flatMap(({ team }, index) => [
      ...verbs.map((verb, at) => act(index + at, verb, cup, team, organiser)),
      ...(index < 2 ? [one.delete(`/tournaments/${cup.guid}/teams`, organiser, { teamGuid: team.guid })] : []),
    ]),
  )
  for (const { status } of replies) expect([200, 400]).toContain(status)
  await expectTrueCounts(cup)
})

test('one seed goes to one of the teams that are given it at once', async () => {
  const cup = await makeTournament(one, organiser)
  const entries = await Promise.all(Array.from({ length: 6 }, () => enter(cup)))
  await Promise.all(entries.map(({ captain, team }, index) => act(index, 'register', cup, team, captain)))
  const replies = await Promise.all(
    entries.map(({ team }, index) => act(index, 'qualify', cup, team, organiser, { seed: 1 })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
  expect(await expectTrueCounts(cup)).toEqual({ registered: 6, qualified: 1 })
})
