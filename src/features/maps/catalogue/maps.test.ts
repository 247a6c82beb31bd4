import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { enterMaps } from './commands.ts'
import { findMap, listMapsByGuid, listMapsByIdentity } from './store.ts'
import type { Answer, CatalogueMap, Difficulty, MapIdentity } from './types.ts'

let fake: FakeCatalogue
let api: Harness
let organiser: Caller

beforeAll(async () => {
  fake = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: fake.url })
  organiser = await api.user()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await fake.close()
})

const now = new Date('2026-05-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const identityOf = (hash: string, difficulty: Difficulty = 'Expert', characteristic = 'Standard'): MapIdentity => ({
  hash,
  difficulty,
  characteristic,
})
const unreachable: Answer = { outcome: 'unreachable' }
const unknown = (answeredAt = now): Answer => ({ outcome: 'unknown', answeredAt })
const enter = (entries: readonly (readonly [MapIdentity, Answer])[], at = now): Promise<CatalogueMap[]> =>
  api.app.database.transaction((tx) =>
    enterMaps(
      tx,
      entries.map(([identity, finding]) => ({ identity, finding })),
      at,
    ),
  )
/** Returns the catalogue's current answer. */
async function ask(hash: string, answeredAt = now): Promise<Answer> {
  const [finding] = await api.app.clients.catalogue.lookUp([{ kind: 'hash', hash }], { fresh: true })
  if (finding?.outcome === 'found') return { outcome: 'found', song: finding.song, answeredAt }
  if (finding?.outcome === 'unknown') return unknown(answeredAt)
  return unreachable
}
const schedule = (guid: string) =>
  api
    .sql<{ asked_in_vain: number; ask_again_at: Date | null }>(
      'select asked_in_vain, ask_again_at from maps where guid = $1',
      [guid],
    )
    .then(([row]) => row)
const eventsOf = (guid: string) =>
  api.sql<{ type: string; before: object; after: object; touches: string[] }>(
    'select type, before, after, touches from event_log where subject = $1 order by seq',
    [guid],
  )
let unknowns = 0
const newHash = () => (++unknowns).toString(16).padStart(40, 'd')

test('maps are entered in the order of their entries, one for each identity', async () => {
  const { key, hash } = fake.maps.add({ difficulties: ['Easy', 'Expert', 'Lawless/Expert'] })
  const answer = await ask(hash)
  const entries = [
    [identityOf(hash, 'Expert', 'lawless'), answer],
    [identityOf(hash), answer],
    [identityOf(newHash()), unknown()],
    [identityOf(hash, 'Expert', 'STANDARD'), answer],
    [identityOf(newHash(), 'Hard', 'OneSaber'), unreachable],
    [identityOf(hash, 'ExpertPlus'), answer],
  ] as const
  const maps = await enter(entries)
  expect(maps.map(({ characteristic, difficulty, state }) => [characteristic, difficulty, state])).toEqual([
    ['Lawless', 'Expert', 'known'],
    ['Standard', 'Expert', 'known'],
    ['Standard', 'Expert', 'missing'],
    ['Standard', 'Expert', 'known'],
    ['OneSaber', 'Hard', 'unresolved'],
    ['Standard', 'ExpertPlus', 'missing'],
  ])
  expect(maps[1]).toEqual(maps[3])
  expect(new Set(maps.map(({ guid }) => guid)).size).toBe(5)
  expect(maps[1]).toEqual({
    guid: expect.any(String),
    ...identityOf(hash),
    key,
    state: 'known',
    currentHash: null,
    checkedAt: now,
    name: expect.stringMatching(/^Song/),
    subName: 'feat. Nobody',
    artist: expect.stringMatching(/^Artist/),
    mapper: expect.stringMatching(/^Mapper/),
    imageUrl: expect.stringContaining(hash),
    previewUrl: expect.stringContaining(hash),
    bpm: 174.5,
    durationSeconds: 203,
    njs: 18,
    nps: 4.123,
    notes: 812,
    bombs: 14,
    obstacles: 23,
    maxScore: 740_255,
    starsA: null,
    starsB: null,
    rankedA: false,
    rankedB: false,
    requirements: [],
    ai: 'none',
    uploadedAt: new Date('2026-02-03T04:05:06.789Z'),
  })
  expect(await enter(entries)).toEqual(maps)
  const guids = maps.map(({ guid }) => guid)
  const db = api.app.database.db
  expect(new Set((await listMapsByGuid(db, guids)).map(({ guid }) => guid))).toEqual(new Set(guids))
  expect(await findMap(db, guids[0] as string)).toEqual(maps[0])
  expect(await findMap(db, randomUUID())).toBeUndefined()
  expect(await listMapsByIdentity(db, [identityOf(hash, 'Expert', 'sTANDARD'), identityOf(newHash())])).toEqual([
    maps[1],
  ])
  expect(await enter([])).toEqual([])
})

