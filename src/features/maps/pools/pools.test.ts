import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeFlair, makeMaps, makePool } from '../../../../test/pools.ts'
import { pools } from './slice.ts'

/**
 * Drafts: who may change them, and the settings of pools and their maps.
 * (pools: Records; pools: Who may do what; pools: Adding and importing)
 */

let catalogue: FakeCatalogue
let api: Harness
let organiser: Caller
let head: Caller
let pooler: Caller
let caster: Caller
let referee: Caller
let tournament: MadeTournament

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
  head = await roleHolder(api, tournament, 'role:hpooler')
  pooler = await roleHolder(api, tournament, 'role:pooler')
  caster = await roleHolder(api, tournament, 'role:caster')
  referee = await roleHolder(api, tournament, 'role:referee')
})

afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const path = (of: MadeTournament = tournament) => `/tournaments/${of.guid}/pools`
const draft = (options: Parameters<typeof makePool>[2] = {}) => makePool(api, tournament.guid, options)
const at = (pool: { readonly guid: string }, rest = '') => `${path()}/${pool.guid}${rest}`

async function body(call: Promise<Reply>) {
  const reply = await call
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}

describe('a draft', () => {
  test('is made by heads, at the end of the list or at a place in it', async () => {
    const cup = await makeTournament(api, organiser)
    for (const who of [pooler, caster, await api.user()]) {
      expect(outcome(await api.post(path(), who, { name: 'Mine' }))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.post(path(), null, { name: 'Mine' }))).toEqual([401, 'token.missing'])
    const first = await body(api.post(path(cup), organiser, { name: 'Groups' }))
    const last = await body(api.post(path(cup), organiser, { name: 'Finals', slots: [], kind: 'match' }))
    const between = await body(api.post(path(cup), organiser, { name: 'Quarter-finals', order: 1 }))
    expect([first.order, last.order, between.order]).toEqual([0, 1, 1])
    const listed = await body(api.get(path(cup), organiser))
    expect(listed.map(({ name, order }: { name: string; order: number }) => [name, order])).toEqual([
      ['Groups', 0],
      ['Quarter-finals', 1],
      ['Finals', 2],
    ])
    expect(first).toMatchObject({ status: 'draft', revision: null, draftRevision: 1, publishedAt: null, maps: [] })
    const moved = await body(api.patch(`${path(cup)}/${last.guid}`, organiser, { order: 0 }))
    expect(moved.order).toBe(0)
    expect((await body(api.get(path(cup), organiser))).map(({ name }: { name: string }) => name)).toEqual([
      'Finals',
      'Groups',
      'Quarter-finals',
    ])
    expect(await body(api.get(path(cup)))).toEqual([])
  })

  test('has a name of its own in the tournament, whatever its case', async () => {
    const cup = await makeTournament(api, organiser)
    const other = await makeTournament(api, organiser)
    await body(api.post(path(cup), organiser, { name: 'Final' }))
    for (const name of ['FINAL', 'fi\u200Bnal', 'Ｆinal']) {
      expect(outcome(await api.post(path(cup), organiser, { name })), name).toEqual([409, 'pool.name_taken'])
    }
    // Names with different letters that look alike are different names here.
    for (const name of ['Fіnal', 'FinaI', 'Modern', 'Modem', 'Set I', 'Set L'])
      await body(api.post(path(cup), organiser, { name }))
    const second = await body(api.post(path(cup), organiser, { name: 'Semi-final' }))
    expect(outcome(await api.patch(`${path(cup)}/${second.guid}`, organiser, { name: 'final' }))).toEqual([
      409,
      'pool.name_taken',
    ])
    await body(api.post(path(other), organiser, { name: 'Final' }))
    expect(outcome(await api.post(path(other), organiser, { name: ' \u2800 ' }))).toEqual([400, 'pool.invalid'])
  })

  test('is the one qualifier pool of its tournament until it is archived', async () => {
    const cup = await makeTournament(api, organiser)
    const [map] = await makeMaps(api, 1)
    const pool = await makePool(api, cup.guid, { kind: 'qualifier', status: 'published', maps: [map?.guid ?? ''] })
    const asked = { name: 'Another', kind: 'qualifier' }
    expect(outcome(await api.post(path(cup), organiser, asked))).toEqual([409, 'pool.qualifier_exists'])
    await body(api.post(`${path(cup)}/${pool.guid}/archive`, organiser))
    await body(api.post(path(cup), organiser, asked))
    expect(outcome(await api.post(`${path(cup)}/${pool.guid}/unarchive`, organiser))).toEqual([
      409,
      'pool.qualifier_exists',
    ])
  })

  test('has settings that heads change, and says where somebody was first', async () => {
    const flair = await makeFlair(api, tournament.guid, 'Speed')
    const pool = await draft()
    const settings = {
      description: 'Ten maps. <script>x</script>',
      slots: [{ flairGuid: flair, count: 2 }],
      playlist: { title: 'The list', author: null, description: 'To be played.' },
      previewRoles: ['role:caster'],
    }
    expect(outcome(await api.patch(at(pool), pooler, settings))).toEqual([403, 'role.missing'])
    const changed = await body(api.patch(at(pool), head, { ...settings, draftRevision: 1 }))
    expect(changed).toMatchObject({
      draftRevision: 2,
      slots: settings.slots,
      previewRoles: ['role:caster'],
      playlist: { title: 'The list', description: 'To be played.' },
      failures: [{ code: 'empty' }],
    })
    expect(changed.playlist.author).toMatch(/^Tournament /)
    expect(changed.description).not.toContain('<script>')
    const stale = await api.patch(at(pool), head, { description: null, draftRevision: 1 })
    expect(outcome(stale)).toEqual([409, 'pool.stale'])
    expect(stale.body.pool).toMatchObject({ guid: pool.guid, draftRevision: 2, description: changed.description })
    const unknown = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
    expect(outcome(await api.patch(at(pool), head, { slots: [{ flairGuid: unknown, count: 1 }] }))).toEqual([
      400,
      'flair.unknown',
    ])
    expect(outcome(await api.patch(at(pool), head, { previewRoles: ['role:pooler'] }))).toEqual([400, 'pool.invalid'])
    expect((await body(api.patch(at(pool), head, {}))).draftRevision).toBe(2)
  })

  test('is read early by whom it names, without what is said among poolers', async () => {
    const [map] = await makeMaps(api, 1)
    const pool = await draft({ previewRoles: ['role:caster'], maps: [map?.guid ?? ''] })
    await body(api.patch(at(pool, `/maps/${pool.poolMaps[0]}`), pooler, { staffNote: 'Too hard?' }))
    const seen = await body(api.get(at(pool), caster))
    expect(seen).toMatchObject({ status: 'draft', maps: [{ guid: pool.poolMaps[0], map: { checkedAt: null } }] })
    expect(Object.keys(seen)).not.toContain('draftRevision')
    expect(Object.keys(seen.maps[0])).not.toContain('staffNote')
    expect((await body(api.get(path(), caster))).map(({ guid }: { guid: string }) => guid)).toContain(pool.guid)
    expect(outcome(await api.get(at(pool), referee))).toEqual([404, 'pool.unknown'])
    expect(outcome(await api.patch(at(pool), caster, { description: 'x' }))).toEqual([403, 'role.missing'])
    expect((await api.get(at(pool, '/maps.csv'), caster)).text).not.toContain('Too hard')
    expect((await api.get(at(pool, '/maps.csv'), pooler)).text).toContain('Too hard')
  })

  test('from before names were compared so has a key of its own after a start', async () => {
    const cup = await makeTournament(api, organiser)
    const pool = await makePool(api, cup.guid, { name: 'Modern' })
    await api.sql(`update pools set name_key = E'\\n' || guid where guid = $1`, [pool.guid])
    const { database, services } = api.app
    await Promise.all([1, 2].map(() => pools.start?.({ database, services, now: new Date() })))
    expect(await api.sql('select name_key from pools where guid = $1', [pool.guid])).toEqual([{ name_key: 'modern' }])
    expect(outcome(await api.post(path(cup), organiser, { name: 'MODERN' }))).toEqual([409, 'pool.name_taken'])
  })

  test('is deleted as long as it was never published', async () => {
    const pool = await draft()
    expect(outcome(await api.delete(at(pool), pooler))).toEqual([403, 'role.missing'])
    expect((await api.delete(at(pool), head)).status).toBe(204)
    expect(outcome(await api.get(at(pool), head))).toEqual([404, 'pool.unknown'])
    const shown = await draft({ status: 'published' })
    expect(outcome(await api.delete(at(shown), head))).toEqual([409, 'pool.was_published'])
    await body(api.post(at(shown, '/unpublish'), head, { reason: 'Too early.' }))
    expect(outcome(await api.delete(at(shown), head))).toEqual([409, 'pool.was_published'])
  })

  test('is one of a hundred at most', async () => {
    const cup = await makeTournament(api, organiser)
    await api.sql(
      `insert into pools (tournament_guid, name, name_key, kind, "order", status)
       select $1, 'P' || n, 'p' || n, 'match', n, 'draft' from generate_series(1, 99) n`,
      [cup.guid],
    )
    await body(api.post(path(cup), organiser, { name: 'The last' }))
    expect(outcome(await api.post(path(cup), organiser, { name: 'One more' }))).toEqual([409, 'pool.too_many'])
  })

  test('is not written in a tournament that was cancelled', async () => {
    const cup = await makeTournament(api, organiser, { status: 'cancelled', approved: true })
    const [map] = await makeMaps(api, 1)
    const pool = await makePool(api, cup.guid, { maps: [map?.guid ?? ''] })
    const own = `${path(cup)}/${pool.guid}`
    const writes = [
      api.post(path(cup), organiser, { name: 'Late' }),
      api.patch(own, organiser, { name: 'Late' }),
      api.delete(own, organiser),
      api.post(`${own}/publish`, organiser, {}),
      api.patch(`${own}/maps/${pool.poolMaps[0]}`, organiser, { note: 'x' }),
      api.put(`/tournaments/${cup.guid}/flairs`, organiser, { flairs: [] }),
      api.patch(`/tournaments/${cup.guid}/pooling`, organiser, { hideVotes: false }),
    ]
    for (const reply of await Promise.all(writes)) expect(outcome(reply)).toEqual([409, 'tournament.cancelled'])
  })
})

