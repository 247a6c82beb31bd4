import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makePlatform, makeTeam, makeTournament } from '../../../../test/make.ts'
import { makeMap, makePool } from '../../../../test/pools.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'

/** The search over users, tournaments, teams and maps. */

let api: Harness
let organiser: Caller
let owner: Caller
let kit: Visibility
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  owner = await api.user({ globalRoles: ['role:owner'] })
  kit = await makeVisibility(api)
})
afterAll(() => api[Symbol.asyncDispose]())

const asked = (q: string) => `/search?q=${encodeURIComponent(q)}`
async function found(q: string, as: Caller | null = null) {
  const reply = await api.get(asked(q), as)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
type Kind = 'users' | 'tournaments' | 'teams' | 'maps'
async function names(kind: Kind, q: string, as: Caller | null = null): Promise<string[]> {
  const member = kind === 'users' ? 'username' : 'name'
  return (await found(q, as))[kind].map((each: Record<string, string>) => each[member])
}

/** What the triggers keep is what would be made anew. */
async function expectKept(): Promise<void> {
  for (const kind of ['tournament', 'team']) {
    const [kept, wanted] = await Promise.all([
      api.sql(`select ${kind}_guid, term, sort_at from ${kind}_terms order by 1, 2`),
      api.sql(
        `select distinct ${kind}_guid, term collate "C" as term, sort_at from wanted_${kind}_terms order by 1, 2`,
      ),
    ])
    expect(kept, kind).toEqual(wanted)
  }
}

test('finds each kind, as its own list shows it', async () => {
  const user = await api.user({ name: 'quartz-player' })
  const cup = await makeTournament(api, organiser, {
    name: 'Quartz Cup',
    status: 'ongoing',
    startsAt: new Date('2026-05-01T18:00:00Z'),
  })
  const team = await makeTeam(api, cup, user, { name: 'The Quartzes', id: 'quartzes' })
  const map = await makeMap(api, { name: 'Quartz Song' })
  await makePool(api, cup.guid, { status: 'published', maps: [{ mapGuid: map.guid }] })
  const body = await found('quartz')
  expect(Object.keys(body)).toEqual(['users', 'tournaments', 'teams', 'maps'])
  expect(body.users).toEqual([(await api.get(`/users/${user.guid}/card`)).body])
  expect(body.maps).toEqual((await api.get('/resources/pooling/maps?q=quartz')).body.maps)
  const record = (await api.get(`/tournaments/${cup.guid}`)).body
  const { guid, id, name, summary, imageUrl, status, timezone, startsAt, endsAt } = record
  expect(body.tournaments).toEqual([{ guid, id, name, imageUrl, summary, status, timezone, startsAt, endsAt }])
  expect(body.teams).toEqual([
    {
      guid: team.guid,
      id: 'quartzes',
      name: 'The Quartzes',
      imageUrl: null,
      color: null,
      tournament: { guid, id, name, imageUrl },
    },
  ])
  // Several words, in any order and with a beginning.
  for (const q of ['song quartz', 'quartz so', 'song qua']) {
    expect((await found(q)).maps, q).toEqual(body.maps)
    expect(body.maps, q).toEqual((await api.get(`/resources/pooling/maps?q=${encodeURIComponent(q)}`)).body.maps)
  }
  expect((await found('quartz songs')).maps).toEqual([])
  expect(await found('no such thing at all')).toEqual({ users: [], tournaments: [], teams: [], maps: [] })
})

describe('users', () => {
  test('by the start of either name in any case, or by a whole ID, at most five, the shortest match first', async () => {
    for (const name of ['Zither', 'zither-d', 'ZITHER-a', 'zither-c', 'zither-b', 'zither-e', 'a-zither'])
      await api.user({ name })
    expect(await names('users', 'ziTHer')).toEqual(['Zither', 'ZITHER-a', 'zither-b', 'zither-c', 'zither-d'])
    const user = await api.user({ name: 'plain-name' })
    expect((await api.post('/updateUserSettings', user, { preferredName: 'Élan %_\\' })).status).toBe(200)
    for (const q of ['élan', 'ÉLAN', 'e\u0301lan %_\\', user.chatPlatformId])
      expect(await names('users', q), q).toEqual(['plain-name'])
    for (const q of ['lan', '%', 'élan __', user.chatPlatformId.slice(0, -1)])
      expect(await names('users', q), q).toEqual([])
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values
         ($1, 'ranking-a', '800100', now()), ($1, 'ranking-b', '800200', null)`,
      [user.guid],
    )
    expect(await names('users', '800100')).toEqual(['plain-name'])
    expect(await names('users', '800200')).toEqual([])
  })

  test('once, if both names match; an ID before names', async () => {
    const both = await api.user({ name: 'xylo' })
    expect((await api.post('/updateUserSettings', both, { preferredName: 'Xylophone' })).status).toBe(200)
    expect(await names('users', 'xylo')).toEqual(['xylo'])
    const named = await api.user({ name: `${both.chatPlatformId}0` })
    expect(await names('users', both.chatPlatformId)).toEqual(['xylo', `${both.chatPlatformId}0`])
    expect(named.guid).not.toBe(both.guid)
  })

  test('not those who deleted their account', async () => {
    const user = await api.user({ name: 'vanishing' })
    expect(await names('users', 'vanish')).toEqual(['vanishing'])
    expect((await api.delete('/users/@me', user)).status).toBeLessThan(300)
    for (const q of ['vanish', 'deleted', user.chatPlatformId]) expect(await names('users', q), q).toEqual([])
  })
})

describe('tournaments and teams', () => {
  const vocabulary = ['Ash', 'birch', 'Cedar', 'Dougl', 'douglas', 'Élm', 'fir', 'ÄSH', 'high-oak', "o'pine"]
  const pick = (index: number) => vocabulary[index % vocabulary.length] as string
  const wordsOf = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
  const has = (text: string, q: string) => {
    // A word that is repeated counts once, at its last place.
    const words = [...new Set(wordsOf(q).reverse())].reverse()
    const own = wordsOf(text)
    const last = words.pop()
    return last !== undefined && words.every((word) => own.includes(word)) && own.some((word) => word.startsWith(last))
  }

  test('by all words of name and id, the last one as a beginning: compared with a plain filter', async () => {
    await using other = await startHarness()
    const user = await other.user()
    const cups: { name: string; id: string }[] = []
    for (let index = 0; index < 40; index++) {
      const name = `${pick(index)} ${pick(index * 3 + 1)} ${index}`
      cups.push({ name, id: `wood-${index}` })
      const cup = await makeTournament(other, user, {
        name,
        id: `wood-${index}`,
        startsAt: new Date(Date.UTC(2026, 0, index + 1)),
      })
      await makeTeam(other, cup, user, { name, id: `wood-${index}` })
    }
    const questions = [
      ...['ash', 'dougl', 'DOUGLAS', 'd', 'e\u0301lm', 'äs', 'oak', 'pine', "o'pine", 'wood', 'wood-7', '7', 'xyz'],
      ...[
        'ash birch',
        'birch ash',
        'cedar 1',
        'fir wo',
        'wood fir',
        'ash ash',
        'ash xyz',
        'wood 3 ash',
        'high oak fir',
      ],
      ...['!!!', "a' & b | !c:*", 'ash:*', '(fir)', 'fir\\', '%', 'a'.repeat(100), 'a '.repeat(50)],
    ]
    for (const q of questions) {
      const reply = await other.get(asked(q))
      expect(reply.status, q).toBe(200)
      const expected = cups.filter(({ name, id }) => has(`${name} ${id}`, q)).map(({ id }) => id)
      for (const kind of ['tournaments', 'teams']) {
        const ids: string[] = reply.body[kind].map(({ id }: { id: string }) => id)
        expect(ids.length, `${kind} ${q}`).toBe(Math.min(5, expected.length))
        expect(expected, `${kind} ${q}`).toEqual(expect.arrayContaining(ids))
      }
    }
    const order = async (q: string) =>
      (await other.get(asked(q))).body.tournaments.map(({ name }: { name: string }) => name)
    // The whole word first, each newest first.
    expect((await order('dougl')).every((name: string) => has(name, 'dougl '))).toBe(true)
    expect(await order('wood')).toEqual(
      cups
        .slice(-5)
        .reverse()
        .map(({ name }) => name),
    )
    expect(await order('wood ash')).toEqual(
      cups
        .filter(({ name, id }) => has(`${name} ${id}`, 'wood ash'))
        .slice(-5)
        .reverse()
        .map(({ name }) => name),
    )
  })

  test('words that thousands have, alone and together', async () => {
    await using other = await startHarness()
    const user = await other.user()
    await other.sql(
      `with made as (
         insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, links, organiser_guid, starts_at)
         select 'crowd-' || n, 'Common' || case when n % 2 = 0 then ' frequent' else ' usual' end || case when n = 900 then ' rarest' else '' end,
           'approved', 1, 1, 1, '{}', $1, '2026-01-01'::timestamptz + n * interval '1 minute'
         from generate_series(1, 3000) n returning guid, starts_at)
       insert into listings (platform_guid, tournament_guid, status, sort_at)
       select p.guid, m.guid, 'approved', m.starts_at from made m, platforms p where p.is_system`,
      [user.guid],
    )
    const ids = async (q: string) => (await other.get(asked(q))).body.tournaments.map(({ id }: { id: string }) => id)
    expect(await ids('common')).toEqual([3000, 2999, 2998, 2997, 2996].map((n) => `crowd-${n}`))
    expect(await ids('common frequent')).toEqual([3000, 2998, 2996, 2994, 2992].map((n) => `crowd-${n}`))
    expect(await ids('usual comm')).toEqual([2999, 2997, 2995, 2993, 2991].map((n) => `crowd-${n}`))
    expect(await ids('common rar')).toEqual(['crowd-900'])
    expect(await ids('rarest common')).toEqual(['crowd-900'])
    expect(await ids('common frequent usual')).toEqual([])
  })
})

describe('nothing that its list hides', () => {
  const everyone = () => [null, organiser, owner]

  async function expectHidden(kinds: readonly Kind[], q: string): Promise<void> {
    for (const caller of everyone())
      for (const kind of kinds) expect(await names(kind, q, caller), `${kind} ${q}`).toEqual([])
  }

  test.each(['draft', 'approved', 'ongoing', 'cancelled'] as const)(
    'of a tournament that is %s and not listed',
    async (status) => {
      const word = `veiled${status}`
      const cup = await makeTournament(api, organiser, {
        name: `${word} cup`,
        id: `${word}-cup`,
        status,
        approved: status === 'cancelled',
      })
      await makeTeam(api, cup, await api.user(), { name: `${word} team` })
      const map = await makeMap(api, { name: `${word} song` })
      await makePool(api, cup.guid, { status: 'published', maps: [{ mapGuid: map.guid }] })
      const platform = await makePlatform(api)
      if (status !== 'cancelled') {
        await api.sql(
          `insert into listings (platform_guid, tournament_guid, status, sort_at) values ($1, $2, $3, now())`,
          [platform.guid, cup.guid, status],
        )
      }
      const never = await api.get(asked('neverheardof'))
      const hidden = await api.get(asked(word))
      expect([hidden.text, hidden.headers.get('etag')]).toEqual([never.text, never.headers.get('etag')])
      await expectHidden(['tournaments', 'teams', 'maps'], word)
    },
  )

  test('of pools that are not published, and maps that are not released', async () => {
    const cup = await makeTournament(api, organiser, { status: 'ongoing' })
    const maps = await Promise.all(['shroudeddraft', 'shroudedmap'].map((name) => makeMap(api, { name })))
    await makePool(api, cup.guid, { maps: [{ mapGuid: maps[0]?.guid as string }] })
    await makePool(api, cup.guid, {
      status: 'published',
      maps: [{ mapGuid: maps[1]?.guid as string, isReleased: false }],
    })
    await expectHidden(['maps'], 'shrouded')
  })
})

describe('what is found follows every change', () => {
  test('of a tournament’s life, its names, and its teams', async () => {
    const cup: MadeTournament = await kit.arrange('draft', 'pending')
    const path = `/tournaments/${cup.guid}`
    const rename = (name: string) => api.patch(path, kit.organiser, { name })
    expect((await rename('Gossamer One')).status).toBe(200)
    const captain = await api.user()
    await makeTeam(api, cup, captain, { name: 'Gossamer Team', id: 'gossamers' })
    expect(await names('tournaments', 'gossamer')).toEqual([])
    const approved = await api.post(`${path}/visibility/approve`, owner, {})
    expect(approved.status, approved.text).toBeLessThan(300)
    await expectKept()
    const [first] = await api.sql<{ status: string }>('select status from tournaments where guid = $1', [cup.guid])
    expect(first?.status).toBe('approved')
    expect(await names('tournaments', 'gossamer')).toEqual(['Gossamer One'])
    expect(await names('teams', 'gossamer')).toEqual(['Gossamer Team'])
    expect((await rename('Filament Two')).status).toBe(200)
    expect(await names('tournaments', 'gossamer')).toEqual([])
    expect(await names('tournaments', 'filam')).toEqual(['Filament Two'])
    expect((await api.patch(`${path}/teams/gossamers`, captain, { name: 'Tendrils' })).status).toBe(200)
    expect(await names('teams', 'tendr')).toEqual(['Tendrils'])
    await expectKept()
    expect((await api.post(`${path}/status`, kit.organiser, { status: 'cancelled' })).status).toBe(200)
    expect([await names('tournaments', 'filament'), await names('teams', 'tendrils')]).toEqual([[], []])
    await expectKept()
  })

  test('also of changes at the same time', async () => {
    const cups = await Promise.all(Array.from({ length: 6 }, () => kit.arrange('draft', 'pending')))
    const captains = await Promise.all(cups.map(() => api.user()))
    await Promise.all(
      cups.flatMap((cup, index) => {
        const path = `/tournaments/${cup.guid}`
        return [
          api.post(`${path}/visibility/approve`, owner, {}),
          api.patch(path, kit.organiser, { name: `Concurrent ${index}` }),
          api.post(`${path}/teams`, kit.organiser, {
            captainId: captains[index]?.guid,
            teamName: `Simultaneous ${index}`,
          }),
          api.post(`${path}/visibility/reject`, owner, { reason: 'Not yet.' }),
          api.post(`${path}/visibility/approve`, owner, {}),
        ]
      }),
    )
    await expectKept()
    const listed = await api.sql<{ count: number }>(
      `select count(distinct tournament_guid)::int as count from tournament_terms where term = 'concurrent'`,
    )
    expect(listed[0]?.count).toBeGreaterThan(0)
  })
})

test.each(['', '?q=', `?q=${'a'.repeat(101)}`, '?q=%00', '?q=a&q=b', '?q=%20'])('refuses %j', async (query) => {
  expect(outcome(await api.get(`/search${query}`))).toEqual(
    outcome(await api.get(`/users${query === '' ? '?q=' : query}`)),
  )
  expect((await api.get(`/search${query}`)).status).toBe(400)
})
