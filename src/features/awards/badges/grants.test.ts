import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { giveBadge, type MadeBadge, makeBadge } from '../../../../test/badges.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import { nobody } from '../../../../test/world.ts'

/** Badges are granted and revoked. (B1, B4, B9; badges: Operations) */

let api: Harness
let sibling: Harness
let manager: Caller
let second: Caller
beforeAll(async () => {
  api = await startHarness()
  ;[sibling, manager, second] = await Promise.all([
    api.sibling(),
    api.user({ globalRoles: ['global:badges:manage'] }),
    api.user({ globalRoles: ['role:dev'] }),
  ])
})
afterAll(async () => {
  await sibling?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

type Named = { readonly user: string; readonly label?: string | null; readonly place?: number | null }
const grant = (badge: MadeBadge, users: readonly Named[], more: object = {}, as: Caller | null = manager, on = api) =>
  on.post(`/badges/${badge.guid}/grants`, as, { users, ...more })
const revoke = (badge: Pick<MadeBadge, 'guid'>, guid: string, as: Caller | null = manager, reason = 'By mistake.') =>
  api.post(`/badges/${badge.guid}/grants/${guid}/revoke`, as, { reason })
const holdersOf = async (badge: MadeBadge, as: Caller | null = null) =>
  (await api.get(`/badges/${badge.guid}/holders?limit=100`, as)).body.holders as {
    guid: string
    user: { guid: string }
    hidden?: true
  }[]
const counted = async (badge: MadeBadge) => (await api.get(`/badges/${badge.guid}`)).body.holders
const users = (count: number) => Promise.all(Array.from({ length: count }, () => api.user()))
const guidsOf = (rows: readonly { readonly guid: string }[]) => rows.map(({ guid }) => guid)
const eventsOf = (badge: MadeBadge) =>
  api.sql<{ type: string; actor: string; before: object; after: object }>(
    `select type, actor, before, after from event_log where subject = $1 and type <> 'badge.created' order by seq`,
    [badge.guid],
  )

async function verify(user: Caller, platform: string, id: string): Promise<void> {
  await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, now())', [
    user.guid,
    platform,
    id,
  ])
}

