import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { allTold, messagesOf } from '../../../../test/notifications.ts'
import { addPoolMaps, makeMaps, makePool } from '../../../../test/pools.ts'

type Json = Reply['body']
type Pool = { readonly guid: string }

let catalogue: FakeCatalogue
let api: Harness
let organiser: Caller
let pooler: Caller
let head: Caller
let tournament: MadeTournament

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  organiser = await api.user()
  tournament = await makeTournament(api, organiser, { status: 'approved' })
  pooler = await roleHolder(api, tournament, 'role:pooler')
  head = await roleHolder(api, tournament, 'role:hpooler')
})

afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const pathOf = (pool: Pool, of = tournament) => `/tournaments/${of.guid}/pools/${pool.guid}`
const text = (lines: readonly string[], more: object = {}) => ({ source: { kind: 'text', lines }, ...more })
const start = (pool: Pool, body: object, as = pooler) => api.post(`${pathOf(pool)}/imports`, as, body)

/** Returns the import after it has finished. */
async function finished(path: string, started: Reply, as: Caller, on = api): Promise<Json> {
  expect(started.status, started.text).toBe(202)
  expect(started.body).toMatchObject({ status: 'running', rows: [], finishedAt: null })
  const address = `${path}/imports/${started.body.guid}`
  await expect
    .poll(async () => (await on.get(address, as)).body.status, { interval: 20, timeout: 60_000 })
    .not.toBe('running')
  return (await on.get(address, as)).body
}

async function run(pool: Pool, body: object, as = pooler): Promise<Json> {
  return finished(pathOf(pool), await start(pool, body, as), as)
}

const outcomes = (job: Json) => job.rows.map((row: Json) => row.outcome)
const reasons = (job: Json) => job.rows.map((row: Json) => row.reason)
const mapsOf = async (pool: Pool): Promise<Json[]> => (await api.get(pathOf(pool), organiser)).body.maps
const namesOf = async (pool: Pool) =>
  (await mapsOf(pool)).map(({ map }) => `${map.hash} ${map.characteristic} ${map.difficulty}`)

/** 120 references: 7 unknown, 3 outdated, 5 broken, 4 twice. */
function references() {
  const songs = catalogue.maps.addMany(104)
  const current = songs.slice(0, 3).map(({ key }) => catalogue.maps.republish(key))
  const lines = [
    ...songs.map(({ hash }) => `${hash} Expert+`),
    ...Array.from({ length: 7 }, (_, index) => `${[...(songs[index]?.hash ?? '')].reverse().join('')} Expert`),
    ...['https://example.org/maps/1', 'not a map', 'x'.repeat(600), `${'1'.repeat(40)} Hardest`, '1a2b3 Easy a b'],
    ...songs.slice(10, 14).map(({ hash }) => `custom_level_${hash.toUpperCase()} 9 standard`),
  ]
  return { songs, current, lines }
}

const noCounts = { added: 0, present: 0, choice: 0, missing: 0, pending: 0, rejected: 0 }

