import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../../../test/browser.ts'
import { arriveAtCallback, chatConfig } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import { sessionsJobs } from './jobs.ts'

/** Sign-ins from a place that is new for the account. */

let chat: FakeChat
let api: Harness
let sibling: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat), trustedProxies: ['127.0.0.1'] })
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const home = '203.0.113.7'
const away = '198.51.100.7'
const newAccount = () => chat.users.add().id

/**
 * Signs the account in as a client does and returns its token. Without an address, the request comes from this machine.
 */
async function arrive(account: string, address: string | null, process = api, userAgent = 'Overlay/1.0') {
  const reply = await process.call('GET', '/requestAuthToken', {
    headers: {
      authorization: `Bearer ${chat.issueToken(account)}`,
      'user-agent': userAgent,
      ...(address === null ? {} : { 'x-forwarded-for': address }),
    },
  })
  if (reply.status !== 200) throw new Error(`the sign-in was answered ${reply.status} ${reply.text}`)
  return reply.body.token as string
}

/** Signs the account in on the website. */
async function arriveByBrowser(account: string, address: string) {
  const browser = new Browser(api)
  const callback = await arriveAtCallback(browser, chat, account)
  const headers = { 'x-forwarded-for': address, 'user-agent': 'Mozilla/5.0' }
  expect((await browser.visit(callback, { headers })).status).toBe(302)
  const { token } = (await browser.post('/api/auth/token')).body
  return token as string
}

const owned = 'user_guid = (select guid from users where chat_platform_id = $1)'

const warnings = (account: string) =>
  api.sql<{ subject: string; actor: string | null; tournament: string | null; before: unknown; after: unknown }>(
    `select subject, actor, tournament, before, after from event_log
     where type = 'sign_in.new_place' and subject = (select guid from users where chat_platform_id = $1) order by seq`,
    [account],
  )
const warned = async (account: string) => (await warnings(account)).length
const places = (account: string) =>
  api.sql<{ place: string; last_seen_at: Date }>(
    `select place, last_seen_at from sign_in_places where ${owned} order by last_seen_at desc`,
    [account],
  )

