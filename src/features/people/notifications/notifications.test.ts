import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { nobody } from '../../../../test/world.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const list = (as: Caller | null, query = '') => api.get(`/users/@me/notifications${query}`, as)
const read = (as: Caller | null, body: unknown) => api.post('/users/@me/notifications/read', as, body)

async function leave(user: Caller, count: number): Promise<void> {
  await api.sql(
    `insert into notifications (user_guid, type, title, data, created_at)
     select $1, 'test.left', 'Message ' || n, '{}', now() - n * interval '1 minute' from generate_series(1, $2) n`,
    [user.guid, count],
  )
}

describe('reading them', () => {
  test('pages go from the newest to the oldest, and skip or repeat nothing while more come in', async () => {
    const user = await api.user()
    await leave(user, 45)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Reply = await list(user, `?limit=10${cursor === '' ? '' : `&before=${cursor}`}`)
      expect(page.status).toBe(200)
      seen.push(...page.body.notifications.map(({ title }: { title: string }) => title))
      cursor = page.body.nextCursor
      await api.sql(`insert into notifications (user_guid, type, title) values ($1, 'test.late', 'Late')`, [user.guid])
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `Message ${index + 1}`))
    const all = await list(user)
    expect(all.body.notifications).toHaveLength(25)
    expect(all.headers.get('cache-control')).toBe('private, no-store')
  })

  test('a notification has its documented form', async () => {
    const user = await api.user()
    await leave(user, 1)
    const { body } = await list(user)
    expect(body).toEqual({
      notifications: [
        {
          guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'test.left',
          title: 'Message 1',
          body: '',
          data: {},
          readAt: null,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      nextCursor: null,
    })
  })

  test.each([
    ['limit=0', 'request.invalid'],
    ['limit=101', 'request.invalid'],
    ['limit=ten', 'request.invalid'],
    ['before=abc', 'cursor.invalid'],
    [`before=${encode(['users', '2026-01-01T00:00:00.000Z', nobody])}`, 'cursor.invalid'],
    [`before=${encode(['notifications', 'yesterday', nobody])}`, 'cursor.invalid'],
    [`before=${encode(['notifications', '2026-01-01T00:00:00.000Z', 'x'])}`, 'cursor.invalid'],
    [`before=${encode(['notifications', '2026-01-01T00:00:00.000Z'])}`, 'cursor.invalid'],
  ])('a page asked for as %s is refused', async (query, code) => {
    expect(problem(await list(await api.user(), `?${query}`))).toEqual([400, code])
  })

  function encode(cursor: readonly string[]): string {
    return Buffer.from(JSON.stringify(cursor)).toString('base64url')
  }

  test('they are for the user alone, whose token must allow it', async () => {
    const user = await api.user()
    const other = await api.user()
    await leave(user, 2)
    expect((await list(other)).body.notifications).toEqual([])
    expect(problem(await list(null))).toEqual([401, 'token.missing'])
    expect(problem(await read(null, { all: true }))).toEqual([401, 'token.missing'])
    const token = await api.token(user, ['rest:user:read'])
    expect((await api.call('GET', '/users/@me/notifications', { token })).body.notifications).toHaveLength(2)
    const refused = await api.call('POST', '/users/@me/notifications/read', { token, body: { all: true } })
    expect(problem(refused)).toEqual([401, 'scope.missing'])
  })

  test('the address does not stand in the way of those of users', async () => {
    const user = await api.user()
    expect((await api.get('/users/@me/card', user)).body.guid).toBe(user.guid)
    expect(problem(await api.get(`/users/${user.guid}/notifications`, user))).toEqual([404, 'route.unknown'])
  })
})

describe('marking them as read', () => {
  const guidsOf = async (user: Caller) =>
    (await list(user)).body.notifications.map(({ guid }: { guid: string }) => guid) as string[]
  const unread = async (user: Caller) =>
    (await list(user)).body.notifications.filter(({ readAt }: { readAt: string | null }) => readAt === null).length

  test('those that are named, each once, and never those of another user', async () => {
    const [user, other] = await Promise.all([api.user(), api.user()])
    await leave(user, 3)
    await leave(other, 2)
    const [first = '', second = ''] = await guidsOf(user)
    const theirs = await guidsOf(other)
    const named = [first.toUpperCase(), second, second, nobody, ...theirs]
    expect((await read(user, { guids: named })).body).toEqual({ read: 2 })
    expect((await read(user, { guids: named })).body).toEqual({ read: 0 })
    expect([await unread(user), await unread(other)]).toEqual([1, 2])
    expect((await read(user, { guids: [] })).body).toEqual({ read: 0 })
  })

  test('all of them, and when each was read stays', async () => {
    const [user, other] = await Promise.all([api.user(), api.user()])
    await leave(user, 30)
    await leave(other, 1)
    const [first] = await guidsOf(user)
    await read(user, { guids: [first] })
    const { readAt } = (await list(user)).body.notifications[0]
    expect((await read(user, { all: true })).body).toEqual({ read: 29 })
    expect((await list(user)).body.notifications[0].readAt).toBe(readAt)
    expect([await unread(user), await unread(other)]).toEqual([0, 1])
  })

  test('a message counts as read once, however many ask at the same time', async () => {
    const user = await api.user()
    await leave(user, 20)
    const replies = await Promise.all(Array.from({ length: 8 }, () => read(user, { all: true })))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(replies.reduce((sum, { body }) => sum + body.read, 0)).toBe(20)
  })

  test.each([
    ['nothing', {}, 'notification.target_unclear'],
    ['both', { all: true, guids: [] }, 'notification.target_unclear'],
    ['all: false', { all: false }, 'request.invalid'],
    ['no GUIDs', { guids: ['latest'] }, 'request.invalid'],
    ['no list', { guids: nobody }, 'request.invalid'],
    ['101 GUIDs', { guids: Array(101).fill(nobody) }, 'request.invalid'],
  ])('%s is refused', async (_what, body, code) => {
    const user = await api.user()
    await leave(user, 1)
    expect(problem(await read(user, body))).toEqual([400, code])
    expect(await unread(user)).toBe(1)
  })
})
