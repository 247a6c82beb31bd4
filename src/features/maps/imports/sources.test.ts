import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { addPoolMaps, makeFlair, makeMaps, makePool, publishPool } from '../../../../test/pools.ts'

/** The sources of imports. (pools: Adding and importing) */

type Json = Reply['body']
type Pool = { readonly guid: string }

let catalogue: FakeCatalogue
let api: Harness
let organiser: Caller
let pooler: Caller
let tournament: MadeTournament
let elsewhere: MadeTournament
let owner: Caller

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  ;[organiser, owner] = await Promise.all([api.user(), api.user()])
  tournament = await makeTournament(api, organiser, { status: 'approved' })
  elsewhere = await makeTournament(api, owner, { status: 'approved' })
  pooler = await roleHolder(api, tournament, 'role:pooler')
})

afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const pathOf = (pool: Pool) => `/tournaments/${tournament.guid}/pools/${pool.guid}`
const start = (pool: Pool, body: object, as = pooler) => api.post(`${pathOf(pool)}/imports`, as, body)

async function finished(pool: Pool, started: Reply, as = pooler): Promise<Json> {
  expect(started.status, started.text).toBe(202)
  const address = `${pathOf(pool)}/imports/${started.body.guid}`
  await expect
    .poll(async () => (await api.get(address, as)).body.status, { interval: 20, timeout: 60_000 })
    .not.toBe('running')
  return (await api.get(address, as)).body
}

const run = async (pool: Pool, body: object, as = pooler) => finished(pool, await start(pool, body, as), as)
const outcomes = (job: Json) => job.rows.map((row: Json) => row.outcome)
const mapsOf = async (pool: Pool): Promise<Json[]> => (await api.get(pathOf(pool), pooler)).body.maps
const namesOf = async (pool: Pool) =>
  (await mapsOf(pool)).map(({ map }) => `${map.hash} ${map.characteristic} ${map.difficulty}`)

function send(pool: Pool, parts: Readonly<Record<string, string | Blob>>, as = pooler) {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part)
    else form.append(name, part, '../../maps.bplist')
  }
  return sendForm(pool, form, as)
}

async function sendForm(pool: Pool, form: FormData, as = pooler): Promise<Reply> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const raw = new Uint8Array(await encoded.arrayBuffer())
  return api.call('POST', `${pathOf(pool)}/imports`, { as, raw, headers: { 'content-type': type } })
}

const playlistOf = (songs: readonly object[]) => ({
  playlistTitle: 'Warm-up',
  playlistAuthor: 'Somebody',
  image: '',
  songs,
})