describe('granting', () => {
  test('names users by any identifier, and says of each what became of them', async () => {
    const badge = await makeBadge(api, manager, { name: 'Top of the cup' })
    const [ada, ben, cleo, dan, eve] = (await users(5)) as [Caller, Caller, Caller, Caller, Caller]
    await verify(cleo, 'ranking-a', '76561198000000123')
    await verify(dan, 'ranking-b', '4711')
    await api.sql(`insert into identities (user_guid, platform, external_id) values ($1, 'ranking-b', '4712')`, [
      eve.guid,
    ])
    await giveBadge(api, manager, badge, ben)
    const given = await grant(
      badge,
      [
        { user: ada.guid.toUpperCase(), label: ' 2nd \n place ', place: 2 },
        { user: ben.chatPlatformId, label: 'Again' },
        { user: nobody },
        { user: '76561198000000123', label: ' ' },
        { user: '4711' },
        { user: 'not somebody' },
        { user: '4712' },
        { user: ada.chatPlatformId },
        { user: '@me' },
      ],
      { awardedAt: '2021-03-04T05:06:07+01:00' },
    )
    expect(outcome(given)).toEqual([200, null])
    const { granted, alreadyHeld, unknown } = given.body
    expect(unknown).toEqual([2, 5, 6])
    expect(alreadyHeld.toSorted()).toEqual([ada.guid, ben.guid].toSorted())
    const byUser = new Map(granted.map((each: { user: { guid: string } }) => [each.user.guid, each]))
    expect([...byUser.keys()].toSorted()).toEqual(guidsOf([ada, cleo, dan, manager]).toSorted())
    expect(byUser.get(ada.guid)).toEqual({
      guid: expect.any(String),
      badge: { guid: badge.guid, name: 'Top of the cup' },
      user: expect.objectContaining({ guid: ada.guid, username: ada.username }),
      label: '2nd place',
      place: 2,
      awardedAt: '2021-03-04T04:06:07.000Z',
      source: 'manual',
      position: null,
      revokedAt: null,
      revokeReason: null,
      createdAt: expect.any(String),
    })
    expect(byUser.get(cleo.guid)).toMatchObject({ label: null, place: null })
    expect(await counted(badge)).toBe(5)
    const receivedBy = (user: Caller) => messagesOf(api, user)
    const message = {
      type: 'badge.granted',
      title: 'You were given the badge Top of the cup',
      body: '',
      data: { badgeGuid: badge.guid },
    }
    for (const user of [ada, ben, cleo, dan, manager]) expect(await receivedBy(user)).toEqual([message])
    expect(await receivedBy(eve)).toEqual([])
    const [, event] = await eventsOf(badge)
    expect(event).toMatchObject({ type: 'badge.granted', actor: manager.guid, after: { source: 'manual' } })
  })

  test('is for managers, of 1 to 200 users, with labels, places and dates that may be', async () => {
    const badge = await makeBadge(api, manager)
    const user = await api.user()
    expect(outcome(await grant(badge, [], {}, user))).toEqual([403, 'role.missing'])
    expect(outcome(await grant(badge, [], {}, null))).toEqual([401, 'token.missing'])
    const many = (count: number) => Array.from({ length: count }, () => ({ user: user.guid }))
    const one = { user: user.guid }
    const wrong: [Named[], object, string][] = [
      [[], {}, 'request.invalid'],
      [many(201), {}, 'request.invalid'],
      [[{ ...one, label: 'x'.repeat(61) }], {}, 'request.invalid'],
      [[{ ...one, place: 0 }], {}, 'request.invalid'],
      [[{ ...one, place: 1000 }], {}, 'request.invalid'],
      [[{ ...one, place: 1.5 }], {}, 'request.invalid'],
      [[one], { awardedAt: new Date(Date.now() + 3_600_000).toISOString() }, 'badge.invalid'],
      [[one], { awardedAt: '2019-12-31T23:59:59Z' }, 'request.invalid'],
      [[one], { awardedAt: '2024-01-01T00:00:00' }, 'request.invalid'],
    ]
    for (const [named, more, code] of wrong) {
      const reply = await grant(badge, named, more)
      expect(outcome(reply), JSON.stringify([named.slice(0, 1), more, reply.text])).toEqual([400, code])
    }
    expect(await counted(badge)).toBe(0)
    const most = await grant(badge, [{ ...one, label: '🥇'.repeat(60), place: 999 }, ...many(199)])
    expect(outcome(most)).toEqual([200, null])
    expect(most.body).toMatchObject({ alreadyHeld: [user.guid], unknown: [] })
    expect(most.body.granted).toHaveLength(1)
    expect(outcome(await grant({ ...badge, guid: nobody }, [one]))).toEqual([404, 'badge.unknown'])
  })

  test('by several managers on two processes at once gives everybody one, and counts each once', async () => {
    const badge = await makeBadge(api, manager)
    const people = await users(12)
    const named = people.map(({ guid }) => ({ user: guid }))
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const shuffled = named.toSorted(() => (index % 2 === 0 ? 1 : -1)).slice(index % 3)
        return grant(badge, shuffled, {}, index % 2 === 0 ? manager : second, index % 3 === 0 ? sibling : api)
      }),
    )
    expect(replies.map((reply) => outcome(reply))).toEqual(replies.map(() => [200, null]))
    const granted = replies.flatMap(({ body }) =>
      body.granted.map((each: { user: { guid: string } }) => each.user.guid),
    )
    expect(granted.toSorted()).toEqual(guidsOf(people).toSorted())
    for (const { body } of replies) {
      const accounted = [...body.granted.map((each: { user: { guid: string } }) => each.user.guid), ...body.alreadyHeld]
      expect(new Set(accounted).size).toBe(accounted.length)
    }
    expect(await counted(badge)).toBe(12)
    expect((await holdersOf(badge)).map(({ user }) => user.guid).toSorted()).toEqual(guidsOf(people).toSorted())
    for (const user of people) expect(await messagesOf(api, user)).toHaveLength(1)
  })

  test('and retiring at the same time: whoever was answered 200 holds it, and nobody after', async () => {
    for (let round = 0; round < 4; round++) {
      const badge = await makeBadge(api, manager)
      const people = await users(6)
      const grants = people.map((user, index) =>
        grant(badge, [{ user: user.guid }], {}, manager, index % 2 ? api : sibling),
      )
      const retiring = api.patch(`/badges/${badge.guid}`, second, { retired: true })
      const [replies, retired] = [await Promise.all(grants), await retiring]
      expect(outcome(retired)).toEqual([200, null])
      const codes = replies.map((reply) => outcome(reply).join(' '))
      expect(new Set([...codes, '200 ', '409 badge.retired'])).toEqual(new Set(['200 ', '409 badge.retired']))
      const won = people.filter((_, index) => codes[index] === '200 ')
      expect((await holdersOf(badge)).map(({ user }) => user.guid).toSorted()).toEqual(guidsOf(won).toSorted())
      expect(await counted(badge)).toBe(won.length)
      // No grant comes after the event of the retirement.
      const [{ count } = { count: -1 }] = await api.sql<{ count: number }>(
        `select count(*)::int from event_log g join event_log r on r.subject = g.subject and r.type = 'badge.updated'
         where g.subject = $1 and g.type = 'badge.granted' and g.seq > r.seq`,
        [badge.guid],
      )
      expect(count).toBe(0)
    }
  })
})

