import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { insertUser } from '../../src/features/people/users/store/users.ts'
import { startEmbeddedDatabase } from '../../src/infra/db/embedded.ts'
import { createLogs } from '../../src/infra/log.ts'
import { openRuntime } from '../../src/runtime.ts'
import { freePort, type Harness, startHarness } from '../harness.ts'
import { hold } from '../locks.ts'
import { openWire, requestText } from './raw.ts'
import { clusterPid, type Env, logLines, startService } from './service.ts'

/** The service as a process: its responses, its log, and every way in which it can end. */

let api: Harness
/** The same database and keys as those of `api`. */
let env: Env
beforeAll(async () => {
  api = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl }
})
afterAll(() => api[Symbol.asyncDispose]())

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

test('it serves the API, its description, and what its operators look at', async () => {
  await using service = await startService(env)
  const ask = (address: string, headers: Record<string, string> = {}) => fetch(`${service.url}${address}`, { headers })
  const description = await ask('/api/openapi.json')
  expect([description.status, ((await description.json()) as { openapi: string }).openapi]).toEqual([200, '3.1.0'])
  expect((await ask('/api/tournaments')).status).toBe(200)
  expect((await ask('/healthz')).status).toBe(200)
  expect((await ask('/readyz')).status).toBe(200)
  const figures = await (await ask('/metrics')).text()
  expect(figures).toMatch(/^http_request_duration_seconds_count\{operation="tournaments\.list",status="200"\} 1$/m)
  expect(figures).toMatch(/^database_connections_busy \d+$/m)
  expect((await ask('/metrics', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404)
})

describe('its log', () => {
  test('has one line for each request, with its id and operation, and nothing that lets somebody in', async () => {
    const user = await api.user()
    const secrets = {
      token: user.token,
      signature: user.token.split('.')[2] ?? '',
      refused: 'eyJhbGciOiJSUzI1NiJ9.bm90LW91cnM.c2VjcmV0LXNpZ25hdHVyZQ',
      cookie: 'secret-session-cookie-of-forty-three-letters',
      query: 'secret-code-in-a-query',
      path: 'secret-name-in-an-address',
      body: 'secret-words-in-a-body',
      agent: 'secret-user-agent',
    }
    const service = await startService({ ...env, LOG_LEVEL: 'trace' })
    const ids: string[] = []
    const ask = async (address: string, init: RequestInit = {}) => {
      const headers = { 'user-agent': secrets.agent, cookie: `downbeat_session=${secrets.cookie}`, ...init.headers }
      const reply = await fetch(`${service.url}${address}`, { redirect: 'manual', ...init, headers })
      ids.push(reply.headers.get('request-id') ?? '')
      return reply.status
    }
    const bearer = { authorization: `Bearer ${user.token}` }
    const save = (body: string) =>
      ask('/api/updateUserSettings', {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/json' },
        body,
      })
    const card = `/api/users/${user.guid}/card`
    const statuses = [
      await ask(card),
      await ask(card),
      await ask(`${card}?q=${secrets.query}`),
      await ask('/api/users/@me', { headers: bearer }),
      await ask('/api/users/@me', { headers: { authorization: `Bearer ${secrets.refused}` } }),
      await ask(`/api/users?q=${secrets.query}&before=${secrets.query}`),
      await ask(`/api/auth/chat/callback?code=${secrets.query}&state=${secrets.query}`),
      await ask(`/api/tournaments/${secrets.path}`),
      await ask(`/${secrets.path}`),
      await ask(`/api/users/${secrets.path}%zz`),
      await ask('/api/auth/token', { method: 'POST', headers: { origin: api.app.config.publicUrl } }),
      await save(`{"description":"${secrets.body}"}`),
      await save(`{"description":"${secrets.body}`),
      await save(`{"grip":["${secrets.body}"]}`),
    ]
    expect(statuses).toEqual([200, 200, 200, 200, 401, 400, 400, 404, 404, 400, 401, 200, 400, 400])
    service.signal('SIGTERM')
    const { stdout, stderr } = await service.exit
    const lines = logLines(stdout)
    for (const [index, id] of ids.entries()) {
      const [line, ...more] = lines.filter(({ reqId, msg }) => reqId === id && msg === 'request')
      expect([index, line?.status, more.length]).toEqual([index, statuses[index], 0])
      expect(line?.op, `operation of request ${index}`).toMatch(/^[a-z][A-Za-z.]+$/)
      expect(line?.ms).toBeGreaterThanOrEqual(0)
    }
    expect(new Set(ids).size).toBe(ids.length)
    for (const [what, secret] of Object.entries(secrets)) expect(stdout + stderr, what).not.toContain(secret)
    expect(stderr).toBe('')
  })
})

describe('when it is told to stop', () => {
  /** Delays changes of a user. */
  const lockUser = (guid: string) => hold(api, ['select from users where guid = $1 for update', guid])

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s it finishes what it has begun, takes nothing new, and ends well',
    async (signal) => {
      const user = await api.user()
      const service = await startService(env)
      const lock = await lockUser(user.guid)
      using idle = await openWire(service.url)
      idle.send(requestText('GET /healthz'))
      await idle.next()
      using slow = await openWire(service.url)
      const body = `{"grip":"${signal}"}`
      const headers = [
        `Authorization: Bearer ${user.token}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ]
      slow.send(requestText('POST /api/updateUserSettings', headers, body))
      await lock.waiting(1)
      using begun = await openWire(service.url)
      begun.send(`GET /api/users/${user.guid}/card HTTP/1.1\r\nHost: x\r\n`)
      await wait(100)
      service.signal(signal)
      await idle.closed
      await expect
        .poll(() =>
          openWire(service.url).then(
            () => 'open',
            () => 'refused',
          ),
        )
        .toBe('refused')
      begun.send('\r\n')
      const late = await begun.next()
      expect([late?.status, late?.headers.get('connection')]).toEqual([200, 'close'])
      await lock.release()
      const saved = await slow.next()
      expect([saved?.status, saved?.headers.get('connection')]).toEqual([200, 'close'])
      const releasedAt = performance.now()
      const exit = await service.exit
      expect([exit.code, exit.signal, exit.stderr]).toEqual([0, null, ''])
      expect(performance.now() - releasedAt).toBeLessThan(5_000)
      expect(await api.sql('select grip from users where guid = $1', [user.guid])).toEqual([{ grip: signal }])
    },
  )

  test.each(['SIGTERM', 'SIGINT'] as const)('by %s to the npm that started it, it finishes too', async (signal) => {
    const service = await startService(env, true)
    service.signal(signal)
    const { stdout } = await service.exit
    expect(stdout).toContain('"draining"')
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
  })

  test('an ordinary client that keeps its connection does not keep the service', async () => {
    const user = await api.user()
    const service = await startService(env)
    const lock = await lockUser(user.guid)
    const saving = fetch(`${service.url}/api/updateUserSettings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: '{"grip":"kept"}',
    })
    await lock.waiting(1)
    service.signal('SIGTERM')
    await wait(200)
    await lock.release()
    const releasedAt = performance.now()
    expect((await saving).status).toBe(200)
    expect((await service.exit).code).toBe(0)
    expect(performance.now() - releasedAt).toBeLessThan(5_000)
  })

  test('twice it ends at once', async () => {
    const user = await api.user()
    const service = await startService(env)
    const lock = await lockUser(user.guid)
    using slow = await openWire(service.url)
    const headers = [`Authorization: Bearer ${user.token}`, 'Content-Type: application/json', 'Content-Length: 12']
    slow.send(requestText('POST /api/updateUserSettings', headers, '{"grip":"x"}'))
    await lock.waiting(1)
    service.signal('SIGTERM')
    await wait(100)
    service.signal('SIGTERM')
    expect((await service.exit).code).toBe(1)
    await lock.release()
  })
})

