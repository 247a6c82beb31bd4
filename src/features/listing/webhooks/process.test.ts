import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FakeReceiver, type Received, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import { freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Env, type Service, startService } from '../../../../test/kernel/service.ts'
import { type DeliveryBody, type Subscriber, subscribe, webhookConfig } from '../../../../test/webhooks.ts'

/**
 * Kills the service at every step of a delivery. The receiver chooses the step if it takes part in it; otherwise a lock
 * on the next write does.
 */

let receiver: FakeReceiver
let api: Harness
let env: Env
let platforms: Record<string, Subscriber>
let about: string
beforeAll(async () => {
  receiver = await startFakeReceiver()
  const port = await freePort()
  api = await startHarness({ ...webhookConfig(receiver), port })
  const { databaseUrl, dataDir, publicUrl, chat } = api.app.config
  env = {
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    DISCORD_API_URL: chat.apiUrl,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  const names = ['logged', 'queueing', 'beginning', 'sent', 'answered', 'recorded', 'stopping', 'quiet']
  platforms = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await subscribe(api, receiver, { secret: `secret of ${name}` })]),
    ),
  )
  about = (await api.user()).guid
  // The process replaces the service of this test, so that nobody else does its work.
  await api.app.close()
  pool = new pg.Pool({ connectionString: databaseUrl ?? '' })
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
})
afterAll(async () => {
  await pool.end()
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

let pool: pg.Pool

const within = { timeout: 60_000, interval: 20 }
const platform = (name: string) => platforms[name] as Subscriber
const came = (name: string): Received[] => receiver.at(platform(name).paths.custom)

/** Emits an event of the platform. */
async function happen(name: string): Promise<void> {
  await pool.query(
    `select emit_event('platform.member_added', $2, null, null, null,
       jsonb_build_object('platformGuid', $1::uuid, 'userGuid', $2::uuid, 'role', 'reviewer'), '{}')`,
    [platform(name).guid, about],
  )
  await pool.query('notify events')
}

/** Blocks the service with a lock; the returned function releases it. */
async function hold(text: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(text, values)
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

const untilStuck = (count: number) =>
  vi.waitUntil(async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length >= count
  }, within)

async function kill(service: Service): Promise<void> {
  service.signal('SIGKILL')
  expect((await service.exit).signal).toBe('SIGKILL')
}

/** Makes the death of a process noticed immediately instead of after some seconds. */
const expire = () =>
  pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '11 seconds' where locked_at is not null`,
  )

async function record(name: string): Promise<DeliveryBody[]> {
  const { contextId, admin } = platform(name)
  const reply = await fetch(`http://127.0.0.1:${env.PORT}/api/tournament-platforms/${contextId}/deliveries`, {
    headers: { authorization: `Bearer ${admin.token}` },
  })
  return ((await reply.json()) as { deliveries: DeliveryBody[] }).deliveries.toReversed()
}

async function untilDelivered(name: string): Promise<DeliveryBody[]> {
  await vi.waitUntil(async () => {
    const found = await record(name)
    return found.length > 0 && found.every(({ status }) => status === 'delivered')
  }, within)
  return record(name)
}

/** Keeps the request at the receiver until the returned function is called. */
function keep(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const behave = receiver.misbehave(new RegExp(`POST ${platform(name).paths.custom}$`), async (_request, proper) => {
    await promise
    return proper()
  })
  return () => {
    behave()
    resolve()
  }
}

const inHand = (name: string) => vi.waitUntil(() => came(name).length === 1, within)
const attemptsOf = ([delivery, ...more]: readonly DeliveryBody[]) => {
  expect(more).toEqual([])
  return delivery?.attempts.map(({ status, error }) => [status, error])
}
const taken = [204, null]
const interrupted = [null, 'The service stopped before it knew the answer.']