describe('a cover', () => {
  const png = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#3366cc' } })
      .png()
      .toBuffer()
  const uri = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`

  test('is a square picture, in playlists at 256 pixels; without one, one is made from the name', async () => {
    const pool = await draft({ status: 'published' })
    const cover = `/resources/pooling/pools/${pool.guid}/cover`
    const made = await fetch(`${api.url}/api${cover}`)
    expect([made.status, made.headers.get('content-type')]).toEqual([200, 'image/png'])
    const before = await sharp(Buffer.from(await made.arrayBuffer())).metadata()
    expect([before.format, before.width, before.height]).toEqual(['png', 512, 512])
    const set = await body(api.patch(at(pool), head, { cover: uri(await png(300)) }))
    const shown = await fetch(set.coverUrl.replace(/^http:\/\/[^/]+/, api.url))
    const after = await sharp(Buffer.from(await shown.arrayBuffer())).metadata()
    expect([after.format, after.width]).toEqual(['png', 300])
    const playlist = await body(api.get(`/resources/pooling/pools/${pool.guid}/playlist.bplist`))
    const image = Buffer.from(playlist.image.split(',')[1], 'base64')
    expect(await sharp(image).metadata()).toMatchObject({ width: 256, height: 256 })
    const removed = await body(api.patch(at(pool), head, { cover: null }))
    expect(removed.coverUrl).not.toBe(set.coverUrl)
  })

  test('that is none is refused', async () => {
    const pool = await draft()
    const wrong = [uri(await png(32)), uri(Buffer.from('x')), 'https://example.org/x.png', uri(await png(300), 'jpeg')]
    for (const cover of wrong) {
      expect(outcome(await api.patch(at(pool), head, { cover })), cover.slice(0, 40)).toEqual([
        400,
        'pool.cover_invalid',
      ])
    }
    expect((await body(api.get(at(pool), head))).draftRevision).toBe(1)
  })
})

describe('a map', () => {
  test('is named by whatever people paste, and looked up', async () => {
    const pool = await draft()
    const single = catalogue.maps.add({ difficulties: ['ExpertPlus'] })
    const several = catalogue.maps.add({ difficulties: ['Hard', 'Expert', 'Lawless/Expert'] })
    const add = (given: object, who = pooler) => api.post(at(pool, '/maps'), who, given)
    const first = await body(add({ ref: `!bsr ${single.key}`, isTiebreaker: true, modifiers: ['FastSong', 'NoFail'] }))
    expect(first).toMatchObject({
      map: { hash: single.hash, key: single.key, difficulty: 'ExpertPlus', characteristic: 'Standard', state: 'known' },
      order: 0,
      isTiebreaker: true,
      modifiers: ['NoFail', 'FastSong'],
      addedBy: { guid: pooler.guid },
      warnings: [],
    })
    const unclear = await add({ ref: several.hash })
    expect(outcome(unclear)).toEqual([400, 'map.difficulty_missing'])
    expect(unclear.body.choices).toEqual([
      { difficulty: 'Hard', characteristic: 'Standard' },
      { difficulty: 'Expert', characteristic: 'Standard' },
      { difficulty: 'Expert', characteristic: 'Lawless' },
    ])
    const lacking = await add({ ref: several.hash, difficulty: 'Easy' })
    expect(outcome(lacking)).toEqual([400, 'map.difficulty_unknown'])
    expect(lacking.body.choices).toHaveLength(3)
    const lawless = await body(
      add({ ref: `custom_level_${several.hash.toUpperCase()}`, difficulty: 7, characteristic: 'LAWLESS' }),
    )
    expect(lawless).toMatchObject({ order: 1, map: { characteristic: 'Lawless', difficulty: 'Expert' } })
    expect(outcome(await add({ ref: several.key, difficulty: 'expert', characteristic: 'lawless' }))).toEqual([
      409,
      'pool.map_twice',
    ])
    await body(add({ ref: `https://beatsaver.com/maps/${several.key}`, difficulty: 'Hard' }))
    for (const ref of ['', 'https://example.org/maps/1', 'https://beatsaver.com/playlists/12', 'nothing such']) {
      expect(outcome(await add({ ref: ref || 'x'.repeat(41) })), ref).toEqual([400, 'map.reference_invalid'])
    }
    expect(outcome(await add({}))).toEqual([400, 'map.reference_invalid'])
    expect(outcome(await add({ ref: 'fffffff', difficulty: 'Hard' }))).toEqual([404, 'map.unknown'])
  })

  test('that the catalogue does not have is taken where that is said, and one of another version as it is', async () => {
    const pool = await draft()
    const add = (given: object) => api.post(at(pool, '/maps'), pooler, given)
    const gone = 'd'.repeat(40)
    expect(outcome(await add({ ref: gone, difficulty: 'Hard' }))).toEqual([404, 'map.unknown'])
    expect(outcome(await add({ ref: gone, keepMissing: true }))).toEqual([400, 'map.difficulty_missing'])
    const missing = await body(add({ ref: gone, difficulty: 'Hard', keepMissing: true }))
    expect(missing).toMatchObject({ map: { state: 'missing', name: null }, warnings: ['map_missing'] })
    const song = catalogue.maps.add({ difficulties: ['Expert'] })
    const current = catalogue.maps.republish(song.key)
    const old = await body(add({ ref: song.hash, difficulty: 'Expert' }))
    expect(old).toMatchObject({ map: { hash: song.hash, state: 'outdated', currentHash: current } })
    const newer = await body(
      api.post(at(pool, `/maps/${old.guid}/replace`), pooler, { ref: song.key, difficulty: 'Expert' }),
    )
    expect(newer).toMatchObject({ order: 1, map: { hash: current, state: 'known' } })
    expect(newer.guid).not.toBe(old.guid)
    expect((await body(api.get(at(pool), pooler))).failures).toEqual([
      { code: 'map_missing', poolMapGuid: missing.guid },
    ])
  })

  test('is named by its GUID where it is known: everybody sees it, or it is the poolers’ own', async () => {
    const [own, shown, hidden] = await makeMaps(api, 3)
    const elsewhere = await makeTournament(api, await api.user())
    await makePool(api, elsewhere.guid, { status: 'published', maps: [shown?.guid ?? ''] })
    await makePool(api, elsewhere.guid, { maps: [hidden?.guid ?? ''] })
    await draft({ maps: [own?.guid ?? ''] })
    const pool = await draft()
    const add = async (mapGuid = '') => outcome(await api.post(at(pool, '/maps'), pooler, { mapGuid }))
    expect(await add(own?.guid)).toEqual([201, null])
    expect(await add(shown?.guid)).toEqual([201, null])
    expect(await add(hidden?.guid)).toEqual([404, 'map.unknown'])
    const used = await body(api.get(at(pool), pooler))
    expect(used.maps[1].usedBefore).toMatchObject([{ tournament: { guid: elsewhere.guid }, identity: 'exact' }])
  })

  test('is set in all that the assistant needs, and refuses what it cannot do', async () => {
    const [map] = await makeMaps(api, 1)
    const pool = await draft({ maps: [map?.guid ?? ''] })
    const flair = await makeFlair(api, tournament.guid, 'Acc')
    const edit = (given: object) => api.patch(at(pool, `/maps/${pool.poolMaps[0]}`), pooler, given)
    const edited = await body(
      edit({
        flairGuid: flair,
        weight: 2.5,
        attempts: 3,
        playerOptions: ['NoHud'],
        options: { disablePause: true, target: 900 },
      }),
    )
    expect(edited).toMatchObject({
      flair: { name: 'Acc' },
      weight: 2.5,
      attempts: 3,
      playerOptions: ['NoHud'],
      options: { disablePause: true, disableFail: false, target: 900 },
    })
    expect(outcome(await edit({ modifiers: ['FastSong', 'SlowSong'] }))).toEqual([400, 'pool.map_invalid'])
    expect((await edit({ weight: 0 })).status).toBe(400)
    expect((await edit({ attempts: 101 })).status).toBe(400)
    // The assistant's type ends at 2,147,483,647.
    expect(outcome(await edit({ options: { target: 2_147_483_648 } }))).toEqual([400, 'request.invalid'])
    expect(outcome(await edit({ flairGuid: tournament.guid }))).toEqual([400, 'flair.unknown'])
    const revision = (await body(api.get(at(pool), pooler))).draftRevision
    expect(revision).toBe(2)
    await body(edit({ weight: 2.5 }))
    expect((await body(api.get(at(pool), pooler))).draftRevision).toBe(revision)
  })

  test('is one of two hundred at most, and is taken out again', async () => {
    const made = await makeMaps(api, 200)
    const pool = await draft({ maps: made.map(({ guid }) => guid) })
    const song = catalogue.maps.add({ difficulties: ['Expert'] })
    const add = () => api.post(at(pool, '/maps'), pooler, { ref: song.key })
    expect(outcome(await add())).toEqual([409, 'pool.full'])
    expect((await api.delete(at(pool, `/maps/${pool.poolMaps[50]}`), pooler)).status).toBe(204)
    expect((await body(add())).order).toBe(199)
    expect(outcome(await api.delete(at(pool, `/maps/${pool.poolMaps[50]}`), pooler))).toEqual([404, 'pool.map_unknown'])
  })
})

