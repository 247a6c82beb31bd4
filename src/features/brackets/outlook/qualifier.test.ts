import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { remembered, roleHolder } from '../../../../test/make.ts'
import { type Cup, done, makeCup, makePlayers, open, type Player, play } from '../../../../test/qualifiers.ts'
import { eventsPath } from '../../../../test/realtime/streams.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Stage {
  readonly cup: Cup
  readonly maps: readonly string[]
  /** Three teams have one player; the second has two. */
  readonly players: readonly [Player, Player, Player, Player]
  readonly path: string
}

/** Three teams with 0.95, 0.6 and 0 of two maps. Modifiers are not allowed, so the maximum score is 1,000. */
async function stage(settings: object = {}): Promise<Stage> {
  const cup = await makeCup(api)
  const maps = await open(api, cup, { cutoff: 1, modifiers: 'none', ...settings })
  const [first] = (await makePlayers(api, cup)) as [Player]
  const [second, mate] = (await makePlayers(api, cup, 2)) as [Player, Player]
  const [third] = (await makePlayers(api, cup)) as [Player]
  await play(api, cup, maps, first, [950, 950])
  await play(api, cup, maps, second, [800, 600])
  await play(api, cup, maps, mate, [400, 600])
  return { cup, maps, players: [first, second, mate, third], path: `${cup.path}/outlook` }
}

interface Row {
  readonly team: { readonly guid: string }
  readonly status: string
  readonly needs: readonly {
    readonly map: string
    readonly score: number | null
    readonly attemptsLeft: number | null
  }[]
  readonly attemptsLeft: number | null
}

async function rowsOf(path: string, caller: Caller | null = null): Promise<readonly Row[]> {
  const reply = await api.get(path, caller)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.rows
}
const statuses = async (path: string, caller: Caller | null = null) =>
  (await rowsOf(path, caller)).map(({ status }) => status)