describe('revoking', () => {
  test('takes it from the user, who is told why; the row stays, and it may be granted anew (B1)', async () => {
    const badge = await makeBadge(api, manager, { name: 'Fair play' })
    const [ada, ben] = (await users(2)) as [Caller, Caller]
    const guid = await giveBadge(api, manager, badge, ada, { label: 'Ada', place: 1 })
    await giveBadge(api, manager, badge, ben)
    const revoked = await revoke(badge, guid.toUpperCase(), second, 'Meant for another Ada.')
    expect(outcome(revoked)).toEqual([200, null])
    expect(revoked.body).toMatchObject({
      guid,
      label: 'Ada',
      place: 1,
      user: { guid: ada.guid },
      revokedAt: expect.any(String),
      revokeReason: 'Meant for another Ada.',
    })
    expect(await counted(badge)).toBe(1)
    expect((await holdersOf(badge)).map(({ user }) => user.guid)).toEqual([ben.guid])
    for (const path of [`/users/${ada.guid}`, `/users/${ada.guid}/badges`]) {
      expect((await api.get(path)).body.badges).toEqual([])
    }
    const [latest] = await messagesOf(api, ada)
    expect(latest).toEqual({
      type: 'badge.revoked',
      title: 'The badge Fair play was taken from you',
      body: 'Meant for another Ada.',
      data: { badgeGuid: badge.guid },
    })
    expect((await eventsOf(badge)).at(-1)).toEqual({
      type: 'badge.revoked',
      actor: second.guid,
      before: { users: [ada.guid] },
      after: { reason: 'Meant for another Ada.' },
    })
    const again = await giveBadge(api, manager, badge, ada)
    expect(again).not.toBe(guid)
    expect(await counted(badge)).toBe(2)
    const rows = await api.sql<{ guid: string; reason: string | null }>(
      'select guid, revoke_reason as reason from badge_grants where user_guid = $1 order by created_at',
      [ada.guid],
    )
    expect(rows).toEqual([
      { guid, reason: 'Meant for another Ada.' },
      { guid: again, reason: null },
    ])
  })

  test('is refused where there is nothing to revoke, without reason, and to others', async () => {
    const [badge, other] = [await makeBadge(api, manager), await makeBadge(api, manager)]
    const user = await api.user()
    const guid = await giveBadge(api, manager, badge, user)
    expect(outcome(await revoke(badge, guid, user))).toEqual([403, 'role.missing'])
    expect(outcome(await revoke(badge, guid, manager, ''))).toEqual([400, 'request.invalid'])
    expect(outcome(await revoke(badge, guid, manager, 'x'.repeat(501)))).toEqual([400, 'request.invalid'])
    expect(outcome(await revoke(other, guid))).toEqual([404, 'badge.grant_unknown'])
    for (const wrong of [nobody, 'x']) expect(outcome(await revoke(badge, wrong))).toEqual([404, 'badge.grant_unknown'])
    expect(outcome(await revoke({ guid: nobody }, guid))).toEqual([404, 'badge.unknown'])
    const replies = await Promise.all(Array.from({ length: 5 }, () => revoke(badge, guid)))
    expect(replies.map((reply: Reply) => outcome(reply).join(' ')).sort()).toEqual([
      '200 ',
      ...Array.from({ length: 4 }, () => '409 badge.grant_revoked'),
    ])
    expect(await counted(badge)).toBe(0)
    expect(await messagesOf(api, user)).toHaveLength(2)
  })

  test('and granting and hiding the same at once leaves the count that the rows have', async () => {
    const badge = await makeBadge(api, manager)
    const people = await users(5)
    const given = await Promise.all(people.map((user) => giveBadge(api, manager, badge, user)))
    const work = people.flatMap((user, index) => [
      () => revoke(badge, given[index] as string),
      () =>
        grant(
          badge,
          people.map(({ guid }) => ({ user: guid })),
          {},
          second,
          sibling,
        ),
      () => api.patch('/users/@me/badges', user, { hidden: [given[index]], order: [given[index]] }),
    ])
    const replies = await Promise.all(work.map((each) => each()))
    for (const reply of replies)
      expect([
        [200, null],
        [400, 'badge.grant_not_own'],
      ]).toContainEqual(outcome(reply))
    const [row] = await api.sql<{ held: number; most: number }>(
      `select count(*)::int as held, coalesce(max(each), 0)::int as most from (
         select count(*) over (partition by user_guid) as each from badge_grants where badge_guid = $1 and revoked_at is null) g`,
      [badge.guid],
    )
    expect(row?.held).toBe(await counted(badge))
    expect(row?.most).toBeLessThanOrEqual(1)
  })
})

