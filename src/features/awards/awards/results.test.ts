import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type MadeCategory,
  type MadeEdition,
  makeVotedEdition,
  managerOf,
  step,
  tryStep,
  vote,
} from '../../../../test/award-votes.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { messagesOf } from '../../../../test/notifications.ts'

/** Counting, publishing, runoffs, exclusions, recounts and the deletion of sealed votes, over HTTP. (A6 to A12) */

let api: Harness
let manager: Caller
let stranger: Caller
let users: Caller[]

beforeAll(async () => {
  api = await startHarness()
  manager = await managerOf(api)
  stranger = await api.user()
  users = await Promise.all(Array.from({ length: 9 }, () => api.user()))
})

afterAll(() => api?.[Symbol.asyncDispose]())

/** Each letter is the choice of the next user. */
async function choose(edition: MadeEdition, category: MadeCategory, choices: string, from = 0) {
  for (const [index, letter] of [...choices].entries()) {
    const reply = await vote(api, edition, category, users[from + index] as Caller, letter.charCodeAt(0) - 97)
    expect(reply.status, reply.text).toBe(200)
  }
}

async function makeBadge(): Promise<string> {
  const guid = randomUUID()
  await api.sql(
    `insert into badges (guid, name, description, kind, media_guid, image_url) values ($1, 'Best', '', 'award', $2, 'https://cdn.example.org/b.png')`,
    [guid, randomUUID()],
  )
  return guid
}

const holdersOf = async (badge: string) =>
  (
    await api.sql<{ user_guid: string }>(
      `select user_guid from badge_grants where badge_guid = $1 and revoked_at is null and source = 'award' order by 1`,
      [badge],
    )
  ).map(({ user_guid }) => user_guid)
const eventsOf = (edition: MadeEdition) =>
  api.sql<{ type: string; before: object | null; after: object | null }>(
    `select type, before, after from event_log where subject = $1 and type <> 'award.phase_changed' order by seq`,
    [edition.guid],
  )
const typesOf = async (user: Caller) => (await messagesOf(api, user)).map(({ type }) => type)
const rows = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')

