import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Awards, makeAwards, makeNominees, step } from '../../../../test/awards.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { until } from '../../../../test/waiting.ts'

/** What happens to awards' data when an account is exported or deleted. (A5, A6, A13) */

let api: Harness
let second: Harness
let manager: Caller
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const vote = (edition: Awards, as: Caller, nomineeGuid: string | undefined, service = api) =>
  service.put(`${edition.path}/categories/${edition.categories[0]}/vote`, as, { nomineeGuid })
const exported = async (as: Caller) => (await api.get('/users/@me/export', as)).body.held
const votesIn = ({ guid }: Awards) =>
  api.sql<{ user: string | null; nominee: string; failures: string[] | null }>(
    `select v.user_guid as "user", v.nominee_guid as nominee, v.failures from award_votes v join award_categories c on c.guid = v.category_guid
     where c.edition_guid = $1 order by v.cast_at`,
    [guid],
  )
const ballotsIn = async ({ guid }: Awards) =>
  (
    await api.sql(
      `select 1 from award_ballots b join award_categories c on c.guid = b.category_guid where c.edition_guid = $1`,
      [guid],
    )
  ).length

async function makeVoted() {
  const edition = await makeAwards(api, manager, { types: ['other'] })
  const nominees = await makeNominees(api, manager, edition, ['One', 'Two'])
  await step(api, manager, edition.path, 'shortlisting')
  await step(api, manager, edition.path, 'voting')
  return { edition, nominees }
}

test('votes go with their account before the closing, and stay without it behind', async () => {
  const { edition, nominees } = await makeVoted()
  const [before, behind] = [await api.user(), await api.user()]
  for (const who of [before, behind]) expect(outcome(await vote(edition, who, nominees[0]))).toEqual([200, null])
  const [record] = (await exported(before)).awardVotes.records
  expect(record).toMatchObject({ categoryGuid: edition.categories[0], nomineeGuid: nominees[0], round: 1, changes: 0 })
  expect((await api.delete('/users/@me', before)).status).toBeLessThan(300)
  expect(await votesIn(edition)).toEqual([{ user: behind.guid, nominee: nominees[0], failures: null }])
  await step(api, manager, edition.path, 'counting')
  expect((await exported(behind)).awardVotes.records).toHaveLength(1)
  expect((await exported(behind)).awardRoll.records).toEqual([{ categoryGuid: edition.categories[0] }])
  expect((await api.delete('/users/@me', behind)).status).toBeLessThan(300)
  expect(await votesIn(edition)).toEqual([{ user: null, nominee: nominees[0], failures: [] }])
  expect(await ballotsIn(edition)).toBe(1)
  await step(api, manager, edition.path, 'published')
  const { nominees: shown } = (await api.get(edition.path)).body.categories[0]
  expect(shown.find(({ guid }: { guid: string }) => guid === nominees[0]).result).toEqual({
    place: 1,
    votes: 1,
    share: 1,
    winner: true,
  })
})

test('who leaves behind the closing is still one voter, by a mark that nothing else has', async () => {
  const edition = await makeAwards(api, manager, { types: ['other', 'other'] })
  const nominees = await makeNominees(api, manager, edition, ['One', 'Two'])
  const others = await makeNominees(api, manager, { ...edition, categories: edition.categories.slice(1) }, ['A', 'B'])
  await step(api, manager, edition.path, 'shortlisting')
  await step(api, manager, edition.path, 'voting')
  const voters = await Promise.all(Array.from({ length: 4 }, () => api.user()))
  const [leaving, also, excluded, left] = voters as [Caller, Caller, Caller, Caller]
  for (const who of voters) expect(outcome(await vote(edition, who, nominees[0]))).toEqual([200, null])
  const second = `${edition.path}/categories/${edition.categories[1]}/vote`
  for (const who of [leaving, also]) await api.put(second, who, { nomineeGuid: others[0] })
  await step(api, manager, edition.path, 'counting')
  for (const who of [leaving, also]) expect((await api.delete('/users/@me', who)).status).toBeLessThan(300)
  const exclude = (who: Caller) =>
    api.post(`/admin/awards/${edition.guid}/exclusions`, manager, { user: who.guid, reason: 'A false account.' })
  expect((await exclude(excluded)).status).toBe(201)
  expect((await exclude(left)).status).toBe(201)
  expect((await api.delete('/users/@me', left)).status).toBeLessThan(300)
  const marks = await api.sql<{ departed: string; votes: number }>(
    `select v.departed, count(*)::int as votes from award_votes v join award_categories c on c.guid = v.category_guid
     where c.edition_guid = $1 and v.user_guid is null group by 1 order by 2`,
    [edition.guid],
  )
  expect(marks.map(({ votes }) => votes)).toEqual([1, 2, 2])
  const gone = [leaving.guid, also.guid, left.guid]
  for (const { departed } of marks) expect(gone).not.toContain(departed)
  await step(api, manager, edition.path, 'published')
  const { body } = await api.get(`${edition.path}/results`)
  expect(body).toMatchObject({ voters: 2, excluded: { votes: 2, byReason: { manager: 2 } } })
})

