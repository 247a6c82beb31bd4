import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { addPoolMaps, type MadeMap, makeFlair, makeMaps, makePool } from '../../../../test/pools.ts'
import { type Cup, done, makeCup, makePlayers, open, type Player, play } from '../../../../test/qualifiers.ts'

/** The usage and the statistics of maps, and the earlier uses that poolers see before they choose a map. */

let api: Harness
let organiser: Caller
let cup: MadeTournament
let maps: MadeMap[]
const at = (index: number) => maps[index] as MadeMap
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const read = (map: MadeMap, as: Caller | null = null) => api.get(`/resources/pooling/maps/${map.guid}`, as)
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

beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser, { name: 'Spring cup' })
  maps = await makeMaps(api, 12)
})
afterAll(() => api[Symbol.asyncDispose]())

describe('a map', () => {
  test('tells where it is used in listed tournaments, newest first', async () => {
    const other = await makeTournament(api, organiser, { status: 'completed' })
    const gone = await makeTournament(api, organiser, { status: 'cancelled' })
    const draftsOnly = await makeFlair(api, cup.guid, 'Drafts only')
    const flair = await makeFlair(api, cup.guid, 'Tech')
    const old = await makePool(api, other.guid, { status: 'archived', publishedAt: daysAgo(40), maps: [at(0).guid] })
    const pool = await makePool(api, cup.guid, {
      status: 'published',
      publishedAt: daysAgo(3),
      maps: [{ mapGuid: at(0).guid, flairGuid: flair }],
    })
    await makePool(api, gone.guid, { status: 'published', maps: [at(0).guid] })
    await makePool(api, cup.guid, { maps: [{ mapGuid: at(0).guid, flairGuid: draftsOnly }] })
    const { status, body } = await read(at(0))
    expect([status, body.guid, body.hash, body.checkedAt]).toEqual([200, at(0).guid, at(0).hash, null])
    expect(body.usage).toEqual({ pools: 2, tournaments: 2, lastUsedAt: body.uses[0].publishedAt })
    expect(body.uses).toEqual([
      {
        tournament: { guid: cup.guid, id: cup.id, name: 'Spring cup' },
        pool: { guid: pool.guid, name: pool.name },
        flair: { guid: flair, name: 'Tech', color: '#3366cc', icon: null, order: 0 },
        publishedAt: expect.any(String),
      },
      expect.objectContaining({ pool: { guid: old.guid, name: old.name }, flair: null }),
    ])
    expect(body.statistics).toEqual(unplayed)
  })

  test('is there for nobody before everybody sees it, and by its address in a cancelled tournament', async () => {
    const gone = await makeTournament(api, organiser, { status: 'cancelled' })
    const never = await makeTournament(api, organiser, { status: 'cancelled', approved: false })
    const early = await makeTournament(api, organiser, { status: 'draft' })
    await makePool(api, cup.guid, { maps: [at(1).guid] })
    await makePool(api, never.guid, { status: 'published', maps: [at(1).guid] })
    await makePool(api, early.guid, { status: 'published', maps: [at(1).guid] })
    await makePool(api, cup.guid, { status: 'published', maps: [{ mapGuid: at(1).guid, isReleased: false }] })
    await makePool(api, gone.guid, { status: 'published', maps: [at(2).guid] })
    const missing = await api.get(`/resources/pooling/maps/${organiser.guid}`)
    for (const caller of [null, organiser, await roleHolder(api, cup, 'role:pooler')]) {
      const reply = await read(at(1), caller)
      expect([...outcome(reply), reply.text]).toEqual([404, 'map.unknown', missing.text])
    }
    expect(outcome(await api.get('/resources/pooling/maps/x'))).toEqual([404, 'map.unknown'])
    const { status, body } = await read(at(2))
    expect([status, body.usage, body.uses]).toEqual([200, { pools: 0, tournaments: 0, lastUsedAt: null }, []])
  })
})

describe('statistics', () => {
  let played: Cup
  let players: Player[]
  const guidOf = async (hash: string) => {
    const [row] = await api.sql<{ guid: string }>('select guid from maps where hash = $1', [hash])
    return row?.guid as string
  }

  test('count what counted in final qualifiers: the best of each player, where the mean is told from three on', async () => {
    played = await makeCup(api)
    players = await makePlayers(api, played, 4)
    const [one, two] = await makeMaps(api, [
      { hash: '1'.repeat(40), characteristic: 'standard', maxScore: 1_000 },
      { hash: '2'.repeat(40), maxScore: 1_000 },
    ])
    const pool = await makePool(api, played.tournament.guid, {
      status: 'published',
      maps: [one?.guid as string, two?.guid as string],
    })
    await addPoolMaps(api, pool.guid, [{ mapGuid: at(3).guid, isReleased: false }])
    const qualifierMaps = await open(api, played)
    const [a, b, c, d] = players as [Player, Player, Player, Player]
    await play(api, played, qualifierMaps, a, [900, 500])
    await play(api, played, qualifierMaps, a, [800, 700])
    await play(api, played, qualifierMaps, b, [600, null])
    await play(api, played, qualifierMaps, c, [300, null])
    await done(
      api.post(`${played.path}/attempts`, played.coordinator, {
        attempts: [{ mapGuid: qualifierMaps[0], user: d.guid, score: 990, completion: 'quit' }],
      }),
    )
    const ofMap = async (hash: string) =>
      (await api.get(`/resources/pooling/maps/${await guidOf(hash)}`)).body.statistics
    expect(await ofMap('1'.repeat(40))).toEqual(unplayed)
    await done(api.put(played.path, played.organiser, { status: 'closed' }))
    await done(api.put(played.path, played.organiser, { status: 'final' }))
    const first = { ...unplayed, scores: 3, averageAccuracy: expect.closeTo(0.6, 9) }
    const second = { ...unplayed, scores: 1 }
    expect([await ofMap('1'.repeat(40)), await ofMap('2'.repeat(40))]).toEqual([first, second])

    const address = `/tournaments/${played.tournament.id}/pools/${pool.guid}/statistics`
    const { status, body } = await api.get(address)
    expect(status).toBe(200)
    expect(body.maps.map((map: { statistics: object }) => map.statistics)).toEqual([first, second])
    expect(body).toMatchObject({
      ...unplayed,
      scores: 4,
      averageAccuracy: expect.closeTo((0.9 + 0.6 + 0.3 + 0.7) / 4, 9),
    })
    const pooler = await roleHolder(api, played.tournament, 'role:pooler')
    expect((await api.get(address, pooler)).body.maps).toHaveLength(3)
  })

  test('of a draft are for its poolers', async () => {
    const pool = await makePool(api, cup.guid, { maps: [at(4).guid] })
    const address = `/tournaments/${cup.id}/pools/${pool.guid}/statistics`
    expect(outcome(await api.get(address))).toEqual([404, 'pool.unknown'])
    expect(outcome(await api.get(address, await roleHolder(api, cup, 'role:referee')))).toEqual([404, 'pool.unknown'])
    expect((await api.get(address, await roleHolder(api, cup, 'role:pooler'))).body).toEqual({
      ...unplayed,
      maps: [{ poolMapGuid: pool.poolMaps[0], mapGuid: at(4).guid, name: expect.any(String), statistics: unplayed }],
    })
  })
})

