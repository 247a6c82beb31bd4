import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AssistantWorld, putLink, startAssistantWorld } from '../../../../test/assistant.ts'
import { type Caller, outcome } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { type MadeMap, type MadePool, makeMaps, makePool } from '../../../../test/pools.ts'
import { type Cup, makeCup, open } from '../../../../test/qualifiers.ts'

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

interface Pushing {
  readonly cup: Cup
  readonly path: string
  readonly pool: MadePool
  readonly maps: readonly MadeMap[]
  readonly push: (body?: object, as?: Caller) => ReturnType<AssistantWorld['api']['post']>
  /** Hashes of the maps in the assistant's pools of that name, in upper case. */
  readonly held: (name?: string) => readonly (readonly string[])[]
}

let sequence = 0

async function pushing(count = 3): Promise<Pushing> {
  const { api, fake } = world
  const cup = await makeCup(api)
  const path = `/tournaments/${cup.tournament.id}`
  expect((await putLink(api, fake, { path, organiser: cup.organiser })).status).toBe(200)
  const maps = await makeMaps(api, count)
  const name = `Pool ${++sequence}`
  const pool = await makePool(api, cup.tournament.guid, {
    name,
    status: 'published',
    maps: maps.map(({ guid }) => guid),
  })
  const push: Pushing['push'] = (body = { pool: pool.guid }, as = cup.organiser) =>
    api.post(`${path}/assistant/push`, as, body)
  const held: Pushing['held'] = (of = name) =>
    fake.pools
      .filter((one) => one.name === of)
      .map(({ maps: all }) =>
        all.map((map) => map.gameplayParameters?.beatmap?.levelId.replace('custom_level_', '').toLowerCase() ?? ''),
      )
  return { cup, path, pool, maps, push, held }
}

const hashes = (maps: readonly MadeMap[]) => maps.map(({ hash }) => hash)

