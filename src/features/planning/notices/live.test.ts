import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makePlatform, makeTournament } from '../../../../test/make.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'

/**
 * The topic `/notices` on two processes, for strangers, users and staff: each follower's copy equals what a GET shows,
 * whatever the cause of a change, even the clock alone. (RT2, RT7, RT12)
 */

let api: Harness
let second: Harness
let manager: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  manager = await api.user({ globalRoles: ['global:notices:manage'] })
  cup = await makeTournament(api, manager, { status: 'ongoing' })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})
beforeEach(async () => {
  const { notices } = (await api.get('/admin/notices', manager)).body
  for (const { guid } of notices) await api.delete(`/notices/${guid}`, manager)
})

const patient = { timeout: 60_000, interval: 20 }
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

async function publish(title: string, more: object = {}): Promise<string> {
  const reply = await api.post('/notices', manager, { title, content: 'Words.', ...more })
  expect(outcome(reply), reply.text).toEqual([201, null])
  return reply.body.guid
}

interface Follower {
  readonly who: 'stranger' | 'user' | 'staff'
  readonly as: Caller | null
  readonly on: Harness
  readonly socket: Socket
}

/** Creates one follower of each kind on each process. */
async function follow(user: Caller, staff: Caller) {
  const followers: Follower[] = []
  for (const on of [api, second]) {
    for (const [who, as] of [
      ['stranger', null],
      ['user', user],
      ['staff', staff],
    ] as const) {
      const socket = await openSocket(on, { as })
      const answer = await socket.ask({ type: 'subscribe', topic: '/notices' })
      expect(answer).toMatchObject({ type: 'snapshot' })
      followers.push({ who, as, on, socket })
    }
  }
  return {
    followers,
    async [Symbol.asyncDispose]() {
      await Promise.all(followers.map(({ socket }) => socket.close()))
    },
  }
}

const titlesOf = (socket: Socket): string[] =>
  (socket.copies.of('/notices').body as { title: string }[]).map(({ title }) => title)

/** Waits until all followers have these notices, and checks that a GET answers the same. */
async function hold(
  followers: readonly Follower[],
  expected: Record<'stranger' | 'user' | 'staff', readonly string[]>,
) {
  for (const { who, as, on, socket } of followers) {
    await vi.waitFor(() => expect(titlesOf(socket), who).toEqual(expected[who]), patient)
    const reply = await on.get('/notices', as)
    // The titles may be equal already before a change of another member arrives.
    const etag = reply.headers.get('etag')
    await vi.waitFor(() => expect(socket.copies.of('/notices')).toMatchObject({ body: reply.body, etag }), patient)
  }
}

async function staffMember(): Promise<Caller> {
  const user = await api.user()
  await grantRole(api, cup, user, 'role:referee')
  return user
}

test('a notice that is published, changed, ended and deleted reaches everybody whom it is for', async () => {
  await using it = await follow(await api.user(), await staffMember())
  const { followers } = it
  await hold(followers, { stranger: [], user: [], staff: [] })
  const open = await publish('Open')
  const members = await publish('Members', { audience: 'signed-in', level: 'warning' })
  const staff = await publish('Staff', { audience: 'staff', level: 'critical' })
  await hold(followers, { stranger: ['Open'], user: ['Members', 'Open'], staff: ['Staff', 'Members', 'Open'] })
  // Changes the title and the order.
  expect((await second.patch(`/notices/${open}`, manager, { title: 'Wide open', level: 'critical' })).status).toBe(200)
  await hold(followers, {
    stranger: ['Wide open'],
    user: ['Wide open', 'Members'],
    staff: ['Wide open', 'Staff', 'Members'],
  })
  // Changes the audience.
  expect((await api.patch(`/notices/${open}`, manager, { audience: 'staff' })).status).toBe(200)
  await hold(followers, { stranger: [], user: ['Members'], staff: ['Wide open', 'Staff', 'Members'] })
  expect((await second.patch(`/notices/${staff}`, manager, { audience: 'everyone' })).status).toBe(200)
  await hold(followers, { stranger: ['Staff'], user: ['Staff', 'Members'], staff: ['Wide open', 'Staff', 'Members'] })
  const started = inMs(-3_600_000)
  const ended = await api.patch(`/notices/${staff}`, manager, { startsAt: started, endsAt: inMs(-1_000) })
  expect(outcome(ended)).toEqual([200, null])
  await hold(followers, { stranger: [], user: ['Members'], staff: ['Wide open', 'Members'] })
  expect((await second.delete(`/notices/${members}`, manager)).status).toBe(204)
  await hold(followers, { stranger: [], user: [], staff: ['Wide open'] })
  expect((await api.delete(`/notices/${open}`, manager)).status).toBe(204)
  await hold(followers, { stranger: [], user: [], staff: [] })
})

