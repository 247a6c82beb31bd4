import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Awards, bringForward, makeAwards, makeNominees, step } from '../../../../test/awards.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { until } from '../../../../test/waiting.ts'

/** Editions move from phase to phase, by hand and at their dates, on two processes. (awards: States of an edition) */

let api: Harness
let second: Harness
let manager: Caller
let user: Caller
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
  user = await api.user()
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const statusOf = async ({ path }: Awards) => (await api.get(path, manager)).body.status
const becomes = (edition: Awards, status: string) => until(async () => (await statusOf(edition)) === status)
const phases = async ({ guid }: Pick<Awards, 'guid'>) =>
  api.sql<{ actor: string | null; before: { status: string }; after: Record<string, unknown> }>(
    `select actor, before, after from event_log where subject = $1 and type = 'award.phase_changed' order by seq`,
    [guid],
  )
const cast = (edition: Awards, who: Caller, nomineeGuid: string | undefined, index = 0) =>
  api.put(`${edition.path}/categories/${edition.categories[index]}/vote`, who, { nomineeGuid })

/** An edition in this status, with two nominees in one category whose nominees are given in words. */
async function makeReady(status: 'nominating' | 'shortlisting' | 'voting' | 'counting', rules: object = {}) {
  const edition = await makeAwards(api, manager, { types: ['other'], changes: { rules } })
  const nominees = await makeNominees(api, manager, edition, ['One', 'Two'])
  for (const next of ['shortlisting', 'voting', 'counting'].slice(
    0,
    ['nominating', 'shortlisting', 'voting', 'counting'].indexOf(status),
  )) {
    expect(outcome(await step(api, manager, edition.path, next))).toEqual([200, null])
  }
  return { edition, nominees }
}

describe('by hand', () => {
  test('each phase follows the one before, whatever the dates say', async () => {
    const edition = await makeAwards(api, manager, { types: ['other'], isDraft: true })
    const all = ['draft', 'nominating', 'shortlisting', 'voting', 'counting', 'published', 'cancelled']
    const legal: Record<string, string[]> = {
      draft: ['nominating'],
      nominating: ['shortlisting', 'cancelled'],
      shortlisting: ['voting', 'cancelled'],
      voting: ['counting', 'cancelled'],
      counting: ['published', 'voting', 'cancelled'],
      published: [],
    }
    const way = ['draft', 'nominating', 'shortlisting', 'voting', 'counting', 'published']
    for (const [index, from] of way.entries()) {
      for (const to of all.filter((one) => !legal[from]?.includes(one))) {
        expect([from, to, ...outcome(await step(api, manager, edition.path, to, 'Why.'))]).toEqual([
          from,
          to,
          409,
          'award.step_illegal',
        ])
      }
      if (from === 'nominating') await makeNominees(api, manager, edition, ['One', 'Two'])
      const next = way[index + 1]
      if (next === undefined) continue
      const reply = await step(api, manager, edition.path, next)
      expect([outcome(reply), reply.body.status]).toEqual([[200, null], next])
    }
    expect(await phases(edition)).toEqual(
      way.slice(1).map((status, index) => ({
        actor: manager.guid,
        before: { status: way[index] },
        after: expect.objectContaining({ status }),
      })),
    )
    const { publishedAt } = (await api.get(edition.path)).body
    expect(Date.parse(publishedAt)).toBeGreaterThan(Date.now() - 600_000)
    expect((await api.get(`${edition.path}/results`)).status).toBe(200)
  })

  test('nominations need a category, and cancelling a reason', async () => {
    const empty = await makeAwards(api, manager, { types: [], isDraft: true })
    expect(outcome(await step(api, manager, empty.path, 'nominating'))).toEqual([409, 'award.no_categories'])
    const { edition } = await makeReady('nominating')
    expect(outcome(await step(api, manager, edition.path, 'cancelled'))).toEqual([400, 'award.reason_missing'])
    expect(outcome(await step(api, manager, edition.path, 'cancelled', '  '))).toEqual([400, 'award.reason_missing'])
    expect(await statusOf(edition)).toBe('nominating')
  })

  test('voting needs 2 nominees in every category that have not declined, and no more than its shortlist', async () => {
    const edition = await makeAwards(api, manager, { types: ['user', 'other', 'other'] })
    const [users, many, right] = edition.categories
    const category = (guid: string | undefined) => `${edition.path}/categories/${guid}`
    await makeNominees(api, manager, edition, ['A', 'B', 'C'], 1)
    await makeNominees(api, manager, edition, ['A', 'B'], 2)
    await api.patch(category(many), manager, { shortlistSize: 2 })
    const star = await api.user()
    const { guid } = (await api.post(`${category(users)}/nominees`, manager, { label: 'Star', target: star.guid })).body
    await makeNominees(api, manager, edition, ['B'])
    await step(api, manager, edition.path, 'shortlisting')
    await api.post(`/awards/nominees/${guid}/decline`, star)
    const reply = await step(api, manager, edition.path, 'voting')
    expect(outcome(reply)).toEqual([409, 'award.shortlists_open'])
    expect(reply.body.categories).toEqual([
      { guid: users, name: 'Best user', shortlistSize: 10, nominees: 1 },
      { guid: many, name: 'Best other', shortlistSize: 2, nominees: 3 },
    ])
    expect(reply.body.message).toContain('“Best user” has 1 of 2 to 10')
    await api.patch(category(many), manager, { shortlistSize: 3 })
    await makeNominees(api, manager, edition, ['C'])
    expect(outcome(await step(api, manager, edition.path, 'voting'))).toEqual([200, null])
    expect(right).toBeDefined()
  })

  test('of many who ask for the same step at once, on two processes, one takes it', async () => {
    const { edition, nominees } = await makeReady('voting')
    await cast(edition, user, nominees[0])
    for (const status of ['counting', 'published']) {
      const replies = await Promise.all(
        [api, second, api, second, api].map((one) => step(one, manager, edition.path, status)),
      )
      expect(replies.map(outcome).toSorted()).toEqual([
        [200, null],
        ...Array.from({ length: 4 }, () => [409, 'award.step_illegal']),
      ])
    }
    expect((await phases(edition)).map(({ after }) => after.status)).toEqual([
      'nominating',
      'shortlisting',
      'voting',
      'counting',
      'published',
    ])
  })

  test.each(['nominating', 'shortlisting', 'voting', 'counting'] as const)(
    'what is %s is cancelled, and its votes are gone',
    async (status) => {
      const { edition, nominees } = await makeReady(status === 'counting' ? 'voting' : status)
      if (status === 'voting' || status === 'counting') {
        expect(outcome(await cast(edition, user, nominees[0]))).toEqual([200, null])
      }
      if (status === 'counting') await step(api, manager, edition.path, 'counting')
      expect((await api.get(edition.path)).status).toBe(200)
      expect((await step(api, manager, edition.path, 'cancelled', 'Too little.')).body).toMatchObject({
        status: 'cancelled',
        cancelReason: 'Too little.',
      })
      const votes = await api.sql(
        'select 1 from award_votes v join award_categories c on c.guid = v.category_guid where c.edition_guid = $1',
        [edition.guid],
      )
      const ballots = await api.sql(
        'select 1 from award_ballots b join award_categories c on c.guid = b.category_guid where c.edition_guid = $1',
        [edition.guid],
      )
      expect([votes, ballots]).toEqual([[], []])
      expect((await phases(edition)).at(-1)?.after).toEqual({ status: 'cancelled', reason: 'Too little.' })
      for (const address of [edition.path, `${edition.path}/nominees.csv`]) {
        expect(outcome(await api.get(address))).toEqual([404, 'award.unknown'])
      }
    },
  )
})

