import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeVotedEdition, managerOf, step, tryStep, vote } from '../../../../test/award-votes.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { messagesOf } from '../../../../test/notifications.ts'

/** Concurrent votes, closings and publications on two processes. (A1, A6, A12; awards: How it is tested, 2) */

let api: Harness
let other: Harness

beforeAll(async () => {
  api = await startHarness()
  other = await api.sibling()
})

afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const both = (index: number) => (index % 2 === 0 ? api : other)

test('200 changes of one vote at once leave one row, which is the one that was answered last', async () => {
  const edition = await makeVotedEdition(api, { categories: [{ nominees: 20 }] })
  const [category] = edition.categories
  const user = await api.user()
  const sent = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      // Some requests begin after others were answered.
      await new Promise((resolve) => setTimeout(resolve, (index % 10) * 20))
      const from = performance.now()
      const reply = await vote(both(index), edition, category, user, index % 20)
      return {
        from,
        until: performance.now(),
        status: reply.status,
        nominee: reply.body.nomineeGuid,
        at: reply.body.castAt,
      }
    }),
  )
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]))
  const rows = await api.sql<{ nominee_guid: string; cast_at: Date; changes: number }>(
    'select nominee_guid, cast_at, changes from award_votes where user_guid = $1',
    [user.guid],
  )
  expect(rows).toMatchObject([{ changes: 199 }])
  const [row] = rows
  // The stored vote belongs to a request that ended after the last request began.
  const lastBegun = Math.max(...sent.map(({ from }) => from))
  const standing = sent.filter(({ nominee, at }) => nominee === row?.nominee_guid && at === row?.cast_at.toISOString())
  expect(standing.some(({ until }) => until >= lastBegun)).toBe(true)
  const shown = (await api.get(`${edition.path}/votes/@me`, user)).body.votes
  expect(shown).toMatchObject([{ nomineeGuid: row?.nominee_guid, castAt: row?.cast_at.toISOString() }])
  // A vote after all of them is stored too.
  await vote(other, edition, category, user, 7)
  expect((await api.get(`${edition.path}/votes/@me`, user)).body.votes).toMatchObject([
    { nomineeGuid: category.nominees[7] },
  ])
  const voted = await api.sql(`select from event_log where type = 'award.voted' and actor = $1`, [user.guid])
  expect(voted).toHaveLength(1)
})

test('votes and taking them back at once leave one vote, or none', async () => {
  const edition = await makeVotedEdition(api)
  const [category] = edition.categories
  const user = await api.user()
  const path = `${edition.path}/categories/${category.guid}/vote`
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0 ? both(index).delete(path, user) : vote(both(index), edition, category, user, index % 3),
    ),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 204]))
  const rows = await api.sql('select from award_votes where user_guid = $1', [user.guid])
  expect(rows.length).toBeLessThanOrEqual(1)
})

test('across the closing every vote is counted or refused, on two processes', async () => {
  const edition = await makeVotedEdition(api)
  const [category] = edition.categories
  const voters: Caller[] = []
  for (let left = 500; left > 0; left -= 50) {
    voters.push(...(await Promise.all(Array.from({ length: 50 }, () => api.user()))))
  }
  let answered = 0
  const closing = Promise.withResolvers<void>()
  const replies = await Promise.all(
    voters.map(async (voter, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 4))
      // The last requests come after the closing, which itself happens during the others.
      if (index >= 450) await closing.promise
      const reply = await vote(both(index), edition, category, voter, index % 3)
      answered += 1
      if (answered === 150) step(other, edition, 'counting').then(closing.resolve, closing.reject)
      return reply
    }),
  )
  const taken = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status !== 200)
  expect(taken.length).toBeGreaterThanOrEqual(150)
  expect(refused.length).toBeGreaterThanOrEqual(50)
  for (const reply of refused) expect(outcome(reply)).toEqual([409, 'award.voting_closed'])
  const counts = await api.sql<{ nominee_guid: string; count: number }>(
    'select nominee_guid, count(*)::int from award_ballots where category_guid = $1 group by 1',
    [category.guid],
  )
  for (const nominee of category.nominees) {
    const chosen = taken.filter(({ body }) => body.nomineeGuid === nominee).length
    expect(counts.find(({ nominee_guid }) => nominee_guid === nominee)?.count ?? 0).toBe(chosen)
  }
  const rolled = await api.sql('select from award_roll where category_guid = $1', [category.guid])
  expect(rolled).toHaveLength(taken.length)
})

test('whoever closes does not wait for voters who come one behind the other', async () => {
  const edition = await makeVotedEdition(api)
  const [category] = edition.categories
  const voters = await Promise.all(Array.from({ length: 12 }, () => api.user()))
  let isOver = false
  const storms = voters.map(async (voter, index) => {
    for (let turn = 0; !isOver; turn++) {
      const { status } = await vote(both(index), edition, category, voter, turn % 3)
      if (status !== 200) return status
    }
    return 0
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  await step(api, edition, 'counting')
  expect(new Set(await Promise.all(storms))).toEqual(new Set([409]))
  isOver = true
  const ballots = await api.sql('select from award_ballots where category_guid = $1', [category.guid])
  expect(ballots).toHaveLength(12)
})

test('publishing many times at once gives badges, messages and the event once', async () => {
  const winner = await api.user()
  const badge = randomUUID()
  await api.sql(
    `insert into badges (guid, name, description, kind, media_guid, image_url) values ($1, 'Best', '', 'award', $2, 'https://cdn.example.org/b.png')`,
    [badge, randomUUID()],
  )
  const edition = await makeVotedEdition(api, {
    categories: [{ type: 'user', badge, nominees: [{ target: winner.guid }, {}] }],
  })
  await vote(api, edition, edition.categories[0], await api.user(), 0)
  await step(api, edition, 'counting')
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) => tryStep(both(index), edition, 'published')),
  )
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  expect(await api.sql('select from badge_grants where badge_guid = $1', [badge])).toHaveLength(1)
  expect((await messagesOf(api, winner)).map(({ type }) => type)).toEqual(['award.won'])
  const published = await api.sql(`select from event_log where type = 'award.published' and subject = $1`, [
    edition.guid,
  ])
  expect(published).toHaveLength(1)
})

test('exclusions at once, and a publication beside them, leave ballots that agree with the votes', async () => {
  const edition = await makeVotedEdition(api)
  const manager = await managerOf(api)
  const voters = await Promise.all(Array.from({ length: 8 }, () => api.user()))
  await Promise.all(voters.map((voter, index) => vote(both(index), edition, edition.categories[0], voter, index % 3)))
  await step(api, edition, 'counting')
  const replies = await Promise.all(
    voters
      .map((voter, index) => {
        const body = { user: voter.guid, reason: 'One of many.' }
        return both(index).post(`${edition.admin}/exclusions`, manager, body)
      })
      .concat(step(other, edition, 'published') as never),
  )
  const made = replies.slice(0, 8).filter(({ status }) => status === 201).length
  const { body } = await api.get(`${edition.path}/results`)
  expect(body).toMatchObject({ voters: 8 - made, excluded: { votes: made } })
  const recount = await api.post(`${edition.path}/recount`, manager, {})
  expect(recount.body).toMatchObject({ agrees: true, differences: [] })
})