test('a later answer counts, an older one and none do not, and nothing known is overwritten with nothing', async () => {
  const { key, hash } = fake.maps.add({ ranked: true, difficulties: [{ stars: 9.5, chroma: true }] })
  const [map] = await enter([[identityOf(hash, 'Expert', 'standard'), await ask(hash)]])
  expect(map).toMatchObject({ characteristic: 'Standard', starsA: 9.5, rankedA: true, requirements: ['chroma'] })
  expect(await enter([[identityOf(hash), unreachable]])).toEqual([map])
  expect(await enter([[identityOf(hash), unknown(later(-1))]])).toEqual([map])

  const next = fake.maps.republish(key, [{ notes: 5, stars: 3 }])
  const [outdated] = await enter([[identityOf(hash, 'Expert', 'standard'), await ask(hash, later(1))]])
  expect(outdated).toEqual({
    ...map,
    state: 'outdated',
    currentHash: next,
    checkedAt: later(1),
    imageUrl: expect.stringContaining(next),
    previewUrl: expect.stringContaining(next),
  })

  fake.maps.delete(key)
  // The catalogue was also asked by the key. An unknown hash alone would not make the service forget the key. (D71)
  const [missing] = await enter([
    [identityOf(hash), { ...(await ask(hash, later(2))), byKey: { key, hashAnsweredAt: later(2) } } as Answer],
  ])
  expect(missing).toEqual({ ...outdated, state: 'missing', currentHash: null, checkedAt: later(2) })

  const again = fake.maps.add({ hash, difficulties: [{}], metadata: { songName: 'Renamed', songSubName: '' } })
  const [known] = await enter([[identityOf(hash), await ask(hash, later(3))]])
  expect(known).toMatchObject({ guid: map?.guid, state: 'known', key: again.key, name: 'Renamed', notes: 812 })
  expect(known).toMatchObject({ subName: 'feat. Nobody', starsA: 9.5, rankedA: false, requirements: [] })
  const [same] = await enter([[identityOf(hash), await ask(hash, later(4))]])
  expect(same).toEqual({ ...known, checkedAt: later(4) })

  const states = (await eventsOf(map?.guid as string)).map(({ type, before, after }) => [type, before, after])
  const at = (state: string, currentHash: string | null = null) => ({ state, currentHash })
  expect(states).toEqual([
    ['map.changed', at('known'), at('outdated', next)],
    ['map.changed', at('outdated', next), at('missing')],
    ['map.changed', at('missing'), at('known')],
  ])
})

test('whoever shows when a map was last checked is told that it was', async () => {
  const { hash } = fake.maps.add()
  const [map] = await enter([[identityOf(hash), await ask(hash)]])
  const { pool, suggestion, other } = await shown(map?.guid as string)
  const told = () =>
    api.sql<{ touches: string[] }>("select touches from event_log where type = 'map.checked' order by seq desc limit 1")
  const answer = await ask(hash, later(1))
  await enter([[identityOf(hash), answer]])
  const [event] = await told()
  expect(event?.touches.toSorted()).toEqual([pool, suggestion].toSorted())
  expect(event?.touches).not.toContain(other)
  const count = () => api.sql('select from event_log')
  const before = (await count()).length
  await enter([[identityOf(hash), answer]])
  expect((await count()).length).toBe(before)
})

