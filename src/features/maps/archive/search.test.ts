import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { type MapOptions, makeFlair, makeMaps, makePool, publishPool } from '../../../../test/pools.ts'

/**
 * Compares every filter with a plain filter over all arranged records, which uses no index. (pools: What proves it, 6)
 */

interface Song extends Required<Omit<MapOptions, 'state' | 'currentHash' | 'maxScore'>> {
  readonly guid: string
}
interface Stand {
  readonly map: Song
  readonly tournament: MadeTournament
  readonly pool: string
  readonly flair: string | null
  readonly at: number
}

let api: Harness
let organiser: Caller
let spring: MadeTournament
let autumn: MadeTournament
let cancelled: MadeTournament
let draft: MadeTournament
let songs: Song[]
/** The maps that everybody sees in pools of listed tournaments. */
let stands: Stand[]
let pools: { guid: string; name: string; tournament: MadeTournament; at: number }[]

const words = ['Ash', 'birch', 'Cedar', 'Douglas', 'elm', 'Fir', 'ginkgo', 'Höhle', 'ironwood']
const pick = <T>(list: readonly T[], index: number) => list[index % list.length] as T
const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number))

beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  spring = await makeTournament(api, organiser, { name: 'Spring cup', status: 'ongoing' })
  autumn = await makeTournament(api, organiser, { name: 'Autumn cup', status: 'completed' })
  cancelled = await makeTournament(api, organiser, { name: 'Cancelled cup', status: 'cancelled', approved: true })
  draft = await makeTournament(api, organiser, { name: 'Draft cup', status: 'draft' })
  const options = Array.from({ length: 120 }, (_, index) => ({
    hash: (index % 40).toString(16).padStart(40, 'c'),
    key: (0xa0 + (index % 40)).toString(16),
    characteristic: pick(['Standard', 'OneSaber', 'Lawless'], Math.floor(index / 40)),
    difficulty: pick(['Easy', 'Hard', 'ExpertPlus'], Math.floor(index / 7)),
    name: index % 17 === 0 ? null : `${pick(words, index)} ${pick(words, index * 5 + 3)}-${index % 40}`,
    subName: index % 5 === 0 ? `(feat. ${pick(words, index + 1)})` : null,
    artist: `${pick(words, index * 3)} Quartet`,
    mapper: pick(['Mapper One', 'mapper two', 'Ünicode'], index),
    nps: index % 11 === 0 ? null : (index % 30) / 2,
    durationSeconds: 60 + index,
    starsA: index % 3 === 0 ? (index % 20) / 2 + 0.07 : null,
    starsB: index % 4 === 0 ? (index % 25) / 3 : null,
  }))
  const made = await makeMaps(api, options)
  songs = options.map((song, index) => ({ ...song, guid: made[index]?.guid as string }))
  stands = []
  pools = []
  const speed = await makeFlair(api, spring.guid, 'Speed')
  const tech = await makeFlair(api, autumn.guid, 'sPEED')
  for (let number = 0; number < 12; number++) {
    const tournament = pick([spring, autumn], number)
    const flair = tournament === spring ? speed : tech
    const here = songs.filter((_, index) => (index * 7 + number) % (3 + number) === 0 && index >= 5)
    const pool = await makePool(api, tournament.guid, {
      name: `${pick(['Round', 'Final', 'Playoff'], number)} ${number}`,
      status: number % 4 === 3 ? 'archived' : 'published',
      publishedAt: day(number),
      playlistTitle: number === 5 ? 'Bonus tracks' : null,
      maps: here.map(({ guid }, index) => ({
        mapGuid: guid,
        flairGuid: index % 2 === 0 ? flair : null,
        isReleased: index % 10 !== 9,
      })),
    })
    pools.push({ guid: pool.guid, name: pool.name, tournament, at: day(number).getTime() })
    here.forEach((map, index) => {
      if (index % 10 === 9) return
      stands.push({
        map,
        tournament,
        pool: pool.guid,
        flair: index % 2 === 0 ? 'speed' : null,
        at: day(number).getTime(),
      })
    })
  }
  // Maps that the archive must hide: in a draft, in a draft tournament, in a cancelled tournament.
  const hidden = songs.slice(0, 5).map(({ guid }) => guid)
  await makePool(api, spring.guid, { name: 'Secret', maps: hidden })
  await makePool(api, draft.guid, { name: 'Early', status: 'published', maps: hidden })
  await makePool(api, cancelled.guid, { name: 'Gone', status: 'published', maps: hidden })
})
afterAll(() => api[Symbol.asyncDispose]())

