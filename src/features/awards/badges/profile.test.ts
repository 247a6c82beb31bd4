import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { giveBadge, type MadeBadge, makeBadge } from '../../../../test/badges.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, remembered, roleHolder } from '../../../../test/make.ts'
import { nobody } from '../../../../test/world.ts'
import type { Scope } from '../../../core/scopes.ts'

/** Badges in profiles, and who sees them. (B2, B3, B10; D12) */

let api: Harness
let sibling: Harness
let manager: Caller
let owner: Caller
let reader: Caller
/** Five badges whose differences do not matter to the tests. */
let badges: MadeBadge[]
beforeAll(async () => {
  api = await startHarness()
  ;[sibling, manager, owner, reader] = await Promise.all([
    api.sibling(),
    api.user({ globalRoles: ['global:badges:manage'] }),
    api.user({ globalRoles: ['role:owner'] }),
    api.user(),
  ])
  badges = []
  for (let count = 0; count < 5; count++) badges.push(await makeBadge(api, manager))
})
afterAll(async () => {
  await sibling?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const day = (number: number) => `2024-02-0${number}T12:00:00.000Z`
/** A user with the first `count` badges, each awarded one day after the previous one. Returns the grants too. */
async function holder(count = badges.length): Promise<{ user: Caller; grants: string[] }> {
  const user = await api.user()
  const grants = []
  for (const [index, badge] of badges.slice(0, count).entries()) {
    grants.push(await giveBadge(api, manager, badge, user, { awardedAt: day(index + 1) }))
  }
  return { user, grants }
}

type Shown = { readonly guid: string; readonly hidden?: true; readonly tournament: unknown }
const shownIn = async (path: string, as: Caller | null = null, on = api): Promise<Shown[]> => {
  const reply = await on.get(path, as)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.badges
}
const guids = (shown: readonly { readonly guid: string }[]) => shown.map(({ guid }) => guid)
const arrange = (user: Caller, given: object) => api.patch('/users/@me/badges', user, given)
const inList = async (user: Caller): Promise<Shown[]> =>
  (await api.get(`/admin/users?q=${user.chatPlatformId}`, owner)).body.users[0].badges

describe('a profile', () => {
  test('shows the newest first until its user chooses otherwise, with what each is for (B2)', async () => {
    const cup = await makeTournament(api, reader, { name: 'Winter Cup' })
    const badge = await makeBadge(api, manager, { name: 'Third', kind: 'placement', tournament: cup.id })
    const { user, grants } = await holder(2)
    const third = await giveBadge(api, manager, badge, user, { label: 'Bronze', place: 3, awardedAt: day(9) })
    const [first, ...others] = await shownIn(`/users/${user.guid}`)
    expect(first).toEqual({
      guid: third,
      badgeGuid: badge.guid,
      name: 'Third',
      kind: 'placement',
      imageUrl: badge.imageUrl,
      description: 'For those who played.',
      label: 'Bronze',
      place: 3,
      awardedAt: day(9),
      tournament: { guid: cup.guid, id: cup.id, name: 'Winter Cup' },
    })
    expect(guids(others)).toEqual([grants[1], grants[0]])
    expect((await shownIn('/users/@me', user))[0]).toEqual(first)
    expect((await shownIn(`/admin/users/${user.guid}`, owner))[0]).toEqual(first)
    expect((await inList(user))[0]).toEqual(first)
    // The card of a user has no badges.
    expect((await api.get(`/users/${user.guid}/card`)).body).not.toHaveProperty('badges')
  })

  test('shows what its user put first, and nothing that they hid but to them and to administrators', async () => {
    const { user, grants } = await holder()
    const [a, b, c, d, e] = grants as [string, string, string, string, string]
    const answered = await arrange(user, { order: [b.toUpperCase(), d], hidden: [d, a] })
    expect(outcome(answered)).toEqual([200, null])
    const all = [b, d, e, c, a]
    const hidden = (shown: readonly Shown[]) => shown.filter((each) => each.hidden === true).map(({ guid }) => guid)
    const whole = {
      'the answer': answered.body.badges,
      'as @me': await shownIn('/users/@me', user),
      'the list as @me': await shownIn('/users/@me/badges', user),
      'the account': await shownIn(`/admin/users/${user.guid}`, owner),
      'the list of accounts': await inList(user),
    }
    for (const [name, shown] of Object.entries(whole)) {
      expect(guids(shown), name).toEqual(all)
      expect(hidden(shown), name).toEqual([d, a])
    }
    const paths = [`/users/${user.guid}`, `/users/${user.chatPlatformId}`, `/users/${user.guid}/badges`]
    for (const path of paths) {
      for (const as of [null, reader, user, manager, owner]) {
        const shown = await shownIn(path, as)
        expect(guids(shown), path).toEqual([b, e, c])
        expect(JSON.stringify(shown)).not.toContain('hidden')
      }
    }
    // A missing list stays unchanged. A given list replaces the whole list.
    expect(guids((await arrange(user, { hidden: [e] })).body.badges)).toEqual(all)
    expect(guids(await shownIn(`/users/${user.guid}`))).toEqual([b, d, c, a])
    await arrange(user, { order: [a, a, c] })
    expect(guids(await shownIn(`/users/${user.guid}`))).toEqual([a, c, d, b])
    await arrange(user, {})
    await arrange(user, { order: [], hidden: [] })
    expect(guids(await shownIn(`/users/${user.guid}`))).toEqual([e, d, c, b, a])
    const events = await api.sql<{ after: object }>(
      `select after from event_log where subject = $1 and type = 'badge.shown_as' order by seq`,
      [user.guid],
    )
    expect(events).toHaveLength(4)
  })

  test('is arranged by its user alone, of what they hold', async () => {
    const [{ user, grants }, other] = [await holder(2), await holder(1)]
    const revoked = grants[0] as string
    await api.post(`/badges/${badges[0]?.guid}/grants/${revoked}/revoke`, manager, { reason: 'By mistake.' })
    const before = await shownIn('/users/@me', user)
    for (const guid of [...other.grants, revoked, nobody]) {
      for (const given of [{ order: [grants[1], guid] }, { hidden: [guid], order: [] }]) {
        expect(outcome(await arrange(user, given))).toEqual([400, 'badge.grant_not_own'])
      }
    }
    expect(outcome(await arrange(user, { order: ['x'] }))).toEqual([400, 'request.invalid'])
    expect(await shownIn('/users/@me', user)).toEqual(before)
    expect(await shownIn('/users/@me', other.user)).toHaveLength(1)
    expect(outcome(await api.patch('/users/@me/badges', null, { order: [] }))).toEqual([401, 'token.missing'])
    const token = await api.token(user, ['rest:user:read'])
    const reply = await api.call('PATCH', '/users/@me/badges', { token, body: { order: [] } })
    expect(outcome(reply)).toEqual([401, 'scope.missing'])
  })

  test('what is hidden is for tokens that may read what is the user’s own', async () => {
    const { user, grants } = await holder(2)
    await arrange(user, { hidden: [grants[0]] })
    expect(outcome(await api.get('/users/@me/badges'))).toEqual([401, 'token.missing'])
    const seenBy = async (scope: Scope) => {
      const reply = await api.call('GET', '/users/@me/badges', { token: await api.token(user, [scope]) })
      expect(outcome(reply)).toEqual([200, null])
      return guids(reply.body.badges)
    }
    for (const scope of ['rest:user:read', 'rest:read'] as const) {
      expect(await seenBy(scope), scope).toEqual([grants[1], grants[0]])
    }
    expect(await seenBy('ws:read')).toEqual([grants[1]])
  })

  test('shows at most fifty; the list shows all, every one once', async () => {
    const user = await api.user()
    await api.sql(
      `with made as (
         insert into badges (name, description, kind, media_guid, image_url, holders)
         select 'Many ' || n, '', 'special', gen_random_uuid(), 'https://media.example.org/x.webp', 1
         from generate_series(1, 130) n returning guid)
       insert into badge_grants (badge_guid, user_guid, awarded_at, source)
       select guid, $1, '2024-01-01'::timestamptz + (row_number() over () / 7) * interval '1 day', 'import' from made`,
      [user.guid],
    )
    const rows = await api.sql<{ guid: string }>(
      'select guid from badge_grants where user_guid = $1 order by awarded_at desc, guid desc',
      [user.guid],
    )
    const newest = guids(rows)
    const order = newest.slice(60, 90).toReversed()
    await arrange(user, { order })
    const all = [...order, ...newest.filter((guid) => !order.includes(guid))]
    expect(guids(await shownIn(`/users/${user.guid}`))).toEqual(all.slice(0, 50))
    expect(guids(await shownIn('/users/@me', user))).toEqual(all.slice(0, 50))
    expect(guids(await inList(user))).toEqual(all.slice(0, 50))
    const paged: string[] = []
    for (let before = ''; ; ) {
      const { body } = await api.get(`/users/${user.guid}/badges?limit=9${before}`)
      paged.push(...guids(body.badges))
      if (body.nextCursor === null) break
      before = `&before=${body.nextCursor}`
    }
    expect(paged).toEqual(all)
    const cursor = Buffer.from(JSON.stringify(['badges.held', 'x', day(1), nobody])).toString('base64url')
    for (const before of ['x', cursor]) {
      expect(outcome(await api.get(`/users/${user.guid}/badges?before=${before}`))).toEqual([400, 'cursor.invalid'])
    }
    expect(outcome(await api.get(`/users/${nobody}/badges`))).toEqual([404, 'user.unknown'])
  })

  test('names no tournament that the reader may not see (B3)', async () => {
    const organiser = await api.user()
    const draft = await makeTournament(api, organiser)
    const badge = await makeBadge(api, manager, { tournament: draft.id })
    const { user } = await holder(1)
    await giveBadge(api, manager, badge, user)
    await api.sql(`update tournaments set status = 'draft', approved_at = null where guid = $1`, [draft.guid])
    const caster = await roleHolder(api, draft, 'role:caster')
    const named = async (path: string, as: Caller | null) =>
      (await shownIn(path, as)).map(({ tournament }) => tournament !== null)
    for (const path of [`/users/${user.guid}`, `/users/${user.guid}/badges`]) {
      for (const as of [null, reader, user, manager]) expect(await named(path, as), path).toEqual([false, false])
      for (const as of [organiser, caster, owner]) expect(await named(path, as), path).toEqual([true, false])
    }
    expect(await named('/users/@me', user)).toEqual([false, false])
    expect(await named(`/admin/users/${user.guid}`, owner)).toEqual([true, false])
  })

  test('changes at once for everybody on every process (D12)', async () => {
    const user = await api.user()
    const paths = [`/users/${user.guid}`, `/users/${user.guid}/badges`]
    const [badge] = badges as [MadeBadge]
    const everywhere = async () => {
      const read = paths.flatMap((path) =>
        [api, sibling].flatMap((on) => [null, reader].map(async (as) => guids(await shownIn(path, as, on)))),
      )
      const each = new Set((await Promise.all(read)).map((shown) => shown.join()))
      expect(each.size).toBe(1)
      return [...each][0]
    }
    const counted = async () => {
      const read = [api, sibling].map(async (on) => (await on.get(`/badges/${badge.guid}`)).body.holders)
      const [one, other] = await Promise.all(read)
      expect(one).toBe(other)
      return one as number
    }
    for (const path of paths) for (const on of [api, sibling]) await remembered(on, path)
    expect(await everywhere()).toBe('')
    const before = await counted()
    const guid = await giveBadge(api, manager, badge, user)
    expect([await everywhere(), await counted()]).toEqual([guid, before + 1])
    await sibling.patch('/users/@me/badges', user, { hidden: [guid] })
    expect([await everywhere(), await counted()]).toEqual(['', before + 1])
    await api.patch('/users/@me/badges', user, { hidden: [] })
    expect(await everywhere()).toBe(guid)
    const etag = (await sibling.get(paths[0] as string)).headers.get('etag') ?? ''
    expect((await sibling.get(paths[0] as string, null, { 'if-none-match': etag })).status).toBe(304)
    await api.patch(`/badges/${badge.guid}`, manager, { name: 'Another name' })
    expect((await sibling.get(paths[0] as string, null, { 'if-none-match': etag })).status).toBe(200)
    expect(await shownIn(paths[0] as string, null, sibling)).toMatchObject([{ name: 'Another name' }])
    await api.post(`/badges/${badge.guid}/grants/${guid}/revoke`, manager, { reason: 'By mistake.' })
    expect([await everywhere(), await counted()]).toEqual(['', before])
  })
})

describe('an account', () => {
  test('is taken along with what it holds and held, hidden and revoked ones too (B10)', async () => {
    const { user, grants } = await holder(3)
    await arrange(user, { hidden: [grants[1]], order: [grants[2]] })
    await api.post(`/badges/${badges[0]?.guid}/grants/${grants[0]}/revoke`, manager, { reason: 'By mistake.' })
    const { body } = await api.get('/users/@me/export', user)
    expect(body.held.badges.records).toEqual([
      expect.objectContaining({ guid: grants[2], name: badges[2]?.name, hidden: false, position: 1 }),
      expect.objectContaining({ guid: grants[1], hidden: true, position: null, awardedAt: day(2) }),
      expect.objectContaining({ guid: grants[0], revokeReason: 'By mistake.' }),
    ])
    const made = (await api.get('/users/@me/export', manager)).body.held
    expect(guids(made.badgesMade.records)).toEqual(expect.arrayContaining(guids(badges)))
    expect(guids(made.badgesGranted.records)).toEqual(expect.arrayContaining(grants))
    expect(JSON.stringify(made)).not.toContain(user.guid)
  })

  test('that is given up leaves no grants, and the badges are held by fewer (B10)', async () => {
    const leaving = await api.user({ globalRoles: ['global:badges:manage'] })
    const [kept, own] = [await makeBadge(api, manager), await makeBadge(api, leaving)]
    const { user: friend } = await holder(0)
    for (const badge of [kept, own]) {
      await giveBadge(api, manager, badge, leaving)
      await giveBadge(api, leaving, badge, friend)
    }
    const revoked = await makeBadge(api, manager)
    const guid = await giveBadge(api, manager, revoked, leaving)
    await api.post(`/badges/${revoked.guid}/grants/${guid}/revoke`, manager, { reason: 'By mistake.' })
    expect(outcome(await api.delete('/users/@me', leaving))).toEqual([204, null])
    for (const badge of [kept, own]) {
      for (const on of [api, sibling]) {
        expect((await on.get(`/badges/${badge.guid}`, manager)).body.holders).toBe(1)
        const { holders } = (await on.get(`/badges/${badge.guid}/holders`)).body
        expect(holders.map((each: { user: { guid: string } }) => each.user.guid)).toEqual([friend.guid])
      }
    }
    expect((await api.get(`/badges/${own.guid}`, manager)).body.createdBy).toBe(null)
    expect((await api.get(`/badges/${revoked.guid}`)).body.holders).toBe(0)
    const left = await api.sql(
      `select 1 from badge_grants where $1 in (user_guid, granted_by) union all select 1 from badges where created_by = $1`,
      [leaving.guid],
    )
    expect(left).toEqual([])
    const again = await api.post(`/badges/${kept.guid}/grants`, manager, { users: [{ user: leaving.guid }] })
    expect(again.body).toEqual({ granted: [], alreadyHeld: [], unknown: [0] })
  })

  test('that is given up while badges are granted to it holds none, and none is counted', async () => {
    for (let round = 0; round < 4; round++) {
      const { user } = await holder(3)
      const before = await Promise.all(badges.map(async ({ guid }) => (await api.get(`/badges/${guid}`)).body.holders))
      const grants = badges.map(({ guid }, index) =>
        (index % 2 === 0 ? api : sibling).post(`/badges/${guid}/grants`, manager, { users: [{ user: user.guid }] }),
      )
      const [gone, ...granted] = await Promise.all([api.delete('/users/@me', user), ...grants])
      expect(outcome(gone)).toEqual([204, null])
      for (const reply of granted) expect(outcome(reply)).toEqual([200, null])
      const after = await Promise.all(badges.map(async ({ guid }) => (await api.get(`/badges/${guid}`)).body.holders))
      expect(after).toEqual(before.map((count, index) => (index < 3 ? count - 1 : count)))
      expect(await api.sql('select 1 from badge_grants where user_guid = $1', [user.guid])).toEqual([])
    }
  })
})
