import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import {
  databaseChecks,
  followerCheck,
  processChecks,
  queueCheck,
  readinessCheck,
  roomCheck,
} from '../../../infra/health/checks.ts'

/** Whether the service is well, for those who look after it. (rest-interface: Tournament platforms and visibility) */

let api: Harness
beforeAll(async () => {
  api = await startHarness({ rateLimits: true }, { allowances: { 'sign-in': { calls: 1, seconds: 60 } } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

interface Check {
  readonly verdict: string
  readonly what: string
}

test('global managers are told what doctor and the metrics know, nobody else is', async () => {
  for (const role of ['role:owner', 'role:dev', 'global:tournaments:manage'] as const) {
    const { status, body } = await api.get('/admin/health', await api.user({ globalRoles: [role] }))
    expect([role, status, body.sockets.open]).toEqual([role, 200, 0])
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual([
      'webhook_deliveries',
      'chat_deliveries',
      'jobs',
    ])
    expect(body.checks.map(({ what }: Check) => what)).toEqual(
      expect.arrayContaining(['readiness', 'database', 'clock', 'sockets', 'rate limits', 'data directory', 'website']),
    )
    expect(body.storage.databaseBytes).toBeGreaterThan(1_000_000)
    expect(body.versions).toMatchObject({ node: process.versions.node, service: expect.stringMatching(/^\d+\.\d+/) })
  }
  const others = [
    await api.user(),
    await api.user({ globalRoles: ['global:notices:manage'] }),
    await api.user({ globalRoles: ['global:users:read', 'global:badges:manage'] }),
  ]
  for (const other of others) {
    const { status, body } = await api.get('/admin/health', other)
    expect([status, typeof body]).toEqual([403, 'string'])
  }
  expect((await api.get('/admin/health')).status).toBe(401)
  // Each follower takes its position when it begins.
  const owner = await api.user({ globalRoles: ['role:owner'] })
  await expect
    .poll(async () => (await api.get('/admin/health', owner)).body.followers.map(({ name }: { name: string }) => name))
    .toEqual(expect.arrayContaining(['announcements', 'notifications', 'webhooks']))
})

test('what is set aside, late or refused is said, and comes first', async () => {
  const owner = await api.user({ globalRoles: ['role:owner'] })
  const of = async () => (await api.get('/admin/health', owner)).body
  const before = await of()
  expect(before.checks.some(({ what, verdict }: Check) => what.startsWith('events for') && verdict !== 'ok')).toBe(
    false,
  )
  expect(before.limits).toEqual([])
  await makeTournament(api, await api.user())
  await api.sql(`insert into set_aside_events (follower, seq, error)
    select (select name from followers order by name limit 1), max(seq), 'TypeError' from event_log`)
  await api.sql(`select graphile_worker.add_job('nothing.does_this', run_at := now() - interval '1 hour')`)
  await api.get('/auth/chat')
  await api.get('/auth/chat')
  const after = await of()
  expect(after.status).not.toBe('ok')
  const wrong = after.checks.filter(({ verdict }: Check) => verdict !== 'ok')
  expect(after.checks.slice(0, wrong.length)).toEqual(wrong)
  expect(wrong.map(({ what }: Check) => what)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^events for /), 'queue of jobs', 'rate limits']),
  )
  expect(after.limits).toMatchObject([{ budget: 'sign-in', refused: 1 }])
  expect(after.queues.at(-1).oldestSeconds).toBeGreaterThan(3_500)
  expect(after.followers.filter(({ setAside }: { setAside: number }) => setAside > 0)).toHaveLength(1)
})

test('each number has a place from which on it is wrong, and a section of the guide that tells more', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const database = { version: '17.6', clients: 10, maxClients: 100, skewMs: 12, bytes: 1 }
  const follower = { name: 'notifications', behind: 3, behindSeconds: 300, setAside: 0, lastSetAside: null }
  const queue = { name: 'jobs', help: 'Work.', waiting: 2, oldestSeconds: 900 }
  const own = { startedAt: now, sockets: 0, maxSockets: 10, requestsWaiting: 0, refused: new Map() }
  const refusedAt = (lastAt: string) => new Map([['read', { calls: 2, lastAt: new Date(lastAt) }]])
  const gib = 1024 ** 3
  const cases = [
    [databaseChecks(database), databaseChecks({ ...database, clients: 90 })],
    [databaseChecks(database), databaseChecks({ ...database, version: '14.2' })],
    [databaseChecks(database), databaseChecks({ ...database, skewMs: 2_001 })],
    [[followerCheck(follower)], [followerCheck({ ...follower, behindSeconds: 301 })]],
    [
      [followerCheck(follower)],
      [followerCheck({ ...follower, setAside: 1, lastSetAside: { seq: 1, type: 'a.b', error: 'Error' } })],
    ],
    [[queueCheck(queue)], [queueCheck({ ...queue, oldestSeconds: 901 })]],
    [
      [roomCheck('/data', { freeBytes: gib, totalBytes: 100 * gib })],
      [roomCheck('/data', { freeBytes: gib - 1, totalBytes: 100 * gib })],
    ],
    [[roomCheck('/data', { freeBytes: gib, totalBytes: 100 * gib })], [roomCheck('/data', null)]],
    [processChecks(own, now), processChecks({ ...own, sockets: 9 }, now)],
    [processChecks(own, now), processChecks({ ...own, requestsWaiting: 1 }, now)],
    [
      processChecks({ ...own, refused: refusedAt('2026-03-01T11:00:00Z') }, now),
      processChecks({ ...own, refused: refusedAt('2026-03-01T11:00:01Z') }, now),
    ],
    [[readinessCheck('ready')], [readinessCheck('database unreachable')]],
  ] as const
  const guide = readFileSync(path.join(import.meta.dirname, '../../../../docs/guide/operate.md'), 'utf8')
  for (const [well, wrong] of cases) {
    expect(well.map(({ verdict, advice }) => [verdict, advice])).toEqual(well.map(() => ['ok', null]))
    const bad = wrong.filter(({ verdict }) => verdict !== 'ok')
    expect(bad).toHaveLength(1)
    expect(guide).toContain(`\n## ${bad[0]?.advice?.section}\n`)
  }
})