describe('while it is open', () => {
  test('it tells who may still advance, what they need, and how often they may try', async () => {
    const { maps, players, path } = await stage({ attempts: 2 })
    const [first, second, , third] = players
    const { body } = await api.get(path)
    expect(body.cutoff).toBe(1)
    const ref = ({ team: { guid, id, name } }: Player) => ({ guid, id, name, imageUrl: null, color: null })
    const needs = (score: number | null, attemptsLeft: number) => maps.map((map) => ({ map, score, attemptsLeft }))
    expect(body.rows).toEqual([
      { team: ref(first), rank: 1, value: 0.95, status: 'alive', needs: [], attemptsLeft: 2 },
      { team: ref(second), rank: 2, value: 0.6, status: 'alive', needs: needs(null, 2), attemptsLeft: 4 },
      { team: ref(third), rank: null, value: null, status: 'alive', needs: needs(null, 2), attemptsLeft: 4 },
    ])
  })

  test('a score of the team on one map is enough where the rest is good', async () => {
    const { cup, maps, players, path } = await stage({ method: 'sum_of_scores', attempts: 2 })
    const [first, , mate, third] = players
    // The team of two has 2,400 in all; the first team has 1,900.
    expect((await rowsOf(path)).map(({ team }) => team.guid)).toEqual([
      ...[mate.team.guid, first.team.guid, third.team.guid],
    ])
    const [, row] = await rowsOf(path)
    expect(row?.needs.map(({ score }) => score)).toEqual([null, null])
    await play(api, cup, maps, third, [980, 980])
    await done(api.put(cup.path, cup.organiser, { settings: { topPlayers: 1 } }))
    // The best scores of the team of two are 800 and 600.
    const rows = await rowsOf(path)
    expect(rows.map(({ team }) => team.guid)).toEqual([third.team.guid, first.team.guid, mate.team.guid])
    expect(rows.map(({ needs }) => needs.map(({ score }) => score))).toEqual([[], [null, null], [null, null]])
    await done(api.put(cup.path, cup.organiser, { settings: { countMaps: 1 } }))
    expect((await rowsOf(path)).map(({ needs }) => needs.map(({ score }) => score))).toEqual([
      ...[[], [981, 981], [981, 981]],
    ])
  })

  test('attempts that are used up make it sure, and one that was begun does not', async () => {
    const { cup, maps, players, path } = await stage({ attempts: 1 })
    const third = players[3]
    const attempt = (more: object) => ({ mapGuid: maps[1], user: third.guid, ...more })
    await play(api, cup, maps, third, [100])
    expect(await statuses(path)).toEqual(['clinched', 'eliminated', 'eliminated'])
    // The third team can reach at most half of both maps; two teams advance.
    await done(api.put(cup.path, cup.organiser, { cutoff: 2 }))
    expect(await statuses(path)).toEqual(['clinched', 'clinched', 'eliminated'])
    await done(api.put(cup.path, cup.organiser, { settings: { topPlayers: 1, countMaps: 1 } }))
    expect(
      (await rowsOf(path)).map(({ status, needs, attemptsLeft }) => [
        status,
        needs.map(({ score }) => score),
        attemptsLeft,
      ]),
    ).toEqual([
      ...[
        ['clinched', [], 0],
        ['alive', [], 0],
        ['alive', [null, 801], 1],
      ],
    ])
    const begun = await done(
      api.post(`${cup.path}/attempts`, cup.coordinator, { attempts: [attempt({ completion: 'placeholder' })] }),
    )
    const rows = await rowsOf(path)
    expect(rows.map(({ status }) => status)).toEqual(['clinched', 'alive', 'alive'])
    expect(rows[2]).toMatchObject({ needs: [{ score: null }, { score: 801, attemptsLeft: 0 }], attemptsLeft: 0 })
    const [{ guid }] = begun.body.accepted
    await done(api.post(`${cup.path}/attempts/${guid}/void`, cup.coordinator, { reason: 'A mistake.' }))
    await play(api, cup, maps, third, [null, 700])
    expect(await statuses(path)).toEqual(['clinched', 'clinched', 'eliminated'])
  })

  test('modifiers may raise a score to twice the maximum, so that more is possible (D62)', async () => {
    const { cup, maps, players, path } = await stage({ attempts: 1, method: 'sum_of_scores' })
    await play(api, cup, maps, players[3], [100])
    expect(await statuses(path)).toEqual(['clinched', 'eliminated', 'eliminated'])
    await done(api.put(cup.path, cup.organiser, { modifiers: 'any', settings: { topPlayers: 1 } }))
    // The first team has 1,900. The third team has 100 and may add 2,000, so 1,801 more are enough.
    const rows = await rowsOf(path)
    expect(rows.map(({ status }) => status)).toEqual(['alive', 'eliminated', 'alive'])
    expect(rows[2]?.needs.map(({ score }) => score)).toEqual([null, 1_801])
  })

  test('methods by which others lose what they have leave everybody alive', async () => {
    const { cup, path } = await stage({ attempts: 1, method: 'z_sum' })
    expect(await statuses(path)).toEqual(['alive', 'alive', 'alive'])
    await done(api.put(cup.path, cup.organiser, { method: 'average_accuracy', cutoff: null }))
    const { body } = await api.get(path)
    expect([body.cutoff, ...body.rows.map(({ status }: Row) => status)]).toEqual([null, 'alive', 'alive', 'alive'])
  })

  test('it follows the attempts, from memory in between, and for whoever follows it', async () => {
    const { cup, maps, players, path } = await stage({ attempts: 2 })
    const before = await remembered(api, path)
    const followed = await api.get(eventsPath([path], { wait: '0' }))
    expect(JSON.parse(followed.text)).toMatchObject({ type: 'snapshot', body: before.body })
    await play(api, cup, maps, players[3], [1_000])
    const after = await remembered(api, path)
    expect(after.body.rows[2]).toMatchObject({ value: 0.5, attemptsLeft: 3, needs: [{ score: null }, { score: 901 }] })
    expect((await api.get(path, await api.user())).text).toBe(after.text)
  })
})

test('once it is closed the ranks decide', async () => {
  const { cup, maps, players, path } = await stage()
  await play(api, cup, maps, players[3], [600, 600])
  for (const status of ['closed', 'final']) {
    await done(api.put(cup.path, cup.organiser, { status, ...(status === 'closed' ? { cutoff: 2 } : {}) }))
    const rows = await rowsOf(path)
    expect(rows.map(({ status, needs, attemptsLeft }) => [status, needs, attemptsLeft])).toEqual([
      ['clinched', [], 0],
      ['clinched', [], 0],
      ['eliminated', [], 0],
    ])
  }
  const closing = await stage({ cutoff: 3, closesAt: new Date(Date.now() + 3_600_000).toISOString() })
  expect(await statuses(closing.path)).toEqual(['clinched', 'clinched', 'alive'])
  expect((await rowsOf(closing.path)).map(({ attemptsLeft }) => attemptsLeft)).toEqual([null, null, null])
  await api.sql(
    `update qualifiers set opened_at = null, closes_at = now() - interval '1 s' where tournament_guid = $1`,
    [closing.cup.tournament.guid],
  )
  // The qualifier closes by its date, without an event.
  expect(await statuses(closing.path)).toEqual(['clinched', 'clinched', 'eliminated'])
})