describe('the order of maps', () => {
  test('names every map once; of twenty who start from the same state, one is first', async () => {
    const made = await makeMaps(api, 6)
    const pool = await draft({ maps: made.map(({ guid }) => guid) })
    const put = (maps: readonly string[], draftRevision = 1) =>
      api.put(at(pool, '/order'), pooler, { draftRevision, maps })
    const [first = '', ...rest] = pool.poolMaps
    expect(outcome(await put(rest))).toEqual([400, 'pool.order_incomplete'])
    expect(outcome(await put([first, ...rest.slice(1), first]))).toEqual([400, 'pool.order_incomplete'])
    const shuffled = Array.from({ length: 20 }, (_, turn) => {
      const by = (turn % 5) + 1
      return [...pool.poolMaps.slice(by), ...pool.poolMaps.slice(0, by)]
    })
    const replies = await Promise.all(shuffled.map((maps) => put(maps)))
    const won = replies.findIndex(({ status }) => status === 200)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(409)])
    const now = await body(api.get(at(pool), pooler))
    expect(now.maps.map(({ guid }: { guid: string }) => guid)).toEqual(shuffled[won])
    expect(now.draftRevision).toBe(2)
    const stale = replies.find(({ status }) => status === 409)
    expect(stale?.headers.get('problem-code')).toBe('pool.stale')
    expect(stale?.body.pool.draftRevision).toBe(2)
  })
})

