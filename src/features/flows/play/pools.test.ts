import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'

/**
 * The effects of sessions on the pool that they began with, and on the statistics of its maps. (pools: States; Which
 * pool a match uses; Statistics)
 */

let api: Harness
let made: MadeFlowPlay
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 8, bestOf: 3, maps: 7 })
})
afterAll(() => api[Symbol.asyncDispose]())

const pools = () => `/tournaments/${made.cup.id}/pools`
const statisticsOf = async (pool = made.pool.guid) => (await api.get(`${pools()}/${pool}/statistics`)).body
const unpublish = (pool: string) =>
  api.post(`${pools()}/${pool}/unpublish`, made.organiser, { reason: 'The maps are too hard.' })
const unplayed = {
  picked: 0,
  banned: 0,
  protected: 0,
  tiebreaker: 0,
  played: 0,
  wonByPicker: 0,
  replays: 0,
  scores: 0,
  averageAccuracy: null,
}
const readPool = async (number: number, as: Parameters<Harness['get']>[1] = null) =>
  (await api.get(made.match(number), as)).body.pool

/** Plays until the first map: the seat that has the turn bans or picks the given maps. */
async function choose(play: FlowPlay): Promise<number> {
  const [winner] = play.state.turn.seats
  const steps = [2, 4, 0, 3, 6, 1]
  expect(outcome(await play.act(winner, { action: 'choose', place: 1 }))).toEqual([200, null])
  for (const map of steps) {
    const { action, seats } = play.state.turn
    expect(outcome(await play.act(seats[0], { action, map: made.poolMaps[map] }))).toEqual([200, null])
  }
  return winner
}

type Score = { readonly score: number; readonly accuracy: number }

async function settle(play: FlowPlay, first: Score, second: Score): Promise<void> {
  expect(outcome(await play.scores(first, second))).toEqual([200, null])
  const loser = first.score > second.score ? 2 : 1
  if (play.state.phase === 'window') {
    expect(outcome(await play.act(loser, { action: 'accept' }))).toEqual([200, null])
  }
}

/** The sum of a statistic over all maps, as the pool's total shows it. */
function summed(maps: readonly StateBody[], member: string): number {
  return maps.reduce((sum, { statistics }) => sum + statistics[member], 0)
}

describe('statistics', () => {
  let play: FlowPlay

  test('leave a match out until it is completed', async () => {
    play = new FlowPlay(api, made)
    await play.begin({ flowGuid: 'accsaber-bo3', poolGuid: made.pool.guid })
    const winner = await choose(play)
    const best = { score: 900_000, accuracy: 0.95 }
    const least = { score: 890_000, accuracy: 0.91 }
    await settle(play, best, least)
    expect(await statisticsOf()).toMatchObject(unplayed)
    // The winner of the first map also wins the second, which the loser of the roll picked.
    await settle(play, best, least)
    expect(play.state).toMatchObject({ status: 'over', winner: 1 })
    const shown = await statisticsOf()
    expect(shown).toMatchObject({
      picked: 2,
      banned: 4,
      protected: 0,
      tiebreaker: 1,
      played: 2,
      replays: 0,
      scores: 4,
      averageAccuracy: expect.closeTo(0.93, 9),
    })
    // One map was picked by the winner of the roll, the other by the loser.
    expect(shown.maps.map(({ statistics }: StateBody) => statistics.wonByPicker)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((index) => Number(index === (winner === 1 ? 0 : 3))),
    )
    for (const member of ['picked', 'banned', 'tiebreaker', 'played', 'wonByPicker', 'replays', 'scores']) {
      expect([member, summed(shown.maps, member)]).toEqual([member, shown[member]])
    }
    const [{ statistics: first, mapGuid }] = shown.maps
    expect(first).toMatchObject({ picked: 1, played: 1, scores: 2, averageAccuracy: null })
    expect((await api.get(`/resources/pooling/maps/${mapGuid}`)).body.statistics).toEqual(first)
  })

  test('count a match of another pool with the same map for the map, not for this pool', async () => {
    const before = await statisticsOf()
    const [map] = before.maps
    const guids = before.maps.map((row: StateBody) => row.mapGuid)
    const other = await makePool(api, made.cup.guid, { name: 'Others', status: 'published', maps: guids })
    expect(await statisticsOf(other.guid)).toMatchObject(unplayed)
    expect((await statisticsOf()).maps[0]).toEqual(map)
  })

  test('leave out what is taken back, and free sessions', async () => {
    const before = await statisticsOf()
    const { revision } = await made.read()
    const opened = await api.post(`${made.match(1)}/reopen`, made.referee, { reason: 'Protest.', revision })
    expect([opened.status, await statisticsOf()]).toEqual([200, expect.objectContaining(unplayed)])
    const undone = await api.post(`${made.path}/corrections/${opened.body.correctionGuid}/undo`, made.referee)
    expect([undone.status, await statisticsOf()]).toEqual([200, before])

    const seats = made.teams.slice(0, 2).map(({ guid }) => ({ teamGuid: guid }))
    const free = await api.post(`/tournaments/${made.cup.id}/flow-sessions`, made.referee, {
      flow: 'accsaber-bo3',
      pool: made.pool.guid,
      seats,
      public: true,
    })
    expect(outcome(free)).toEqual([201, null])
    expect(await statisticsOf()).toEqual(before)
  })
})

