import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament, platformMember } from '../../../../test/make.ts'

/** Operations of managers of notices. */

let api: Harness
let manager: Caller
beforeAll(async () => {
  api = await startHarness()
  manager = await api.user({ globalRoles: ['global:notices:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => api.sql('delete from notices'))

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const nobody = '00000000-0000-4000-8000-000000000000'
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const draft = (changes: object = {}) => ({ title: 'Maintenance', content: 'On **Sunday**.', ...changes })
const create = (changes: object = {}, as: Caller | null = manager) => api.post('/notices', as, draft(changes))
const list = async (query = '') => (await api.get(`/admin/notices${query}`, manager)).body

async function made(changes: object = {}) {
  const reply = await create(changes)
  expect(problem(reply)).toEqual([201, null])
  return reply.body
}

/** Inserts notices, created one after the other. */
async function fill(count: number, endsAt: string | null = null): Promise<void> {
  await api.sql(
    `insert into notices (title, content, level, starts_at, ends_at, dismissible, audience, created_by_guid, created_at)
     select 'Notice ' || n, 'Words.', 'info', '2026-01-01', $2, true, 'everyone', $3, timestamptz '2026-01-01' + n / 3 * interval '1 s'
     from generate_series(1, $1) n`,
    [count, endsAt, manager.guid],
  )
}

const logged = (guid: string) =>
  api.sql('select type, actor, before, after from event_log where subject = $1 order by seq', [guid])

describe('who may', () => {
  test.each(['role:owner', 'role:dev', 'global:notices:manage'] as const)('%s', async (role) => {
    const caller = await api.user({ globalRoles: [role] })
    const reply = await create({}, caller)
    expect(problem(reply)).toEqual([201, null])
    const address = `/notices/${reply.body.guid}`
    expect(problem(await api.get('/admin/notices', caller))).toEqual([200, null])
    expect(problem(await api.patch(address, caller, { title: 'Other' }))).toEqual([200, null])
    expect(problem(await api.delete(address, caller))).toEqual([204, null])
  })

  test('nobody else, and they learn neither what is wrong with a body nor which notices there are', async () => {
    const { guid } = await made()
    const organiser = await api.user()
    await makeTournament(api, organiser)
    const [system] = await api.sql<{ guid: string }>('select guid from platforms where is_system')
    const others = [
      organiser,
      await platformMember(api, { guid: system?.guid as string }, 'admin'),
      await api.user({ globalRoles: ['global:tournaments:manage', 'global:users:read', 'global:badges:manage'] }),
    ]
    for (const caller of others) {
      const replies = [
        await create({}, caller),
        await api.post('/notices', caller, { title: 7 }),
        await api.patch(`/notices/${guid}`, caller, { title: 'Mine' }),
        await api.patch(`/notices/${nobody}`, caller, { title: 7 }),
        await api.delete(`/notices/${guid}`, caller),
        await api.delete(`/notices/${nobody}`, caller),
        await api.get('/admin/notices', caller),
      ]
      for (const reply of replies) {
        expect([...problem(reply), reply.text]).toEqual([
          403,
          'role.missing',
          'Only owners, developers and managers of notices may do this.',
        ])
      }
    }
    expect((await list()).notices).toMatchObject([{ guid, title: 'Maintenance' }])
  })

  test('with a token that lets them write, or read', async () => {
    const { guid } = await made()
    const token = await api.token(manager, ['rest:read'])
    const body = draft()
    for (const [method, path] of [
      ['POST', '/notices'],
      ['PATCH', `/notices/${guid}`],
      ['DELETE', `/notices/${guid}`],
    ] as const) {
      expect(problem(await api.call(method, path, { body }))).toEqual([401, 'token.missing'])
      expect(problem(await api.call(method, path, { token, body }))).toEqual([401, 'scope.missing'])
    }
    expect(problem(await api.get('/admin/notices'))).toEqual([401, 'token.missing'])
    expect(problem(await api.call('GET', '/admin/notices', { token }))).toEqual([200, null])
    const profile = await api.token(manager, ['rest:user:read'])
    expect(problem(await api.call('GET', '/admin/notices', { token: profile }))).toEqual([401, 'scope.missing'])
  })
})

describe('creating', () => {
  test('takes everything, and answers it with who wrote it', async () => {
    const settings = {
      title: 'Maintenance',
      content: 'On **Sunday**.',
      level: 'critical',
      link: 'https://status.example.org/1',
      startsAt: '2026-06-01T00:00:00.000Z',
      endsAt: '2026-06-02T00:00:00.000Z',
      dismissible: false,
      audience: 'staff',
    }
    const notice = await made(settings)
    expect(notice).toEqual({
      guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...settings,
      createdBy: expect.objectContaining({ guid: manager.guid, username: manager.username }),
      createdAt: instant,
      updatedAt: notice.createdAt,
    })
    expect((await list()).notices).toEqual([notice])
    expect(await logged(notice.guid)).toEqual([
      { type: 'notice.created', actor: manager.guid, before: null, after: settings },
    ])
  })

  test('needs a title and words alone: it is for everybody, from now on', async () => {
    const before = new Date().toISOString()
    const notice = await made()
    expect(notice).toMatchObject({
      level: 'info',
      link: null,
      endsAt: null,
      dismissible: true,
      audience: 'everyone',
    })
    expect(notice.startsAt >= before && notice.startsAt <= new Date().toISOString()).toBe(true)
    const unset = { link: null, startsAt: null, endsAt: '1970-01-01T00:00:00Z', unknown: 1 }
    expect(await made(unset)).toMatchObject({ link: null, endsAt: null })
  })

  test('keeps what a reader may safely see', async () => {
    const notice = await made({
      title: 'A  title\nof two lines <b>',
      content: '<img src=x onerror=alert(1)>**Bold** [x](javascript:alert(1)) <3',
    })
    expect(notice.title).toBe('A title of two lines <b>')
    expect(notice.content).toContain('**Bold**')
    expect(notice.content).not.toMatch(/onerror|javascript/)
  })

  test('takes texts up to their limits', async () => {
    const limits = {
      title: '𝒯'.repeat(120),
      content: 'c'.repeat(4_000),
      link: `https://a.example/${'x'.repeat(1_982)}`,
    }
    expect(await made(limits)).toMatchObject(limits)
  })

  const refused: [string, object, string][] = [
    ['no title', { title: undefined }, 'request.invalid'],
    ['an empty title', { title: ' \n ' }, 'request.invalid'],
    ['a long title', { title: 't'.repeat(121) }, 'request.invalid'],
    ['a number for a title', { title: 7 }, 'request.invalid'],
    ['control characters', { title: 'a\u0000b' }, 'request.invalid'],
    ['no content', { content: undefined }, 'request.invalid'],
    ['empty content', { content: '' }, 'request.invalid'],
    ['long content', { content: 'c'.repeat(4_001) }, 'request.invalid'],
    ['content that is unsafe as a whole', { content: '<script>alert(1)</script>' }, 'notice.invalid'],
    ['an unknown level', { level: 'fatal' }, 'request.invalid'],
    ['null for a level', { level: null }, 'request.invalid'],
    ['an unknown audience', { audience: 'admins' }, 'request.invalid'],
    ['a word for a yes or no', { dismissible: 'yes' }, 'request.invalid'],
    ['a link that runs', { link: 'javascript:alert(1)' }, 'notice.invalid'],
    ['a link that is data', { link: 'data:text/html,x' }, 'notice.invalid'],
    ['a relative link', { link: '/rules' }, 'notice.invalid'],
    ['a long link', { link: `https://a.example/${'x'.repeat(1_983)}` }, 'request.invalid'],
    ['a start without zone', { startsAt: '2026-06-01T00:00:00' }, 'request.invalid'],
    ['a start before 2020', { startsAt: '2019-06-01T00:00:00Z' }, 'request.invalid'],
    [
      'an end at its start',
      { startsAt: '2026-06-01T00:00:00Z', endsAt: '2026-06-01T02:00:00+02:00' },
      'notice.invalid',
    ],
    ['an end before now and no start', { endsAt: '2026-01-01T00:00:00Z' }, 'notice.invalid'],
  ]
  test.each(refused)('refuses %s', async (_name, changes, code) => {
    const reply = await create(changes)
    expect(problem(reply)).toEqual([400, code])
    expect(reply.text).toMatch(/^.+\.$/)
    expect((await list()).notices).toEqual([])
  })
})

describe('changing', () => {
  test.each([
    ['title', 'Other'],
    ['content', 'Other words.'],
    ['level', 'critical'],
    ['link', 'https://status.example.org/2'],
    ['startsAt', '2026-01-02T00:00:00.000Z'],
    ['endsAt', '2026-01-03T00:00:00.000Z'],
    ['dismissible', false],
    ['audience', 'signed-in'],
  ])('%s leaves all else as it was, and is logged', async (name, value) => {
    const before = await made({ startsAt: '2026-01-01T00:00:00Z' })
    const reply = await api.patch(`/notices/${before.guid.toUpperCase()}`, manager, { [name]: value })
    expect([reply.status, reply.body]).toEqual([200, { ...before, [name]: value, updatedAt: instant }])
    expect(reply.body.updatedAt >= before.updatedAt).toBe(true)
    expect((await list()).notices).toEqual([reply.body])
    expect((await logged(before.guid)).slice(1)).toEqual([
      { type: 'notice.updated', actor: manager.guid, before: { [name]: before[name] }, after: { [name]: value } },
    ])
  })

  test('may be done by another manager, and does not make it theirs', async () => {
    const { guid } = await made()
    const other = await api.user({ globalRoles: ['role:dev'] })
    expect((await api.patch(`/notices/${guid}`, other, { title: 'Other' })).body.createdBy.guid).toBe(manager.guid)
    expect(await logged(guid)).toMatchObject([{ actor: manager.guid }, { actor: other.guid }])
  })

  test('unsets what may be unset', async () => {
    const { guid } = await made({ link: 'https://a.example', endsAt: '2096-01-01T00:00:00Z' })
    const reply = await api.patch(`/notices/${guid}`, manager, { link: '', endsAt: null })
    expect(reply.body).toMatchObject({ link: null, endsAt: null })
  })

  test('to what it is already does nothing', async () => {
    const before = await made({ endsAt: '2096-01-01T00:00:00Z' })
    const same = { title: 'Maintenance', content: 'On **Sunday**.', endsAt: '2096-01-01T01:00:00+01:00', link: null }
    const reply = await api.patch(`/notices/${before.guid}`, manager, same)
    expect([reply.status, reply.body]).toEqual([200, before])
    expect((await logged(before.guid)).length).toBe(1)
  })

  test.each([
    ['nothing', {}, 'notice.nothing_given'],
    ['what a notice does not have', { colour: 'red', guid: nobody }, 'notice.nothing_given'],
    ['an empty title', { title: '' }, 'request.invalid'],
    ['null for a title', { title: null }, 'request.invalid'],
    ['an end before the start', { endsAt: '2025-12-31T00:00:00Z' }, 'notice.invalid'],
    ['a start after the end', { startsAt: '2096-01-01T00:00:00Z' }, 'notice.invalid'],
    ['a link that runs', { link: 'javascript:alert(1)' }, 'notice.invalid'],
  ])('to %s is refused', async (_name, changes, code) => {
    const before = await made({ startsAt: '2026-01-01T00:00:00Z', endsAt: '2095-01-01T00:00:00Z' })
    expect(problem(await api.patch(`/notices/${before.guid}`, manager, changes))).toEqual([400, code])
    expect((await list()).notices).toEqual([before])
    expect((await logged(before.guid)).length).toBe(1)
  })

  test('one that there is not is 404', async () => {
    for (const name of [nobody, 'x', '%27', `${nobody}0`]) {
      expect(problem(await api.patch(`/notices/${name}`, manager, { title: 'Other' }))).toEqual([404, 'notice.unknown'])
    }
  })

  test('at once leaves each change whole', async () => {
    const { guid } = await made()
    const changes = [
      ...['info', 'warning', 'critical'].map((level) => ({ level })),
      ...[1, 2, 3, 4, 5].map((n) => ({ title: `Title ${n}`, content: `Words ${n}` })),
    ]
    const replies = await Promise.all(changes.map((change) => api.patch(`/notices/${guid}`, manager, change)))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    const [now] = (await list()).notices
    expect(now.content).toBe(now.title.replace('Title', 'Words'))
    const emitted = (await logged(guid)) as { before: Record<string, unknown>; after: Record<string, unknown> }[]
    const titles = emitted.filter(({ after }) => 'title' in after)
    for (const [index, { before }] of titles.slice(1).entries()) {
      expect(before.title).toBe(titles[index]?.after.title)
    }
  })
})

describe('deleting', () => {
  test('is for good, and logged with what it was', async () => {
    const notice = await made({ level: 'warning' })
    const reply = await api.delete(`/notices/${notice.guid}`, manager)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect((await list()).notices).toEqual([])
    expect((await logged(notice.guid)).slice(1)).toEqual([
      {
        type: 'notice.deleted',
        actor: manager.guid,
        before: expect.objectContaining({ title: 'Maintenance', level: 'warning', endsAt: null }),
        after: null,
      },
    ])
    for (const name of [notice.guid, nobody, 'x']) {
      expect(problem(await api.delete(`/notices/${name}`, manager))).toEqual([404, 'notice.unknown'])
    }
  })

  test('twice at once succeeds once', async () => {
    const { guid } = await made()
    const replies = await Promise.all(Array.from({ length: 8 }, () => api.delete(`/notices/${guid}`, manager)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)])
    expect((await logged(guid)).length).toBe(2)
  })
})

describe('a hundred notices that have not ended', () => {
  const full = [409, 'notice.limit_reached']

  test('are as many as there may be; those that are over do not count', async () => {
    await fill(150, '2026-02-01T00:00:00Z')
    await fill(99)
    const hundredth = await made({ startsAt: '2096-01-01T00:00:00Z' })
    expect(problem(await create())).toEqual(full)
    expect((await api.get('/notices')).body.length).toBe(99)
    expect(problem(await create({ startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' }))).toEqual([
      201,
      null,
    ])

    // Existing notices can still be changed, but past ones cannot become current again.
    const address = `/notices/${hundredth.guid}`
    expect(problem(await api.patch(address, manager, { title: 'Other' }))).toEqual([200, null])
    const [past] = await api.sql<{ guid: string }>('select guid from notices where ends_at is not null limit 1')
    expect(problem(await api.patch(`/notices/${past?.guid}`, manager, { endsAt: null }))).toEqual(full)
    expect(problem(await api.patch(`/notices/${past?.guid}`, manager, { title: 'Other' }))).toEqual([200, null])

    const over = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' }
    expect(problem(await api.patch(address, manager, over))).toEqual([200, null])
    expect(problem(await api.patch(`/notices/${past?.guid}`, manager, { endsAt: null }))).toEqual([200, null])
    expect(problem(await create())).toEqual(full)
    expect(problem(await api.delete(`/notices/${past?.guid}`, manager))).toEqual([204, null])
    expect(problem(await create())).toEqual([201, null])
  })

  test('are never more, however many come at once', async () => {
    await fill(20, '2026-02-01T00:00:00Z')
    await fill(95)
    const past = await api.sql<{ guid: string }>('select guid from notices where ends_at is not null limit 10')
    const replies = await Promise.all([
      ...Array.from({ length: 10 }, () => create()),
      ...past.map(({ guid }) => api.patch(`/notices/${guid}`, manager, { endsAt: null })),
    ])
    const succeeded = replies.filter(({ status }) => status < 300)
    expect(succeeded.length).toBe(5)
    for (const reply of replies) if (!succeeded.includes(reply)) expect(problem(reply)).toEqual(full)
    expect((await api.get('/notices')).body.length).toBe(100)
  })
})

describe('the list of all', () => {
  test('has past, present and future ones, newest first, each once, page by page', async () => {
    await fill(31)
    await fill(31, '2026-02-01T00:00:00Z')
    await made({ startsAt: '2096-01-01T00:00:00Z', audience: 'staff' })
    const whole = (await list('?limit=100')).notices
    expect(whole.length).toBe(63)
    const times = whole.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    const pages = []
    for (let before: string | null = ''; before !== null; ) {
      const page: { notices: unknown[]; nextCursor: string | null } = await list(
        `?limit=10${before && `&before=${before}`}`,
      )
      pages.push(page.notices)
      before = page.nextCursor
    }
    expect(pages.map((page) => page.length)).toEqual([10, 10, 10, 10, 10, 10, 3])
    expect(pages.flat()).toEqual(whole)
    expect((await list()).notices.length).toBe(25)
  })

  test.each([
    'limit=0',
    'limit=101',
    'before=x',
    `before=${Buffer.from('["users","2026-01-01T00:00:00.000Z"]').toString('base64url')}`,
  ])('refuses %s', async (query) => {
    expect((await api.get(`/admin/notices?${query}`, manager)).status).toBe(400)
  })

  test('goes on naming an account that was given up, as what is left of it', async () => {
    const writer = await api.user({ globalRoles: ['global:notices:manage'] })
    const { guid } = (await create({}, writer)).body
    expect((await api.delete('/users/@me', writer)).status).toBe(204)
    expect((await list()).notices).toMatchObject([{ guid, createdBy: { guid: writer.guid, username: 'deleted-user' } }])
    expect((await api.get('/notices')).body).toMatchObject([{ guid, title: 'Maintenance' }])
  })
})