const standsOf = (song: Song) => stands.filter(({ map }) => map === song)
const visible = () => songs.filter((song) => standsOf(song).length > 0)
const since = (song: Song) => Math.min(...standsOf(song).map(({ at }) => at))
const byGuid = (a: { guid: string }, b: { guid: string }) => (a.guid < b.guid ? -1 : a.guid > b.guid ? 1 : 0)

/** Returns all pages of a list. */
async function walk(path: string, member: 'maps' | 'pools', between?: () => Promise<void>) {
  const found: { guid: string; [name: string]: unknown }[] = []
  for (let before: string | null = ''; before !== null; ) {
    const reply = await api.get(`${path}${before === '' ? '' : `&before=${encodeURIComponent(before)}`}`)
    if (reply.status !== 200) throw new Error(reply.text)
    found.push(...reply.body[member])
    before = reply.body.nextCursor
    await between?.()
  }
  return found
}

const has = (texts: readonly (string | null)[], search: string) => {
  const own = texts.flatMap((text) => (text ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u))
  const wanted = search
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return wanted.every((word, index) =>
    own.some((each) => (index === wanted.length - 1 ? each.startsWith(word) : each === word)),
  )
}
const found = (search: string) => (song: Song) => has([song.name, song.subName, song.artist, song.mapper], search)
const between = (value: number | null, min: number, max: number) => value !== null && value >= min && value <= max

