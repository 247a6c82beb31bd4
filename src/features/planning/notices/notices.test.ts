import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makePlatform, makeTournament, platformMember, remembered, roleHolder } from '../../../../test/make.ts'

/** Which viewers see which notices. */

let api: Harness
let manager: Caller
beforeAll(async () => {
  api = await startHarness()
  manager = await api.user({ globalRoles: ['global:notices:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => api.sql('delete from notices'))
afterEach(() => vi.useRealTimers())

const minute = 60_000
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString()

async function publish(title: string, notice: object = {}): Promise<{ guid: string }> {
  const reply = await api.post('/notices', manager, { title, content: 'Words.', ...notice })
  expect([reply.status, reply.headers.get('problem-code')]).toEqual([201, null])
  return reply.body
}

async function shown(as: Caller | null = null): Promise<string[]> {
  const reply = await api.get('/notices', as)
  expect(reply.status).toBe(200)
  return reply.body.map(({ title }: { title: string }) => title)
}

describe('a notice is shown', () => {
  test('from its start until its end', async () => {
    await publish('From now on')
    await publish('For a while', { startsAt: inMinutes(-10), endsAt: inMinutes(10) })
    await publish('Later', { startsAt: inMinutes(1) })
    await publish('Over', { startsAt: inMinutes(-10), endsAt: inMinutes(-1) })
    expect(await shown()).toEqual(['For a while', 'From now on'])
  })

  test('at the very instant of its start, and no more at that of its end', async () => {
    const [start, end] = [Date.now() + 5 * minute, Date.now() + 6 * minute]
    await publish('For a minute', { startsAt: new Date(start).toISOString(), endsAt: new Date(end).toISOString() })
    for (const [instant, expected] of [
      [start - 1, []],
      [start, ['For a minute']],
      [end - 1, ['For a minute']],
      [end, []],
    ] as const) {
      vi.useFakeTimers({ toFake: ['Date'], now: instant })
      expect(await shown()).toEqual(expected)
    }
  })

  test('the most urgent first, then in the order in which they start', async () => {
    const order: [string, string, number][] = [
      ['info early', 'info', -9],
      ['critical late', 'critical', -1],
      ['warning late', 'warning', -2],
      ['critical early', 'critical', -3],
      ['info late', 'info', -1],
      ['warning early', 'warning', -4],
    ]
    for (const [title, level, minutes] of order) await publish(title, { level, startsAt: inMinutes(minutes) })
    expect(await shown()).toEqual([
      'critical early',
      'critical late',
      'warning early',
      'warning late',
      'info early',
      'info late',
    ])
  })

  test('with what visitors need, and without who wrote it', async () => {
    const notice = {
      title: 'Maintenance',
      content: 'The site is **read-only**.',
      level: 'warning',
      link: 'https://status.example.org/1',
      startsAt: inMinutes(-1),
      endsAt: inMinutes(1),
      dismissible: false,
      audience: 'everyone',
    }
    const { guid } = await publish(notice.title, notice)
    for (const caller of [null, manager]) {
      const { body, text } = await api.get('/notices', caller)
      expect(body).toEqual([{ guid, ...notice }])
      expect(text).not.toContain(manager.guid)
    }
  })
})

describe('an audience', () => {
  const all = ['For everyone', 'For staff', 'For users']
  beforeEach(async () => {
    await publish('For everyone')
    await publish('For users', { audience: 'signed-in' })
    await publish('For staff', { audience: 'staff' })
  })

  test('`everyone` is all that those are who did not sign in, or whose token does not count', async () => {
    expect(await shown()).toEqual(['For everyone'])
    const reply = await api.call('GET', '/notices', { token: 'eyJhbGciOiJub25lIn0.e30.' })
    expect(reply.body.map(({ title }: { title: string }) => title)).toEqual(['For everyone'])
  })

  test('`signed-in` is whoever has an account, with any token of it', async () => {
    const user = await api.user()
    expect((await shown(user)).sort()).toEqual(['For everyone', 'For users'])
    const token = await api.token(user, ['ws:read'])
    expect((await api.call('GET', '/notices', { token })).body.length).toBe(2)
  })

  test.each([
    'role:owner',
    'role:dev',
    'global:tournaments:manage',
    'global:users:read',
    'global:badges:manage',
    'global:notices:manage',
  ] as const)('`staff` is whoever holds %s', async (role) => {
    expect((await shown(await api.user({ globalRoles: [role] }))).sort()).toEqual(all)
  })

  test('`staff` is whoever organises a tournament or holds a role in one, whatever its status', async () => {
    const organiser = await api.user()
    expect((await shown(organiser)).sort()).toEqual(['For everyone', 'For users'])
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    expect((await shown(organiser)).sort()).toEqual(all)
    const over = await makeTournament(api, await api.user(), { status: 'cancelled' })
    expect((await shown(await roleHolder(api, over, 'role:caster'))).sort()).toEqual(all)
    expect((await shown(await roleHolder(api, draft, 'role:admin'))).sort()).toEqual(all)
  })

  test('`staff` is whoever is a member of a platform', async () => {
    const platform = await makePlatform(api)
    for (const role of ['admin', 'reviewer'] as const) {
      expect((await shown(await platformMember(api, platform, role))).sort()).toEqual(all)
    }
  })

  test('is never given to another one by a cache', async () => {
    const anonymous = await remembered(api, '/notices')
    expect(anonymous.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect((await shown(manager)).length).toBe(3)
    const reply = await api.get('/notices', manager)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect((await remembered(api, '/notices')).text).toBe(anonymous.text)
  })
})

test('the answer has a validator, and changes with the first request after a change', async () => {
  const { guid } = await publish('One')
  const first = await api.get('/notices')
  const etag = first.headers.get('etag') as string
  expect((await api.get('/notices', null, { 'if-none-match': etag })).status).toBe(304)
  await api.patch(`/notices/${guid}`, manager, { title: 'Another' })
  expect(await shown()).toEqual(['Another'])
  expect((await api.get('/notices', null, { 'if-none-match': etag })).status).toBe(200)
  await api.delete(`/notices/${guid}`, manager)
  expect(await shown()).toEqual([])
})