describe('flairs', () => {
  test('are replaced as a whole; one that maps carry goes only where another takes its place', async () => {
    const cup = await makeTournament(api, organiser)
    const flairs = `/tournaments/${cup.guid}/flairs`
    const put = (list: readonly object[], replaceWith?: readonly object[]) =>
      api.put(flairs, organiser, { flairs: list, ...(replaceWith ? { replaceWith } : {}) })
    const [speed, tech] = await body(
      put([
        { name: 'Speed', color: '#FF0000' },
        { name: 'Tech', color: '#00ff00', icon: 'bolt' },
      ]),
    )
    expect([speed, tech]).toMatchObject([
      { name: 'Speed', color: '#ff0000', icon: null, order: 0 },
      { name: 'Tech', icon: 'bolt', order: 1 },
    ])
    const [map] = await makeMaps(api, 1)
    const pool = await makePool(api, cup.guid, { maps: [{ mapGuid: map?.guid ?? '', flairGuid: speed.guid }] })
    await body(api.patch(`${path(cup)}/${pool.guid}`, organiser, { slots: [{ flairGuid: speed.guid, count: 1 }] }))
    expect(outcome(await put([tech]))).toEqual([409, 'flair.in_use'])
    expect(outcome(await put([tech, { name: 'TECH', color: '#000000' }]))).toEqual([400, 'flair.name_taken'])
    expect(outcome(await put([tech], [{ from: speed.guid, to: pool.guid }]))).toEqual([400, 'flair.unknown'])
    await body(put([{ ...tech, name: 'Technical' }], [{ from: speed.guid, to: tech.guid }]))
    const seen = await body(api.get(`${path(cup)}/${pool.guid}`, organiser))
    expect(seen.maps[0].flair).toMatchObject({ guid: tech.guid, name: 'Technical' })
    expect(seen.slots).toEqual([])
    expect(await body(api.get(flairs))).toEqual([])
    expect(outcome(await api.put(flairs, caster, { flairs: [] }))[0]).toBe(403)
  })

  test('that look otherwise are a correction of the published pools whose maps carry them, and of no others', async () => {
    const cup = await makeTournament(api, organiser)
    const flairs = `/tournaments/${cup.guid}/flairs`
    const put = (list: readonly object[], more: object = {}) =>
      body(api.put(flairs, organiser, { flairs: list, ...more }))
    const [speed, tech] = await put([
      { name: 'Speed', color: '#ff0000' },
      { name: 'Tech', color: '#00ff00' },
    ])
    const [one, two] = await makeMaps(api, 2)
    const maps = [
      { mapGuid: one?.guid ?? '', flairGuid: speed.guid },
      { mapGuid: two?.guid ?? '', flairGuid: null },
    ]
    const [shown, plain, archived] = [
      await makePool(api, cup.guid, { maps }),
      await makePool(api, cup.guid, { maps: [{ mapGuid: one?.guid ?? '', flairGuid: tech.guid }] }),
      await makePool(api, cup.guid, { maps }),
    ]
    for (const { guid } of [shown, plain, archived]) {
      await body(api.post(`${path(cup)}/${guid}/publish`, organiser, { force: true }))
    }
    await body(api.post(`${path(cup)}/${archived.guid}/archive`, organiser))
    const read = ({ guid }: { readonly guid: string }) => body(api.get(`${path(cup)}/${guid}`))
    const revisions = async () =>
      (await Promise.all([shown, plain, archived].map(read))).map(({ revision }) => revision)
    expect(await revisions()).toEqual([1, 1, 1])
    await put([{ ...speed, name: 'Fast' }, tech], { reason: 'Clearer.' })
    // An archived pool has no corrections, but shows the current flairs.
    expect(await revisions()).toEqual([2, 1, 1])
    expect(await read(archived)).toMatchObject({ changes: [], maps: [{ flair: { name: 'Fast' } }, { flair: null }] })
    const { changes, maps: now } = await read(shown)
    expect(changes).toMatchObject([
      {
        revision: 2,
        kind: 'edited',
        reason: 'Clearer.',
        before: [{ guid: now[0].guid, flair: { name: 'Speed' } }],
        after: [{ guid: now[0].guid, flair: { name: 'Fast' } }],
      },
    ])
    expect(changes).toHaveLength(1)
    // A new flair that none of their maps carry, and a move of the list that keeps the others' order, change nothing in
    // these pools.
    await put([{ name: 'New', color: '#123456' }, { ...speed, name: 'Fast' }, tech])
    expect(await revisions()).toEqual([2, 1, 1])
    const [, , last] = await body(api.get(flairs, organiser))
    await put([{ ...last, color: '#0000ff' }], { replaceWith: [{ from: speed.guid, to: tech.guid }] })
    expect(await revisions()).toEqual([3, 2, 1])
    expect((await read(shown)).changes[0]).toMatchObject({ revision: 3, kind: 'edited', reason: null })
  })

  test('are said to be edited of those maps alone that look otherwise', async () => {
    const cup = await makeTournament(api, organiser)
    const put = (flairs: readonly object[]) => body(api.put(`/tournaments/${cup.guid}/flairs`, organiser, { flairs }))
    const [tech, speed] = await put([
      { name: 'Tech', color: '#00ff00' },
      { name: 'Speed', color: '#ff0000' },
    ])
    const made = await makeMaps(api, 2)
    const maps = made.map(({ guid }, at) => ({ mapGuid: guid, flairGuid: [tech, speed][at].guid }))
    const { guid } = await makePool(api, cup.guid, { status: 'published', maps })
    await put([{ name: 'New', color: '#123456' }, { ...tech, color: '#0000ff' }, speed])
    const seen = await body(api.get(`${path(cup)}/${guid}`))
    expect(seen.changes).toMatchObject([
      {
        revision: seen.revision,
        kind: 'edited',
        before: [{ guid: seen.maps[0].guid, flair: { color: '#00ff00' } }],
        after: [{ guid: seen.maps[0].guid, flair: { color: '#0000ff' } }],
      },
    ])
    expect([seen.changes[0].before.length, seen.changes[0].after.length]).toEqual([1, 1])
  })
})