describe('maps', () => {
  const filters: [string, () => (song: Song) => boolean][] = [
    ['', () => () => true],
    ['q=ash', () => found('ash')],
    ['q=ASH%20quart', () => found('ash quart')],
    ['q=quartet%20ce', () => found('quartet ce')],
    ['q=h%C3%B6h', () => found('höh')],
    ['q=feat.%20birch', () => found('feat birch')],
    ['q=nowhere', () => () => false],
    [`hash=${'1f'.padStart(40, 'C')}`, () => (song) => song.hash === '1f'.padStart(40, 'c')],
    ['key=A7', () => (song) => song.key === 'a7'],
    ['mapper=MAPPER%20TWO', () => (song) => song.mapper === 'mapper two'],
    ['difficulty=ExpertPlus', () => (song) => song.difficulty === 'ExpertPlus'],
    ['characteristic=lawless', () => (song) => song.characteristic === 'Lawless'],
    ['flair=Speed', () => (song) => standsOf(song).some(({ flair }) => flair === 'speed')],
    ['ranking=a', () => (song) => song.starsA !== null],
    ['ranking=b&starsMin=3.5', () => (song) => between(song.starsB, 3.5, 100)],
    ['starsMax=4', () => (song) => between(song.starsA, 0, 4)],
    ['ranking=a&starsMin=2.07&starsMax=7', () => (song) => between(song.starsA, 2.07, 7)],
    ['npsMin=4.5&npsMax=9', () => (song) => between(song.nps, 4.5, 9)],
    ['secondsMin=100', () => (song) => between(song.durationSeconds, 100, 9_999)],
    ['secondsMax=100&npsMin=1', () => (song) => between(song.durationSeconds, 0, 100) && between(song.nps, 1, 99)],
    ['tournament=TOURNAMENT', () => (song) => standsOf(song).some(({ tournament }) => tournament === spring)],
    ['unused=TOURNAMENT', () => (song) => !standsOf(song).some(({ tournament }) => tournament === spring)],
    [
      'unused=TOURNAMENT&q=elm',
      () => (song) => found('elm')(song) && !standsOf(song).some((at) => at.tournament === spring),
    ],
    ['pool=POOL', () => (song) => standsOf(song).some(({ pool }) => pool === pools[3]?.guid)],
    ['tournament=CANCELLED', () => () => false],
    ['unused=CANCELLED', () => () => true],
    [
      'q=quartet&difficulty=Hard&flair=SPEED&npsMin=2',
      () => (song) =>
        found('quartet')(song) &&
        song.difficulty === 'Hard' &&
        between(song.nps, 2, 99) &&
        standsOf(song).some(({ flair }) => flair === 'speed'),
    ],
  ]
  const named = (text: string) =>
    text
      .replace('TOURNAMENT', spring.id)
      .replace('POOL', pools[3]?.guid ?? '')
      .replace('CANCELLED', cancelled.guid)

  test.each(filters)('%s finds what a plain filter finds, newest first', async (text, filter) => {
    const wanted = visible()
      .filter(filter())
      .toSorted((a, b) => since(b) - since(a) || byGuid(b, a))
    const rows = await walk(`/resources/pooling/maps?limit=7&${named(text)}`, 'maps')
    expect(rows.map(({ guid }) => guid)).toEqual(wanted.map(({ guid }) => guid))
  })

  test('tell where they are used, and nothing of earlier look-ups', async () => {
    const [row] = (await api.get('/resources/pooling/maps?limit=1&sort=used')).body.maps
    const uses = standsOf(songs.find(({ guid }) => guid === row.guid) as Song)
    expect(row.usage).toEqual({
      pools: uses.length,
      tournaments: new Set(uses.map(({ tournament }) => tournament)).size,
      lastUsedAt: new Date(Math.max(...uses.map(({ at }) => at))).toISOString(),
    })
    expect(row.checkedAt).toBeNull()
  })

  const bytes = (song: Song) => (song.name === null ? '\u{10FFFF}' : song.name.toLowerCase())
  const orders: [string, (a: Song, b: Song) => number][] = [
    ['sort=used', (a, b) => standsOf(b).length - standsOf(a).length || byGuid(b, a)],
    ['sort=name', (a, b) => Buffer.compare(Buffer.from(bytes(a)), Buffer.from(bytes(b))) || byGuid(a, b)],
    ['sort=stars', (a, b) => (b.starsA ?? -1) - (a.starsA ?? -1) || byGuid(b, a)],
    ['sort=stars&ranking=b', (a, b) => (b.starsB ?? -1) - (a.starsB ?? -1) || byGuid(b, a)],
  ]
  test.each(orders)('come in the order of %s', async (text, order) => {
    const wanted = visible()
      .filter(({ starsB }) => !text.endsWith('b') || starsB !== null)
      .toSorted(order)
    for (const filter of ['', '&q=q']) {
      const rows = await walk(`/resources/pooling/maps?limit=9&${text}${filter}`, 'maps')
      expect(rows.map(({ guid }) => guid)).toEqual(wanted.map(({ guid }) => guid))
    }
  })

  test('values that are none are refused, and records that are hidden as if there were none', async () => {
    const refused = async (text: string) => outcome(await api.get(`/resources/pooling/maps?${text}`))
    const secret = (await api.sql<{ guid: string }>(`select guid from pools where name = 'Secret'`))[0]?.guid
    const early = (await api.sql<{ guid: string }>(`select guid from pools where name = 'Early'`))[0]?.guid
    for (const text of [
      'difficulty=Insane',
      'ranking=c',
      'sort=oldest',
      'hash=abc',
      'key=xyz',
      'npsMin=-1',
      'starsMin=x',
      'limit=0',
      'characteristic=a%20b',
      'q=',
    ]) {
      expect([text, (await refused(text))[0]]).toEqual([text, 400])
    }
    for (const text of ['npsMin=5&npsMax=4', 'starsMin=5&starsMax=4', 'secondsMin=5&secondsMax=4']) {
      expect(await refused(text)).toEqual([400, 'archive.range_invalid'])
    }
    for (const name of ['tournament', 'unused']) {
      for (const value of ['nowhere', draft.id, draft.guid, '%00']) {
        const reply = await api.get(`/resources/pooling/maps?${name}=${value}`, organiser)
        expect([reply.status, value === '%00' || reply.text]).toEqual([
          400,
          value === '%00' || 'There is no such tournament.',
        ])
      }
    }
    for (const value of ['nowhere', organiser.guid, secret, early]) {
      const reply = await api.get(`/resources/pooling/maps?pool=${value}`, organiser)
      expect([...outcome(reply), reply.text]).toEqual([400, 'pool.unknown', 'There is no such pool.'])
    }
    const cursor = (await api.get('/resources/pooling/maps?limit=1')).body.nextCursor
    expect(await refused(`before=${cursor}&sort=name`)).toEqual([400, 'cursor.invalid'])
    const forged = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')
    for (const [sort, ...position] of [
      ['newest', 'yesterday', organiser.guid],
      ['newest', '2026-01-01T00:00:00.000Z', 'x'],
      ['used', '2026-01-01T00:00:00.000Z', '1e9', organiser.guid],
      ['name', '\0', organiser.guid],
      ['name', 'a', organiser.guid, 'b'],
    ]) {
      expect(await refused(`sort=${sort}&before=${forged(`maps:${sort}`, ...position)}`)).toEqual([
        400,
        'cursor.invalid',
      ])
    }
    expect(await refused(`sort=stars&before=${forged('maps:stars:a', '1e-999', organiser.guid)}`)).toEqual([
      400,
      'cursor.invalid',
    ])
    expect(await refused(`sort=stars&before=${forged('maps:stars:a', '1e-99', organiser.guid)}`)).toEqual([200, null])
  })
})