describe('a pool that is pushed', () => {
  test('stands at the assistant, once, however often it is pushed and whatever it is called', async () => {
    const it = await pushing()
    expect((await it.push({ pool: it.pool.guid, dryRun: true })).body).toEqual({
      added: 3,
      updated: 0,
      removed: 0,
      unchanged: 0,
      failed: [],
    })
    expect(it.held()).toEqual([])
    expect((await it.push()).body).toEqual({ added: 3, updated: 0, removed: 0, unchanged: 0, failed: [] })
    expect(it.held()).toEqual([hashes(it.maps)])
    expect((await it.push()).body).toEqual({ added: 0, updated: 0, removed: 0, unchanged: 3, failed: [] })
    await world.api.sql(
      `update pools set name = 'Renamed ' || name, name_key = name_key || 'x'
      where guid = $1`,
      [it.pool.guid],
    )
    const [{ name } = { name: '' }] = await world.api.sql<{ name: string }>('select name from pools where guid = $1', [
      it.pool.guid,
    ])
    expect((await it.push()).body).toMatchObject({ added: 0, unchanged: 3, failed: [] })
    expect([it.held(), it.held(name)]).toEqual([[], [hashes(it.maps)]])
    const events = await world.api.sql(`select from event_log where type = 'assistant.pushed' and tournament = $1`, [
      it.cup.tournament.guid,
    ])
    expect(events).toHaveLength(1)
  })

  test('goes on where a run was interrupted, and takes a pool of its name', async () => {
    const it = await pushing(4)
    const [first, ...others] = it.maps
    const pool = world.fake.addPool(`Pool ${sequence}`, [{ hash: first?.hash ?? '' }, { hash: 'f'.repeat(40) }])
    const heal = world.fake.faults.add(
      { direction: 'received', kind: 'request.addTournamentPoolMaps', nth: 2 },
      'cutBefore',
    )
    const cut = (await it.push()).body
    heal()
    expect(cut.failed.length).toBeGreaterThan(0)
    expect(cut.added + cut.unchanged + cut.failed.length).toBe(4)
    const again = (await it.push()).body
    expect(again).toMatchObject({ failed: [], removed: 0 })
    expect(again.added + again.unchanged).toBe(4)
    expect((await it.push()).body).toMatchObject({ added: 0, updated: 0, unchanged: 4 })
    const sorted = () => it.held()[0]?.toSorted()
    // Foreign maps stay unless `remove` is set.
    expect(it.held()).toHaveLength(1)
    expect(sorted()).toEqual([...hashes([first as MadeMap, ...others]), 'f'.repeat(40)].toSorted())
    expect((await it.push({ pool: it.pool.guid, remove: true })).body).toMatchObject({ removed: 1, failed: [] })
    expect(sorted()).toEqual(hashes(it.maps).toSorted())
    expect(world.fake.pools.filter(({ guid }) => guid === pool.guid)).toHaveLength(1)
  })

  test('by several at once is pushed by one of them, whichever process they ask', async () => {
    const it = await pushing(4)
    await using sibling = await world.api.sibling()
    // The push takes longer than an unrenewed lease lasts, but each step is shorter than the timeout of an answer.
    const kind = 'request.addTournamentPoolMaps'
    const heals = [1, 2].map((nth) => world.fake.faults.add({ direction: 'received', kind, nth }, { delayMs: 3_500 }))
    const first = it.push()
    await expect.poll(() => it.held().length).toBe(1)
    const others = Array.from({ length: 6 }, (_, index) =>
      (index % 2 === 0 ? sibling : world.api).post(`${it.path}/assistant/push`, it.cup.organiser, {
        pool: it.pool.guid,
      }),
    )
    for (const reply of await Promise.all(others)) expect(outcome(reply)).toEqual([409, 'assistant.push_running'])
    // A dry run is answered while the push runs.
    expect((await it.push({ pool: it.pool.guid, dryRun: true })).body).toMatchObject({ failed: [] })
    expect((await first).body).toEqual({ added: 4, updated: 0, removed: 0, unchanged: 0, failed: [] })
    for (const heal of heals) heal()
    const again = await sibling.post(`${it.path}/assistant/push`, it.cup.organiser, { pool: it.pool.guid })
    expect(again.body).toEqual({ added: 0, updated: 0, removed: 0, unchanged: 4, failed: [] })
    expect(it.held()).toEqual([hashes(it.maps)])
  })

  test('has what is played otherwise set anew, and says what was refused', async () => {
    const it = await pushing(2)
    await it.push()
    await world.api.sql(`update pool_maps set modifiers = '{FastSong}' where pool_guid = $1 and map_guid = $2`, [
      ...[it.pool.guid, it.maps[0]?.guid],
    ])
    world.fake.permissions.lose('own', 'tournament:settings:update_pool_maps')
    const refused = (await it.push()).body
    world.fake.permissions.gain('own', 'tournament:settings:update_pool_maps')
    expect(refused).toMatchObject({ updated: 0, unchanged: 1, failed: [{ code: 'assistant.permission' }] })
    expect((await it.push()).body).toMatchObject({ updated: 1, unchanged: 1, failed: [] })
    expect((await it.push()).body).toMatchObject({ updated: 0, unchanged: 2 })
  })

  test('is one that everybody sees, without what is staged', async () => {
    const it = await pushing(2)
    await world.api.sql('update pool_maps set released_at = null where pool_guid = $1 and map_guid = $2', [
      ...[it.pool.guid, it.maps[0]?.guid],
    ])
    expect((await it.push()).body).toMatchObject({ added: 1, failed: [] })
    expect(it.held()).toEqual([hashes(it.maps.slice(1))])
    const draft = await makePool(world.api, it.cup.tournament.guid, { name: 'A secret' })
    expect(outcome(await it.push({ pool: draft.guid }))).toEqual([409, 'pool.not_published'])
    expect(outcome(await it.push({ pool: crypto.randomUUID() }))).toEqual([404, 'pool.unknown'])
    expect(outcome(await it.push({}))).toEqual([400, 'assistant.invalid'])
  })

  test('is pushed by link managers and the head pooler alone, over a link that may write', async () => {
    const it = await pushing(1)
    const head = await roleHolder(world.api, it.cup.tournament, 'role:hpooler')
    const pooler = await roleHolder(world.api, it.cup.tournament, 'role:pooler')
    expect(outcome(await it.push(undefined, pooler))).toEqual([403, 'role.missing'])
    expect(outcome(await it.push(undefined, it.cup.coordinator))).toEqual([403, 'role.missing'])
    expect((await it.push(undefined, head)).body).toMatchObject({ added: 1 })
    const link = (body: object) => putLink(world.api, world.fake, { path: it.path, organiser: it.cup.organiser }, body)
    await link({ tokenKind: 'readonly' })
    expect(outcome(await it.push())).toEqual([409, 'assistant.readonly'])
    await link({ enabled: false })
    expect(outcome(await it.push())).toEqual([409, 'assistant.not_linked'])
    await link({ port: 1 })
    expect(outcome(await it.push())).toEqual([503, 'assistant.unreachable'])
  })
})

test('the qualifier’s maps go to an event of the assistant’s, with as many attempts as it allows', async () => {
  const it = await pushing(1)
  await open(world.api, it.cup, { attempts: 3, status: 'draft' })
  const event = world.fake.addQualifier({ maps: [{ hash: '1'.repeat(40) }] })
  const body = { qualifier: event.guid }
  expect(outcome(await it.push(body))).toEqual([409, 'qualifier.not_open'])
  await world.api.put(it.cup.path, it.cup.organiser, { status: 'open' })
  expect((await it.push(body)).body).toEqual({ added: 1, updated: 1, removed: 0, unchanged: 0, failed: [] })
  expect((await it.push(body)).body).toEqual({ added: 0, updated: 0, removed: 0, unchanged: 2, failed: [] })
  const { qualifierMaps = [] } = world.fake.qualifiers.find(({ guid }) => guid === event.guid) ?? {}
  expect(qualifierMaps.map((map) => map.gameplayParameters?.attempts)).toEqual([3, 3])
  expect(outcome(await it.push({ qualifier: 'no-such-event' }))).toEqual([404, 'assistant.event_unknown'])
})