test('killed in a burst of writes, its database with it, it has kept whatever it had acknowledged, and one event of each', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-crash-'))
  await chmod(dataDir, 0o711)
  const port = String(await freePort())
  const own: Env = { DATA_DIR: dataDir, PORT: port }
  const config = readConfig({ ...own, LOG_LEVEL: 'silent' })
  const service = await startService(own)

  const runtime = await openRuntime(config, createLogs('silent').log)
  const users = await runtime.database.transaction((tx) =>
    Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { user } = await insertUser(tx, {
          chatPlatformId: String(index + 1),
          username: `writer${index}`,
          preferredName: `writer${index}`,
          avatarUrl: '',
          email: null,
          emailVerifiedAt: null,
          isBot: false,
        })
        const grant = { scopes: ['rest:write'], sessionGuid: null } as const
        return { guid: user.guid, token: await runtime.tokens.issue(tx, user, grant, new Date()) }
      }),
    ),
  )
  await runtime.cleanups.run()
  const { location, stop } = await startEmbeddedDatabase({ dataDir })
  await stop()

  const acknowledged = new Map(users.map(({ guid }) => [guid, 0]))
  const burst = users.map(async ({ guid, token }) => {
    for (let version = 1; ; version++) {
      const reply = await fetch(`${service.url}/api/updateUserSettings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: `{"pronouns":"v${version}"}`,
      }).catch(() => null)
      if (reply?.status !== 200) return
      acknowledged.set(guid, version)
    }
  })
  const total = () => [...acknowledged.values()].reduce((sum, version) => sum + version, 0)
  await expect.poll(total, { interval: 20 }).toBeGreaterThan(200)
  service.signal('SIGKILL')
  process.kill(clusterPid(path.join(location, 'cluster')), 'SIGKILL')
  await Promise.all(burst)
  expect((await service.exit).signal).toBe('SIGKILL')

  const again = await startService(own)
  const found = await openRuntime(config, createLogs('silent').log)
  try {
    for (const { guid, token } of users) {
      const reply = await fetch(`${again.url}/api/users/${guid}/card`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const version = Number(((await reply.json()) as { pronouns: string }).pronouns.slice(1))
      const told = acknowledged.get(guid) ?? Number.NaN
      // A change that was under way may have been committed without a response.
      expect([told, told + 1]).toContain(version)
      const { rows } = await found.database.pool.query(
        `select count(*)::int as events from event_log where subject = $1 and type = 'user.updated'`,
        [guid],
      )
      expect(rows).toEqual([{ events: version }])
    }
  } finally {
    await found.cleanups.run()
    await again[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
    if (!location.startsWith(dataDir)) await rm(location, { recursive: true, force: true })
  }
})
