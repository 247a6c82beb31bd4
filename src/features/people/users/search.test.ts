import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { nobody } from '../../../../test/world.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const search = (query: string) => api.get(`/users${query}`)

async function found(q: string): Promise<string[]> {
  const reply = await search(`?q=${encodeURIComponent(q)}&limit=100`)
  expect(reply.status).toBe(200)
  return reply.body.users.map(({ username }: { username: string }) => username).sort()
}

async function prefer(user: Caller, preferredName: string): Promise<void> {
  expect((await api.post('/updateUserSettings', user, { preferredName })).status).toBe(200)
}

describe('GET /users', () => {
  test('shows cards, newest first, to anybody', async () => {
    const [first, second] = [await api.user({ name: 'list-1' }), await api.user({ name: 'list-2' })]
    const reply = await search('?q=list-')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(Object.keys(reply.body)).toEqual(['users', 'nextCursor'])
    expect(reply.body.nextCursor).toBeNull()
    expect(reply.body.users.map(({ guid }: { guid: string }) => guid)).toEqual([second.guid, first.guid])
    expect(reply.body.users[1]).toEqual((await api.get(`/users/${first.guid}/card`)).body)
  })

  test('finds by the start of either name, in any case', async () => {
    const user = await api.user({ name: 'Semiquaver' })
    await prefer(user, 'Étude Player')
    await api.user({ name: 'not-semiquaver' })
    for (const q of ['semiq', 'SEMIQUAVER', 'étude', 'ÉTUDE PL', 'e\u0301tude']) {
      expect(await found(q), q).toEqual(['Semiquaver'])
    }
    for (const q of ['emiq', 'Player', 'semiquavers']) expect(await found(q), q).toEqual([])
  })

  test('%, _ and \\ stand for themselves', async () => {
    const names = ['%percent', '_under', '\\back', 'a%b', 'a_b', 'a\\b', 'axb', "a'b"]
    for (const name of names) await api.user({ name })
    const expected: [string, string[]][] = [
      ['%', ['%percent']],
      ['_', ['_under']],
      ['\\', ['\\back']],
      ['a%', ['a%b']],
      ['a_', ['a_b']],
      ['a\\', ['a\\b']],
      ['a\\%', []],
      ['%%', []],
      ["a'", ["a'b"]],
    ]
    for (const [q, usernames] of expected) expect(await found(q), q).toEqual(usernames)
  })

  test('finds by a whole ID that is proven or the chat platform’s', async () => {
    const user = await api.user({ name: 'linked' })
    for (const [platform, id, verifiedAt] of [
      ['ranking-a', '7001', new Date()],
      ['ranking-b', '7002', new Date()],
      ['streaming', '7003', new Date()],
    ]) {
      await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, $4)', [
        user.guid,
        platform,
        id,
        verifiedAt,
      ])
    }
    const claimant = await api.user({ name: 'claimant' })
    await api.sql(`insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '7004')`, [
      claimant.guid,
    ])
    for (const q of ['7001', '7002', user.chatPlatformId]) expect(await found(q), q).toEqual(['linked'])
    for (const q of ['700', '7003', '7004', user.chatPlatformId.slice(0, -1)]) expect(await found(q), q).toEqual([])
  })

  test('does not find by e-mail address, nor who gave up their account', async () => {
    const user = await api.user({ name: 'leaver' })
    await api.sql(`update users set email = 'findme@example.org' where guid = $1`, [user.guid])
    expect(await found('findme')).toEqual([])
    expect(await found('leaver')).toEqual(['leaver'])
    await api.sql('update users set anonymised_at = now() where guid = $1', [user.guid])
    expect(await found('leaver')).toEqual([])
  })

  const cursor = (position: readonly unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')

  test.each([
    ['?limit=0', 'request.invalid'],
    ['?limit=101', 'request.invalid'],
    ['?limit=-1', 'request.invalid'],
    ['?limit=1.5', 'request.invalid'],
    ['?limit=many', 'request.invalid'],
    ['?limit=', 'request.invalid'],
    ['?q=', 'request.invalid'],
    [`?q=${'x'.repeat(101)}`, 'request.invalid'],
    ['?q=%00', 'request.invalid'],
    ['?q=a&q=b', 'request.invalid'],
    ['?before=', 'cursor.invalid'],
    ['?before=abc', 'cursor.invalid'],
    [`?before=${cursor(['users'])}`, 'cursor.invalid'],
    [`?before=${cursor(['users', 1, 2])}`, 'cursor.invalid'],
    [`?before=${cursor(['users', 'today', nobody])}`, 'cursor.invalid'],
    [`?before=${cursor(['users', '2026-01-01T00:00:00.000Z', 'me'])}`, 'cursor.invalid'],
    [`?before=${cursor(['accounts', '2026-01-01T00:00:00.000Z', nobody])}`, 'cursor.invalid'],
    [`?before=${cursor(['users', '2026-01-01T00:00:00.000Z', nobody, 'x'])}`, 'cursor.invalid'],
  ])('%s is refused', async (query, code) => {
    expect(problem(await search(query))).toEqual([400, code])
  })

  test('there are 25 on a page unless the caller says otherwise', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => api.user({ name: `paged-${index}` })))
    expect((await search('?q=paged-')).body.users).toHaveLength(25)
    expect((await search('?q=paged-&limit=1')).body.users).toHaveLength(1)
    const all = await search('?q=paged-&limit=100')
    expect([all.body.users.length, all.body.nextCursor]).toEqual([30, null])
  })

  test('a start that hundreds of names have is paged like any other', async () => {
    await api.sql(
      `insert into users (chat_platform_id, username, preferred_name, avatar_url, created_at)
       select 'crowd-' || n, case when n % 2 = 0 then 'Crowd' else 'x' end || n, 'crowded ' || n, '', now() - n * interval '1 second'
       from generate_series(1, 620) n`,
    )
    const sizes: number[] = []
    const seen: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const reply: Reply = await search(`?q=CROWD&limit=100${next === '' ? '' : `&before=${next}`}`)
      sizes.push(reply.body.users.length)
      seen.push(...reply.body.users.map(({ preferredName }: { preferredName: string }) => preferredName))
      next = reply.body.nextCursor
    }
    expect(sizes).toEqual([100, 100, 100, 100, 100, 100, 20])
    expect(seen).toEqual(Array.from({ length: 620 }, (_, index) => `crowded ${index + 1}`))
    expect(await found('crowd-77')).toEqual(['x77'])
  })

  test('pages neither skip nor repeat a user, whatever their sizes and whoever signs in meanwhile', async () => {
    const there = await Promise.all(Array.from({ length: 40 }, () => api.user({ name: 'walked' })))
    // Many users have the same time of creation, so only their GUIDs order them.
    await api.sql(
      `update users set created_at = date_trunc('second', created_at) where username = 'walked' and guid::text < '8'`,
    )
    const limits = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(limits, async (sizes) => {
        let walking = true
        const newcomers = (async () => {
          while (walking) await api.user({ name: 'walked' })
        })()
        const seen: string[] = []
        let next: string | null = ''
        for (let page = 0; next !== null; page++) {
          const from: string = next === '' ? '' : `&before=${next}`
          const reply: Reply = await search(`?q=walked&limit=${sizes[page % sizes.length]}${from}`)
          expect(reply.status).toBe(200)
          seen.push(...reply.body.users.map(({ guid }: { guid: string }) => guid))
          next = reply.body.nextCursor
        }
        walking = false
        await newcomers
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen).toEqual(expect.arrayContaining(there.map(({ guid }) => guid)))
        await api.sql(`delete from access_tokens where user_guid in (select guid from users where username = 'walked')`)
        await api.sql(`delete from users where username = 'walked' and not guid = any($1)`, [
          there.map(({ guid }) => guid),
        ])
      }),
      { numRuns: 8 },
    )
  })
})