describe('a pool that a match was begun with', () => {
  test('is not made a draft again, and may be archived', async () => {
    expect(outcome(await unpublish(made.pool.guid))).toEqual([409, 'pool.in_use'])
    for (const role of ['role:pooler', 'role:referee'] as const) {
      const caller = await roleHolder(api, made.cup, role)
      const reply = await api.post(`${pools()}/${made.pool.guid}/unpublish`, caller, { reason: 'x' })
      expect(reply.status).toBe(403)
    }
    const fresh = await makePool(api, made.cup.guid, { name: 'Fresh', status: 'published', maps: await guidsOf(7) })
    expect(outcome(await unpublish(fresh.guid))).toEqual([200, null])
  })

  test('is either begun with or withdrawn, whichever is first', async () => {
    const outcomes = []
    for (const number of [2, 3, 4]) {
      const pool = await makePool(api, made.cup.guid, {
        name: `Raced ${number}`,
        status: 'published',
        maps: await guidsOf(7),
      })
      const play = new FlowPlay(api, made, number)
      const [begun, withdrawn] = await Promise.all([
        play.begin({ flowGuid: 'accsaber-bo3', poolGuid: pool.guid }),
        unpublish(pool.guid),
      ])
      outcomes.push([outcome(begun), outcome(withdrawn)])
    }
    for (const pair of outcomes) {
      expect([
        [
          [201, null],
          [409, 'pool.in_use'],
        ],
        [
          // A draft, which referees may not read.
          [404, 'pool.unknown'],
          [200, null],
        ],
      ]).toContainEqual(pair)
    }
  })
})

describe('the pool of a match', () => {
  let cup: MadeFlowPlay
  let other: { readonly guid: string }
  const planned = { guid: expect.any(String), name: 'Finals' }
  beforeAll(async () => {
    cup = await makeFlowPlay(api, { teams: 8, bestOf: 3, maps: 7 })
    other = await makePool(api, cup.cup.guid, { name: 'Extra', status: 'published', maps: await guidsOf(7) })
    const plan = { revision: 0, default: cup.pool.guid, brackets: [], matches: [] }
    expect(outcome(await api.put(`/tournaments/${cup.cup.id}/pool-plan`, cup.organiser, plan))).toEqual([200, null])
    made = cup
  })

  test('is the planned one until it begins, then that of its session', async () => {
    expect(await readPool(1)).toEqual(planned)
    const play = new FlowPlay(api, cup, 1)
    await play.begin({ flowGuid: 'accsaber-bo3', poolGuid: other.guid })
    expect(await readPool(1)).toEqual({ guid: other.guid, name: 'Extra' })
    expect(await readPool(2)).toEqual(planned)
    // A new plan applies only to matches that have not begun.
    const plan = { revision: 1, default: null, brackets: [], matches: [] }
    expect(outcome(await api.put(`/tournaments/${cup.cup.id}/pool-plan`, cup.organiser, plan))).toEqual([200, null])
    expect([await readPool(1), await readPool(2)]).toEqual([{ guid: other.guid, name: 'Extra' }, null])
    const again = { revision: 2, default: cup.pool.guid, brackets: [], matches: [] }
    expect(outcome(await api.put(`/tournaments/${cup.cup.id}/pool-plan`, cup.organiser, again))).toEqual([200, null])
    const listed = (await api.get(`/tournaments/${cup.cup.id}/matches`)).body.matches
    expect(listed.slice(0, 2).map(({ pool }: StateBody) => pool?.name)).toEqual(['Extra', 'Finals'])
  })

  test('is told no earlier than its session is shown', async () => {
    const play = new FlowPlay(api, cup, 2)
    const body = { flowGuid: 'accsaber-bo3', poolGuid: other.guid, viewDelaySeconds: 900 }
    expect(outcome(await play.begin(body))).toEqual([201, null])
    const callers = [null, cup.captains[0] ?? null, await roleHolder(api, cup.cup, 'role:caster'), cup.organiser]
    for (const caller of callers) expect(await readPool(2, caller)).toEqual(planned)
    await api.sql(`update flow_rows set at = at - interval '1000 seconds' where session_guid = $1`, [
      play.state.session,
    ])
    await api.sql('update flow_sessions set shows_at = now() where guid = $1', [play.state.session])
    await expect.poll(() => readPool(2)).toEqual({ guid: other.guid, name: 'Extra' })
  })
})

async function guidsOf(count: number): Promise<string[]> {
  return (await makeMaps(api, count)).map(({ guid }) => guid)
}