describe('what is published', () => {
  let edition: MadeEdition
  let badge: string
  let nominated: readonly [Caller, Caller, Caller]

  beforeAll(async () => {
    badge = await makeBadge()
    const [ada, bob, eve] = [await api.user(), await api.user(), await api.user()]
    edition = await makeVotedEdition(api, {
      categories: [
        {
          name: '=Best player',
          type: 'user',
          badge,
          nominees: [{ label: '@ada', target: ada.guid }, { target: bob.guid }, { target: eve.guid }, {}],
        },
        { name: 'Team', type: 'team', badge, nominees: [{ members: [ada.guid, eve.guid] }, {}] },
        { name: 'Nobody voted' },
      ],
    })
    const [player, team] = edition.categories
    await choose(edition, player, 'aaabbcc')
    await choose(edition, team as MadeCategory, 'aab', 3)
    for (const path of ['results', 'results.csv', 'ballots.csv']) {
      for (const as of [null, stranger, manager]) {
        expect(outcome(await api.get(`${edition.path}/${path}`, as))).toEqual([404, 'award.not_published'])
      }
    }
    await step(api, edition, 'counting')
    expect((await api.get(`${edition.path}/results`, manager)).status).toBe(404)
    await step(api, edition, 'published')
    nominated = [ada, bob, eve]
  })

  test('badges for winners and the members of winning teams, who are told', async () => {
    const [ada, bob, eve] = nominated
    expect((await holdersOf(badge)).sort()).toEqual([ada.guid, eve.guid].sort())
    expect(await typesOf(ada)).toEqual(['award.won', 'award.won'])
    expect(await typesOf(eve)).toEqual(['award.won'])
    expect(await typesOf(bob)).toEqual([])
    const published = (await eventsOf(edition)).filter(({ type }) => type === 'award.published')
    expect(published).toEqual([{ type: 'award.published', before: null, after: null }])
  })

  test('places, winners, counts and shares, the best first', async () => {
    const { body, status } = await api.get(`${edition.path}/results`)
    expect(status).toBe(200)
    const places = body.categories.map(({ nominees }: { nominees: { guid: string; result: object }[] }) => nominees)
    expect(places[0].map(({ result }: { result: { place: number } }) => result.place)).toEqual([1, 2, 2, 4])
    expect(places[0][0]).toMatchObject({
      guid: edition.categories[0].nominees[0],
      result: { winner: true, votes: 3, share: 3 / 7, runoff: null },
    })
    expect(places[2].every(({ result }: { result: object }) => 'place' in result)).toBe(true)
    expect(places[2][0].result).toMatchObject({ place: null, winner: false, votes: 0, share: 0 })
    expect(body).toMatchObject({ voters: 7, excluded: { votes: 0, byReason: {} }, corrections: [], runoffDigest: null })
  })

  test('the ballots, which anybody can count and prove', async () => {
    const { text, headers } = await api.get(`${edition.path}/ballots.csv`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [header, ...lines] = rows(text)
    expect(header).toBe('category,nominee')
    expect(lines).toHaveLength(10)
    expect([...lines].sort()).toEqual(lines)
    const { body } = await api.get(`${edition.path}/results`)
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(body.ballotsDigest)
    expect(rows((await api.get(`${edition.path}/ballots.csv?round=2`)).text)).toEqual(['category,nominee'])
  })

  test('the organiser of a tournament that has won is told', async () => {
    const organiser = await api.user()
    const cup = await makeTournament(api, organiser)
    const cups = await makeVotedEdition(api, {
      categories: [{ type: 'tournament', nominees: [{ target: cup.guid }, {}] }],
    })
    await choose(cups, cups.categories[0], 'aab')
    await step(api, cups, 'counting')
    await step(api, cups, 'published')
    expect(await typesOf(organiser)).toEqual(['award.won'])
  })

  test('a spreadsheet that runs nothing', async () => {
    const [, first] = rows((await api.get(`${edition.path}/results.csv`)).text)
    expect(first).toBe(`'=Best player,'@ada,1,yes,3,${3 / 7},,`)
  })

  test('no counts where the rules withhold them', async () => {
    const withheld = await makeVotedEdition(api, { rules: { showCounts: false } })
    await choose(withheld, withheld.categories[0], 'aab')
    await api.sql('update award_nominees set declined_at = now() where guid = $1', [withheld.categories[0].nominees[1]])
    await step(api, withheld, 'counting')
    await step(api, withheld, 'published')
    const { body } = await api.get(`${withheld.path}/results`, manager)
    expect(body).toMatchObject({ ballotsDigest: null, runoffDigest: null, voters: 2 })
    // The number of votes for the declined nominee is withheld too.
    expect(body.excluded).toEqual({ votes: 0, byReason: {} })
    expect(body.categories[0].nominees[0].result).toEqual({
      place: 1,
      winner: true,
      votes: null,
      share: null,
      runoff: null,
    })
    expect(outcome(await api.get(`${withheld.path}/ballots.csv`, manager))).toEqual([404, 'award.counts_withheld'])
    const again = await api.post(`${withheld.path}/recount`, manager, {})
    expect(again.body).toMatchObject({ agrees: true, ballotsDigest: null, differences: [] })
  })
})

test('ballots tell neither who cast them nor in which order', async () => {
  const edition = await makeVotedEdition(api)
  const [category] = edition.categories
  await choose(edition, category, 'aaaaabbbb')
  await step(api, edition, 'counting')
  const orders = new Set<string>()
  for (let left = 12; left > 0; left--) {
    const stored = await api.sql<{ number: number; nominee_guid: string }>(
      'select number, nominee_guid from award_ballots where category_guid = $1',
      [category.guid],
    )
    expect(stored.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    orders.add(stored.map(({ number }) => number).join())
    orders.add(
      stored
        .toSorted((one, other) => one.number - other.number)
        .map((one) => one.nominee_guid)
        .join(),
    )
    await api.post(`${edition.admin}/exclusions`, manager, { user: users[8]?.guid, reason: 'A try.' })
    await api.delete(`${edition.admin}/exclusions/${users[8]?.guid}`, manager)
  }
  expect(orders.size).toBeGreaterThan(15)
  const columns = await api.sql<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'award_ballots' order by 1`,
  )
  expect(columns.map(({ name }) => name)).toEqual(['category_guid', 'nominee_guid', 'number', 'round'])
})

describe('a runoff', () => {
  test('is held once among the tied, and decides', async () => {
    const badge = await makeBadge()
    const [ada, bob, eve] = [await api.user(), await api.user(), await api.user()]
    const edition = await makeVotedEdition(api, {
      rules: { tie: 'runoff' },
      categories: [
        { type: 'user', badge, nominees: [{ target: ada.guid }, { target: bob.guid }, { target: eve.guid }] },
        {},
      ],
    })
    const [tied, clear] = edition.categories as readonly [MadeCategory, MadeCategory]
    await choose(edition, tied, 'aabbc')
    await choose(edition, clear, 'aab')
    await step(api, edition, 'counting')
    expect(outcome(await tryStep(api, edition, 'published'))).toEqual([409, 'award.runoff_due'])
    expect((await api.get(`${edition.path}/results`)).status).toBe(404)
    await step(api, edition, 'voting')
    const [held] = await api.sql<{ categories: string[]; hours: number }>(
      `select runoff_categories as categories, round(extract(epoch from runoff_closes_at - now()) / 3600)::int as hours
       from award_editions where guid = $1`,
      [edition.guid],
    )
    expect(held).toEqual({ categories: [tied.guid], hours: 72 })
    const late = users[8] as Caller
    expect(outcome(await vote(api, edition, tied, late, 2))).toEqual([404, 'award.nominee_unknown'])
    expect(outcome(await vote(api, edition, clear, late, 0))).toEqual([409, 'award.voting_closed'])
    expect((await api.get(`${edition.path}/votes/@me`, users[0] as Caller)).body.votes).toMatchObject([
      { categoryGuid: clear.guid, nomineeGuid: null },
    ])
    await choose(edition, tied, 'bbba', 5)
    expect((await api.get(`${edition.path}/votes/@me`, late)).body.votes).toMatchObject([
      { categoryGuid: tied.guid, nomineeGuid: tied.nominees[0] },
    ])
    await step(api, edition, 'counting')
    expect(outcome(await tryStep(api, edition, 'voting'))).toEqual([409, 'award.no_ties'])
    await step(api, edition, 'published')
    const { body } = await api.get(`${edition.path}/results`)
    expect(body.categories[0].nominees).toMatchObject([
      { guid: tied.nominees[1], result: { place: 1, winner: true, votes: 2, runoff: { votes: 3, share: 0.75 } } },
      { guid: tied.nominees[0], result: { place: 2, winner: false, votes: 2, runoff: { votes: 1, share: 0.25 } } },
      { guid: tied.nominees[2], result: { place: 3, runoff: null } },
    ])
    expect(body.runoffDigest).toMatch(/^[0-9a-f]{64}$/)
    const [, ...lines] = rows((await api.get(`${edition.path}/ballots.csv?round=2`)).text)
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(body.runoffDigest)
    expect(await holdersOf(badge)).toEqual([bob.guid])
  })

  test('is no oracle: once the counts have answered a step, whose first votes are left out is fixed', async () => {
    const [suspect, other] = [users[4], users[8]] as [Caller, Caller]
    for (const [choices, tried, code] of [
      ['aabbc', 'published', 'award.runoff_due'],
      ['aabba', 'published', 'award.runoff_due'],
      ['aaabb', 'voting', 'award.no_ties'],
    ] as const) {
      const edition = await makeVotedEdition(api, { rules: { tie: 'runoff' } })
      await choose(edition, edition.categories[0], choices, 4)
      await step(api, edition, 'counting')
      const path = `${edition.admin}/exclusions`
      const exclude = (user: Caller) => api.post(path, manager, { user: user.guid, reason: 'A false account?' })
      const lift = (user: Caller) => api.delete(`${path}/${user.guid}`, manager)
      // Before the first answer, managers may exclude users freely.
      expect((await exclude(suspect)).status).toBe(201)
      expect((await lift(suspect)).status).toBe(204)
      expect((await exclude(other)).status).toBe(201)
      const before = await api.get(edition.path)
      expect(outcome(await tryStep(api, edition, tried)), choices).toEqual([409, code])
      expect(outcome(await exclude(suspect))).toEqual([409, 'award.exclusions_fixed'])
      expect(outcome(await lift(other))).toEqual([409, 'award.exclusions_fixed'])
      expect((await lift(suspect)).status).toBe(204)
      expect((await api.get(path, manager)).body.exclusions).toMatchObject([{ user: { guid: other.guid } }])
      // Other readers cannot see that a step was refused.
      const after = await api.get(edition.path)
      expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')])
      expect((await eventsOf(edition)).map(({ type }) => type)).toEqual([
        ...['award.user_excluded', 'award.exclusion_lifted', 'award.user_excluded'],
      ])
    }
  })

  test('fixes whose first votes are left out; false accounts of the runoff can still be', async () => {
    const edition = await makeVotedEdition(api, { rules: { tie: 'runoff' } })
    const [category] = edition.categories
    await choose(edition, category, 'aabb')
    await step(api, edition, 'counting')
    await step(api, edition, 'voting')
    await choose(edition, category, 'abb', 3)
    await step(api, edition, 'counting')
    const path = `${edition.admin}/exclusions`
    const exclude = (user: number) => api.post(path, manager, { user: users[user]?.guid, reason: 'A false account.' })
    expect(outcome(await exclude(0))).toEqual([409, 'award.exclusions_fixed'])
    expect(outcome(await exclude(3))).toEqual([409, 'award.exclusions_fixed'])
    for (const user of [4, 5]) expect((await exclude(user)).status).toBe(201)
    expect((await api.delete(`${path}/${users[4]?.guid}`, manager)).status).toBe(204)
    await step(api, edition, 'published')
    const { nominees } = (await api.get(`${edition.path}/results`)).body.categories[0]
    const runoffs = nominees.map(({ result }: { result: { runoff: { votes: number } | null } }) => result.runoff?.votes)
    expect(runoffs).toEqual([1, 1, undefined])
  })

  test('is not held where ties are shared', async () => {
    const edition = await makeVotedEdition(api)
    await choose(edition, edition.categories[0], 'ab')
    await step(api, edition, 'counting')
    expect(outcome(await tryStep(api, edition, 'voting'))).toEqual([409, 'award.no_ties'])
    // This refusal depends on the rules only, so it does not fix the exclusions.
    const excluded = { user: users[1]?.guid, reason: 'A try.' }
    expect((await api.post(`${edition.admin}/exclusions`, manager, excluded)).status).toBe(201)
    expect((await api.delete(`${edition.admin}/exclusions/${users[1]?.guid}`, manager)).status).toBe(204)
    await step(api, edition, 'published')
    const { nominees } = (await api.get(`${edition.path}/results`)).body.categories[0]
    expect(nominees.map(({ result }: { result: { winner: boolean } }) => result.winner)).toEqual([true, true, false])
  })
})

describe('exclusions', () => {
  test('are made while votes are counted; the user is told and may answer', async () => {
    const edition = await makeVotedEdition(api)
    const [category] = edition.categories
    await choose(edition, category, 'aab')
    const [first, , third] = users as [Caller, Caller, Caller]
    const path = `${edition.admin}/exclusions`
    const exclude = (user: Caller, as: Caller | null = manager) =>
      api.post(path, as, { user: user.guid, reason: 'Made in the same hour as eight others.' })
    expect(outcome(await exclude(first))).toEqual([409, 'award.phase_wrong'])
    await step(api, edition, 'counting')
    expect(outcome(await exclude(first, stranger))).toEqual([403, 'role.missing'])
    expect(outcome(await exclude(stranger))).toEqual([404, 'award.not_voted'])
    expect(outcome(await api.post(path, manager, { user: 'nobody', reason: 'x' }))).toEqual([404, 'award.not_voted'])
    const made = await exclude(first)
    expect([made.status, made.body]).toMatchObject([
      201,
      { user: { guid: first.guid }, answer: null, excludedBy: { guid: manager.guid } },
    ])
    expect(outcome(await exclude(first))).toEqual([409, 'award.already_excluded'])
    expect((await exclude(third)).status).toBe(201)
    expect(await messagesOf(api, first)).toMatchObject([
      { type: 'award.user_excluded', data: { editionGuid: edition.guid } },
    ])
    const answer = `${edition.path}/exclusion/answer`
    expect(outcome(await api.post(answer, stranger, { message: 'Why?' }))).toEqual([404, 'award.not_excluded'])
    expect((await api.post(answer, first, { message: 'We are a club.' })).body).toMatchObject({
      answer: 'We are a club.',
    })
    expect(await typesOf(manager)).toEqual(['award.exclusion_answered'])
    expect((await api.get(path, manager)).body.exclusions).toMatchObject([
      { user: { guid: first.guid }, answer: 'We are a club.' },
      { user: { guid: third.guid }, answer: null },
    ])
    const page = (await api.get(`${path}?limit=1`, manager)).body
    const next = await api.get(`${path}?limit=1&before=${page.nextCursor}`, manager)
    expect(next.body).toMatchObject({ exclusions: [{ user: { guid: third.guid } }], nextCursor: null })
    expect((await api.delete(`${path}/${third.guid}`, manager)).status).toBe(204)
    expect((await api.delete(`${path}/${third.guid}`, manager)).status).toBe(204)
    expect(await typesOf(third)).toEqual(['award.exclusion_lifted', 'award.user_excluded'])
    await step(api, edition, 'published')
    const { body } = await api.get(`${edition.path}/results`)
    expect(body).toMatchObject({ voters: 2, excluded: { votes: 1, byReason: { manager: 1 } } })
    expect(body.categories[0].nominees.map(({ result }: { result: { votes: number } }) => result.votes)).toEqual([
      ...[1, 1, 0],
    ])
    expect(outcome(await api.delete(`${path}/${first.guid}`, manager))).toEqual([409, 'award.phase_wrong'])
    const events = (await eventsOf(edition)).map(({ type }) => type)
    expect(events).toEqual([
      ...['award.user_excluded', 'award.user_excluded', 'award.exclusion_answered', 'award.exclusion_lifted'],
      'award.published',
    ])
  })
})

test('who declines while votes are counted is in neither ballots, digest nor recount', async () => {
  const star = await api.user()
  const edition = await makeVotedEdition(api, {
    categories: [{ type: 'user', nominees: [{ target: star.guid }, {}, {}] }],
  })
  const [category] = edition.categories
  const [declined, other] = category.nominees
  await choose(edition, category, 'aab')
  await step(api, edition, 'counting')
  const recount = (body: object = {}) => api.post(`${edition.path}/recount`, manager, body)
  const agreed = { agrees: true, differences: [], applied: false }
  // The answer is the same before and after, so it does not reveal that there were votes for the nominee. (A4)
  expect((await recount()).body).toMatchObject(agreed)
  const declining = Array.from({ length: 3 }, () => api.post(`/awards/nominees/${declined}/decline`, star))
  const excluding = api.post(`${edition.admin}/exclusions`, manager, { user: users[2]?.guid, reason: 'A try.' })
  for (const reply of await Promise.all([...declining, excluding])) expect(reply.status).toBeLessThan(300)
  await api.delete(`${edition.admin}/exclusions/${users[2]?.guid}`, manager)
  expect((await recount()).body).toMatchObject(agreed)
  await step(api, edition, 'published')
  const { body } = await api.get(`${edition.path}/results`)
  expect(body.excluded).toEqual({ votes: 2, byReason: { nominee_declined: 2 } })
  const [, ...lines] = rows((await api.get(`${edition.path}/ballots.csv`)).text)
  expect(lines).toEqual([`${category.guid},${other}`])
  expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(body.ballotsDigest)
  const found = { ...agreed, ballotsDigest: body.ballotsDigest }
  expect((await recount()).body).toMatchObject(found)
  expect((await recount({ apply: true, reason: 'Nothing is wrong.' })).body).toMatchObject(found)
  expect((await api.get(`${edition.path}/results`)).body.corrections).toEqual([])
})

describe('turnout and roll', () => {
  test('tell who voted, once voting is closed, and nothing of what', async () => {
    const edition = await makeVotedEdition(api, { categories: [{}, {}] })
    const [first, second] = edition.categories as readonly [MadeCategory, MadeCategory]
    await choose(edition, first, 'abcabc')
    await choose(edition, second, 'a')
    await vote(api, edition, second, users[8] as Caller, 0)
    await api.delete(`${edition.path}/categories/${second.guid}/vote`, users[8] as Caller)
    const turnout = () => api.get(`${edition.admin}/turnout`, manager)
    expect((await turnout()).body).toEqual({ voters: 0, countedAt: null, groups: null })
    expect(outcome(await api.get(`${edition.admin}/turnout`, stranger))).toEqual([403, 'role.missing'])
    expect(outcome(await api.get(`${edition.admin}/roll.csv`, manager))).toEqual([404, 'award.not_closed'])
    await step(api, edition, 'counting')
    const { body } = await turnout()
    // A user who took every vote back has no vote in the end. (D80)
    expect(body.voters).toBe(6)
    expect(body.groups.byJoining).toEqual([{ month: new Date().toISOString().slice(0, 7), voters: 6 }])
    expect(body.groups.byLinking).toEqual([{ month: null, voters: 6 }])
    expect(body.groups.byTournamentsPlayed).toEqual([{ tournamentsPlayed: 0, voters: 6 }])
    expect(body.groups.sameChatDay).toEqual([
      {
        at: '2020-06-01T00:00:00.000Z',
        voters: 6,
        users: users
          .slice(0, 6)
          .map(({ guid }) => guid)
          .sort(),
      },
    ])
    const [header, ...lines] = rows((await api.get(`${edition.admin}/roll.csv`, manager)).text)
    expect(header).toBe('userGuid,username,votes,categories')
    expect(lines).toHaveLength(6)
    expect(lines).toContain(`${users[0]?.guid},${users[0]?.username},2,"Category 1; Category 2"`)
    expect(outcome(await api.get(`${edition.admin}/roll.csv`, stranger))).toEqual([403, 'role.missing'])
  })
})

describe('a recount', () => {
  test('tells nothing of numbers before publication', async () => {
    const edition = await makeVotedEdition(api)
    const recount = (body: object = {}) => api.post(`${edition.path}/recount`, manager, body)
    await choose(edition, edition.categories[0], 'aab')
    expect(outcome(await recount())).toEqual([409, 'award.phase_wrong'])
    await step(api, edition, 'counting')
    const nothing = { differences: [], ballotsDigest: null, applied: false }
    expect((await recount()).body).toEqual({ agrees: true, ...nothing })
    expect(outcome(await recount({ apply: true }))).toEqual([400, 'award.reason_missing'])
    expect(outcome(await recount({ apply: true, reason: 'Why not.' }))).toEqual([409, 'award.phase_wrong'])
    await api.sql('delete from award_ballots where nominee_guid = $1', [edition.categories[0].nominees[1]])
    expect((await recount()).body).toEqual({ agrees: false, ...nothing })
    expect(outcome(await api.post(`${edition.path}/recount`, stranger, {}))).toEqual([403, 'role.missing'])
  })

  test('shows what differs, and puts it right once it is told to', async () => {
    const badge = await makeBadge()
    const [ada, bob] = [await api.user(), await api.user()]
    const edition = await makeVotedEdition(api, {
      categories: [{ type: 'user', badge, nominees: [{ target: ada.guid }, { target: bob.guid }] }],
    })
    const [category] = edition.categories
    await choose(edition, category, 'aaabb')
    await step(api, edition, 'counting')
    // Three of the ballots are lost, as from a damaged table.
    await api.sql('delete from award_ballots where nominee_guid = $1', [category.nominees[0]])
    await step(api, edition, 'published')
    expect(await holdersOf(badge)).toEqual([bob.guid])
    const recount = (body: object) => api.post(`${edition.path}/recount`, manager, body)
    const { body } = await recount({})
    expect(body).toMatchObject({ agrees: false, applied: false })
    expect(body.differences).toHaveLength(2)
    expect(body.differences).toContainEqual({
      categoryGuid: category.guid,
      nomineeGuid: category.nominees[0],
      before: { place: 2, winner: false, votes: 0, share: 0, runoff: null },
      after: { place: 1, winner: true, votes: 3, share: 0.6, runoff: null },
    })
    expect((await api.get(`${edition.path}/results`)).body.corrections).toEqual([])
    const reason = 'Ballots were damaged.'
    const replies = await Promise.all([1, 2, 3].map(() => recount({ apply: true, reason })))
    expect(replies.map(({ body: { applied } }) => applied).sort()).toEqual([false, false, true])
    const after = (await api.get(`${edition.path}/results`)).body
    expect(after.corrections).toMatchObject([{ reason }])
    expect(after.ballotsDigest).toBe(body.ballotsDigest)
    expect(after.categories[0].nominees[0]).toMatchObject({ guid: category.nominees[0], result: { votes: 3 } })
    expect(rows((await api.get(`${edition.path}/ballots.csv`)).text)).toHaveLength(6)
    expect(await holdersOf(badge)).toEqual([ada.guid])
    const [held] = await api.sql('select holders from badges where guid = $1', [badge])
    expect(held).toEqual({ holders: 1 })
    expect(await typesOf(ada)).toEqual(['award.corrected'])
    expect(await typesOf(bob)).toEqual(['award.corrected', 'award.won'])
    expect((await eventsOf(edition)).filter(({ type }) => type === 'award.corrected')).toHaveLength(1)
  })

  test('counts the ballots once the votes are deleted, 30 days behind the results', async () => {
    const edition = await makeVotedEdition(api)
    await choose(edition, edition.categories[0], 'aab')
    await step(api, edition, 'counting')
    await step(api, edition, 'published')
    const { votesJobs } = await import('./jobs.ts')
    const { database, services, clients } = api.app
    const run = (days: number) =>
      votesJobs[0]?.run({}, {
        database,
        services,
        clients,
        now: () => new Date(Date.now() + days * 86_400_000),
      } as never)
    const left = async () =>
      (
        await api.sql(
          'select v.guid from award_votes v join award_categories c on c.guid = v.category_guid where c.edition_guid = $1',
          [edition.guid],
        )
      ).length
    await run(29.9)
    expect(await left()).toBe(3)
    await Promise.all([run(30.1), run(30.1)])
    expect(await left()).toBe(0)
    expect((await eventsOf(edition)).map(({ type }) => type)).toEqual(['award.published', 'award.votes_deleted'])
    const recount = await api.post(`${edition.path}/recount`, manager, {})
    expect(recount.body).toMatchObject({ agrees: null, differences: [], applied: false })
    expect((await api.get(`${edition.path}/votes/@me`, users[0] as Caller)).body.votes).toMatchObject([
      { nomineeGuid: null },
    ])
    expect(rows((await api.get(`${edition.path}/ballots.csv`)).text)).toHaveLength(4)
  })
})