describe('by the clock', () => {
  const dates: Record<string, string> = {
    nominating: 'nominations_open_at',
    shortlisting: 'nominations_close_at',
    voting: 'voting_opens_at',
    counting: 'voting_closes_at',
    published: 'publish_at',
  }

  test('each phase comes at its date, once, with two processes looking', async () => {
    const edition = await makeAwards(api, manager, { types: ['other'], isDraft: true })
    for (const [status, date] of Object.entries(dates)) {
      await bringForward(api, edition, date)
      await becomes(edition, status)
      if (status === 'nominating') await makeNominees(api, manager, edition, ['One', 'Two'])
    }
    expect(await phases(edition)).toMatchObject(
      Object.keys(dates).map((status) => ({ actor: null, after: { status } })),
    )
    const told = await api.sql(`select 1 from event_log where subject = $1 and type = 'award.published'`, [
      edition.guid,
    ])
    expect(told).toHaveLength(1)
  })

  test('many at once come to one phase each, and those far behind to the phase that is due', async () => {
    const editions = await Promise.all(
      Array.from({ length: 8 }, () => makeAwards(api, manager, { types: ['other'], isDraft: true })),
    )
    await api.sql(
      `update award_editions set nominations_open_at = now() - interval '2 days', nominations_close_at = now() - interval '1 day' where guid = any($1)`,
      [editions.map(({ guid }) => guid)],
    )
    for (const edition of editions) {
      await becomes(edition, 'shortlisting')
      expect((await phases(edition)).map(({ after }) => after.status)).toEqual(['nominating', 'shortlisting'])
    }
  })

  test('nominations wait for a category', async () => {
    const empty = await makeAwards(api, manager, { types: [], isDraft: true })
    const witness = await makeAwards(api, manager, { types: ['other'], isDraft: true })
    for (const edition of [empty, witness]) await bringForward(api, edition, 'nominations_open_at')
    await becomes(witness, 'nominating')
    expect(await statusOf(empty)).toBe('draft')
    await api.post(`${empty.path}/categories`, manager, { name: 'Best', nomineeType: 'user' })
    await becomes(empty, 'nominating')
  })

  test('voting waits for its shortlists, and every manager is told once', async () => {
    const others = [await api.user({ globalRoles: ['role:owner'] }), await api.user({ globalRoles: ['role:dev'] })]
    const banned = await api.user({ globalRoles: ['global:badges:manage'] })
    await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    const edition = await makeAwards(api, manager, { types: ['other', 'user'], changes: { title: 'The awards' } })
    await makeNominees(api, manager, edition, ['One', 'Two'])
    await step(api, manager, edition.path, 'shortlisting')
    await bringForward(api, edition, 'voting_opens_at')
    const told = (who: Caller) =>
      api.sql<{ title: string; body: string; data: object }>(
        `select title, body, data from notifications where user_guid = $1 and type = 'award.voting_waits' and data ->> 'editionGuid' = $2`,
        [who.guid, edition.guid],
      )
    await until(async () => (await told(manager)).length > 0)
    // Meanwhile both processes continue their due work, as this second edition shows.
    const witness = await makeReady('shortlisting')
    await bringForward(api, witness.edition, 'voting_opens_at')
    await becomes(witness.edition, 'voting')
    for (const who of [manager, ...others]) {
      expect(await told(who)).toEqual([
        {
          title: 'Voting for The awards cannot open',
          body: expect.stringContaining('“Best user”'),
          data: { editionGuid: edition.guid },
        },
      ])
    }
    expect((await told(manager))[0]?.body).not.toContain('“Best other”')
    for (const who of [user, banned]) expect(await told(who)).toEqual([])
    expect(await statusOf(edition)).toBe('shortlisting')
    await makeNominees(api, manager, edition, ['One', 'Two'], 1)
    await becomes(edition, 'voting')
    expect(await told(manager)).toHaveLength(1)
  })

  test('a tie for the first place begins a runoff where the rules ask for one, whose end is the end of voting', async () => {
    const { edition, nominees } = await makeReady('voting', { tie: 'runoff' })
    const [one, other, third] = [await api.user(), await api.user(), await api.user()]
    await cast(edition, one, nominees[0])
    await cast(edition, other, nominees[1])
    await step(api, manager, edition.path, 'counting')
    expect(outcome(await step(api, manager, edition.path, 'published'))).toEqual([409, 'award.runoff_due'])
    await bringForward(api, edition, 'publish_at')
    await becomes(edition, 'voting')
    const shown = (await api.get(edition.path, user)).body
    expect(shown.runoff.categories).toEqual(edition.categories)
    expect(Date.parse(shown.runoff.closesAt)).toBeGreaterThan(Date.now() + 71 * 3_600_000)
    expect(shown.categories[0].runoff.toSorted()).toEqual(nominees.toSorted())
    expect((await phases(edition)).at(-1)).toMatchObject({
      actor: null,
      after: { status: 'voting', runoffCategories: edition.categories },
    })
    const later = new Date(Date.now() + 1e9).toISOString()
    const change = { votingClosesAt: later, publishAt: null, expectedUpdatedAt: shown.updatedAt }
    expect(outcome(await api.patch(edition.path, manager, change))).toEqual([409, 'award.date_passed'])
    expect(outcome(await cast(edition, third, nominees[1]))).toEqual([200, null])
    expect((await api.get(edition.path, third)).body.voted).toEqual(edition.categories)
    // The user's votes of the first round do not count in the runoff.
    expect((await api.get(edition.path, one)).body.voted).toEqual([])
    await bringForward(api, edition, 'runoff_closes_at')
    await becomes(edition, 'published')
    expect((await phases(edition)).map(({ after }) => after.status)).toEqual([
      ...['nominating', 'shortlisting', 'voting', 'counting', 'voting', 'counting', 'published'],
    ])
    const { categories, runoff } = (await api.get(edition.path)).body
    expect(runoff).toBeNull()
    const winners = categories[0].nominees.filter(({ result }: { result: { winner: boolean } }) => result.winner)
    expect(winners.map(({ guid }: { guid: string }) => guid)).toEqual([nominees[1]])
  })
})

test('how many have voted is told to managers alone, by the hour', async () => {
  const { edition, nominees } = await makeReady('voting')
  const turnout = async () => (await api.get(`/admin${edition.path}/turnout`, manager)).body
  await cast(edition, user, nominees[0])
  const before = await api.get(edition.path)
  expect(await turnout()).toMatchObject({ voters: 0, countedAt: null, groups: null })
  await api.sql(`select graphile_worker.add_job('awards.countTurnout', '{}'::json)`)
  await until(async () => (await turnout()).countedAt !== null)
  expect(await turnout()).toMatchObject({ voters: 1, groups: null })
  // Nothing that other readers see has changed.
  const after = await api.get(edition.path)
  expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')])
})