describe('the holders of a badge', () => {
  test('are shown with their cards, the latest first, every one once', async () => {
    const badge = await makeBadge(api, manager)
    const people = await users(5)
    const given = []
    for (const user of people) given.push(await giveBadge(api, manager, badge, user))
    const shown = await holdersOf(badge)
    expect(shown.map(({ guid }) => guid)).toEqual(given.toReversed())
    const card = (await api.get(`/users/${people[4]?.guid}/card`)).body
    expect(shown[0]).toEqual({
      guid: given[4],
      user: card,
      label: null,
      place: null,
      awardedAt: expect.any(String),
      source: 'manual',
    })
    const paged: string[] = []
    for (let before = ''; ; ) {
      const { body } = await api.get(`/badges/${badge.guid}/holders?limit=2${before}`)
      paged.push(...guidsOf(body.holders))
      if (body.nextCursor === null) break
      before = `&before=${body.nextCursor}`
    }
    expect(paged).toEqual(given.toReversed())
  })

  test('are not shown where they have hidden it, but to administrators, who may have it revoked', async () => {
    const badge = await makeBadge(api, manager)
    const [ada, ben] = (await users(2)) as [Caller, Caller]
    const [hidden, shown] = [await giveBadge(api, manager, badge, ada), await giveBadge(api, manager, badge, ben)]
    await api.patch('/users/@me/badges', ada, { hidden: [hidden] })
    const administrator = second
    for (const as of [null, ada, ben, manager]) expect(guidsOf(await holdersOf(badge, as))).toEqual([shown])
    expect(await holdersOf(badge, administrator)).toMatchObject([{ guid: shown }, { guid: hidden, hidden: true }])
    expect(await holdersOf(badge, administrator)).not.toMatchObject([{ hidden: true }])
    expect(outcome(await revoke(badge, hidden))).toEqual([200, null])
    expect(guidsOf(await holdersOf(badge, administrator))).toEqual([shown])
  })
})
