import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament, roleHolder, touch } from '../../../../test/make.ts'
import { allTold, messagesOf } from '../../../../test/notifications.ts'
import { makeFlair, makeMaps, makePool } from '../../../../test/pools.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { announceDue, publishDue, releaseDue } from './commands/due.ts'

/** From draft to archive, by users and by the clock; corrections of published pools. (pools: States) */

let catalogue: FakeCatalogue
let api: Harness
let organiser: Caller
let pooler: Caller
let captain: Caller
let tournament: MadeTournament

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  organiser = await api.user()
  captain = await api.user()
  tournament = await makeTournament(api, organiser)
  pooler = await roleHolder(api, tournament, 'role:pooler')
  await makeTeam(api, tournament, captain, { status: 'registered' })
})

afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const path = (of: MadeTournament = tournament) => `/tournaments/${of.guid}/pools`
const at = (pool: { readonly guid: string }, rest = '') => `${path()}/${pool.guid}${rest}`
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

async function body(call: Promise<Reply>) {
  const reply = await call
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}

async function withMaps(count = 2, options: Parameters<typeof makePool>[2] = {}) {
  const maps = await makeMaps(api, count)
  return makePool(api, tournament.guid, { maps: maps.map(({ guid }) => guid), ...options })
}

const eventsOf = (guid: string) =>
  api.sql<{ type: string; after: { revision?: number } }>(
    `select type, after from event_log where subject = $1 and type <> 'pool.drafted' order by seq`,
    [guid],
  )