describe('a playlist', () => {
  const songsOf = () => {
    const [one, two, three] = catalogue.maps.addMany(3)
    if (one === undefined || two === undefined || three === undefined) throw new Error('three songs were expected')
    const playlist = playlistOf([
      {
        hash: one.hash.toUpperCase(),
        difficulties: [{ name: 'expert' }, { characteristic: 'Standard', name: 'expertPlus' }],
      },
      { songName: 'By its key', key: two.key, difficulties: [{ name: 'easiest' }, { name: 9 }] },
      { songName: 'By its level', levelid: `custom_level_${three.hash}` },
      { songName: 'Built in', levelid: 'CrabRave' },
    ])
    const names = [
      ...[`${one.hash} Standard Expert`, `${one.hash} Standard ExpertPlus`],
      ...[`${two.hash} Standard ExpertPlus`, `${three.hash} Standard ExpertPlus`],
    ]
    return { playlist, names, found: ['added', 'added', 'added', 'rejected', 'added', 'rejected'] }
  }

  test('is taken as it was parsed, a row for each difficulty that it names', async () => {
    const pool = await makePool(api, tournament.guid)
    const { playlist, names, found } = songsOf()
    const job = await run(pool, { source: { kind: 'playlist', playlist }, difficulty: 'highest' })
    expect(job.source).toEqual({ kind: 'playlist', label: 'Warm-up' })
    expect(outcomes(job)).toEqual(found)
    expect(await namesOf(pool)).toEqual(names)
  })

  test('is taken as a file in a form, with the other members as fields', async () => {
    const pool = await makePool(api, tournament.guid)
    const flair = await makeFlair(api, tournament.guid, 'From a file')
    const { playlist, names, found } = songsOf()
    const file = new Blob(['\ufeff', JSON.stringify(playlist)])
    const members = { difficulty: 'highest', flairGuid: flair, reason: '' }
    const dry = await finished(pool, await send(pool, { ...members, file, dryRun: 'true' }))
    expect([dry.dryRun, outcomes(dry), await namesOf(pool)]).toEqual([true, found, []])
    const job = await finished(pool, await send(pool, { file, ...members, dryRun: 'false' }))
    expect(job).toMatchObject({ dryRun: false, source: { kind: 'playlist', label: 'Warm-up' } })
    expect(await namesOf(pool)).toEqual(names)
    expect((await mapsOf(pool)).map((map) => map.flair.guid)).toEqual(Array(4).fill(flair))
  })

  test('in the catalogue is read page by page, by its link alone or among lines', async () => {
    const songs = catalogue.maps.addMany(7)
    const keys = songs.map(({ key }) => key)
    const [inPages, empty] = [
      catalogue.playlists.add(keys, { name: 'Of the week', pageSize: 3 }),
      catalogue.playlists.add([]),
    ]
    catalogue.maps.delete(keys[4] as string)
    const pool = await makePool(api, tournament.guid)
    const url = `https://beatsaver.com/playlists/${inPages}`
    const job = await run(pool, { source: { kind: 'playlist', url }, difficulty: 'Expert' })
    expect(job.source).toEqual({ kind: 'playlist', label: 'Of the week' })
    expect(outcomes(job)).toEqual(Array(6).fill('added'))
    expect(await namesOf(pool)).toEqual(songs.toSpliced(4, 1).map(({ hash }) => `${hash} Standard Expert`))

    const mixed = await makePool(api, tournament.guid)
    const lines = [`${keys[2]} Expert`, `${url} Expert+`, `https://beatsaver.com/playlists/999999999`, '?']
    const other = await run(mixed, { source: { kind: 'text', lines } })
    expect(outcomes(other)).toEqual([...Array(7).fill('added'), 'rejected', 'rejected'])
    expect(other.rows.slice(7).map((row: Json) => row.reason)).toEqual(['playlist.unknown', 'map.reference_invalid'])
    const nothing = { source: { kind: 'playlist', url: `https://beatsaver.com/playlists/${empty}` } }
    expect(await run(mixed, nothing)).toMatchObject({ status: 'done', rows: [] })
  })

  test('in the catalogue that has too many maps fails', async () => {
    const keys = Array.from({ length: 501 }, () => catalogue.maps.add().key)
    const url = `https://beatsaver.com/playlists/${catalogue.playlists.add(keys)}`
    const pool = await makePool(api, tournament.guid)
    const failed = { status: 'failed', reason: 'import.too_large', rows: [] }
    expect(await run(pool, { source: { kind: 'playlist', url } })).toMatchObject(failed)
    const lines = [
      ...keys.slice(0, 100),
      `https://beatsaver.com/playlists/${catalogue.playlists.add(keys.slice(0, 401))}`,
    ]
    expect(await run(pool, { source: { kind: 'text', lines } })).toMatchObject(failed)
  })

  test('that is none, or not one thing alone, is refused with what to do', async () => {
    const pool = await makePool(api, tournament.guid)
    const url = 'https://beatsaver.com/playlists/7'
    const file = new Blob([JSON.stringify(playlistOf([]))])
    const refused: [Reply, string][] = [
      [await start(pool, {}), 'import.source_invalid'],
      [await start(pool, { source: { kind: 'playlist' } }), 'import.source_invalid'],
      [await start(pool, { source: { kind: 'playlist', url, playlist: playlistOf([]) } }), 'import.source_invalid'],
      [
        await start(pool, { source: { kind: 'playlist', url: 'https://beatsaver.com/maps/1' } }),
        'map.reference_invalid',
      ],
      [
        await start(pool, { source: { kind: 'playlist', url: 'http://127.0.0.1/playlists/1' } }),
        'map.reference_invalid',
      ],
      [await start(pool, { source: { kind: 'playlist', playlist: { title: 'x' } } }), 'playlist.invalid'],
      [await start(pool, { source: { kind: 'list', lines: [] } }), 'request.invalid'],
      [await send(pool, { file: new Blob(['PK\u0003\u0004']) }), 'playlist.invalid'],
      [await send(pool, { file: new Blob([]) }), 'playlist.invalid'],
      [await send(pool, { difficulty: 'ask' }), 'import.source_invalid'],
      [await send(pool, { file, difficulty: 'hardest' }), 'request.invalid'],
      [await send(pool, { file, dryRun: 'maybe' }), 'request.invalid'],
      [await send(pool, { file, source: 'text' }), 'request.invalid'],
      [await send(pool, { file, reason: 'a\u0000' }), 'request.invalid'],
      [await send(pool, { playlist: file }), 'request.malformed'],
      [await send(pool, { file: 'as a field' }), 'request.malformed'],
      [await send(pool, { file, reason: 'x'.repeat(20_000) }), 'request.malformed'],
    ]
    expect(refused.map(([reply]) => outcome(reply))).toEqual(refused.map(([, code]) => [400, code]))
    const twice = new FormData()
    for (const _ of [1, 2]) twice.append('file', file, 'a.bplist')
    const many = new FormData()
    for (let n = 0; n < 60; n++) many.append(`field${n}`, 'x')
    for (const form of [twice, many]) expect(outcome(await sendForm(pool, form))).toEqual([400, 'request.malformed'])
    const raw = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{"songs"'
    for (const [type, sent] of [
      ...[['multipart/form-data; boundary=x', raw] as const, ['multipart/form-data', raw] as const],
      ...[['multipart/form-data; boundary=x', ''] as const, ['multipart/form-data; boundary=y', raw] as const],
    ]) {
      const reply = await api.call('POST', `${pathOf(pool)}/imports`, {
        as: pooler,
        raw: sent,
        headers: { 'content-type': type },
      })
      expect(outcome(reply), type).toEqual([400, 'request.malformed'])
    }
    expect((await api.get(`${pathOf(pool)}/imports`, pooler)).body.imports).toEqual([])
  })

  test('may have 4 MiB, and not a byte more', async () => {
    const pool = await makePool(api, tournament.guid)
    const most = 4 * 1024 * 1024
    const empty = JSON.stringify({ source: { kind: 'playlist', playlist: playlistOf([]) } })
    const filled = (size: number) => empty.replace('"image":""', `"image":"${'A'.repeat(size - empty.length)}"`)
    const post = (raw: string) =>
      api.call('POST', `${pathOf(pool)}/imports`, { as: pooler, raw, headers: { 'content-type': 'application/json' } })
    expect((await post(filled(most))).status).toBe(202)
    expect(outcome(await post(filled(most + 1)))).toEqual([413, 'request.too_large'])
    const big = new Blob([filled(most)])
    expect(outcome(await send(pool, { file: big }))).toEqual([413, 'request.too_large'])
  })
})

describe('an import', () => {
  test('of more than 500 rows is refused', async () => {
    const pool = await makePool(api, tournament.guid)
    const lines = (count: number) => ({ source: { kind: 'text', lines: [...Array(count).fill('?'), '', ' '] } })
    const songs = Array.from({ length: 250 }, (_, index) => ({
      hash: index.toString(16).padStart(40, '0'),
      difficulties: [{ name: 'easy' }, { name: 'hard' }, ...(index === 0 ? [{ name: 'normal' }] : [])],
    }))
    const links = Array.from({ length: 11 }, (_, index) => `https://beatsaver.com/playlists/${index + 1}`)
    const tooLarge = [400, 'import.too_large']
    expect(outcome(await start(pool, lines(501)))).toEqual(tooLarge)
    expect(outcome(await start(pool, { source: { kind: 'playlist', playlist: playlistOf(songs) } }))).toEqual(tooLarge)
    expect(outcome(await start(pool, { source: { kind: 'text', lines: links } }))).toEqual(tooLarge)
    expect(outcomes(await run(pool, lines(500)))).toEqual(Array(500).fill('rejected'))
  })

  test('may carry a flair of the tournament, and no other', async () => {
    const pool = await makePool(api, tournament.guid)
    const [own, foreign] = [
      await makeFlair(api, tournament.guid, 'Carried'),
      await makeFlair(api, elsewhere.guid, 'Foreign'),
    ]
    const source = { kind: 'text', lines: [`${catalogue.maps.add().key} Expert`] }
    expect(outcome(await start(pool, { source, flairGuid: foreign }))).toEqual([400, 'flair.unknown'])
    await run(pool, { source, flairGuid: own.toUpperCase() })
    expect((await mapsOf(pool))[0].flair.name).toBe('Carried')
  })
})

describe('another pool', () => {
  test('gives its maps with order, flair names, modifiers and options', async () => {
    const source = await makePool(api, elsewhere.guid)
    const songs = catalogue.maps.addMany(3)
    const [tech, odd] = [await makeFlair(api, elsewhere.guid, 'TECH'), await makeFlair(api, elsewhere.guid, 'Odd')]
    await makeFlair(api, tournament.guid, 'Tech')
    const from = `/tournaments/${elsewhere.guid}/pools/${source.guid}`
    const settings = [
      { flairGuid: tech, modifiers: ['NoFail', 'FastSong'], playerOptions: ['NoHud'], options: { disablePause: true } },
      { flairGuid: odd, isTiebreaker: true, weight: 5, attempts: 3, note: 'A note', staffNote: 'A secret' },
      {},
    ]
    for (const [index, song] of songs.entries()) {
      const added = await api.post(`${from}/maps`, owner, { ref: song.hash, difficulty: 'Expert', ...settings[index] })
      expect(added.status, added.text).toBe(201)
    }
    await publishPool(api, source.guid)
    const pool = await makePool(api, tournament.guid)
    const body = { source: { kind: 'pool', poolGuid: source.guid } }
    const job = await run(pool, body)
    expect(job.source).toEqual({ kind: 'pool', label: source.name })
    expect(outcomes(job)).toEqual(['added', 'added', 'added'])
    const maps = await mapsOf(pool)
    expect(maps.map(({ map }) => map.hash)).toEqual(songs.map(({ hash }) => hash))
    expect(maps[0]).toMatchObject({
      flair: { name: 'Tech' },
      modifiers: ['NoFail', 'FastSong'],
      playerOptions: ['NoHud'],
    })
    expect(maps[0].options.disablePause).toBe(true)
    expect(maps[1]).toMatchObject({
      flair: null,
      note: null,
      staffNote: null,
      weight: 1,
      addedBy: { guid: pooler.guid },
    })
    expect(outcomes(await run(pool, body))).toEqual(['present', 'present', 'present'])
  })

  test('gives what its importer sees of it, and is not there where they see nothing', async () => {
    const made = await makeMaps(api, 3)
    const [one = '', two = '', three = ''] = made.map(({ guid }) => guid)
    const shown = await makePool(api, elsewhere.guid, {
      status: 'published',
      maps: [one, { mapGuid: two, isReleased: false }, three],
    })
    const draft = await makePool(api, elsewhere.guid, { maps: [one] })
    const early = await makePool(api, elsewhere.guid, { maps: [one, two], previewRoles: ['role:caster'] })
    const hidden = await makeTournament(api, owner, { status: 'draft' })
    const within = await makePool(api, hidden.guid, { status: 'published', maps: [one] })
    const pool = await makePool(api, tournament.guid)
    const from = (of: Pool | string, dryRun = true) => ({
      source: { kind: 'pool', poolGuid: typeof of === 'string' ? of : of.guid },
      dryRun,
    })
    const nobody = await start(pool, from('00000000-0000-4000-8000-000000000000'))
    expect(outcome(nobody)).toEqual([404, 'pool.unknown'])
    for (const secret of [draft, early, within]) {
      const reply = await start(pool, from(secret))
      expect([outcome(reply), reply.text]).toEqual([outcome(nobody), nobody.text])
    }
    const seen = async (of: Pool) => (await run(pool, from(of))).rows.map(({ input }: Json) => input.split(' ')[1])
    const names = await api.sql<{ guid: string; name: string }>('select guid, name from maps where guid = any($1)', [
      [one, two, three],
    ])
    const numberOf = (guid: string) => names.find((row) => row.guid === guid)?.name.split(' ')[1]
    expect(await seen(shown)).toEqual([numberOf(one), numberOf(three)])
    await api.sql(
      'insert into tournament_role_holders (tournament_guid, user_guid, role, granted_by) values ($1, $2, $3, $4)',
      [...[elsewhere.guid, pooler.guid, 'role:caster', owner.guid]],
    )
    const job = await run(pool, from(early))
    // Not all poolers of this tournament may know the name of that pool.
    expect([job.source.label, job.rows.length]).toEqual([null, 2])
    expect(outcome(await start(pool, from(draft)))).toEqual([404, 'pool.unknown'])
    await api.sql(
      'insert into tournament_role_holders (tournament_guid, user_guid, role, granted_by) values ($1, $2, $3, $4)',
      [...[hidden.guid, pooler.guid, 'role:caster', owner.guid]],
    )
    expect((await run(pool, from(within))).source.label).toBeNull()
    const own = await makePool(api, tournament.guid)
    await addPoolMaps(api, own.guid, [one, two])
    expect((await run(pool, from(own))).source.label).toBe(own.name)
  })
})