test('one that begins and ends by its dates comes and goes when nothing happens, no earlier', async () => {
  await using it = await follow(await api.user(), await staffMember())
  const { followers } = it
  const [startsAt, endsAt, later] = [Date.now() + 4_000, Date.now() + 8_000, Date.now() + 6_000]
  const dates = { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() }
  await publish('For a while', dates)
  await publish('Of the staff', { audience: 'staff', startsAt: new Date(later).toISOString() })
  const seen = new Map<Socket, { readonly at: number; readonly title: string; readonly isShown: boolean }[]>()
  for (const { socket } of followers) seen.set(socket, [])
  const look = setInterval(() => {
    for (const [socket, changes] of seen) {
      for (const title of ['For a while', 'Of the staff']) {
        const isShown = titlesOf(socket).includes(title)
        const last = changes.findLast((change) => change.title === title)
        if (isShown !== (last?.isShown ?? false)) changes.push({ at: Date.now(), title, isShown })
      }
    }
  }, 5)
  try {
    await vi.waitFor(() => {
      for (const { who, socket } of followers) {
        expect(seen.get(socket), who).toHaveLength(who === 'staff' ? 3 : 2)
      }
    }, patient)
  } finally {
    clearInterval(look)
  }
  for (const { who, socket } of followers) {
    const changes = seen.get(socket) ?? []
    const shownOf = (title: string) => changes.filter((change) => change.title === title)
    const [begun, ended, ...more] = shownOf('For a while')
    expect([begun?.isShown, ended?.isShown, more]).toEqual([true, false, []])
    const ofStaff = shownOf('Of the staff')
    expect(ofStaff.map(({ isShown }) => isShown)).toEqual(who === 'staff' ? [true] : [])
    // Compares with this machine's clock, which both processes use.
    expect(begun?.at).toBeGreaterThanOrEqual(startsAt)
    expect(ended?.at).toBeGreaterThanOrEqual(endsAt)
    for (const { at } of ofStaff) expect(at).toBeGreaterThanOrEqual(later)
  }
  await hold(followers, { stranger: [], user: [], staff: ['Of the staff'] })
})

test('a date that is moved counts as it was set last', async () => {
  await using it = await follow(await api.user(), await staffMember())
  const { followers } = it
  const guid = await publish('Moved', { startsAt: inMs(3_600_000) })
  await hold(followers, { stranger: [], user: [], staff: [] })
  expect((await api.patch(`/notices/${guid}`, manager, { startsAt: inMs(1_500) })).status).toBe(200)
  await hold(followers, { stranger: ['Moved'], user: ['Moved'], staff: ['Moved'] })
  expect((await second.patch(`/notices/${guid}`, manager, { endsAt: inMs(1_500) })).status).toBe(200)
  await hold(followers, { stranger: [], user: [], staff: [] })
})

test('whoever becomes staff, or is staff no more, sees it in the same step, in each way that there is', async () => {
  await publish('Open')
  await publish('Staff', { audience: 'staff' })
  const owner = await api.user({ globalRoles: ['role:owner'] })
  const platform = await makePlatform(api)
  const [admin] = [await api.user()]
  await api.sql(`insert into platform_members (platform_guid, user_guid, role) values ($1, $2, 'admin')`, [
    platform.guid,
    admin.guid,
  ])
  const withStaff = ['Open', 'Staff']
  const ways: [string, (user: Caller) => Promise<number>, (user: Caller) => Promise<number>][] = [
    [
      'a role in a tournament',
      async (user) =>
        (await api.post(`/tournaments/${cup.id}/permissions/${user.guid}/grant`, manager, { role: 'role:host' }))
          .status,
      async (user) =>
        (await second.delete(`/tournaments/${cup.id}/permissions/${user.guid}/revoke`, manager, { role: 'role:host' }))
          .status,
    ],
    [
      'a global role',
      async (user) => (await api.patch(`/admin/users/${user.guid}`, owner, { roles: ['global:badges:manage'] })).status,
      async (user) => (await second.patch(`/admin/users/${user.guid}`, owner, { roles: [] })).status,
    ],
    [
      'a platform',
      async (user) =>
        (
          await api.post(`/tournament-platforms/${platform.contextId}/members`, owner, {
            userIdentifier: user.guid,
            role: 'reviewer',
          })
        ).status,
      async (user) =>
        (await second.delete(`/tournament-platforms/${platform.contextId}/members/${user.guid}`, owner)).status,
    ],
    [
      'a tournament of their own',
      async (user) => {
        const body = { name: 'Their cup', id: `theirs-${user.guid.slice(0, 8)}` }
        return (await api.post('/tournaments', user, body)).status === 201 ? 200 : 0
      },
      async (user) => {
        const own = `/tournaments/theirs-${user.guid.slice(0, 8)}`
        return (await second.delete(own, user)).status
      },
    ],
  ]
  for (const [way, gain, lose] of ways) {
    const user = await api.user()
    await using it = await follow(user, await staffMember())
    const users = it.followers.filter(({ who }) => who === 'user')
    const expected = { stranger: ['Open'], user: ['Open'], staff: withStaff }
    await hold(it.followers, expected)
    const gained = await gain(user)
    expect([200, 201, 204], way).toContain(gained)
    await vi.waitFor(() => {
      for (const { socket } of users) expect(titlesOf(socket), way).toEqual(withStaff)
    }, patient)
    await hold(it.followers, { ...expected, user: withStaff })
    const lost = await lose(user)
    expect([200, 204], way).toContain(lost)
    await vi.waitFor(() => {
      for (const { socket } of users) expect(titlesOf(socket), way).toEqual(['Open'])
    }, patient)
    await hold(it.followers, expected)
  }
})