describe('a sign-in', () => {
  test('from a new place is told to the user, with what it takes to end it', async () => {
    const account = newAccount()
    const token = await arrive(account, home)
    const stranger = await arrive(account, away, api, 'Mozilla/5.0 (Elsewhere)')
    const listed = (await api.call('GET', '/users/@me/sessions', { token: stranger })).body.sessions
    const sessionGuid = listed.find((session: { current: boolean }) => session.current).guid
    const [{ guid } = {}] = await api.sql('select guid from users where chat_platform_id = $1', [account])
    expect(await warnings(account)).toEqual([
      {
        subject: guid,
        actor: null,
        tournament: null,
        before: null,
        after: { sessionGuid, userAgent: 'Mozilla/5.0 (Elsewhere)' },
      },
    ])
    expect(await messagesOf(api, { token })).toEqual([
      {
        type: 'sign_in.new_place',
        title: 'Somebody signed in to your account from a new place',
        body: 'If this was you, there is nothing to do. If this was not you, end that sign-in in the list of your sign-ins and change the password of the chat account that you sign in with. What was used calls itself “Mozilla/5.0 (Elsewhere)”.',
        data: { sessionGuid },
      },
    ])
    expect((await api.call('DELETE', `/users/@me/sessions/${sessionGuid}`, { token })).status).toBe(204)
    expect((await api.call('GET', '/users/@me/sessions', { token: stranger })).status).toBe(401)
  })

  test('on the website counts as one of a client does', async () => {
    const account = newAccount()
    await arriveByBrowser(account, home)
    await arrive(account, home)
    expect(await warned(account)).toBe(0)
    await arriveByBrowser(account, away)
    await arrive(account, away)
    const [website] = await api.sql<{ guid: string }>(
      `select guid from sessions where ${owned} and secret_hash is not null order by created_at desc`,
      [account],
    )
    expect((await warnings(account)).map(({ after }) => after)).toEqual([
      { sessionGuid: website?.guid, userAgent: 'Mozilla/5.0' },
    ])
  })

  test.each([
    ['the same address', home, home],
    ['the same IPv4 network of 24 bits', '203.0.113.0', '203.0.113.255'],
    ['an IPv4 address that is written as an IPv6 one', home, '::ffff:203.0.113.99'],
    ['the same IPv6 network of 48 bits', '2001:db8:7::1', '2001:db8:7:ffff:ffff:ffff:ffff:ffff'],
    ['this machine', null, '127.0.0.9'],
    ['the same private network', '10.1.2.3', '10.1.2.200'],
  ])('from %s is no news', async (_what, first, second) => {
    const account = newAccount()
    for (const address of [first, second]) await arrive(account, address)
    expect([await warned(account), (await places(account)).length]).toEqual([0, 1])
  })

  test.each([
    ['the IPv4 network beside', home, '203.0.112.7'],
    ['the IPv6 network beside', '2001:db8:7::1', '2001:db8:8::1'],
    ['IPv6 instead of IPv4', home, '2001:db8:7::1'],
    ['another IPv4 network, written as IPv6', home, '::ffff:198.51.100.7'],
    ['another private network', '10.1.2.3', '10.1.3.3'],
    ['this machine', home, null],
    ['no address at all', home, 'nonsense'],
  ])('from %s is', async (_what, first, second) => {
    const account = newAccount()
    for (const address of [first, second, second, first]) await arrive(account, address)
    expect([await warned(account), (await places(account)).length]).toEqual([1, 2])
  })

  test('of an account that no place is known of, whether it is new or was here before, is no news', async () => {
    const account = newAccount()
    await arrive(account, home)
    expect(await warned(account)).toBe(0)
    await api.sql(`delete from sign_in_places where ${owned}`, [account])
    await arrive(account, away)
    expect([await warned(account), (await places(account)).length]).toEqual([0, 1])
  })

  test('tells nothing of what is known of others', async () => {
    const [anna, ben] = [newAccount(), newAccount()]
    await arrive(anna, home)
    await arrive(ben, away)
    await arrive(anna, away)
    await arrive(ben, away)
    expect([await warned(anna), await warned(ben)]).toEqual([1, 0])
    const both = [...(await places(anna)), ...(await places(ben))].map(({ place }) => place)
    expect(new Set(both).size).toBe(3)
  })

  test('that is refused leaves no place behind, and warns of nothing', async () => {
    const account = newAccount()
    await arrive(account, home)
    await api.sql('update users set banned_at = now() where chat_platform_id = $1', [account])
    await expect(arrive(account, away)).rejects.toThrow('403')
    expect([await warned(account), (await places(account)).length]).toEqual([0, 1])
  })

  test('with an address that the caller made up, where no proxy is trusted, comes from where the caller is', async () => {
    await using open = await startHarness({ chat: chatConfig(chat), trustedProxies: [] })
    const account = newAccount()
    for (const address of [home, away, null]) await arrive(account, address, open)
    expect(await open.sql(`select 1 from event_log where type = 'sign_in.new_place'`)).toEqual([])
    expect(await open.sql('select 1 from sign_in_places')).toHaveLength(1)
  })
})

describe('on two processes', () => {
  test('a place is known to both', async () => {
    const account = newAccount()
    await arrive(account, home, api)
    await arrive(account, home, sibling)
    expect(await warned(account)).toBe(0)
    await arrive(account, away, sibling)
    await arrive(account, away, api)
    expect(await warned(account)).toBe(1)
  })

  test('of many sign-ins at once, one warns of each new place', async () => {
    const rush = (account: string, addresses: readonly string[]) =>
      Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          arrive(account, addresses[index % addresses.length] as string, index % 2 ? sibling : api),
        ),
      )
    const account = newAccount()
    await rush(account, [home])
    expect([await warned(account), (await places(account)).length]).toEqual([0, 1])
    await rush(account, [away])
    expect([await warned(account), (await places(account)).length]).toEqual([1, 2])
    // Of several first sign-ins at the same time, the one that comes first causes no notification; the others do.
    const other = newAccount()
    await rush(other, [home, away, '2001:db8:7::1'])
    expect([await warned(other), (await places(other)).length]).toEqual([2, 3])
  })
})