describe('120 references', () => {
  test('of which 7 are unknown, 3 outdated, 5 broken and 4 twice, take three questions and are added in order', async () => {
    const pool = await makePool(api, tournament.guid)
    const { current, lines } = references()
    expect(lines).toHaveLength(120)
    const asked = catalogue.paths.length
    const job = await run(pool, text(lines))
    const questions = catalogue.paths.slice(asked).map((path) => path.split('/').slice(2))
    expect(questions.map(([kind]) => kind)).toEqual(['hash', 'hash', 'hash'])
    const hashes = questions.map(([, names = '']) => names.split(','))
    expect(hashes.map(({ length }) => length)).toEqual([50, 50, 11])
    expect(new Set(hashes.flat()).size).toBe(111)
    expect(job).toMatchObject({
      status: 'done',
      reason: null,
      dryRun: false,
      pool: { guid: pool.guid, name: pool.name },
      source: { kind: 'text', label: null },
      counts: { ...noCounts, added: 104, present: 4, missing: 7, rejected: 5 },
      startedBy: { guid: pooler.guid },
    })
    expect(outcomes(job)).toEqual([
      ...[...Array(104).fill('added'), ...Array(7).fill('missing')],
      ...[...Array(5).fill('rejected'), ...Array(4).fill('present')],
    ])
    expect(job.rows.map(({ index }: Json) => index)).toEqual(lines.map((_, index) => index))
    expect(job.rows.map(({ input }: Json) => input)).toEqual(lines.map((line) => line.slice(0, 200)))
    expect(new Set(reasons(job).slice(111, 116))).toEqual(new Set(['map.reference_invalid']))
    const maps = await mapsOf(pool)
    expect(maps.map(({ map }) => map.hash)).toEqual(lines.slice(0, 111).map((line) => line.slice(0, 40)))
    expect(maps.slice(0, 4).map(({ map }) => [map.state, map.currentHash])).toEqual([
      ...current.map((hash) => ['outdated', hash]),
      ['known', null],
    ])
    expect(maps.slice(104).map(({ map }) => map.state)).toEqual(Array(7).fill('missing'))
    const placed = job.rows.map(({ poolMapGuid, map }: Json) => [poolMapGuid, map?.guid ?? null])
    const standing = maps.map(({ guid, map }) => [guid, map.guid])
    expect(placed).toEqual([...standing, ...Array(5).fill([null, null]), ...standing.slice(10, 14)])

    const before = (await api.get(pathOf(pool), pooler)).body
    const again = await run(pool, text(lines))
    expect(again.counts).toEqual({ ...noCounts, present: 115, rejected: 5 })
    expect((await api.get(pathOf(pool), pooler)).body).toEqual(before)
    expect(catalogue.paths).toHaveLength(asked + 3)
  })

  test('are added unseen while the catalogue is down, and known when they are imported once it is up', async () => {
    const calm = catalogue.misbehave(/./, { status: 503, body: {} })
    const { lines, songs, current } = references()
    const down = await startHarness({ catalogueUrl: catalogue.url }, { timeouts: { catalogueRetryMs: 5 } })
    const owner = await down.user()
    const cup = await makeTournament(down, owner, { status: 'approved' })
    const pool = await makePool(down, cup.guid)
    const path = pathOf(pool, cup)
    const body = text([...lines, `${songs[20]?.key} Expert`, `${songs[21]?.hash}`], { dryRun: false })
    const first = await finished(path, await down.post(`${path}/imports`, owner, body), owner, down)
    expect(first.counts).toEqual({ ...noCounts, present: 4, pending: 113, rejected: 5 })
    expect(first.rows.slice(-2).map(({ map }: Json) => map)).toEqual([null, null])
    const states = async (on: Harness) =>
      (await on.get(path, owner)).body.maps.map(({ map }: Json) => `${map.state} ${map.currentHash ?? ''}`.trim())
    expect(await states(down)).toEqual(Array(111).fill('unresolved'))
    calm()
    // The process that got no answers sends no requests for a minute, so another process takes over.
    const up = await down.sibling()
    await down.app.close()
    const second = await finished(path, await up.post(`${path}/imports`, owner, body), owner, up)
    expect(second.counts).toEqual({ ...noCounts, added: 1, present: 115, choice: 1, rejected: 5 })
    expect(await states(up)).toEqual([
      ...current.map((hash) => `outdated ${hash}`),
      ...Array(101).fill('known'),
      ...Array(7).fill('missing'),
      'known',
    ])
    await up[Symbol.asyncDispose]()
    await down[Symbol.asyncDispose]()
  })
})