test('many enter the same maps at once, in whichever order', async () => {
  const maps = fake.maps.addMany(12)
  const entries = await Promise.all(maps.map(async ({ hash }) => [identityOf(hash), await ask(hash)] as const))
  const rows = await Promise.all(
    Array.from({ length: 8 }, (_, index) => enter(index % 2 === 0 ? entries : entries.toReversed())),
  )
  const orders = rows.map((row, index) => (index % 2 === 0 ? row : row.toReversed()).map(({ guid }) => guid))
  for (const order of orders) expect(order).toEqual(orders[0])
  const stale = entries.map(([identity]) => [identity, unknown(later(9))] as const)
  await Promise.all(Array.from({ length: 6 }, (_, index) => enter(index % 2 === 0 ? stale : stale.toReversed())))
})

/** Creates a draft pool with the map, and a suggestion of it in another tournament. Returns the tournaments. */
async function shown(
  mapGuid: string,
): Promise<{ readonly pool: string; readonly suggestion: string; readonly other: string }> {
  const [pool, suggestion, other] = await Promise.all([1, 2, 3].map(() => makeTournament(api, organiser)))
  await api.sql(
    `with made as (insert into pools (tournament_guid, name, name_key, kind, "order", status)
       values ($1, 'One', 'one', 'match', 0, 'draft') returning guid)
     insert into pool_maps (pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight)
     select guid, $2, 0, false, '{}', '{}', '{}', 1 from made`,
    [pool?.guid, mapGuid],
  )
  await api.sql('insert into suggestions (tournament_guid, map_guid, suggested_by_guid) values ($1, $2, $3)', [
    suggestion?.guid,
    mapGuid,
    organiser.guid,
  ])
  return { pool: pool?.guid as string, suggestion: suggestion?.guid as string, other: other?.guid as string }
}

test('what playlists told before each pool kept it for itself goes to the pools that show it, and nothing of the catalogue (D71)', async () => {
  const songs = fake.maps.addMany(2)
  const [known, outdated] = await enter(
    await Promise.all(songs.map(async ({ hash }) => [identityOf(hash), await ask(hash)] as const)),
  )
  const next = newHash()
  await api.sql("update maps set state = 'outdated', current_hash = $2 where guid = $1", [outdated?.guid, next])
  // The third is a version that the catalogue never had; it was found to be outdated by its hash.
  const told = await enter(['missing', 'led', 'by hash'].map(() => [identityOf(newHash()), unknown()] as const))
  const [missing, led, byHash] = told.map(({ guid }) => guid) as [string, string, string]
  await api.sql(`update maps set key = 'abc', name = 'Told', mapper = 'Ann' where guid = any($1)`, [[missing, led]])
  await api.sql(
    `update maps set state = 'outdated', current_hash = $2, image_url = 'https://cdn.example.org/1.jpg', bpm = 100,
       name = coalesce(name, 'Song') where guid = any($1)`,
    [[led, byHash], next],
  )
  await api.sql(
    `insert into catalogue_answers (question, answer, answered_at) select 'hash:' || hash, null, now() from maps where guid = $1`,
    [led],
  )
  const all = [known?.guid, outdated?.guid, missing, led, byHash] as string[]
  for (const guid of all) await shown(guid)
  const read = async () => new Map((await listMapsByGuid(api.app.database.db, all)).map((map) => [map.guid, map]))
  const before = await read()
  const migrations = path.join(import.meta.dirname, '../../../../migrations')
  const file = readdirSync(migrations).find((name) => name.endsWith('_told_maps_of_pools.sql')) ?? ''
  const [, moving = ''] = readFileSync(path.join(migrations, file), 'utf8').split('--> statement-breakpoint')
  const move = async () => {
    await api.sql(moving)
    const kept = await api.sql<{ map_guid: string; told: object }>(
      'select map_guid, told from pool_maps where map_guid = any($1) and told is not null',
      [all],
    )
    expect(new Map(kept.map((row) => [row.map_guid, row.told]))).toEqual(
      new Map([
        [missing, { key: 'abc', name: 'Told', mapper: 'Ann', currentHash: null }],
        [led, { key: 'abc', name: 'Told', mapper: 'Ann', currentHash: next }],
      ]),
    )
    const after = await read()
    for (const guid of [known?.guid, outdated?.guid, byHash] as string[])
      expect(after.get(guid)).toEqual(before.get(guid))
    const none = { key: null, name: null, mapper: null, imageUrl: null, bpm: null, state: 'missing', currentHash: null }
    for (const guid of [missing, led]) expect(after.get(guid)).toMatchObject(none)
  }
  await move()
  await move()
})