test('killed before an event is put into the queue, or in the middle of that, it is told once', async () => {
  const first = await startService(env)
  // The follower has its position in the log after its first check.
  await vi.waitUntil(
    async () => (await pool.query(`select from followers where name = 'webhooks'`)).rows.length > 0,
    within,
  )
  const blind = await hold(`select from followers where name = 'webhooks' for update`)
  await happen('logged')
  await kill(first)
  await blind()

  await using second = await startService(env)
  await untilDelivered('logged')
  const block = await hold('lock table webhook_deliveries in share mode')
  await happen('queueing')
  await untilStuck(1)
  await kill(second)
  await block()

  await using third = await startService(env)
  expect(attemptsOf(await untilDelivered('queueing'))).toEqual([taken])
  expect(attemptsOf(await record('logged'))).toEqual([taken])
  expect([came('logged').length, came('queueing').length]).toEqual([1, 1])
  third.signal('SIGTERM')
})

test('killed at any step of an attempt, it sends at least once, and the record says which was lost', async () => {
  const first = await startService(env)
  // Kills the process before the attempt has begun, so its transaction is rolled back.
  const block = await hold('lock table webhook_attempts in exclusive mode')
  await happen('beginning')
  await untilStuck(1)
  await kill(first)
  await block()
  await expire()

  const second = await startService(env)
  await untilDelivered('beginning')
  const [letGoOfSent, letGoOfAnswered, letGoOfRecorded] = [keep('sent'), keep('answered'), keep('recorded')]
  for (const name of ['sent', 'answered', 'recorded']) {
    await happen(name)
    await inHand(name)
  }
  const holds = [
    await hold('select from webhook_deliveries where platform_guid = $1 for update', [platform('answered').guid]),
    await hold(`select from graphile_worker._private_jobs where payload->>'platformGuid' = $1 for update`, [
      platform('recorded').guid,
    ]),
  ]
  letGoOfAnswered()
  letGoOfRecorded()
  await untilDelivered('recorded')
  await untilStuck(2)
  expect((await record('sent')).map(({ status }) => status)).toEqual(['sending'])
  await kill(second)
  letGoOfSent()
  for (const release of holds) await release()
  await expire()

  await using third = await startService(env)
  expect(attemptsOf(await untilDelivered('beginning'))).toEqual([taken])
  expect(attemptsOf(await untilDelivered('sent'))).toEqual([interrupted, taken])
  expect(attemptsOf(await untilDelivered('answered'))).toEqual([interrupted, taken])
  const jobs = () => pool.query('select from graphile_worker._private_jobs')
  await vi.waitUntil(async () => (await jobs()).rows.length === 0, within)
  expect(attemptsOf(await record('recorded'))).toEqual([taken])
  expect(['beginning', 'sent', 'answered', 'recorded'].map((name) => came(name).length)).toEqual([1, 2, 2, 1])
  for (const name of ['sent', 'answered']) expect(new Set(came(name).map(({ id }) => id)).size).toBe(1)
  third.signal('SIGTERM')
})

test('told to stop, it waits for the answer that is on its way, and logs nothing of where it comes from', async () => {
  const service = await startService({ ...env, LOG_LEVEL: 'trace' })
  const fail = receiver.misbehave(new RegExp(platform('quiet').paths.custom), { status: 500 })
  await happen('quiet')
  await inHand('quiet')
  const letGo = keep('stopping')
  await happen('stopping')
  await inHand('stopping')
  service.signal('SIGTERM')
  setTimeout(letGo, 300)
  const { code, stdout, stderr } = await service.exit
  expect([code, stderr]).toEqual([0, ''])
  for (const hidden of ['/hooks/', 'secret of']) expect(stdout).not.toContain(hidden)
  const { rows } = await pool.query('select status, attempts from webhook_deliveries where platform_guid = $1', [
    platform('stopping').guid,
  ])
  expect(rows).toEqual([{ status: 'delivered', attempts: 1 }])
  fail()
})