test('a rank that the cutoff goes through is tied', async () => {
  const { cup, maps, players, path } = await stage()
  await play(api, cup, maps, players[3], [950, 950])
  await done(api.put(cup.path, cup.organiser, { status: 'closed' }))
  expect(await statuses(path)).toEqual(['tied', 'tied', 'eliminated'])
})

describe('secrets', () => {
  test('while scores are hidden it is for the staff alone, and a new attempt leaves no trace', async () => {
    const { cup, maps, players, path } = await stage({ hideScores: true, attempts: 1 })
    const [first, , , third] = players
    const referee = await roleHolder(api, cup.tournament, 'role:referee')
    for (const caller of [cup.organiser, cup.coordinator, referee]) expect(await statuses(path, caller)).toHaveLength(3)
    const outsiders = [null, await api.user(), first, third]
    const look = async () =>
      Promise.all(
        outsiders.map(async (caller) => {
          const { status, text, headers } = await api.get(path, caller)
          return [status, text, headers.get('etag')]
        }),
      )
    const before = await look()
    expect(new Set(before.map(([, text]) => text))).toEqual(new Set([JSON.stringify({ cutoff: 1, rows: [] })]))
    await play(api, cup, maps, third, [1_000])
    expect(await look()).toEqual(before)
    await done(api.put(cup.path, cup.organiser, { status: 'closed' }))
    expect(await look()).toEqual(before)
    await done(api.put(cup.path, cup.organiser, { status: 'final' }))
    for (const caller of outsiders) expect(await statuses(path, caller)).toHaveLength(3)
  })

  test('a draft is for the staff alone', async () => {
    const cup = await makeCup(api)
    await open(api, cup, { status: 'draft', cutoff: 1 })
    await makePlayers(api, cup)
    expect(await statuses(`${cup.path}/outlook`, cup.organiser)).toEqual(['alive'])
    for (const caller of [null, await api.user()]) expect(await statuses(`${cup.path}/outlook`, caller)).toEqual([])
  })

  test('maps that a pool does not show yet are in no answer, nor in what is told of who is sure', async () => {
    const { cup, maps, players, path } = await stage({ attempts: 1 })
    const [, hidden] = maps
    await play(api, cup, maps, players[3], [100, 100])
    await api.sql(
      `with pool as (
         insert into pools (tournament_guid, name, name_key, kind, "order", status, revision, last_revision,
           published_at, shown_at)
         values ($1, 'Secret', 'secret', 'qualifier', 0, 'published', 1, 1, now(), now()) returning guid),
       map as (
         insert into maps (hash, characteristic, difficulty, name, state)
         values (repeat('c', 40), 'Standard', 'Expert', 'Cadenza', 'known') returning guid)
       insert into pool_maps (guid, pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight,
         released_at)
       select $2, pool.guid, map.guid, 0, false, '{}', '{}',
         '{"disablePause":false,"disableFail":false,"disableScoreSubmission":false,"showScoreboard":false,"disableCustomNotesOnStream":false,"target":null}',
         1, null from pool, map`,
      [cup.tournament.guid, hidden],
    )
    await api.sql('update qualifier_maps set pool_map_guid = guid where guid = $1', [hidden])
    const pooler = await roleHolder(api, cup.tournament, 'role:pooler')
    const referee = await roleHolder(api, cup.tournament, 'role:referee')
    await done(api.put(cup.path, cup.organiser, { attempts: 2 }))
    for (const caller of [pooler, cup.organiser]) {
      const rows = await rowsOf(path, caller)
      expect(rows[1]?.needs.map(({ map }) => map)).toEqual(maps)
      expect(rows.map(({ attemptsLeft }) => attemptsLeft)).toEqual([2, 4, 2])
    }
    for (const caller of [null, players[0], referee]) {
      const rows = await rowsOf(path, caller)
      expect(rows[1]?.needs.map(({ map }) => map)).toEqual(maps.slice(0, 1))
      expect(rows.map(({ attemptsLeft }) => attemptsLeft)).toEqual([1, 2, 1])
      expect((await api.get(path, caller)).text).not.toContain(hidden)
    }
    await done(api.put(cup.path, cup.organiser, { attempts: 1 }))
    expect(await statuses(path, pooler)).toEqual(['clinched', 'eliminated', 'eliminated'])
    for (const caller of [null, referee]) expect(await statuses(path, caller)).toEqual(['alive', 'alive', 'alive'])
  })
})

test('a tournament without a qualifier has no outlook', async () => {
  const cup = await makeCup(api)
  expect(outcome(await api.get(`${cup.path}/outlook`))).toEqual([404, 'qualifier.unknown'])
  const hidden = await makeCup(api, { status: 'draft' })
  await open(api, hidden)
  expect(outcome(await api.get(`${hidden.path}/outlook`))).toEqual([404, 'tournament.unknown'])
})