describe('publishing', () => {
  test('tells all that is lacking; everything but maps may be overridden', async () => {
    const [speed, tech] = [
      await makeFlair(api, tournament.guid, 'Speed'),
      await makeFlair(api, tournament.guid, 'Tech'),
    ] as const
    const made = await makeMaps(api, [
      {},
      { state: 'missing' },
      { state: 'outdated', currentHash: 'f'.repeat(40) },
      { state: 'unresolved' },
    ])
    const [known, missing, outdated, unresolved] = made.map(({ guid }) => guid) as [string, string, string, string]
    const pool = await makePool(api, tournament.guid, {
      maps: [{ mapGuid: known, flairGuid: speed }, { mapGuid: missing, flairGuid: speed }, outdated, unresolved],
    })
    const slots = [
      { flairGuid: speed, count: 2 },
      { flairGuid: tech, count: 1 },
    ]
    await body(api.patch(at(pool), organiser, { slots }))
    const refused = await api.post(at(pool, '/publish'), organiser, {})
    expect(outcome(refused)).toEqual([409, 'pool.not_ready'])
    const [, second, third, fourth] = pool.poolMaps
    expect(refused.body.failures).toEqual([
      { code: 'slots_unfilled', flairGuid: tech },
      { code: 'flair_missing', poolMapGuid: third },
      { code: 'flair_missing', poolMapGuid: fourth },
      { code: 'map_missing', poolMapGuid: second },
      { code: 'map_outdated', poolMapGuid: third },
      { code: 'map_unresolved', poolMapGuid: fourth },
    ])
    expect(outcome(await api.post(at(pool, '/publish'), pooler, {}))).toEqual([403, 'role.missing'])
    expect(await body(api.post(at(pool, '/publish'), organiser, { force: true }))).toMatchObject({ revision: 1 })
    const empty = await makePool(api, tournament.guid)
    const none = await api.post(at(empty, '/publish'), organiser, { force: true })
    expect([outcome(none), none.body.failures]).toEqual([[409, 'pool.not_ready'], [{ code: 'empty' }]])
    expect(outcome(await api.post(at(pool, '/publish'), organiser, {}))).toEqual([409, 'pool.wrong_status'])
  })

  test('is seen by everybody at once, told to captains, and taken back until a match was begun', async () => {
    const cup = await makeTournament(api, organiser)
    const [mine, theirs] = [await api.user(), await api.user()]
    await makeTeam(api, cup, mine, { status: 'registered' })
    await makeTeam(api, cup, theirs, { status: 'unregistered' })
    const [map] = await makeMaps(api, 1)
    const pool = await makePool(api, cup.guid, { name: 'Grand final', maps: [map?.guid ?? ''] })
    const own = `${path(cup)}/${pool.guid}`
    const playlist = `/resources/pooling/pools/${pool.guid}/playlist.bplist`
    expect((await api.get(playlist)).status).toBe(404)
    const published = await body(api.post(`${own}/publish`, organiser, {}))
    const seen = await body(api.get(own))
    expect(seen).toMatchObject({ status: 'published', revision: 1, changes: [], maps: [{ order: 0 }] })
    expect(seen).toMatchObject({ createdAt: seen.publishedAt, updatedAt: seen.publishedAt })
    expect(published.draftRevision).toBe(2)
    expect((await api.get(playlist)).status).toBe(200)
    await allTold(api)
    expect(await messagesOf(api, mine)).toMatchObject([
      { type: 'pool.published', data: { poolGuid: pool.guid, tournamentGuid: cup.guid } },
    ])
    expect(await messagesOf(api, theirs)).toEqual([])
    expect((await api.post(`${own}/unpublish`, organiser, {})).status).toBe(400)
    expect(await body(api.post(`${own}/unpublish`, organiser, { reason: 'Too early.' }))).toMatchObject({
      status: 'draft',
      revision: null,
      publishedAt: null,
    })
    expect(outcome(await api.get(own))).toEqual([404, 'pool.unknown'])
    expect((await api.get(playlist)).status).toBe(404)
    expect(await body(api.post(`${own}/publish`, organiser, {}))).toMatchObject({ revision: 2 })
    expect((await eventsOf(pool.guid)).map(({ type }) => type)).toEqual([
      'pool.published',
      'pool.unpublished',
      'pool.published',
    ])
  })

  test('by time comes once, on however many processes, and never early', async () => {
    const others = await Promise.all([api.sibling(), api.sibling()])
    const pools = await Promise.all(Array.from({ length: 8 }, () => withMaps(1)))
    const wrong = { publishAt: inMs(-1_000) }
    expect(outcome(await api.post(at(pools[0] as (typeof pools)[0], '/publish'), organiser, wrong))).toEqual([
      400,
      'pool.time_invalid',
    ])
    const publishAt = inMs(2_500)
    for (const pool of pools) {
      expect(await body(api.post(at(pool, '/publish'), organiser, { publishAt }))).toMatchObject({
        status: 'draft',
        publishAt,
        revision: null,
      })
    }
    const [scheduled, cancelled] = pools as [(typeof pools)[0], (typeof pools)[0]]
    expect(await body(api.post(at(cancelled, '/publish'), organiser, { publishAt: null }))).toMatchObject({
      publishAt: null,
    })
    // A scheduled pool stays ready: changes that would make it unready are refused.
    const [only = ''] = scheduled.poolMaps
    const emptied = await api.delete(at(scheduled, `/maps/${only}`), pooler)
    expect([outcome(emptied), emptied.body.failures]).toEqual([[409, 'pool.not_ready'], [{ code: 'empty' }]])
    while (Date.now() < Date.parse(publishAt) - 50) {
      expect((await api.get(at(scheduled))).status).toBe(404)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await expect.poll(async () => (await api.get(at(scheduled))).status, { timeout: 60_000 }).toBe(200)
    for (const pool of pools.filter((pool) => pool !== cancelled)) {
      await expect.poll(async () => (await api.get(at(pool))).status, { timeout: 60_000 }).toBe(200)
      const seen = await body(api.get(at(pool)))
      expect(seen.revision).toBe(1)
      expect(Date.parse(seen.publishedAt)).toBeGreaterThanOrEqual(Date.parse(publishAt))
      expect((await eventsOf(pool.guid)).map(({ type }) => type)).toEqual(['pool.scheduled', 'pool.published'])
    }
    expect((await body(api.get(at(cancelled), organiser))).status).toBe('draft')
    for (const other of others) await other[Symbol.asyncDispose]()
  })

  test('by time never comes in a cancelled tournament, where nothing is released or told either', async () => {
    const cup = await makeTournament(api, organiser, { approved: true })
    const notified = await api.user()
    await makeTeam(api, cup, notified, { status: 'registered' })
    const maps = (await makeMaps(api, 2)).map(({ guid }) => guid)
    const scheduled = await makePool(api, cup.guid, { maps })
    const staged = await makePool(api, cup.guid, { maps, status: 'published' })
    const marker = await withMaps()
    const cancelling = { status: 'cancelled', reason: 'No more.' }
    expect(outcome(await api.post(`/tournaments/${cup.guid}/status`, organiser, cancelling))).toEqual([200, null])
    const receivedTypes = async () => (await messagesOf(api, notified)).map(({ type }) => type)
    const before = await receivedTypes()
    await api.sql(
      `update pool_maps set release_at = now() - interval '2 seconds', released_at = null where guid = $1`,
      [staged.poolMaps[0]],
    )
    await api.sql(`update pools set announce_at = now() - interval '2 seconds' where guid = $1`, [staged.guid])
    await api.sql(`update pools set publish_at = now() - interval '1 second' where guid = any($1)`, [
      [scheduled.guid, marker.guid],
    ])
    // When this pool is published, the clock has also checked the others.
    await expect.poll(async () => (await api.get(at(marker))).status, { timeout: 60_000 }).toBe(200)
    // Also if the job listed them just before they were cancelled.
    for (const [pool, act] of [[scheduled, publishDue] as const, [staged, releaseDue] as const]) {
      await api.app.database.transaction((tx) => act(tx, pool.guid, new Date()))
    }
    await api.app.database.transaction((tx) => announceDue(tx, staged.guid, new Date()))
    for (const { guid } of [scheduled, staged]) expect(await eventsOf(guid)).toEqual([])
    expect((await api.get(`${path(cup)}/${scheduled.guid}`)).status).toBe(404)
    expect((await body(api.get(`${path(cup)}/${staged.guid}`))).maps).toHaveLength(1)
    expect(await receivedTypes()).toEqual(before)
  })

  test('by time in spite of what was lacking then, and of nothing more', async () => {
    const [known, gone] = await makeMaps(api, [{}, { state: 'missing' }])
    const [also] = await makeMaps(api, [{ state: 'outdated', currentHash: 'e'.repeat(40) }])
    await withMaps(0, { status: 'published', maps: [also?.guid ?? ''] })
    const pool = await makePool(api, tournament.guid, { maps: [known?.guid ?? '', gone?.guid ?? ''] })
    const publishAt = inMs(3_600_000)
    expect(outcome(await api.post(at(pool, '/publish'), organiser, { publishAt }))).toEqual([409, 'pool.not_ready'])
    await body(api.post(at(pool, '/publish'), organiser, { publishAt, force: true }))
    await body(api.patch(at(pool, `/maps/${pool.poolMaps[0]}`), pooler, { note: 'First.' }))
    const more = await api.post(at(pool, '/maps'), pooler, { mapGuid: also?.guid })
    expect(outcome(more)).toEqual([409, 'pool.not_ready'])
    expect(more.body.failures).toMatchObject([{ code: 'map_outdated' }])
    await body(api.post(at(pool, '/publish'), organiser, { publishAt: inMs(7_200_000) }))
  })
})

describe('a published pool', () => {
  test('is corrected by heads with a reason, and everybody reads what was and what is', async () => {
    const pool = await withMaps(2, { status: 'published' })
    const [first = '', second = ''] = pool.poolMaps
    const song = catalogue.maps.add({ difficulties: ['Expert'] })
    const adding = { ref: song.key, note: 'New.', staffNote: 'By vote.' }
    expect(outcome(await api.post(at(pool, '/maps'), pooler, { ...adding, reason: 'x' }))).toEqual([
      403,
      'pool.for_heads',
    ])
    expect(outcome(await api.post(at(pool, '/maps'), organiser, adding))).toEqual([400, 'pool.reason_missing'])
    expect(outcome(await api.post(at(pool, '/maps'), captain, adding))).toEqual([403, 'role.missing'])
    const added = await body(api.post(at(pool, '/maps'), organiser, { ...adding, reason: 'One was lacking.' }))
    await body(api.patch(at(pool, `/maps/${first}`), organiser, { modifiers: ['NoFail'], reason: 'As agreed.' }))
    await body(api.patch(at(pool, `/maps/${first}`), pooler, { staffNote: 'Among us.' }))
    const { draftRevision } = await body(api.get(at(pool), organiser))
    const order = { draftRevision, maps: [added.guid, second, first], reason: 'In order of play.' }
    await body(api.put(at(pool, '/order'), organiser, order))
    expect((await api.delete(at(pool, `/maps/${second}`), organiser, { reason: 'Too hard.' })).status).toBe(204)
    const seen = await body(api.get(at(pool)))
    expect(seen.revision).toBe(5)
    expect(seen.maps.map(({ guid }: { guid: string }) => guid)).toEqual([added.guid, first])
    expect(seen.changes).toMatchObject([
      {
        revision: 5,
        kind: 'removed',
        reason: 'Too hard.',
        before: [{ guid: second, order: 1 }],
        after: null,
        by: null,
      },
      {
        revision: 4,
        kind: 'reordered',
        before: [{ guid: first }, { guid: added.guid }],
        after: [{ guid: added.guid }, { guid: first }],
      },
      { revision: 3, kind: 'edited', before: [{ modifiers: [] }], after: [{ modifiers: ['NoFail'] }] },
      { revision: 2, kind: 'added', before: null, after: [{ guid: added.guid, note: 'New.', order: 2 }] },
    ])
    expect(JSON.stringify(seen)).not.toContain('By vote')
    expect(JSON.stringify(seen)).not.toContain('Among us')
    const inside = await body(api.get(at(pool), pooler))
    expect(inside.changes[0].by).toMatchObject({ guid: organiser.guid })
    expect(inside.changes.at(-1).after[0].staffNote).toBe('By vote.')
    expect(inside.updatedAt >= seen.updatedAt).toBe(true)
  })

  test('has a name, a description and a look that are no correction; the rest is for drafts', async () => {
    const pool = await withMaps(1, { status: 'published' })
    const renamed = await body(api.patch(at(pool), organiser, { name: 'Renamed', playlist: { title: 'Play' } }))
    expect(renamed).toMatchObject({ name: 'Renamed', revision: 1, changes: [], playlist: { title: 'Play' } })
    expect(outcome(await api.patch(at(pool), organiser, { previewRoles: [] }))).toEqual([409, 'pool.wrong_status'])
    expect(outcome(await api.put(at(pool, '/preview-key'), organiser))).toEqual([409, 'pool.wrong_status'])
    const file = await body(api.get(`/resources/pooling/pools/${pool.guid}/playlist.bplist`))
    expect(file.playlistTitle).toBe('Play')
  })

  test('is read-only in the archive, and found there', async () => {
    const pool = await withMaps(1, { status: 'published' })
    expect(outcome(await api.post(at(pool, '/unarchive'), organiser))).toEqual([409, 'pool.wrong_status'])
    expect(await body(api.post(at(pool, '/archive'), organiser))).toMatchObject({ status: 'archived', revision: 1 })
    const edit = (who: Caller) => api.patch(at(pool, `/maps/${pool.poolMaps[0]}`), who, { note: 'x', reason: 'y' })
    expect(outcome(await edit(organiser))).toEqual([409, 'pool.wrong_status'])
    expect(outcome(await edit(pooler))).toEqual([403, 'pool.for_heads'])
    expect(outcome(await api.patch(at(pool), organiser, { name: 'z' }))).toEqual([409, 'pool.wrong_status'])
    await body(api.patch(at(pool, `/maps/${pool.poolMaps[0]}`), pooler, { staffNote: 'Good one.' }))
    expect(outcome(await api.post(at(pool, '/unpublish'), organiser, { reason: 'x' }))).toEqual([
      409,
      'pool.wrong_status',
    ])
    expect((await api.get(`/resources/pooling/pools/${pool.guid}/playlist.bplist`)).status).toBe(200)
    expect(await body(api.get(at(pool)))).toMatchObject({ status: 'archived' })
    expect(await body(api.post(at(pool, '/unarchive'), organiser))).toMatchObject({
      status: 'published',
      archivedAt: null,
    })
  })

  test('keeps maps for later: nobody sees them before their time, and then they are a correction', async () => {
    const pool = await withMaps(2)
    const [first = '', second = ''] = pool.poolMaps
    const releaseAt = inMs(2_500)
    await body(api.patch(at(pool, `/maps/${first}`), pooler, { releaseAt }))
    await body(api.post(at(pool, '/publish'), organiser, {}))
    const seen = await body(api.get(at(pool)))
    expect(seen.maps).toMatchObject([{ guid: second, order: 0 }])
    const secret = { note: 'A surprise.', reason: 'Worded better.' }
    await body(api.patch(at(pool, `/maps/${first}`), organiser, secret))
    expect(await body(api.get(at(pool)))).toEqual(seen)
    expect((await body(api.get(at(pool), pooler))).changes).toMatchObject([{ kind: 'edited', revision: 1 }])
    const playlist = `/resources/pooling/pools/${pool.guid}/playlist.bplist`
    expect((await body(api.get(playlist))).songs).toHaveLength(1)
    await expect.poll(async () => (await api.get(at(pool))).body.revision, { timeout: 60_000 }).toBe(2)
    const after = await body(api.get(at(pool)))
    expect(after.maps).toMatchObject([
      { guid: first, order: 0, note: 'A surprise.' },
      { guid: second, order: 1 },
    ])
    expect(after.changes).toMatchObject([{ kind: 'added', reason: null, by: null, after: [{ guid: first, order: 0 }] }])
    expect(after.updatedAt >= releaseAt).toBe(true)
    expect((await body(api.get(playlist))).songs).toHaveLength(2)
    expect((await eventsOf(pool.guid)).map(({ type }) => type)).toEqual(['pool.published', 'pool.map_released'])
    const late = { releaseAt: inMs(3_600_000), reason: 'x' }
    expect(outcome(await api.patch(at(pool, `/maps/${first}`), organiser, late))).toEqual([400, 'pool.map_invalid'])
  })

  test('tells captains of corrections once in ten minutes, and of none twice', async () => {
    const cup = await makeTournament(api, organiser)
    const captain = await api.user()
    await makeTeam(api, cup, captain, { status: 'registered' })
    const [map] = await makeMaps(api, 1)
    const pool = await makePool(api, cup.guid, { maps: [map?.guid ?? ''] })
    const own = `${path(cup)}/${pool.guid}`
    await body(api.post(`${own}/publish`, organiser, {}))
    for (const note of ['One.', 'Two.']) {
      await body(api.patch(`${own}/maps/${pool.poolMaps[0]}`, organiser, { note, reason: 'A note.' }))
    }
    const due = await api.sql<{ minutes: number }>(
      'select extract(epoch from announce_at - announced_at) / 60 as minutes from pools where guid = $1',
      [pool.guid],
    )
    expect(Number(due[0]?.minutes)).toBe(10)
    await api.sql("update pools set announce_at = now() - interval '1 second' where guid = $1", [pool.guid])
    const types = async () => (await messagesOf(api, captain)).map(({ type }) => type)
    await expect.poll(types, { timeout: 60_000 }).toEqual(['pool.corrected', 'pool.published'])
    await body(api.patch(`${own}/maps/${pool.poolMaps[0]}`, organiser, { note: 'Three.', reason: 'A note.' }))
    await allTold(api)
    expect(await types()).toEqual(['pool.corrected', 'pool.published'])
  })

  test('of two publications and corrections at once, one is first and the other is judged by it', async () => {
    const pool = await withMaps(3)
    const [first = '', second = '', third = ''] = pool.poolMaps
    const published = await Promise.all(Array.from({ length: 6 }, () => api.post(at(pool, '/publish'), organiser, {})))
    expect(published.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    const removals = await Promise.all(
      [first, first, second].map((guid) => api.delete(at(pool, `/maps/${guid}`), organiser, { reason: 'Gone.' })),
    )
    expect(removals.map(({ status }) => status).toSorted()).toEqual([204, 204, 404])
    const seen = await body(api.get(at(pool)))
    expect([seen.revision, seen.maps.length, seen.changes.length]).toEqual([3, 1, 2])
    expect(seen.maps[0]).toMatchObject({ guid: third, order: 0 })
  })
})

describe('what is remembered', () => {
  test('of a pool follows whoever added its maps, and where else these are played', async () => {
    const maker = await api.user()
    const cup = await makeTournament(api, maker)
    const [adder, other] = [await roleHolder(api, cup, 'role:pooler'), await roleHolder(api, cup, 'role:pooler')]
    const song = catalogue.maps.add({ difficulties: ['Expert'] })
    const pool = await body(api.post(path(cup), maker, { name: 'Ours' }))
    const own = `${path(cup)}/${pool.guid}`
    const { map } = await body(api.post(`${own}/maps`, adder, { ref: song.key }))
    const seen = async () => (await body(api.get(own, other))).maps[0]
    await seen()
    await body(api.post('/updateUserSettings', adder, { preferredName: 'Appoggiatura' }))
    expect((await seen()).addedBy.preferredName).toBe('Appoggiatura')
    const elsewhere = await makeTournament(api, await api.user())
    await api.sql(
      `insert into listings (platform_guid, tournament_guid, status, sort_at)
       select guid, $1, 'approved', now() from platforms where is_system on conflict do nothing`,
      [elsewhere.guid],
    )
    await makePool(api, elsewhere.guid, { status: 'published', maps: [map.guid] })
    expect((await seen()).usedBefore).toMatchObject([{ tournament: { guid: elsewhere.guid } }])
    // The first page of the archive, too, shows the catalogue's new data about a map.
    const state = async () =>
      (await body(api.get('/resources/pooling/maps'))).maps.find(({ guid }: { guid: string }) => guid === map.guid)
        .state
    expect(await state()).toBe('known')
    catalogue.maps.republish(song.key)
    await body(api.post(`${own}/maps/check`, adder))
    expect(await state()).toBe('outdated')
  })

  test('is remembered through what happens to other songs elsewhere, and follows all that happens to its own', async () => {
    const [cup, elsewhere] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
    const own = await roleHolder(api, cup, 'role:pooler')
    const { key: ref } = catalogue.maps.add({ difficulties: ['Expert', 'ExpertPlus'] })
    const song = { ref, difficulty: 'Expert' }
    const [other, third] = (await makeMaps(api, 2)).map(({ guid }) => guid) as [string, string]
    const pool = await body(api.post(path(cup), organiser, { name: 'Ours' }))
    await body(api.post(`${path(cup)}/${pool.guid}/maps`, own, song))
    await body(api.post(`/tournaments/${cup.guid}/suggestions`, own, song))
    const topic = `/tournaments/${cup.guid}/suggestions`
    const paths = [path(cup), `${path(cup)}/${pool.guid}`]
    const used = async () => {
      const [list, read] = await Promise.all(paths.map((each) => body(api.get(each, own))))
      expect(read.maps[0].usedBefore).toEqual(list[0].maps[0].usedBefore)
      const shown = read.maps[0].usedBefore.map((use: { pool: { name: string } }) => use.pool.name)
      return shown.filter((name: string) => name !== pool.name)
    }
    const readsAnew = async () => {
      const queries = vi.spyOn(pg.Client.prototype, 'query')
      await used()
      const asked = queries.mock.calls.filter(([query]) =>
        JSON.stringify(query).includes('wanted (map_guid uuid, hash text, key text)'),
      )
      queries.mockRestore()
      return asked.length > 0
    }
    const there = await makePool(api, elsewhere.guid, { name: 'There', maps: [other, third] })
    const at = (rest = '') => `${path(elsewhere)}/${there.guid}${rest}`
    await used()
    await used()
    const unrelated = [
      () => api.post(at('/publish'), organiser, {}),
      () => api.patch(at(`/maps/${there.poolMaps[0]}`), organiser, { note: 'Of others.', reason: 'So it is.' }),
      () => api.delete(at(`/maps/${there.poolMaps[1]}`), organiser, { reason: 'So it is.' }),
      () => api.patch(at(), organiser, { name: 'Over there' }),
      () => api.post(at('/archive'), organiser),
      () => api.post(at('/unarchive'), organiser),
    ]
    for (const [index, step] of unrelated.entries()) {
      expect((await step()).status, `${index}`).toBeLessThan(300)
      expect(await readsAnew(), `${index}`).toBe(false)
    }
    const socket = await openSocket(api, { as: own })
    await socket.ask({ type: 'subscribe', topic })
    const expectUsed = async (names: string[]) => {
      expect(await used()).toEqual(names)
      // Suggestions of the same song are updated, too.
      await expect
        .poll(() => JSON.stringify(socket.copies.of(topic).body), { timeout: 10_000 })
        .toSatisfy((text: string) =>
          ['There', 'Over there', 'Far away'].every(
            (name) => text.includes(`"name":"${name}"`) === names.includes(name),
          ),
        )
    }
    await expectUsed([])
    const added = await body(
      api.post(at('/maps'), organiser, { ref, difficulty: 'ExpertPlus', reason: 'The same song.' }),
    )
    await expectUsed(['Over there'])
    await body(api.patch(at(), organiser, { name: 'Far away' }))
    await expectUsed(['Far away'])
    expect((await api.delete(at(`/maps/${added.guid}`), organiser, { reason: 'Or not.' })).status).toBe(204)
    await expectUsed([])
    const staged = { ...song, releaseAt: inMs(2_000), reason: 'The same map.' }
    await body(api.post(at('/maps'), organiser, staged))
    await expectUsed([])
    await expect.poll(used, { timeout: 60_000 }).toEqual(['Far away'])
    await expectUsed(['Far away'])
    await body(api.post(at('/unpublish'), organiser, { reason: 'Too early.' }))
    await expectUsed([])
    await body(api.post(at('/publish'), organiser, {}))
    await expectUsed(['Far away'])
    const newVersion = catalogue.maps.republish(ref)
    const [untold] = await makeMaps(api, [{ hash: newVersion, key: null, state: 'unresolved' }])
    const yonder = await makeTournament(api, organiser)
    const late = await makePool(api, yonder.guid, { name: 'There', status: 'published', maps: [untold?.guid ?? ''] })
    await expectUsed(['Far away'])
    await body(api.post(`${path(yonder)}/${late.guid}/maps/check`, organiser))
    await expectUsed(['There', 'Far away'])
    await socket.close()
  })

  test('of corrections before a pool was unpublished is for poolers', async () => {
    const pool = await withMaps(2, { status: 'published' })
    await body(api.patch(at(pool, `/maps/${pool.poolMaps[0]}`), organiser, { note: 'First.', reason: 'Once.' }))
    await body(api.post(at(pool, '/unpublish'), organiser, { reason: 'Too early.' }))
    await body(api.post(at(pool, '/publish'), organiser, {}))
    await body(api.patch(at(pool, `/maps/${pool.poolMaps[0]}`), organiser, { note: 'Second.', reason: 'Again.' }))
    const reasons = async (as: Caller | null) =>
      (await body(api.get(at(pool), as))).changes.map(({ reason }: { reason: string }) => reason)
    expect(await reasons(null)).toEqual(['Again.'])
    expect(await reasons(pooler)).toEqual(['Again.', 'Once.'])
  })
})

describe('a preview key', () => {
  test('lets the game load a draft, whole, until it is published', async () => {
    const pool = await withMaps(2)
    const key = async () => new URL((await body(api.put(at(pool, '/preview-key'), organiser))).url)
    const load = (url: URL) => api.get(`${url.pathname.replace('/api', '')}${url.search}`)
    expect(outcome(await api.put(at(pool, '/preview-key'), pooler))).toEqual([403, 'role.missing'])
    const first = await key()
    expect(first.searchParams.get('key')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const file = await load(first)
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(file.body.songs).toHaveLength(2)
    expect(new URL(file.body.customData.syncURL).href).toBe(first.href)
    const second = await key()
    expect((await load(first)).status).toBe(404)
    expect((await load(second)).status).toBe(200)
    expect(JSON.stringify(await api.sql('select * from pools where guid = $1', [pool.guid]))).not.toContain(
      second.searchParams.get('key'),
    )
    expect((await api.delete(at(pool, '/preview-key'), organiser)).status).toBe(204)
    expect((await load(second)).status).toBe(404)
    const third = await key()
    await body(api.post(at(pool, '/publish'), organiser, {}))
    expect((await load(third)).status).toBe(404)
    const open = await api.get(`/resources/pooling/pools/${pool.guid}/playlist.bplist`)
    expect(open.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const again = await api.get(open.body.customData.syncURL.replace(/^http:\/\/[^/]+\/api/, ''))
    expect(again.text).toBe(open.text)
    expect((await api.get(at(pool, '/playlist.bplist'), captain)).text).toBe(open.text)
    const etag = open.headers.get('etag') ?? ''
    const same = await api.get(`/resources/pooling/pools/${pool.guid}/playlist.bplist`, null, { 'if-none-match': etag })
    expect(same.status).toBe(304)
  })
})

describe('the version watch', () => {
  test('marks what the catalogue publishes otherwise or not at all, and tells poolers once', async () => {
    const cup = await makeTournament(api, organiser)
    const [head, own] = [await roleHolder(api, cup, 'role:hpooler'), await roleHolder(api, cup, 'role:pooler')]
    const caster = await roleHolder(api, cup, 'role:caster')
    const pool = await body(api.post(path(cup), organiser, { name: 'Watched' }))
    const [kept, renewed, gone] = [1, 2, 3].map(() => catalogue.maps.add({ difficulties: ['Expert'] }))
    for (const song of [kept, renewed, gone]) {
      await body(api.post(`${path(cup)}/${pool.guid}/maps`, own, { ref: song?.key }))
    }
    const current = catalogue.maps.republish(renewed?.key ?? '')
    catalogue.maps.delete(gone?.key ?? '')
    const check = () => api.post(`${path(cup)}/${pool.guid}/maps/check`, own)
    const checked = await body(check())
    expect(checked.maps.map(({ map }: { map: { state: string } }) => map.state)).toEqual([
      'known',
      'outdated',
      'missing',
    ])
    expect(checked.maps[1].map.currentHash).toBe(current)
    const limited = await check()
    expect([outcome(limited), Number(limited.headers.get('retry-after')) > 0]).toEqual([
      [429, 'pool.checked_recently'],
      true,
    ])
    await allTold(api)
    const notified = async (who: Caller) =>
      (await messagesOf(api, who)).map(({ type }) => type).filter((type) => type.startsWith('pool.'))
    for (const who of [organiser, head, own]) {
      expect((await notified(who)).toSorted()).toEqual(['pool.map_missing', 'pool.map_outdated'])
    }
    expect(await notified(caster)).toEqual([])
    await api.sql("update pools set checked_at = now() - interval '2 minutes' where guid = $1", [pool.guid])
    await touch(api, pool.guid)
    await body(check())
    await allTold(api)
    expect(await notified(own)).toHaveLength(2)
  })
})

describe('whoever follows pools', () => {
  test('is told of what they see, and gets no packet for what they do not', async () => {
    const cup = await makeTournament(api, organiser)
    const caster = await roleHolder(api, cup, 'role:caster')
    const own = await roleHolder(api, cup, 'role:pooler')
    const [map] = await makeMaps(api, 1)
    const pool = await makePool(api, cup.guid, { maps: [map?.guid ?? ''] })
    const topic = path(cup)
    const sockets = {
      stranger: await openSocket(api),
      caster: await openSocket(api, { as: caster }),
      pooler: await openSocket(api, { as: own }),
    }
    for (const socket of Object.values(sockets)) {
      expect(await socket.ask({ type: 'subscribe', topic, facts: true })).toMatchObject({ type: 'snapshot' })
    }
    const heldOf = (who: keyof typeof sockets) => sockets[who].copies.of(`${topic}?facts=1`)
    await body(api.patch(`${topic}/${pool.guid}/maps/${pool.poolMaps[0]}`, own, { note: 'Ours.' }))
    await sockets.pooler.copies.until(() => JSON.stringify(heldOf('pooler').body).includes('Ours.'), 'the draft')
    expect(heldOf('pooler').facts.map(({ type }) => type)).toEqual(['pool.drafted'])
    await body(api.post(`${topic}/${pool.guid}/publish`, organiser, {}))
    for (const who of ['stranger', 'caster'] as const) {
      await sockets[who].copies.until(() => (heldOf(who).body as unknown[]).length === 1, 'the pool')
      expect(
        heldOf(who).facts.map(({ type }) => type),
        who,
      ).toEqual(['pool.published'])
      expect(heldOf(who).facts[0]).not.toHaveProperty('by')
      expect(heldOf(who).body).toEqual(await body(api.get(topic, who === 'caster' ? caster : null)))
    }
    await sockets.pooler.copies.until(() => heldOf('pooler').facts.length === 2, 'the publication')
    expect(heldOf('pooler').facts[1]).toMatchObject({ type: 'pool.published', by: organiser.guid })
    const audit = async (who: Caller) =>
      (await body(api.get(`/tournaments/${cup.guid}/audit`, who))).entries.map(({ type }: { type: string }) => type)
    expect(await audit(own)).toEqual(expect.arrayContaining(['pool.published', 'pool.drafted']))
    expect((await audit(caster)).filter((type: string) => type.startsWith('pool'))).toEqual([])
    for (const socket of Object.values(sockets)) await socket.close()
  })
})