describe('a row', () => {
  test('is added by its own difficulty, by the rule of the import, or tells of what there is to choose from', async () => {
    const [many, one] = [
      catalogue.maps.add({ difficulties: ['Easy', 'Expert', 'Lawless/ExpertPlus'] }),
      catalogue.maps.add({ difficulties: ['Hard'] }),
    ]
    const unknown = 'f'.repeat(40)
    const lines = [
      ...[many.key, `!bsr ${many.key} e`, `${many.hash} lawless`, `${many.key} Expert+ LAWLESS`, one.key],
      ...['', `${many.key} Hard`, `https://beatsaver.com/maps/${many.key} 7`, unknown, 'fffffff'],
    ]
    const asking = await makePool(api, tournament.guid)
    const job = await run(asking, text(lines))
    expect(outcomes(job)).toEqual([
      ...['choice', 'rejected', 'rejected', 'added', 'added', 'rejected', 'added', 'missing', 'missing'],
    ])
    expect(reasons(job)).toEqual([
      ...['map.difficulty_missing', 'map.reference_invalid', 'map.reference_invalid', null, null],
      ...['map.difficulty_unknown', null, 'map.unknown', 'map.unknown'],
    ])
    const choices = [
      { characteristic: 'Standard', difficulty: 'Easy' },
      { characteristic: 'Standard', difficulty: 'Expert' },
      { characteristic: 'Lawless', difficulty: 'ExpertPlus' },
    ]
    expect([job.rows[0].choices, job.rows[5].choices]).toEqual([choices, choices])
    expect(await namesOf(asking)).toEqual([
      `${many.hash} Lawless ExpertPlus`,
      `${one.hash} Standard Hard`,
      `${many.hash} Standard Expert`,
    ])

    const highest = await makePool(api, tournament.guid)
    expect(outcomes(await run(highest, text([many.key, one.key, unknown], { difficulty: 'highest' })))).toEqual([
      ...['added', 'added', 'missing'],
    ])
    expect(await namesOf(highest)).toEqual([`${many.hash} Standard Expert`, `${one.hash} Standard Hard`])

    const named = await makePool(api, tournament.guid)
    const body = text([many.key, one.key, unknown, `${unknown} Easy`], { difficulty: 'Easy' })
    expect(outcomes(await run(named, body))).toEqual(
      ['added', 'rejected', 'missing', 'present'].toSpliced(3, 1, 'present'),
    )
    expect(await namesOf(named)).toEqual([`${many.hash} Standard Easy`, `${unknown} Standard Easy`])

    const dropping = await makePool(api, tournament.guid)
    const told = await run(dropping, text([`${unknown} Easy`, `${one.key}`], { keepMissing: false }))
    expect([outcomes(told), told.rows[0].map, (await mapsOf(dropping)).length]).toEqual([['missing', 'added'], null, 1])
  })

  test('beyond 200 maps is rejected, and what is there already is present even then', async () => {
    const pool = await makePool(api, tournament.guid)
    await addPoolMaps(
      api,
      pool.guid,
      (await makeMaps(api, 198)).map(({ guid }) => guid),
    )
    const songs = catalogue.maps.addMany(4)
    const lines = [0, 1, 2, 0, 3].map((index) => `${songs[index]?.key} Expert`)
    const job = await run(pool, text(lines))
    expect(outcomes(job)).toEqual(['added', 'added', 'rejected', 'present', 'rejected'])
    expect(reasons(job)).toEqual([null, null, 'pool.full', null, 'pool.full'])
    expect(job.rows[2]).toMatchObject({ map: null, poolMapGuid: null })
    expect(await mapsOf(pool)).toHaveLength(200)
  })
})

describe('a dry run', () => {
  test('has the outcomes that the run has then, and writes nothing', async () => {
    const pool = await makePool(api, tournament.guid)
    const [there, fresh] = [
      catalogue.maps.add({ difficulties: ['Hard'] }),
      catalogue.maps.add({ difficulties: ['Hard'] }),
    ]
    await run(pool, text([there.key]))
    const lines = [there.key, fresh.key, `${fresh.hash} Hard`, `${'c'.repeat(39)}d Easy`, '?']
    const stored = async () => [
      (await api.get(pathOf(pool), pooler)).body,
      await api.sql('select count(*) from maps'),
      await api.sql(`select seq, type from event_log where type not like 'import.%' order by seq`),
    ]
    const before = await stored()
    const dry = await run(pool, text(lines, { dryRun: true }))
    expect(dry).toMatchObject({
      dryRun: true,
      status: 'done',
      counts: { ...noCounts, added: 1, present: 2, missing: 1, rejected: 1 },
    })
    expect(await stored()).toEqual(before)
    expect(dry.rows.map(({ map }: Json) => map?.hash ?? null)).toEqual([there.hash, null, null, null, null])
    const real = await run(pool, text(lines))
    expect(outcomes(real)).toEqual(outcomes(dry))
    expect(reasons(real)).toEqual(reasons(dry))
    expect(await mapsOf(pool)).toHaveLength(3)
  })

  test('fails where the run would', async () => {
    const pool = await makePool(api, tournament.guid)
    const song = catalogue.maps.add({ difficulties: ['Hard'] })
    await run(pool, text([song.key]))
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    expect((await api.post(`${pathOf(pool)}/publish`, head, { publishAt: tomorrow })).status).toBe(200)
    const bad = [`${'d'.repeat(40)} Easy`]
    const failed = { status: 'failed', reason: 'pool.not_ready', counts: noCounts, rows: [] }
    expect(await run(pool, text(bad, { dryRun: true }))).toMatchObject(failed)
    expect(await run(pool, text(bad))).toMatchObject(failed)
    expect(await mapsOf(pool)).toHaveLength(1)
    expect((await run(pool, text([catalogue.maps.add({ difficulties: ['Hard'] }).key]))).status).toBe('done')
  })
})