describe('pools', () => {
  type Row = (typeof pools)[number]
  const title = ({ guid }: Row) => (guid === pools[5]?.guid ? 'Bonus tracks' : '')
  const name = ({ tournament }: Row) => (tournament === spring ? 'Spring cup' : 'Autumn cup')
  const filters: [string, (pool: Row, index: number) => boolean][] = [
    ['', () => true],
    ['q=fin', (pool) => has([pool.name], 'fin')],
    ['q=spring%20round', (pool) => has([pool.name, name(pool)], 'spring round')],
    ['q=bonus', (pool) => has([title(pool)], 'bonus')],
    ['q=secret', () => false],
    ['tournament=TOURNAMENT', (pool) => pool.tournament === spring],
    ['kind=match', () => true],
    ['kind=qualifier', () => false],
    ['status=archived', (_, index) => index % 4 === 3],
    ['status=published&q=cup', (_, index) => index % 4 !== 3],
    [
      `hash=${'20'.padStart(40, 'c')}`,
      (pool) => stands.some((at) => at.pool === pool.guid && at.map.hash.endsWith('c20')),
    ],
    ['flair=SPEED', (pool) => stands.some((at) => at.pool === pool.guid && at.flair === 'speed')],
    ['flair=slow', () => false],
    [`from=${day(3).toISOString()}`, ({ at }) => at >= day(3).getTime()],
    [
      `from=${day(3).toISOString()}&to=${day(6).toISOString()}`,
      ({ at }) => at >= day(3).getTime() && at <= day(6).getTime(),
    ],
  ]
  test.each(filters)('%s finds what a plain filter finds, newest first', async (text, filter) => {
    const rows = await walk(`/resources/pooling/pools?limit=5&${text.replace('TOURNAMENT', spring.guid)}`, 'pools')
    const wanted = pools.filter(filter).toSorted((a, b) => b.at - a.at)
    expect(rows.map(({ guid }) => guid)).toEqual(wanted.map(({ guid }) => guid))
  })

  test('come by name, with what everybody sees of them', async () => {
    const rows = await walk('/resources/pooling/pools?limit=5&sort=name', 'pools')
    expect(rows.map((row) => row.name)).toEqual(
      pools.map((pool) => pool.name).toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    )
    const { publicUrl } = api.app.config
    const [, , , pool] = pools
    expect(rows.find(({ guid }) => guid === pool?.guid)).toEqual({
      guid: pool?.guid,
      tournament: { guid: autumn.guid, id: autumn.id, name: 'Autumn cup' },
      name: 'Round 3',
      description: null,
      kind: 'match',
      order: 1,
      status: 'archived',
      publishAt: null,
      publishedAt: day(3).toISOString(),
      archivedAt: expect.any(String),
      revision: 1,
      playlist: { title: 'Autumn cup – Round 3', author: 'Autumn cup', description: '' },
      coverUrl: expect.stringContaining(`${publicUrl}/api/resources/pooling/pools/${pool?.guid}/cover`),
      playlistUrl: `${publicUrl}/api/resources/pooling/pools/${pool?.guid}/playlist.bplist`,
      counts: { maps: stands.filter((at) => at.pool === pool?.guid).length },
      createdAt: day(3).toISOString(),
      updatedAt: day(3).toISOString(),
    })
    const ofSpring = rows.filter((row) => (row.tournament as { guid: string }).guid === spring.guid)
    expect(ofSpring.map((row) => row.order).toSorted()).toEqual(ofSpring.map((_, index) => index))
  })

  test('values that are none are refused', async () => {
    const refused = async (text: string) => outcome(await api.get(`/resources/pooling/pools?${text}`))
    for (const text of ['status=draft', 'kind=x', 'sort=used', 'hash=1', 'from=yesterday', 'before=x']) {
      expect([text, (await refused(text))[0]]).toEqual([text, 400])
    }
    expect(await refused(`from=${day(3).toISOString()}&to=${day(2).toISOString()}`)).toEqual([
      400,
      'archive.range_invalid',
    ])
    expect(await refused(`tournament=${draft.id}`)).toEqual([400, 'tournament.unknown'])
  })
})

describe('pages neither skip nor repeat while pools are published in between', () => {
  test.each(['newest', 'used', 'name', 'stars', 'used&q=q', 'newest&flair=speed', 'used&npsMin=1'])(
    '%s',
    async (text) => {
      const path = `/resources/pooling/maps?limit=6&sort=${text}`
      const before = (await walk(path, 'maps')).map(({ guid }) => guid)
      let round = 0
      const during = await walk(path, 'maps', async () => {
        if (++round > 8) return
        const added = await makeMaps(api, 2)
        const often = before.filter((_, index) => (index + round) % 3 === 0)
        const pool = await makePool(api, pick([spring, autumn], round).guid, {
          maps: [...often, ...added.map(({ guid }) => guid)],
        })
        await publishPool(api, pool.guid)
      })
      const guids = during.map(({ guid }) => guid)
      expect(new Set(guids).size).toBe(guids.length)
      expect(guids.filter((guid) => before.includes(guid))).toEqual(before)
    },
  )
})
