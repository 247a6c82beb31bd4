import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeEdition, makeVotedEdition, managerOf, step, vote } from '../../../../test/award-votes.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/** Voting, over HTTP. (A1, A2, A5, A9, A13; awards: Details, 4) */

let api: Harness
let edition: MadeEdition
let voter: Caller
let manager: Caller

beforeAll(async () => {
  api = await startHarness()
  edition = await makeVotedEdition(api, { categories: [{}, {}] })
  voter = await api.user()
  manager = await managerOf(api)
})

afterAll(() => api?.[Symbol.asyncDispose]())

const votesOf = (guid: string) =>
  api.sql<{ nominee_guid: string; changes: number; round: number }>(
    `select nominee_guid, changes, round from award_votes where user_guid = $1 order by cast_at`,
    [guid],
  )
const eventsOf = (guid: string) =>
  api.sql('select type, subject, before, after, touches from event_log where actor = $1 order by seq', [guid])

test('one vote stands for each category; it is changed, taken back, and shown to its voter alone', async () => {
  const [first, second] = edition.categories
  const own = () => api.get(`${edition.path}/votes/@me`, voter)
  const cast = await vote(api, edition, first, voter, 0)
  expect([cast.status, cast.body]).toEqual([
    200,
    { categoryGuid: first.guid, nomineeGuid: first.nominees[0], castAt: cast.body.castAt },
  ])
  expect(cast.headers.get('cache-control')).toBe('private, no-store')
  const changed = await vote(api, edition, first, voter, 1)
  if (second === undefined) throw new Error('there are two')
  expect((await vote(api, edition, second, voter, 2)).status).toBe(200)
  expect(await votesOf(voter.guid)).toEqual([
    { nominee_guid: first.nominees[1], changes: 1, round: 1 },
    { nominee_guid: second.nominees[2], changes: 0, round: 1 },
  ])
  expect((await own()).body.votes).toMatchObject([
    { categoryGuid: first.guid, nomineeGuid: first.nominees[1], castAt: changed.body.castAt, isVoid: false },
    { categoryGuid: second.guid, nomineeGuid: second.nominees[2] },
  ])
  const back = () => api.delete(`${edition.path}/categories/${second.guid}/vote`, voter)
  expect([(await back()).status, (await back()).status]).toEqual([204, 204])
  expect((await own()).body.votes).toHaveLength(1)
  expect(await eventsOf(voter.guid)).toEqual([
    { type: 'award.voted', subject: null, before: null, after: { edition: edition.guid }, touches: [] },
  ])
  expect((await api.get(`${edition.path}/votes/@me`, manager)).body).toEqual({ votes: [] })
})

test('a vote is refused where there is nothing to vote for, or nobody to vote', async () => {
  const [first, second] = edition.categories
  const path = `${edition.path}/categories/${first.guid}/vote`
  const wrong = { nomineeGuid: second?.nominees[0] }
  expect(outcome(await api.put(path, voter, wrong))).toEqual([404, 'award.nominee_unknown'])
  expect(outcome(await api.put(path, voter, { nomineeGuid: edition.guid }))).toEqual([404, 'award.nominee_unknown'])
  expect(outcome(await api.put(path, voter, { nomineeGuid: 'x' }))[0]).toBe(400)
  expect(outcome(await api.put(path, null, wrong))[0]).toBe(401)
  const elsewhere = `${edition.path}/categories/${edition.guid}/vote`
  expect(outcome(await api.put(elsewhere, voter, wrong))).toEqual([404, 'award.category_unknown'])
  expect(await votesOf(voter.guid)).toHaveLength(1)
})

test('a nominee who has declined cannot be chosen, and a vote for them is void, and told to be', async () => {
  const declining = await makeVotedEdition(api)
  const [own] = declining.categories
  const [user, other] = [await api.user(), await api.user()]
  await vote(api, declining, own, user, 0)
  await api.sql('update award_nominees set declined_at = now() where guid = $1', [own.nominees[0]])
  expect(outcome(await vote(api, declining, own, other, 0))).toEqual([409, 'award.nominee_declined'])
  expect((await api.get(`${declining.path}/votes/@me`, user)).body.votes).toMatchObject([{ isVoid: true }])
  await vote(api, declining, own, other, 1)
  await step(api, declining, 'counting')
  const ballots = await api.sql('select nominee_guid from award_ballots where category_guid = $1', [own.guid])
  expect(ballots).toEqual([{ nominee_guid: own.nominees[1] }])
  const rolled = await api.sql<{ user_guid: string }>('select user_guid from award_roll where category_guid = $1', [
    ...[own.guid],
  ])
  expect(rolled.map((row) => row.user_guid).sort()).toEqual([user.guid, other.guid].sort())
  await step(api, declining, 'published')
  const { body } = await api.get(`${declining.path}/results`)
  expect(body.excluded).toEqual({ votes: 1, byReason: { nominee_declined: 1 } })
  expect(body.categories[0].nominees).toHaveLength(2)
})

test.each(['nominating', 'shortlisting', 'counting', 'published'] as const)('nobody votes while %s', async (status) => {
  const closed = await makeVotedEdition(api, { status })
  const [category] = closed.categories
  const path = `${closed.path}/categories/${category.guid}/vote`
  expect(outcome(await vote(api, closed, category, voter, 0))).toEqual([409, 'award.voting_closed'])
  expect(outcome(await api.delete(path, voter))).toEqual([409, 'award.voting_closed'])
})

test('who may not vote is told of everything that stands against it', async () => {
  const strict = await makeVotedEdition(api, {
    rules: { accountBefore: '2021-01-01T00:00:00.000Z', link: 'either', minTournamentsPlayed: 2 },
  })
  const [category] = strict.categories
  const user = await api.user()
  const refused = await vote(api, strict, category, user, 0)
  expect(outcome(refused)).toEqual([403, 'award.not_eligible'])
  expect(refused.body.failures.map(({ code }: { code: string }) => code)).toEqual([
    ...['account_too_new', 'link_missing', 'too_few_tournaments'],
  ])
  expect(refused.body.failures.every(({ message }: { message: string }) => message.length > 20)).toBe(true)
  expect(await votesOf(user.guid)).toEqual([])
  expect(await eventsOf(user.guid)).toEqual([])
})

test('300 votes an hour are taken of a user, whatever they come to, and of each by themselves', async () => {
  await using limited = await startHarness({ rateLimits: true })
  const own = await makeVotedEdition(limited)
  const [user, other] = [await limited.user(), await limited.user()]
  const [category] = own.categories
  const path = `${own.path}/categories/${category.guid}/vote`
  for (let left = 300; left > 0; left -= 50) {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        return index % 2 === 0 ? vote(limited, own, category, user, index % 3) : limited.delete(path, user)
      }),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 204]))
  }
  const refused = await vote(limited, own, category, user, 0)
  expect(outcome(refused)).toEqual([429, 'request.limited'])
  expect(refused.headers.get('ratelimit-policy')).toBe('"award-vote";q=300;w=3600')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  expect((await limited.delete(path, user)).status).toBe(429)
  expect((await vote(limited, own, category, other, 0)).status).toBe(200)
})
