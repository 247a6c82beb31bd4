import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bringForward, editionBody, inHours, makeAwards, makeNominees, step } from '../../../../test/awards.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'

/** Editions and categories, as managers make them and as others see them. (awards: Records, Operations) */

let api: Harness
let manager: Caller
let user: Caller
beforeAll(async () => {
  api = await startHarness()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
  user = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const create = (changes: object = {}, as: Caller | null = manager) => api.post('/awards', as, editionBody(changes))
const logged = (guid: string) =>
  api.sql<{ type: string }>('select type, actor, before, after from event_log where subject = $1 order by seq', [guid])

async function makeBadge(retired = false): Promise<string> {
  const [row] = await api.sql<{ guid: string }>(
    `insert into badges (name, description, kind, media_guid, image_url, retired_at) values ('Winner', '', 'award', gen_random_uuid(), 'x', $1) returning guid`,
    [retired ? new Date() : null],
  )
  return row?.guid as string
}

describe('making one', () => {
  test('fills in what is not given, and is told in the log', async () => {
    const body = { ...editionBody(), rules: { accountBefore: '2026-01-01T00:00:00.000Z' } }
    const reply = await api.post('/awards', manager, body)
    expect(outcome(reply)).toEqual([201, null])
    const { guid, id, title, nominationsOpenAt, nominationsCloseAt, votingOpensAt, votingClosesAt } = reply.body
    expect({
      id,
      title,
      nominationsOpenAt,
      nominationsCloseAt,
      votingOpensAt,
      votingClosesAt,
      publishAt: null,
    }).toEqual({
      ...body,
      rules: undefined,
    })
    expect(reply.body).toMatchObject({
      description: '',
      bannerUrl: null,
      status: 'draft',
      runoff: null,
      cancelReason: null,
      publishedAt: null,
      votesDeletedAt: null,
      categories: [],
      voted: [],
      revision: 1,
      rules: {
        accountBefore: '2026-01-01T00:00:00.000Z',
        linkBefore: '2026-01-01T00:00:00.000Z',
        link: 'either',
        minTournamentsPlayed: 0,
        selfNomination: false,
        nominationsPerCategory: 3,
        tie: 'shared',
        showCounts: true,
      },
    })
    expect(await logged(guid)).toMatchObject([{ type: 'award.created', actor: manager.guid, after: { id, title } }])
  })

  test.each([
    ['a day of voting, to the millisecond', { votingOpensAt: inHours(49), votingClosesAt: inHours(73) }, 201],
    [
      'less than a day',
      {
        votingOpensAt: '2090-01-02T00:00:00Z',
        votingClosesAt: '2090-01-02T23:59:59.999Z',
        nominationsOpenAt: inHours(1),
      },
      400,
    ],
    ['nominations that close before they open', { nominationsCloseAt: inHours(0.5) }, 400],
    ['voting that opens before nominations close', { votingOpensAt: inHours(24) }, 400],
    ['publication before voting closes', { publishAt: inHours(96) }, 400],
    [
      'publication when voting closes',
      { votingClosesAt: '2090-01-02T00:00:00Z', publishAt: '2090-01-02T00:00:00Z' },
      201,
    ],
    ['accounts from after voting opens', { rules: { accountBefore: inHours(50) } }, 400],
    ['a date without a zone', { votingOpensAt: '2090-01-01T00:00:00' }, 400],
    ['a title of white space', { title: ' \t ' }, 400],
    ['a title of 121', { title: 'a'.repeat(121) }, 400],
    ['11 nominations', { rules: { nominationsPerCategory: 11 } }, 400],
    ['21 tournaments', { rules: { minTournamentsPlayed: 21 } }, 400],
    ['a link of another kind', { rules: { link: 'all' } }, 400],
    ['a banner of no address', { bannerUrl: 'javascript:alert(1)' }, 400],
    ['a banner elsewhere', { bannerUrl: 'https://pictures.example.org/a.png' }, 201],
    [
      'a picture here that is nobody’s',
      { bannerUrl: 'PUBLIC/media/3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42/full.webp' },
      400,
    ],
  ])('%s', async (_name, changes, status) => {
    const banner = (changes as { bannerUrl?: string }).bannerUrl?.replace('PUBLIC', api.app.config.media.url)
    const reply = await create({ ...changes, ...(banner === undefined ? {} : { bannerUrl: banner }) })
    expect([reply.status, reply.text]).toEqual([status, expect.anything()])
  })

  test.each(['nominees', 'mine', 'new', 'ADMIN', '-a', 'a b', '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'])(
    'not with the id %s',
    async (id) => {
      expect(outcome(await create({ id }))).toEqual([400, expect.stringMatching(/^(award|request).invalid$/)])
    },
  )

  test('not with an id that another has, in any case, whoever comes first', async () => {
    const id = `twice-${process.pid}`
    const replies = await Promise.all([id, id.toUpperCase(), id].map((one) => create({ id: one })))
    expect(replies.map(outcome).toSorted()).toEqual([
      [201, null],
      [409, 'award.id_taken'],
      [409, 'award.id_taken'],
    ])
    const other = (await create()).body
    const changed = await api.patch(`/awards/${other.guid}`, manager, { id, expectedUpdatedAt: other.updatedAt })
    expect(outcome(changed)).toEqual([409, 'award.id_taken'])
  })
})

test('nobody but managers makes or changes anything, nor do they learn what is wrong with a body', async () => {
  const { path, guid, categories } = await makeAwards(api, manager)
  const [nominee] = await makeNominees(api, manager, { path, guid, categories }, ['One'])
  const category = `${path}/categories/${categories[0]}`
  const calls: [string, string][] = [
    ['POST', '/awards'],
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/status`],
    ['POST', `${path}/categories`],
    ['PUT', `${path}/categories/order`],
    ['PATCH', category],
    ['DELETE', category],
    ['POST', `${category}/nominees`],
    ['GET', `/admin${path}/turnout`],
  ]
  for (const [method, address] of calls) {
    expect(
      outcome(await api.call(method, address, { as: user, body: method === 'GET' ? undefined : { id: 7 } })),
    ).toEqual([403, 'role.missing'])
    expect(outcome(await api.call(method, address))).toEqual([401, 'token.missing'])
  }
  // A caller who may not see nominees yet gets the answer for an unknown one.
  for (const method of ['PATCH', 'DELETE']) {
    const reply = await api.call(method, `${category}/nominees/${nominee}`, { as: user, body: {} })
    expect(outcome(reply)).toEqual([404, 'award.nominee_unknown'])
  }
  for (const role of ['role:owner', 'role:dev'] as const) {
    expect(outcome(await create({}, await api.user({ globalRoles: [role] })))).toEqual([201, null])
  }
})

test('a draft, and one that was cancelled, do not exist for others in any read, nor in the list', async () => {
  const organiser = await api.user({ globalRoles: ['global:tournaments:manage', 'global:users:read'] })
  await makeTournament(api, organiser)
  const draft = await makeAwards(api, manager, { isDraft: true })
  const cancelled = await makeAwards(api, manager)
  expect((await step(api, manager, cancelled.path, 'cancelled', 'Too little.')).body).toMatchObject({
    status: 'cancelled',
    cancelReason: 'Too little.',
  })
  for (const { path, categories, guid } of [draft, cancelled]) {
    const [{ id }] = (await api.sql<{ id: string }>('select id from award_editions where guid = $1', [guid])) as [
      { id: string },
    ]
    const category = `${path}/categories/${categories[0]}`
    for (const as of [null, user, organiser]) {
      for (const address of [path, `/awards/${id}`, category, `${path}/nominees.csv`, `${path}/results`]) {
        expect(outcome(await api.get(address, as))).toEqual([404, 'award.unknown'])
      }
      const { editions } = (await api.get('/awards?limit=100', as)).body
      expect(editions.map((one: { guid: string }) => one.guid)).not.toContain(guid)
    }
    for (const address of [`${path}/eligibility`, `${category}/nominations`, `/admin${path}/turnout`]) {
      expect(outcome(await api.get(address, user))).toEqual([404, 'award.unknown'])
    }
    expect(outcome(await api.post(`${category}/nominations`, user, { target: user.guid }))).toEqual([
      404,
      'award.unknown',
    ])
    for (const address of [path, `/awards/${id.toUpperCase()}`, category, `/admin${path}/turnout`]) {
      expect(outcome(await api.get(address, manager))).toEqual([200, null])
    }
    const { editions } = (await api.get('/awards?limit=100', manager)).body
    expect(editions.map((one: { guid: string }) => one.guid)).toContain(guid)
  }
  // A GUID that belongs to no record gets the same answer.
  expect(outcome(await api.get('/awards/3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'))).toEqual([404, 'award.unknown'])
})

test('the list is remembered for everybody alike, newest first, and never older than what was answered', async () => {
  const one = await makeAwards(api, manager)
  const guidsOf = async (as: Caller | null, query = '?limit=100') =>
    (await api.get(`/awards${query}`, as)).body.editions.map(({ guid }: { guid: string }) => guid)
  await guidsOf(null)
  const other = await makeAwards(api, manager)
  expect((await guidsOf(null)).slice(0, 2)).toEqual([other.guid, one.guid])
  const first = (await api.get('/awards?limit=1')).body
  expect(first.editions).toHaveLength(1)
  const second = (await api.get(`/awards?limit=1&before=${first.nextCursor}`)).body
  expect(second.editions[0].guid).toBe(one.guid)
  await step(api, manager, other.path, 'cancelled', 'Why not.')
  expect((await guidsOf(null))[0]).toBe(one.guid)
  expect(outcome(await api.get('/awards?before=x'))).toEqual([400, 'cursor.invalid'])
})

describe('changing one', () => {
  const change = async (guid: string, changes: object, updatedAt?: string) => {
    const expectedUpdatedAt = updatedAt ?? (await api.get(`/awards/${guid}`, manager)).body.updatedAt
    return api.patch(`/awards/${guid}`, manager, { expectedUpdatedAt, ...changes })
  }

  test('what is given replaces what was, and nothing else; what stays so is no change', async () => {
    const before = (await create({ rules: { minTournamentsPlayed: 3 } })).body
    const description = 'Of **all**. <script>alert(1)</script>'
    const after = (await change(before.guid, { title: 'New', description, rules: { tie: 'runoff' } })).body
    expect(after).toEqual({
      ...before,
      title: 'New',
      description: 'Of **all**.',
      rules: { ...before.rules, tie: 'runoff' },
      revision: 2,
      updatedAt: after.updatedAt,
    })
    expect((await change(before.guid, { title: 'New' })).body).toEqual(after)
    expect(await logged(before.guid)).toMatchObject([
      {},
      { type: 'award.updated', before: { title: 'Awards' }, after: { title: 'New' } },
    ])
    expect(outcome(await change(before.guid, { title: 'Newer' }, before.updatedAt))).toEqual([409, 'award.stale'])
    expect((await api.patch(`/awards/${before.guid}`, manager, { title: 'Newer' })).status).toBe(400)
  })

  test('of many at once with the same reading, one is taken', async () => {
    const { guid, updatedAt } = (await create()).body
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((title) => change(guid, { title }, updatedAt)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.headers.get('problem-code') === 'award.stale')).toHaveLength(4)
  })

  test('dates that have passed stay, in whatever way they have', async () => {
    const { guid, path } = await makeAwards(api, manager)
    // The phase was opened by hand, before its date.
    expect(outcome(await change(guid, { nominationsOpenAt: inHours(2) }))).toEqual([409, 'award.date_passed'])
    expect(outcome(await change(guid, { nominationsCloseAt: inHours(26) }))).toEqual([200, null])
    await step(api, manager, path, 'shortlisting')
    expect(outcome(await change(guid, { nominationsCloseAt: inHours(27) }))).toEqual([409, 'award.date_passed'])
    // Since this date, voting waits for nominees.
    await bringForward(
      api,
      { guid },
      'votingOpensAt'.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
    )
    expect(outcome(await change(guid, { votingOpensAt: inHours(50) }))).toEqual([409, 'award.date_passed'])
  })

  test('voting ends an hour from now at the earliest, and the rules are fixed from its beginning', async () => {
    const edition = await makeAwards(api, manager, { types: ['other'] })
    const { guid, path } = edition
    await makeNominees(api, manager, edition, ['One', 'Two'])
    expect(outcome(await change(guid, { rules: { minTournamentsPlayed: 1 } }))).toEqual([200, null])
    await step(api, manager, path, 'shortlisting')
    await step(api, manager, path, 'voting')
    await api.sql(
      `update award_editions set nominations_open_at = now() - interval '4 days', nominations_close_at = now() - interval '3 days',
      voting_opens_at = now() - interval '2 days' where guid = $1`,
      [guid],
    )
    expect(outcome(await change(guid, { votingClosesAt: inHours(0.9) }))).toEqual([400, 'award.dates_invalid'])
    expect(outcome(await change(guid, { votingClosesAt: inHours(1.1) }))).toEqual([200, null])
    expect(outcome(await change(guid, { votingClosesAt: inHours(200), publishAt: inHours(300) }))).toEqual([200, null])
    for (const rules of [
      { minTournamentsPlayed: 0 },
      { showCounts: false },
      { accountBefore: '2025-01-01T00:00:00Z' },
    ]) {
      expect(outcome(await change(guid, { rules }))).toEqual([409, 'award.rules_fixed'])
    }
    expect(outcome(await change(guid, { title: 'Still', rules: { minTournamentsPlayed: 1 } }))).toEqual([200, null])
  })

  test('a draft moves all its dates, and is deleted; what is no draft is neither', async () => {
    const draft = await makeAwards(api, manager, { isDraft: true, types: [] })
    await bringForward(api, draft, 'nominations_open_at')
    expect(outcome(await change(draft.guid, { nominationsOpenAt: inHours(3) }))).toEqual([200, null])
    const stale = `${draft.path}?expectedUpdatedAt=2026-01-01T00:00:00Z`
    expect(outcome(await api.delete(stale, manager))).toEqual([409, 'award.stale'])
    expect(outcome(await api.delete(draft.path, manager))).toEqual([204, null])
    expect(outcome(await api.get(draft.path, manager))).toEqual([404, 'award.unknown'])
    const open = await makeAwards(api, manager)
    expect(outcome(await api.delete(open.path, manager))).toEqual([409, 'award.phase_wrong'])
    await step(api, manager, open.path, 'cancelled', 'No.')
    expect(outcome(await change(open.guid, { title: 'Back' }))).toEqual([409, 'award.phase_wrong'])
  })
})

describe('categories', () => {
  test('come in their order, are changed, ordered and removed', async () => {
    const { path, guid, categories } = await makeAwards(api, manager, {
      types: ['user', 'team', 'other'],
      isDraft: true,
    })
    const [one, two, three] = categories as [string, string, string]
    const orderOf = async () =>
      (await api.get(path, manager)).body.categories.map((each: { guid: string }) => each.guid)
    expect(await orderOf()).toEqual(categories)
    const order = await api.put(`${path}/categories/order`, manager, { guids: [three, one.toUpperCase(), two] })
    expect(order.body).toEqual({ guids: [three, one, two] })
    expect(await orderOf()).toEqual([three, one, two])
    for (const guids of [
      [one, two],
      [one, two, two],
      [one, two, three, guid],
    ]) {
      expect(outcome(await api.put(`${path}/categories/order`, manager, { guids }))).toEqual([
        400,
        'award.order_invalid',
      ])
    }
    const badgeGuid = await makeBadge()
    const changed = await api.patch(`${path}/categories/${one}`, manager, { name: 'Best', shortlistSize: 2, badgeGuid })
    expect(changed.body).toMatchObject({ name: 'Best', shortlistSize: 2, badgeGuid, nomineeType: 'user', order: 1 })
    expect((await api.patch(`${path}/categories/${one}`, manager, { badgeGuid: null })).body.badgeGuid).toBeNull()
    expect(outcome(await api.delete(`${path}/categories/${two}`, manager))).toEqual([204, null])
    expect(await orderOf()).toEqual([three, one])
    expect(await logged(guid)).toMatchObject([
      ...['created', 'category_created', 'category_created', 'category_created', 'categories_ordered'].map((type) => ({
        type: `award.${type}`,
      })),
      ...['category_updated', 'category_updated', 'category_deleted'].map((type) => ({ type: `award.${type}` })),
    ])
  })

  test.each([
    ['a name of 81', { name: 'a'.repeat(81) }, [400, 'request.invalid']],
    ['a shortlist of 1', { shortlistSize: 1 }, [400, 'request.invalid']],
    ['a shortlist of 21', { shortlistSize: 21 }, [400, 'request.invalid']],
    ['another type', { nomineeType: 'song' }, [400, 'request.invalid']],
    ['a badge that there is not', { badgeGuid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42' }, [404, 'badge.unknown']],
  ])('not with %s', async (_name, changes, expected) => {
    const { path } = await makeAwards(api, manager, { isDraft: true })
    const body = { name: 'Best', nomineeType: 'user', ...changes }
    expect(outcome(await api.post(`${path}/categories`, manager, body))).toEqual(expected)
  })

  test('not with a badge that is retired, and not more than 60, however many come at once', async () => {
    const { path, guid } = await makeAwards(api, manager, { isDraft: true })
    const add = (badgeGuid: string | null) =>
      api.post(`${path}/categories`, manager, { name: 'Best', nomineeType: 'user', badgeGuid })
    expect(outcome(await add(await makeBadge(true)))).toEqual([409, 'badge.retired'])
    await api.sql(
      `insert into award_categories (edition_guid, name, description, "order", nominee_type, shortlist_size)
      select $1, 'Of ' || n, '', n, 'other', 10 from generate_series(1, 57) n`,
      [guid],
    )
    const replies = await Promise.all(Array.from({ length: 5 }, () => add(null)))
    expect(replies.map(outcome).toSorted()).toEqual([
      ...[
        [201, null],
        [201, null],
      ],
      ...Array.from({ length: 3 }, () => [409, 'award.categories_limit']),
    ])
  })

  test('keep their badge while the award is open: it is neither retired nor deleted (D80)', async () => {
    const { path } = await makeAwards(api, manager, { isDraft: true })
    const { id } = (await api.get(path, manager)).body
    const badge = await makeBadge()
    const add = () => api.post(`${path}/categories`, manager, { name: 'Best', nomineeType: 'user', badgeGuid: badge })
    const retire = (retired: boolean) => api.patch(`/badges/${badge}`, manager, { retired })
    const category = (await add()).body
    const refused = await retire(true)
    expect([outcome(refused), refused.body.awards]).toEqual([[409, 'badge.in_award'], [id]])
    expect(outcome(await api.delete(`/badges/${badge}`, manager))).toEqual([409, 'badge.in_award'])
    // All other members of the badge may change.
    expect(outcome(await api.patch(`/badges/${badge}`, manager, { name: 'Champion' }))).toEqual([200, null])
    const address = `${path}/categories/${category.guid}`
    expect((await api.patch(address, manager, { badgeGuid: null })).status).toBe(200)
    expect(outcome(await retire(true))).toEqual([200, null])
    expect(outcome(await retire(false))).toEqual([200, null])
    // In either order, a category never gives a retired badge.
    for (let round = 0; round < 5; round++) {
      const [added, retired] = await Promise.all([add(), retire(true)])
      const pairs = [outcome(added).join(' '), outcome(retired).join(' ')]
      expect([
        ['201 ', '409 badge.in_award'],
        ['409 badge.retired', '200 '],
      ]).toContainEqual(pairs)
      if (added.status === 201) await api.delete(`${path}/categories/${added.body.guid}`, manager)
      await retire(false)
    }
    await add()
    await api.sql(`update award_editions set status = 'cancelled' where guid = $1`, [
      (await api.get(path, manager)).body.guid,
    ])
    expect(outcome(await api.delete(`/badges/${badge}`, manager))).toEqual([204, null])
  })

  test('are not made with a member that is like a known one (D80)', async () => {
    const { path } = await makeAwards(api, manager, { isDraft: true })
    const badge = await makeBadge()
    const add = (body: object) =>
      api.post(`${path}/categories`, manager, { name: 'Best', nomineeType: 'user', ...body })
    const refused = await add({ badge })
    expect(outcome(refused)).toEqual([400, 'request.unknown_member'])
    expect(refused.text).toContain('"badgeGuid"')
    for (const body of [{ stranger: badge }, { badge, badgeGuid: badge }])
      expect(outcome(await add(body))).toEqual([201, null])
    // A view may be sent back as a whole.
    const category = (await api.get(path, manager)).body.categories[0]
    const address = `${path}/categories/${category.guid}`
    expect(outcome(await api.patch(address, manager, { ...category, name: 'Better' }))).toEqual([200, null])
  })

  test('may be added while nominating, not removed; from voting on but the badge changes', async () => {
    const edition = await makeAwards(api, manager, { types: ['other'] })
    const { path, categories } = edition
    const category = `${path}/categories/${categories[0]}`
    await makeNominees(api, manager, edition, ['One', 'Two'])
    expect(outcome(await api.delete(category, manager))).toEqual([409, 'award.phase_wrong'])
    expect(outcome(await api.patch(category, manager, { nomineeType: 'map' }))).toEqual([409, 'award.categories_fixed'])
    expect(outcome(await api.patch(category, manager, { name: 'Better' }))).toEqual([200, null])
    await step(api, manager, path, 'shortlisting')
    expect(outcome(await api.post(`${path}/categories`, manager, { name: 'Late', nomineeType: 'user' }))).toEqual([
      409,
      'award.phase_wrong',
    ])
    await step(api, manager, path, 'voting')
    expect(outcome(await api.patch(category, manager, { name: 'Best' }))).toEqual([409, 'award.categories_fixed'])
    expect(outcome(await api.patch(category, manager, { badgeGuid: await makeBadge() }))).toEqual([200, null])
  })

  test('of another edition are not in this one', async () => {
    const [one, other] = [await makeAwards(api, manager), await makeAwards(api, manager)]
    expect(outcome(await api.get(`${one.path}/categories/${other.categories[0]}`))).toEqual([
      404,
      'award.category_unknown',
    ])
    expect(outcome(await api.get(`${one.path}/categories/x`))).toEqual([404, 'award.category_unknown'])
  })
})

test('whoever asks is told every check that fails, of nominating and of voting', async () => {
  const { path } = await makeAwards(api, manager, {
    changes: { rules: { accountBefore: '2020-01-01T00:00:00Z', link: 'ranking-a', minTournamentsPlayed: 2 } },
  })
  const eligibility = async (as: Caller) => (await api.get(`${path}/eligibility`, as)).body
  const codes = (failures: { code: string; message: string }[]) => failures.map(({ code }) => code)
  const nobody = await eligibility(user)
  expect([nobody.nominate.allowed, nobody.vote.allowed]).toEqual([false, false])
  expect(codes(nobody.nominate.failures)).toEqual(['account_too_new', 'link_missing'])
  expect(codes(nobody.vote.failures)).toEqual(['account_too_new', 'link_missing', 'too_few_tournaments'])
  for (const { message } of nobody.vote.failures) expect(message).toMatch(/^[A-Z].{10,}\.$/)
  const linked = await api.user()
  await api.sql(
    `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-b', '7656', now())`,
    [linked.guid],
  )
  expect((await eligibility(linked)).nominate).toEqual({ allowed: true, failures: [] })
  expect(outcome(await api.get(`${path}/eligibility`))).toEqual([401, 'token.missing'])
})