describe('a playlist with what the catalogue has lost (D71)', () => {
  const lostHash = () => [...Array(40)].map(() => Math.floor(Math.random() * 16).toString(16)).join('')
  const difficulties = [{ characteristic: 'Standard', name: 'expertPlus' }]
  const playlist = (...songs: readonly object[]) => ({ source: { kind: 'playlist', playlist: { songs } } })
  const shown = async (pool: Pool) =>
    (await mapsOf(pool)).map(({ map: { hash, key, name, mapper, state, currentHash } }) => {
      return { hash, key, name, mapper, state, currentHash }
    })
  const check = async (pool: Pool) => {
    await api.sql('update pools set checked_at = null where guid = $1', [pool.guid])
    const reply = await api.post(`${pathOf(pool)}/maps/check`, organiser)
    expect(reply.status, reply.text).toBe(200)
  }

  test('keeps name, mapper, key and hash of a map that is gone, through its export and its check', async () => {
    const pool = await makePool(api, tournament.guid)
    const hash = lostHash()
    const song = { hash, key: 'fffff1', songName: 'Only the file knows', levelAuthorName: 'Ann', difficulties }
    const job = await run(pool, playlist(song), organiser)
    expect(outcomes(job)).toEqual(['missing'])
    const kept = { hash, key: 'fffff1', name: song.songName, mapper: 'Ann', state: 'missing', currentHash: null }
    expect(await shown(pool)).toEqual([kept])
    await check(pool)
    expect(await shown(pool)).toEqual([kept])
    const published = await api.post(`${pathOf(pool)}/publish`, organiser, { force: true })
    expect(published.status, published.text).toBe(200)
    const out = (await api.get(`${pathOf(pool)}/playlist.bplist`)).body.songs
    expect(out).toMatchObject([{ hash, key: 'fffff1', songName: song.songName, levelAuthorName: 'Ann', difficulties }])

    // In another tournament, the exported playlist can be imported, and so can the pool itself.
    const other = await makeTournament(api, organiser, { status: 'approved' })
    for (const source of [
      { kind: 'playlist', playlist: { songs: out } },
      { kind: 'pool', poolGuid: pool.guid },
    ]) {
      const into = await makePool(api, other.guid)
      const address = pathOf(into, other)
      const again = await finished(address, await api.post(`${address}/imports`, organiser, { source }), organiser)
      expect(outcomes(again)).toEqual(['missing'])
      expect((await api.get(address, organiser)).body.maps[0].map).toMatchObject(kept)
    }
  })

  test('tells the name of a map that came in without one', async () => {
    const pool = await makePool(api, tournament.guid)
    const hash = lostHash()
    expect(outcomes(await run(pool, text([`${hash} Expert+`])))).toEqual(['missing'])
    expect(await shown(pool)).toMatchObject([{ hash, key: null, name: null, mapper: null }])
    const song = { hash, songName: 'Named later', levelAuthorName: 'Bo', difficulties }
    expect(outcomes(await run(pool, playlist(song)))).toEqual(['present'])
    expect(await shown(pool)).toMatchObject([{ hash, name: 'Named later', mapper: 'Bo', state: 'missing' }])
    // A later import does not change an existing name.
    expect(outcomes(await run(pool, playlist({ ...song, songName: 'Renamed', key: 'fffff2' })))).toEqual(['present'])
    expect(await shown(pool)).toMatchObject([{ hash, name: 'Named later', key: 'fffff2' }])
    // Only heads may change what everybody sees of a published pool, with a reason. Cached responses are updated.
    const published = await api.post(`${pathOf(pool)}/publish`, organiser, { force: true })
    expect(published.status, published.text).toBe(200)
    const open = async () => (await api.get(pathOf(pool))).body.maps[0].map
    const bare = await makePool(api, tournament.guid)
    const other = lostHash()
    await run(bare, text([`${other} Expert+`]))
    expect((await api.post(`${pathOf(bare)}/publish`, organiser, { force: true })).status).toBe(200)
    const openBare = async () => (await api.get(pathOf(bare))).body.maps[0].map
    expect([(await open()).name, (await openBare()).name]).toEqual(['Named later', null])
    const named = { ...playlist({ ...song, hash: other, songName: 'Named by a head' }), reason: 'It had no name.' }
    expect((await start(bare, named, pooler)).status).toBe(403)
    expect(outcomes(await run(bare, named, head))).toEqual(['present'])
    expect([(await open()).name, (await openBare()).name]).toEqual(['Named later', 'Named by a head'])
  })

  test('is outdated where the hash is unknown and the key leads to another, which is offered and taken by nobody unasked', async () => {
    const pool = await makePool(api, tournament.guid)
    const [song] = catalogue.maps.addMany(1)
    if (song === undefined) throw new Error('the catalogue has a song')
    const hash = lostHash()
    const entry = { hash, key: song.key, songName: 'As it was called', levelAuthorName: 'Cy' }
    const job = await run(pool, { ...playlist(entry), difficulty: 'highest' }, organiser)
    expect([outcomes(job), reasons(job)]).toEqual([['added'], [null]])
    const kept = { hash, key: song.key, name: 'As it was called', mapper: 'Cy', state: 'outdated' }
    expect(await shown(pool)).toEqual([{ ...kept, currentHash: song.hash }])
    await check(pool)
    expect(await shown(pool)).toEqual([{ ...kept, currentHash: song.hash }])
    // An import by hash alone adds nothing and removes nothing. Each pool has only the data of its own imports.
    const bare = await makePool(api, tournament.guid)
    await run(bare, text([`${hash} Expert+`]))
    expect(await shown(bare)).toMatchObject([{ hash, key: null, name: null, state: 'missing', currentHash: null }])
    expect(await shown(pool)).toEqual([{ ...kept, currentHash: song.hash }])
    const other = await makePool(api, tournament.guid)
    const copied = await run(other, { source: { kind: 'pool', poolGuid: pool.guid } })
    expect(copied.rows).toMatchObject([{ outcome: 'added', map: { ...kept, currentHash: song.hash } }])
    expect(await shown(other)).toEqual([{ ...kept, currentHash: song.hash }])
    const [{ guid }] = await mapsOf(pool)
    const replaced = await api.post(`${pathOf(pool)}/maps/${guid}/replace`, organiser, {
      ref: song.hash,
      difficulty: 'ExpertPlus',
    })
    expect(replaced.status, replaced.text).toBe(200)
    expect(await shown(pool)).toMatchObject([{ hash: song.hash, state: 'known' }])
    catalogue.maps.delete(song.key)
    await check(other)
    expect(await shown(other)).toMatchObject([{ hash, name: 'As it was called', state: 'missing', currentHash: null }])
  })

  test('is nothing that another tournament learns, or can change', async () => {
    const strange = await makeTournament(api, organiser, { status: 'approved' })
    const stranger = await roleHolder(api, strange, 'role:pooler')
    const [own, lure] = catalogue.maps.addMany(2)
    if (own === undefined || lure === undefined) throw new Error('the catalogue has songs')
    const [plain, named] = [lostHash(), lostHash()]
    const shownPool = await makePool(api, tournament.guid)
    await run(shownPool, text([`${plain} Expert+`]))
    const published = await api.post(`${pathOf(shownPool)}/publish`, organiser, { force: true })
    expect(published.status, published.text).toBe(200)
    const draft = await makePool(api, tournament.guid)
    const secret = { hash: named, key: own.key, songName: 'A secret name', levelAuthorName: 'Dee', difficulties }
    await run(draft, playlist(secret))
    const before = await Promise.all([shown(shownPool), shown(draft), api.get(pathOf(shownPool))])
    expect(before[1]).toMatchObject([{ name: 'A secret name', state: 'outdated', currentHash: own.hash }])
    // The playlist of the other tournament names both maps, with its own texts and key.
    const elsewhere = await makePool(api, strange.guid)
    const address = pathOf(elsewhere, strange)
    const hashes = await api.post(`${address}/imports`, stranger, text([`${plain} Expert+`, `${named} Expert+`]))
    const learnt = await finished(address, hashes, stranger)
    const none = { key: null, name: null, mapper: null, state: 'missing', currentHash: null }
    expect(learnt.rows.map(({ map }: Json) => map)).toMatchObject([none, none])
    const texts = [plain, named].map((hash) => {
      return { hash, key: lure.key, songName: 'Not theirs', levelAuthorName: 'Eve', difficulties }
    })
    const told = await api.post(`${address}/imports`, stranger, playlist(...texts))
    expect(outcomes(await finished(address, told, stranger))).toEqual(['present', 'present'])
    const theirs = (await api.get(address, stranger)).body.maps.map(({ map }: Json) => map)
    const lured = { key: lure.key, name: 'Not theirs', mapper: 'Eve', state: 'outdated', currentHash: lure.hash }
    expect(theirs).toMatchObject([lured, lured])
    await check(shownPool)
    await check(draft)
    await api.sql(`select graphile_worker.add_job('pools.watchVersions')`)
    catalogue.maps.delete(lure.key)
    const after = async () => (await api.get(address, stranger)).body.maps.map(({ map }: Json) => map.state)
    // The version watch uses the key of each pool only for that pool.
    await expect
      .poll(async () => {
        await api.sql(`select graphile_worker.add_job('pools.watchVersions')`)
        return after()
      })
      .toEqual(['missing', 'missing'])
    expect(await Promise.all([shown(shownPool), shown(draft)])).toEqual(before.slice(0, 2))
    const { body, text: bytes } = await api.get(pathOf(shownPool))
    expect(body).toEqual(before[2].body)
    expect(bytes).not.toContain('Not theirs')
    // The archive shows no import data of other tournaments' pools.
    const found = await api.get(`/resources/pooling/maps?hash=${plain}`)
    expect(found.body.maps).toMatchObject([{ hash: plain, ...none }])
  })

  test('is outdated by its key too once the catalogue answers again, and poolers of that pool alone are told', async () => {
    const cup = await makeTournament(api, organiser, { status: 'approved' })
    const reader = await roleHolder(api, cup, 'role:pooler')
    const song = catalogue.maps.add({ difficulties: ['ExpertPlus'] })
    const hash = lostHash()
    const pool = await makePool(api, tournament.guid)
    const bare = await makePool(api, cup.guid)
    const recover = catalogue.misbehave(/./, { status: 405 })
    await run(pool, playlist({ hash, key: song.key, songName: 'Later', levelAuthorName: 'Fay', difficulties }))
    const [unresolved] = await shown(pool)
    expect(unresolved).toMatchObject({ name: 'Later', state: 'unresolved' })
    const address = pathOf(bare, cup)
    await finished(address, await api.post(`${address}/imports`, reader, text([`${hash} Expert+`])), reader)
    recover()
    await api.sql(`update maps set ask_again_at = now() - interval '1 second' where hash = $1`, [hash])
    await api.sql(`select graphile_worker.add_job('catalogue.resolve')`)
    await expect.poll(() => shown(pool)).toMatchObject([{ name: 'Later', state: 'outdated', currentHash: song.hash }])
    expect((await api.get(address, reader)).body.maps[0].map).toMatchObject({ name: null, state: 'missing' })
    await allTold(api)
    const told = async (who: Caller) =>
      (await messagesOf(api, who))
        .filter(({ data }) => (data as Json).hash === hash)
        .map(({ type, title }) => [type, title])
    const title = expect.stringContaining('version of Later')
    expect(await told(pooler)).toEqual([['pool.map_outdated', title]])
    expect(await told(reader)).toEqual([['pool.map_missing', expect.not.stringContaining('Later')]])
  })
})