test('poolers are told where the maps of a pool were used before', async () => {
  const own = await makeTournament(api, organiser, { name: 'Own cup' })
  const other = await makeTournament(api, organiser, { name: 'Other cup' })
  const gone = await makeTournament(api, organiser, { status: 'cancelled' })
  const early = await makeTournament(api, organiser, { status: 'draft' })
  const [exact, harder, newer, fresh] = await makeMaps(api, [
    { hash: 'd'.repeat(40), key: 'd1', difficulty: 'Hard' },
    { hash: 'd'.repeat(40), key: 'd1', difficulty: 'Expert' },
    { hash: 'e'.repeat(40), key: 'd1', difficulty: 'Hard' },
    { hash: 'f'.repeat(40), key: null },
  ])
  const guid = (map: MadeMap | undefined) => map?.guid as string
  const pool = await makePool(api, own.guid, { name: 'Looked at', maps: [guid(exact), guid(fresh)] })
  await makePool(api, own.guid, { name: 'Own draft', maps: [guid(harder)] })
  await makePool(api, own.guid, {
    name: 'Own old',
    status: 'archived',
    publishedAt: daysAgo(2_000),
    maps: [guid(exact)],
  })
  await makePool(api, other.guid, {
    name: 'Shown',
    status: 'published',
    publishedAt: daysAgo(700),
    maps: [guid(exact), guid(harder)],
  })
  await makePool(api, other.guid, { name: 'Newer', status: 'published', publishedAt: daysAgo(5), maps: [guid(newer)] })
  await makePool(api, other.guid, {
    name: 'Forgotten',
    status: 'published',
    publishedAt: daysAgo(731),
    maps: [guid(exact)],
  })
  await makePool(api, other.guid, { name: 'Hidden', maps: [guid(exact)] })
  await makePool(api, other.guid, {
    name: 'Staged',
    status: 'published',
    maps: [{ mapGuid: guid(exact), isReleased: false }],
  })
  await makePool(api, gone.guid, { name: 'Gone', status: 'published', maps: [guid(exact)] })
  await makePool(api, early.guid, { name: 'Early', status: 'published', maps: [guid(exact)] })

  const pooler = await roleHolder(api, own, 'role:pooler')
  await grantRole(api, other, pooler, 'role:pooler')
  const address = `/tournaments/${own.id}/pools/${pool.guid}/duplicates`
  const { status, body } = await api.get(address, pooler)
  expect([status, body.length]).toEqual([200, 1])
  expect(body[0]).toMatchObject({ poolMapGuid: pool.poolMaps[0], map: { guid: guid(exact) } })
  const shown = body[0].usedBefore.map(
    (use: { pool: { name: string }; tournament: { name: string }; identity: string }) => [
      use.tournament.name,
      use.pool.name,
      use.identity,
    ],
  )
  expect(shown).toEqual([
    ['Own cup', 'Own draft', 'song'],
    ['Other cup', 'Newer', 'song'],
    ['Other cup', 'Shown', 'exact'],
    ['Own cup', 'Own old', 'exact'],
  ])
  expect(body[0].usedBefore[0].publishedAt).toBeNull()

  for (let number = 0; number < 25; number++) {
    await makePool(api, other.guid, { status: 'published', maps: [guid(fresh)] })
  }
  const again = await api.get(address, organiser)
  expect(again.body.map((row: { usedBefore: object[] }) => row.usedBefore.length)).toEqual([4, 20])

  expect(outcome(await api.get(address))).toEqual([401, 'token.missing'])
  for (const caller of [await api.user(), await roleHolder(api, own, 'role:referee')]) {
    expect(outcome(await api.get(address, caller))).toEqual([404, 'pool.unknown'])
  }
  const published = await makePool(api, own.guid, { status: 'published', maps: [guid(exact)] })
  expect(outcome(await api.get(`/tournaments/${own.id}/pools/${published.guid}/duplicates`, await api.user()))[0]).toBe(
    403,
  )
})