describe('settings of pooling', () => {
  test('are read by poolers and changed by heads', async () => {
    const pooling = `/tournaments/${tournament.guid}/pooling`
    expect(await body(api.get(pooling, pooler))).toEqual({ openSuggestions: false, hideVotes: true })
    expect((await api.get(pooling, caster)).status).toBe(403)
    expect((await api.patch(pooling, pooler, { hideVotes: false })).status).toBe(403)
    expect(await body(api.patch(pooling, head, { openSuggestions: true }))).toEqual({
      openSuggestions: true,
      hideVotes: true,
    })
    expect((await api.patch(pooling, head, { other: true })).status).toBe(400)
  })
})

// Must be the last tests: after failures, the service sends no requests to the catalogue for a while.
describe('while the catalogue is away', () => {
  test('a map is taken unseen by its hash, and by nothing else', async () => {
    const pool = await draft()
    const song = catalogue.maps.add({ difficulties: ['Expert'] })
    using _away = { [Symbol.dispose]: catalogue.misbehave(/./, { limitedS: 1 }) }
    const add = (given: object) => api.post(at(pool, '/maps'), pooler, given)
    const unseen = await body(add({ ref: song.hash, difficulty: 'Expert' }))
    expect(unseen).toMatchObject({ map: { state: 'unresolved' }, warnings: ['map_unresolved'] })
    expect(outcome(await add({ ref: song.hash }))).toEqual([503, 'catalogue.unreachable'])
    expect(outcome(await add({ ref: song.key, difficulty: 'Expert' }))).toEqual([503, 'catalogue.unreachable'])
  })
})
