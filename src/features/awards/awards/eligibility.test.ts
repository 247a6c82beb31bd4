import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeEdition, makeVotedEdition, step, vote } from '../../../../test/award-votes.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import type { EditionRules, Failure } from './types.ts'

/** Who may vote, checked at the vote and again at the closing. (A2, A6; D48, D50) */

let api: Harness
let tournaments: string[]

beforeAll(async () => {
  api = await startHarness()
  const organiser = await api.user()
  const made = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
  tournaments = made.map(({ guid }) => guid)
  for (const guid of tournaments) {
    await api.sql(
      `insert into listings (platform_guid, tournament_guid, status, sort_at) select guid, $1, 'approved', now() from platforms limit 1
       on conflict do nothing`,
      [guid],
    )
  }
})

afterAll(() => api?.[Symbol.asyncDispose]())

const rules: Partial<EditionRules> = {
  accountBefore: '2026-01-01T00:00:00.000Z',
  link: 'ranking-a',
  linkBefore: '2026-02-01T00:00:00.000Z',
  minTournamentsPlayed: 2,
}

let accounts = 0

/** Makes a user who passes all checks. */
async function makeGood(): Promise<Caller> {
  const user = await api.user()
  await api.sql(`update users set created_at = '2025-12-31T23:59:59.999Z' where guid = $1`, [user.guid])
  await api.sql(
    `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', $2, '2026-01-31T23:59:59.999Z')`,
    [user.guid, `7656119800000${1000 + ++accounts}`],
  )
  for (const guid of tournaments) {
    await api.sql('insert into appearances (user_guid, tournament_guid) values ($1, $2)', [user.guid, guid])
  }
  return user
}

/** Statements that make exactly one check fail. */
const spoil: Readonly<Record<Failure, readonly string[]>> = {
  banned: [`update users set banned_at = now() where guid = $1`],
  bot: [`update users set is_bot = true where guid = $1`],
  account_too_new: [`update users set created_at = '2026-01-01T00:00:00.000Z' where guid = $1`],
  link_missing: [
    `update identities set verified_at = null where user_guid = $1`,
    `update identities set platform = 'ranking-b' where user_guid = $1`,
    `delete from identities where user_guid = $1`,
  ],
  link_too_new: [`update identities set verified_at = '2026-02-01T00:00:00.000Z' where user_guid = $1`],
  too_few_tournaments: [
    `delete from appearances where tournament_guid = (select tournament_guid from appearances where user_guid = $1 limit 1) and user_guid = $1`,
  ],
}

type Case = readonly [title: string, failures: readonly Failure[], statements: readonly string[]]
const alone = Object.entries(spoil).flatMap(([failure, statements]) =>
  statements.map((statement, index): Case => [`${failure} ${index + 1}`, [failure as Failure], [statement]]),
)
/** A link cannot be both missing and too new. */
const together: Case = [
  'all together',
  ['banned', 'bot', 'account_too_new', 'link_missing', 'too_few_tournaments'],
  Object.entries(spoil).flatMap(([failure, [statement]]) =>
    failure === 'link_too_new' || statement === undefined ? [] : [statement],
  ),
]
const cases: readonly Case[] = [...alone, together]
/** A banned user's token is refused, so that user cannot even ask. */
const withToken = cases.filter(([, failures]) => !failures.includes('banned'))

const ballotsOf = async ({ categories: [{ guid }] }: MadeEdition) =>
  (await api.sql('select number from award_ballots where category_guid = $1', [guid])).length

describe('while voting', () => {
  test.each(withToken)('%s: refused, and nothing is kept', async (_, failures, statements) => {
    const edition = await makeVotedEdition(api, { rules })
    const user = await makeGood()
    for (const statement of statements) await api.sql(statement, [user.guid])
    const refused = await vote(api, edition, edition.categories[0], user, 0)
    expect(outcome(refused)).toEqual([403, 'award.not_eligible'])
    expect(refused.body.failures.map(({ code }: { code: Failure }) => code)).toEqual(failures)
    expect(await api.sql('select from award_votes where user_guid = $1', [user.guid])).toEqual([])
    expect(await api.sql('select from award_voters where user_guid = $1', [user.guid])).toEqual([])
  })

  test('whoever is banned is turned away by their token', async () => {
    const edition = await makeVotedEdition(api, { rules })
    const user = await makeGood()
    const admin = await api.user({ globalRoles: ['role:owner'] })
    expect((await vote(api, edition, edition.categories[0], user, 0)).status).toBe(200)
    expect(
      (await api.patch(`/admin/users/${user.guid}`, admin, { banned: true, banReason: 'Spam.' })).status,
    ).toBeLessThan(300)
    expect((await vote(api, edition, edition.categories[0], user, 1)).status).toBe(401)
  })
})

test('at the closing everybody is judged again: one edition, all cases at once', async () => {
  const edition = await makeVotedEdition(api, { rules })
  const [category] = edition.categories
  const voters = new Map<string, { user: Caller; failures: readonly Failure[] }>()
  for (const [title, failures, statements] of cases) {
    const user = await makeGood()
    expect((await vote(api, edition, category, user, 0)).status, title).toBe(200)
    for (const statement of statements) await api.sql(statement, [user.guid])
    voters.set(user.guid, { user, failures })
  }
  for (let left = 3; left > 0; left--) {
    const user = await makeGood()
    expect((await vote(api, edition, category, user, 1)).status).toBe(200)
    voters.set(user.guid, { user, failures: [] })
  }
  await step(api, edition, 'counting')
  const judged = await api.sql<{ user_guid: string; failures: Failure[] }>(
    'select user_guid, failures from award_votes where category_guid = $1',
    [category.guid],
  )
  expect(judged).toHaveLength(cases.length + 3)
  for (const { user_guid, failures } of judged) expect(failures).toEqual(voters.get(user_guid)?.failures)
  expect(await ballotsOf(edition)).toBe(3)
  await step(api, edition, 'published')
  const { body } = await api.get(`${edition.path}/results`)
  expect(body.voters).toBe(3)
  expect(body.excluded).toEqual({
    votes: cases.length,
    // Each vote is counted once, by its first failed check.
    byReason: { banned: 2, bot: 1, account_too_new: 1, link_missing: 3, link_too_new: 1, too_few_tournaments: 1 },
  })
  expect(body.categories[0].nominees[0]).toMatchObject({ guid: category.nominees[1], result: { votes: 3, share: 1 } })
})

test('what was spoilt and is good again by the closing counts', async () => {
  const edition = await makeVotedEdition(api, { rules })
  const user = await makeGood()
  await vote(api, edition, edition.categories[0], user, 0)
  await api.sql('update users set banned_at = now() where guid = $1', [user.guid])
  await api.sql('update users set banned_at = null where guid = $1', [user.guid])
  await step(api, edition, 'counting')
  expect(await ballotsOf(edition)).toBe(1)
})

test.each([
  ['either', 'ranking-b', true],
  ['ranking-b', 'ranking-b', true],
  ['ranking-a', 'ranking-b', false],
  ['none', null, true],
  ['either', 'streaming', false],
] as const)('a link to %s is asked for, and there is one to %s: %s', async (link, platform, mayVote) => {
  const edition = await makeVotedEdition(api, { rules: { ...rules, link } })
  const user = await makeGood()
  if (platform === null) await api.sql('delete from identities where user_guid = $1', [user.guid])
  else await api.sql('update identities set platform = $2 where user_guid = $1', [user.guid, platform])
  expect((await vote(api, edition, edition.categories[0], user, 0)).status).toBe(mayVote ? 200 : 403)
})