const resolve = (on = api) => on.sql(`select graphile_worker.add_job('catalogue.resolve')`)
const due = (guid: string) =>
  api.sql(`update maps set ask_again_at = now() - interval '1 second' where guid = $1`, [guid])

test('an unresolved map is asked for again, less and less often, until the catalogue answers', async () => {
  const { key, hash } = fake.maps.add()
  const [map] = await enter([[identityOf(hash, 'Expert', 'standard'), unreachable]], new Date())
  const guid = map?.guid as string
  const tournaments = await shown(guid)
  expect(map).toMatchObject({ state: 'unresolved', name: null, checkedAt: null, characteristic: 'standard' })
  expect((await schedule(guid))?.asked_in_vain).toBe(1)
  expect(Number((await schedule(guid))?.ask_again_at) - Date.now()).toBeLessThanOrEqual(60_000)

  const recover = fake.misbehave(/./, { status: 405 })
  const waits: number[] = []
  for (const times of [2, 3, 4, 5]) {
    await due(guid)
    await resolve()
    await expect.poll(async () => (await schedule(guid))?.asked_in_vain).toBe(times)
    waits.push(Math.ceil((Number((await schedule(guid))?.ask_again_at) - Date.now()) / 60_000))
  }
  expect(waits).toEqual([5, 30, 60, 60])
  expect(await eventsOf(guid)).toEqual([])
  recover()
  // The map is not due yet.
  const calls = fake.requests.length
  await resolve()
  await due(guid)
  await resolve()
  await expect.poll(() => findMap(api.app.database.db, guid)).toMatchObject({ state: 'known', key, name: /^Song/ })
  expect(fake.requests.length).toBe(calls + 1)
  expect(await schedule(guid)).toEqual({ asked_in_vain: 0, ask_again_at: null })
  const [event, ...others] = await eventsOf(guid)
  expect(others).toEqual([])
  expect(event).toMatchObject({
    type: 'map.resolved',
    before: { state: 'unresolved' },
    after: { state: 'known', currentHash: null },
  })
  expect(event?.touches).toEqual(expect.arrayContaining([guid, tournaments.pool, tournaments.suggestion]))
  expect(event?.touches).not.toContain(tournaments.other)
})

test('an unresolved map may turn out to be missing or outdated, and is asked for no more', async () => {
  const { key, hash } = fake.maps.add()
  const next = fake.maps.republish(key)
  const maps = await enter([
    [identityOf(hash), unreachable],
    [identityOf(newHash()), unreachable],
  ])
  for (const { guid } of maps) await due(guid)
  await resolve()
  const guids = maps.map(({ guid }) => guid)
  const states = async () =>
    (await Promise.all(guids.map((guid) => findMap(api.app.database.db, guid)))).map((map) => [
      map?.state,
      map?.currentHash,
    ])
  await expect.poll(states).toEqual([
    ['outdated', next],
    ['missing', null],
  ])
  for (const guid of guids) expect(await schedule(guid)).toEqual({ asked_in_vain: 0, ask_again_at: null })
})

test('several services ask for a due map once', async () => {
  const added = fake.maps.addMany(60)
  const maps = await enter(added.map(({ hash }) => [identityOf(hash), unreachable] as const))
  await using sibling = await api.sibling()
  const guids = maps.map(({ guid }) => guid)
  const calls = fake.paths.length
  await api.sql('update maps set ask_again_at = now() where guid = any($1)', [guids])
  await Promise.all([resolve(), resolve(sibling), resolve(), resolve(sibling)])
  const open = async () =>
    (await listMapsByGuid(api.app.database.db, guids)).filter(({ state }) => state === 'unresolved')
  await expect.poll(open).toEqual([])
  const asked = fake.paths.slice(calls).flatMap((path) => path.replace('/maps/hash/', '').split(','))
  expect(asked.toSorted()).toEqual(added.map(({ hash }) => hash).toSorted())
  expect(fake.paths.length).toBe(calls + 2)
})