test('given up while voting closes, an account’s vote is gone or counted, and nothing between', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { edition, nominees } = await makeVoted()
    const voters = await Promise.all(Array.from({ length: 6 }, () => api.user()))
    for (const who of voters) await vote(edition, who, nominees[0])
    const leaving = voters.map((who, index) => (index % 2 === 0 ? api : second).delete('/users/@me', who))
    const [closed, ...left] = await Promise.all([step(second, manager, edition.path, 'counting'), ...leaving])
    expect([closed?.status, ...left.map(({ status }) => status < 300)]).toEqual([200, ...voters.map(() => true)])
    const votes = await votesIn(edition)
    expect(votes).toHaveLength(await ballotsIn(edition))
    for (const one of votes) expect(one).toMatchObject({ user: null, failures: [] })
  }
})

test('nominations are let in or refused while they close, and none is lost', async () => {
  const edition = await makeAwards(api, manager, {
    types: ['other'],
    changes: { rules: { nominationsPerCategory: 10 } },
  })
  const users = await Promise.all(Array.from({ length: 12 }, () => api.user()))
  const address = `${edition.path}/categories/${edition.categories[0]}/nominations`
  const sending = users.flatMap((who, index) =>
    [0, 1, 2].map((number) => [api, second][(index + number) % 2]?.post(address, who, { label: `Number ${number}` })),
  )
  const closing = step(second, manager, edition.path, 'shortlisting')
  const [closed, ...sent] = await Promise.all([closing, ...sending])
  expect(closed?.status).toBe(200)
  const taken = sent.filter((reply) => reply?.status === 201)
  for (const reply of sent.filter((one) => one?.status !== 201))
    expect(reply && outcome(reply)).toEqual([409, 'award.phase_wrong'])
  const all: unknown[] = []
  for (let before = ''; ; ) {
    const { nominations, nextCursor } = (await api.get(`${address}?limit=10${before}`, manager)).body
    all.push(...nominations)
    if (nextCursor === null) break
    before = `&before=${nextCursor}`
  }
  expect(all).toHaveLength(taken.length)
})

test('nothing but the votes joins a user and a choice, also when somebody declines', async () => {
  const star = await api.user()
  const edition = await makeAwards(api, manager, { types: ['user'] })
  const nominees = `${edition.path}/categories/${edition.categories[0]}/nominees`
  const { guid } = (await api.post(nominees, manager, { label: 'Star', target: star.guid })).body
  const others = await makeNominees(api, manager, edition, ['One', 'Two'])
  await step(api, manager, edition.path, 'shortlisting')
  await step(api, manager, edition.path, 'voting')
  const voters = await Promise.all(Array.from({ length: 4 }, () => api.user()))
  for (const [index, who] of voters.entries()) await vote(edition, who, [guid, others[0]][index % 2])
  await api.post(`/awards/nominees/${guid}/decline`, star, undefined)
  await step(api, manager, edition.path, 'counting')
  await until(async () => (await api.get(edition.path, manager)).body.status === 'counting')
  const tables = await api.sql<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'award_votes'`,
  )
  expect(tables.length).toBeGreaterThan(50)
  for (const who of voters) {
    for (const { name } of tables) {
      const rows = await api.sql(
        `select t::text from ${name} t where t::text like $1 and (t::text like $2 or t::text like $3)`,
        [...[`%${who.guid}%`, `%${guid}%`, `%${others[0]}%`]],
      )
      expect([name, rows]).toEqual([name, []])
    }
  }
  // All who voted in the category get the same notification, whatever they chose.
  const told = await api.sql<{ of: string }>(
    `select count(*)::int || title || body || data::text as of from notifications where type = 'award.nominee_declined' and user_guid = any($1) group by title, body, data::text`,
    [voters.map((who) => who.guid)],
  )
  expect(told).toHaveLength(1)
  expect(told[0]?.of).toMatch(/^4/)
})