describe('what is kept', () => {
  test('is the fifty places of each user that they were last seen at', async () => {
    const account = newAccount()
    const neighbour = newAccount()
    await arrive(neighbour, home)
    const address = (network: number) => `100.64.${network}.1`
    for (let network = 0; network < 50; network++) await arrive(account, address(network))
    await arrive(account, address(0))
    expect([await warned(account), (await places(account)).length]).toEqual([49, 50])
    await arrive(account, address(50))
    expect([await warned(account), (await places(account)).length]).toEqual([50, 50])
    // The first place was used again, so the second one is the oldest and is deleted.
    await arrive(account, address(0))
    await arrive(account, address(50))
    expect(await warned(account)).toBe(50)
    await arrive(account, address(1))
    expect([await warned(account), (await places(account)).length]).toEqual([51, 50])
    expect(await places(neighbour)).toHaveLength(1)
  })

  test('is no address, in no form, in no table', async () => {
    const account = newAccount()
    const addresses = ['198.18.77.201', '2001:db8:7a7b:7c7d::7e7f']
    for (const address of addresses) await arrive(account, address)
    const token = await arriveByBrowser(account, addresses[0] as string)
    expect((await messagesOf(api, { token })).map(({ type }) => type)).toEqual(['sign_in.new_place'])
    const kept = await places(account)
    expect(kept).toHaveLength(2)
    for (const { place } of kept) expect(place).toMatch(/^[\w-]{43}$/)
    const tables = await api.sql<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      for (const trace of ['198.18.77', 'c6124d', '2001:db8:7a7b', '20010db87a7b', '2001:0db8:7a7b']) {
        const found = await api.sql(`select 1 from ${name} t where strpos(lower(t::text), $1) > 0`, [trace])
        expect(found, `${trace} in ${name}`).toEqual([])
      }
    }
  })

  const sweep = (at: Date) => sessionsJobs[0]?.run({}, { ...api.app, now: () => at })
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const lastSeen = (account: string, at: Date) =>
    api.sql(`update sign_in_places set last_seen_at = $2 where ${owned}`, [account, at])

  test('is forgotten half a year after it was last seen', async () => {
    const [early, late] = [newAccount(), newAccount()]
    await arrive(early, home)
    await arrive(late, home)
    await lastSeen(early, daysAgo(180.1))
    await lastSeen(late, daysAgo(179.9))
    await arrive(early, away)
    await sweep(new Date())
    expect([(await places(early)).length, (await places(late)).length]).toEqual([1, 1])
    await arrive(early, away)
    expect(await warned(early)).toBe(1)
    await arrive(early, home)
    expect(await warned(early)).toBe(2)
    // A sign-in from a place restarts its half year.
    await arrive(late, home)
    await sweep(new Date(Date.now() + 179 * 86_400_000))
    expect(await places(late)).toHaveLength(1)
  })

  test('goes in more than one batch, and not while a sign-in notes it', async () => {
    const account = newAccount()
    await arrive(account, home)
    await lastSeen(account, daysAgo(200))
    const [row] = await api.sql<{ guid: string }>('select guid from users where chat_platform_id = $1', [account])
    await api.sql(
      `insert into sign_in_places (user_guid, place, last_seen_at)
       select $1, 'made ' || n, now() - interval '190 days' from generate_series(1, 2500) n`,
      [row?.guid],
    )
    const client = await api.app.database.pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `update sign_in_places set last_seen_at = now() where user_guid = $1 and place not like 'made %'`,
        [row?.guid],
      )
      await sweep(new Date())
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await places(account)).toHaveLength(1)
    await arrive(account, home)
    expect(await warned(account)).toBe(0)
  })
})
