import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, remembered, roleHolder, touch } from '../../../../test/make.ts'
import { addPoolMaps, makeFlair, makeMap, makeMaps, makePool, publishPool } from '../../../../test/pools.ts'
import { poolsTag } from '../pools/events.ts'

/** The archive's index in the database stays correct after changes of pools in any order. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const tables = {
  map_usage: 'map_guid',
  map_terms: 'map_guid, term',
  listed_pools: 'pool_guid',
  pool_terms: 'pool_guid, term',
}

/** Returns the stored index, and the index that a rebuild would create. */
async function keptAndAnew(): Promise<[kept: unknown, anew: unknown]> {
  const client = await api.app.database.pool.connect()
  const read = async () => {
    const found = []
    for (const [table, order] of Object.entries(tables)) {
      found.push((await client.query(`select * from ${table} order by ${order}`)).rows)
    }
    return found
  }
  try {
    await client.query('begin')
    const kept = await read()
    await client.query('delete from map_usage')
    await client.query('delete from listed_pools')
    await client.query('select refresh_listed_pools(array(select guid from pools))')
    await client.query('select refresh_map_usage(array(select guid from maps))')
    return [kept, await read()]
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function expectKept(): Promise<void> {
  const [kept, anew] = await keptAndAnew()
  expect(kept).toEqual(anew)
}

/** Counts with a query that does not use the database's own rules. */
async function countsOf(mapGuid: string) {
  const [row] = await api.sql<{ pools: number; tournaments: number }>(
    `select count(*)::int as pools, count(distinct p.tournament_guid)::int as tournaments
     from pool_maps m, pools p, tournaments t
     where m.map_guid = $1 and p.guid = m.pool_guid and t.guid = p.tournament_guid and p.status in ('published', 'archived')
       and m.released_at is not null and t.status in ('approved', 'ongoing', 'completed')`,
    [mapGuid],
  )
  return row
}

async function shownUsage(mapGuid: string) {
  const reply = await api.get(`/resources/pooling/maps/${mapGuid}`)
  if (reply.status === 404) return { pools: 0, tournaments: 0 }
  const { pools, tournaments } = reply.body.usage
  return { pools, tournaments }
}

const unlist = (tournament: MadeTournament) =>
  api.sql('delete from listings where tournament_guid = $1', [tournament.guid])
const list = (tournament: MadeTournament) =>
  api.sql(
    `insert into listings (platform_guid, tournament_guid, status, sort_at)
     select guid, $1, 'approved', now() from platforms where is_system`,
    [tournament.guid],
  )

test('follows a pool through its life, and what it is made of', async () => {
  const cup = await makeTournament(api, organiser, { name: 'Harbour cup' })
  const other = await makeTournament(api, organiser)
  const [first, second, staged] = await makeMaps(api, [{ name: 'Lantern' }, { name: 'Keel' }, { name: 'Undertow' }])
  if (first === undefined || second === undefined || staged === undefined) throw new Error('there are no maps')
  const flair = await makeFlair(api, cup.guid, 'Tide')
  const pool = await makePool(api, cup.guid, {
    name: 'Quay',
    maps: [{ mapGuid: first.guid, flairGuid: flair }, second.guid, { mapGuid: staged.guid, isReleased: false }],
  })
  const found = async (query: string) => {
    await touch(api, poolsTag)
    const reply = await api.get(`/resources/pooling/maps?${query}`)
    return reply.body.maps.map((map: { name: string }) => map.name).toSorted()
  }
  const foundPools = async (query: string) =>
    (await api.get(`/resources/pooling/pools?${query}`)).body.pools.map((row: { name: string }) => row.name)
  const expectFound = async (query: string, names: string[], poolNames: string[]) => {
    await expectKept()
    expect([query, await found(query)]).toEqual([query, names])
    expect([query, await foundPools(query)]).toEqual([query, poolNames])
  }
  await expectFound(`tournament=${cup.guid}`, [], [])
  await publishPool(api, pool.guid)
  await expectFound(`tournament=${cup.guid}`, ['Keel', 'Lantern'], ['Quay'])
  await expectFound('flair=TIDE', ['Lantern'], ['Quay'])
  await api.sql('update pool_maps set released_at = now() where map_guid = $1', [staged.guid])
  await expectFound(`tournament=${cup.guid}`, ['Keel', 'Lantern', 'Undertow'], ['Quay'])
  await api.sql(`update flairs set name = 'Ebb' where guid = $1`, [flair])
  await expectFound('flair=tide', [], [])
  await expectFound('flair=ebb', ['Lantern'], ['Quay'])
  await api.sql('update pool_maps set flair_guid = $2 where map_guid = $1', [second.guid, flair])
  await expectFound('flair=ebb', ['Keel', 'Lantern'], ['Quay'])
  await api.sql(`update maps set name = 'Lighthouse', nps = 99, stars_a = 9.5 where guid = $1`, [first.guid])
  await expectKept()
  expect(await found('q=lighth&npsMin=99&starsMin=9.5')).toEqual(['Lighthouse'])
  await api.sql(`update tournaments set name = 'Estuary cup' where guid = $1`, [cup.guid])
  await api.sql(`update pools set name = 'Pier', name_key = 'pier', playlist_title = 'Songs' where guid = $1`, [
    pool.guid,
  ])
  await expectKept()
  expect([await foundPools('q=quay'), await foundPools('q=harbour')]).toEqual([[], []])
  expect(await foundPools('q=estuary+pier+son')).toEqual(['Pier'])
  await api.sql('delete from pool_maps where map_guid = $1', [staged.guid])
  await expectFound(`tournament=${cup.guid}`, ['Keel', 'Lighthouse'], ['Pier'])
  await api.sql(`update pools set status = 'archived' where guid = $1`, [pool.guid])
  await expectFound(`tournament=${cup.guid}`, ['Keel', 'Lighthouse'], ['Pier'])
  await makePool(api, other.guid, { status: 'published', maps: [second.guid] })
  await unlist(cup)
  await expectFound(`tournament=${cup.guid}`, [], [])
  expect(await shownUsage(second.guid)).toEqual({ pools: 1, tournaments: 1 })
  await list(cup)
  await expectFound(`tournament=${cup.guid}`, ['Keel', 'Lighthouse'], ['Pier'])
  expect(await shownUsage(second.guid)).toEqual({ pools: 2, tournaments: 2 })
  await api.sql(`update pools set status = 'draft', revision = null, published_at = null where guid = $1`, [pool.guid])
  await expectFound(`tournament=${cup.guid}`, [], [])
  await publishPool(api, pool.guid)
  await expectFound(`tournament=${cup.guid}`, ['Keel', 'Lighthouse'], ['Pier'])
  await api.sql('delete from pools where guid = $1', [pool.guid])
  await expectFound(`tournament=${cup.guid}`, [], [])
  await api.sql('delete from tournaments where guid = $1', [other.guid])
  await expectKept()
  expect(await shownUsage(second.guid)).toEqual({ pools: 0, tournaments: 0 })
})

test('is right after publications, unpublications and listings all at once', async () => {
  const cups = await Promise.all(Array.from({ length: 4 }, () => makeTournament(api, organiser)))
  const maps = await makeMaps(api, 30)
  const pools = await Promise.all(
    cups.flatMap((cup, number) =>
      Array.from({ length: 6 }, (_, index) => {
        const some = maps.filter((_, place) => (place + index) % 2 === 0).map(({ guid }) => guid)
        return makePool(api, cup.guid, { maps: (index + number) % 2 === 0 ? some : some.toReversed() })
      }),
    ),
  )
  const work = (statement: string, value: string) =>
    api.app.database.transaction((tx) => tx.session.client.query(statement, [value]))
  await Promise.all([
    ...pools.map(({ guid }) =>
      api.app.database.transaction(async (tx) => {
        await tx.session.client.query(
          `update pools set status = 'published', published_at = now(), revision = 1 where guid = $1`,
          [guid],
        )
        await tx.session.client.query('update pool_maps set released_at = now() where pool_guid = $1', [guid])
      }),
    ),
    ...cups.slice(0, 2).map(({ guid }) => work('delete from listings where tournament_guid = $1', guid)),
    work(`update maps set name = 'Renamed' where guid = $1`, maps[0]?.guid as string),
  ])
  await Promise.all([
    ...cups.slice(0, 2).map((cup) => list(cup)),
    ...pools
      .slice(0, 3)
      .map(({ guid }) => work(`update pools set status = 'draft', revision = null where guid = $1`, guid)),
  ])
  await expectKept()
  for (const { guid } of maps) expect(await shownUsage(guid)).toEqual(await countsOf(guid))
})

describe('two at once, of which the second begins before the first has ended', () => {
  const publish = async (client: PoolClient, guid: string) => {
    await client.query(`update pools set status = 'published', published_at = now(), revision = 1 where guid = $1`, [
      guid,
    ])
    await client.query('update pool_maps set released_at = now() where pool_guid = $1', [guid])
  }
  const enlist = async (client: PoolClient, guid: string) => {
    await client.query(
      `insert into listings (platform_guid, tournament_guid, status, sort_at)
       select guid, $1, 'approved', now() from platforms where is_system`,
      [guid],
    )
  }

  type Act = (client: PoolClient) => Promise<void>

  async function overlapping(first: Act, second: Act): Promise<void> {
    const clients = await Promise.all([api.app.database.pool.connect(), api.app.database.pool.connect()])
    const [one, two] = clients as [PoolClient, PoolClient]
    try {
      for (const client of clients) await client.query('begin')
      await first(one)
      const done = second(two).then(() => two.query('commit'))
      const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid')
      await Promise.race([
        done,
        expect
          .poll(
            async () =>
              (
                await api.sql('select from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))', [
                  rows[0]?.pid,
                ])
              ).length,
          )
          .toBeGreaterThan(0),
      ])
      await one.query('commit')
      await done
    } finally {
      for (const client of clients) client.release()
    }
  }

  test('publications of pools with a map in common', async () => {
    const cup = await makeTournament(api, organiser)
    const map = await makeMap(api)
    const [one, two] = await Promise.all([
      makePool(api, cup.guid, { maps: [map.guid] }),
      makePool(api, cup.guid, { maps: [map.guid] }),
    ])
    await overlapping(
      (client) => publish(client, one.guid),
      (client) => publish(client, two.guid),
    )
    expect(await shownUsage(map.guid)).toEqual({ pools: 2, tournaments: 1 })
    await expectKept()
  })

  test.each(['first', 'second'])('a listing, which comes %s, and a publication', async (place) => {
    const cup = await makeTournament(api, organiser, { approved: false })
    const map = await makeMap(api)
    const pool = await makePool(api, cup.guid, { maps: [map.guid] })
    const acts: Act[] = [(client) => enlist(client, cup.guid), (client) => publish(client, pool.guid)]
    const [first, second] = (place === 'first' ? acts : acts.toReversed()) as [Act, Act]
    await overlapping(first, second)
    expect(await shownUsage(map.guid)).toEqual({ pools: 1, tournaments: 1 })
    await expectKept()
  })
})

test('nothing of what is hidden moves a byte of what everybody reads', async () => {
  const cup = await makeTournament(api, organiser)
  const early = await makeTournament(api, organiser, { status: 'draft' })
  const [shown, hidden] = await makeMaps(api, [{ name: 'Shown pebble' }, { name: 'Hidden pebble' }])
  if (shown === undefined || hidden === undefined) throw new Error('there are no maps')
  await makePool(api, cup.guid, { status: 'published', maps: [shown.guid] })
  const callers = [
    null,
    await api.user(),
    await roleHolder(api, cup, 'role:pooler'),
    await roleHolder(api, cup, 'role:referee'),
    organiser,
  ]
  const paths = [
    '/resources/pooling/maps',
    '/resources/pooling/maps?sort=used&limit=2',
    '/resources/pooling/maps?q=pebble&sort=name',
    '/resources/pooling/maps?flair=secret',
    `/resources/pooling/maps?hash=${hidden.hash}`,
    `/resources/pooling/maps?tournament=${cup.id}`,
    `/resources/pooling/maps?unused=${cup.id}`,
    `/resources/pooling/maps/${shown.guid}`,
    `/resources/pooling/maps/${hidden.guid}`,
    '/resources/pooling/pools',
    '/resources/pooling/pools?sort=name&limit=2',
    '/resources/pooling/pools?q=secret',
    `/resources/pooling/pools?tournament=${cup.id}`,
    `/resources/pooling/pools?hash=${hidden.hash}`,
  ]
  const readAll = async () => {
    const answers = []
    for (const path of paths) {
      for (const caller of callers) {
        const { status, text, headers } = await api.get(path, caller)
        answers.push([
          path,
          status,
          text,
          headers.get('etag'),
          headers.get('last-modified'),
          headers.get('problem-code'),
        ])
      }
    }
    return answers
  }
  const before = await readAll()
  const steps: (() => Promise<unknown>)[] = [
    () => makeFlair(api, cup.guid, 'Secret'),
    () => makePool(api, cup.guid, { name: 'Secret', maps: [hidden.guid, shown.guid] }),
    () => api.sql(`update pools set publish_at = now() + interval '1 day' where name = 'Secret'`),
    () => makePool(api, early.guid, { name: 'Secret', status: 'published', maps: [hidden.guid, shown.guid] }),
    () => api.sql(`update pools set "order" = -1 where name = 'Secret'`),
    async () => {
      const [pool] = await api.sql<{ guid: string }>(
        `select guid from pools where tournament_guid = $1 and status = 'published'`,
        [cup.guid],
      )
      await addPoolMaps(api, pool?.guid as string, [{ mapGuid: hidden.guid, isReleased: false }])
    },
    () => api.sql(`update maps set name = 'Secret pebble' where guid = $1`, [hidden.guid]),
  ]
  for (const step of steps) {
    await step()
    await touch(api, poolsTag)
    expect(await readAll()).toEqual(before)
  }
})

test('remembered lists follow what commands do at once', async () => {
  const cup = await makeTournament(api, organiser, { status: 'ongoing', name: 'Fresh cup' })
  const [map] = await makeMaps(api, [{ name: 'Fresh pebble' }])
  const pool = await makePool(api, cup.guid, { name: 'Fresh', maps: [map?.guid as string] })
  const paths = ['/resources/pooling/maps', '/resources/pooling/pools'] as const
  const shows = async () => {
    const found = await Promise.all(paths.map((path) => api.get(path)))
    await Promise.all(paths.map((path) => remembered(api, path)))
    return found.map(({ text }) => text.includes('Fresh'))
  }
  const done = async (reply: Promise<Reply>) =>
    expect([(await reply).status, (await reply).text]).toEqual([200, expect.anything()])
  expect(await shows()).toEqual([false, false])
  await done(api.post(`/tournaments/${cup.id}/pools/${pool.guid}/publish`, organiser, {}))
  expect(await shows()).toEqual([true, true])
  await done(api.patch(`/tournaments/${cup.id}`, organiser, { name: 'Renamed cup' }))
  expect((await api.get('/resources/pooling/pools')).text).toContain('Renamed cup')
  await done(api.post(`/tournaments/${cup.id}/pools/${pool.guid}/unpublish`, organiser, { reason: 'A mistake.' }))
  expect(await shows()).toEqual([false, false])
  await done(api.post(`/tournaments/${cup.id}/pools/${pool.guid}/publish`, organiser, {}))
  await done(api.post(`/tournaments/${cup.id}/status`, organiser, { status: 'cancelled', reason: 'Rain.' }))
  expect(await shows()).toEqual([false, false])
  expect((await api.get(`/resources/pooling/maps/${map?.guid}`)).body).toMatchObject({ name: 'Fresh pebble', uses: [] })
  await expectKept()
})
