import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { enqueue, type Job, type JobContext, startJobs } from '../../src/infra/jobs/jobs.ts'
import { type Harness, startHarness } from '../harness.ts'

/** Work after the answer: there with its cause, gone with it, and done in spite of failures. */

let api: Harness
const ran: unknown[] = []
let failures = 0
let stop: () => Promise<unknown>
let finish = () => {}

const jobs: Job[] = [
  { name: 'test.note', run: async (payload) => void ran.push(payload) },
  {
    name: 'test.take_long',
    slots: 2,
    run: async (payload) => {
      ran.push(payload)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
    },
  },
  {
    name: 'test.fail_once',
    run: async (payload) => {
      if (failures++ === 0) throw new Error('the first attempt fails')
      ran.push(payload)
    },
  },
]

beforeAll(async () => {
  api = await startHarness()
  const { app } = api
  const context: JobContext = {
    database: app.database,
    log: app.log,
    services: app.services,
    clients: app.clients,
    now: () => new Date(),
  }
  const pool = new pg.Pool({ connectionString: app.config.databaseUrl ?? undefined })
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const connection = { connectionString: app.config.databaseUrl ?? undefined }
  const runner = await startJobs(jobs, { context, connection, pool, concurrency: 2 })
  stop = async () => {
    await runner.stop()
    await pool.end()
  }
})
afterAll(async () => {
  await stop()
  await api[Symbol.asyncDispose]()
})

const within = { timeout: 10_000, interval: 20 }

test('a job runs once its cause is committed, and never when it is rolled back', async () => {
  const undone = api.app.database.transaction(async (tx) => {
    await enqueue(tx, 'test.note', { payload: { of: 'a rolled back cause' } })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await api.app.database.transaction(async (tx) => {
    await enqueue(tx, 'test.note', { payload: { of: 'a committed cause' } })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(ran).toEqual([])
  })
  await vi.waitUntil(() => ran.length > 0, within)
  expect(ran).toEqual([{ of: 'a committed cause' }])
})

test('what a dead worker had in hand is done by another, and what a living one has is left to it', async () => {
  ran.length = 0
  const holder = new pg.Client({ connectionString: api.app.config.databaseUrl ?? undefined })
  await holder.connect()
  await holder.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', ['worker-of-a-living-process'])
  await api.app.database.transaction(async (tx) => {
    await enqueue(tx, 'test.note', { payload: { of: 'the dead' } })
    await enqueue(tx, 'test.note', { payload: { of: 'the living' } })
    await tx.session.orm.execute(`
      update graphile_worker._private_jobs set locked_at = now() - interval '11 seconds',
        locked_by = case payload ->> 'of' when 'the dead' then 'worker-that-died' else 'worker-of-a-living-process' end`)
  })
  await vi.waitUntil(() => ran.length > 0, { ...within, timeout: 15_000 })
  expect(ran).toEqual([{ of: 'the dead' }])
  // Its process dies: the database lets go of its lock.
  await holder.end()
  await vi.waitUntil(() => ran.length > 1, { ...within, timeout: 15_000 })
  expect(ran).toEqual([{ of: 'the dead' }, { of: 'the living' }])
})

test('a job that takes long is left to its living worker, and lets others have their turn', async () => {
  ran.length = 0
  const long = async (count: number) =>
    api.app.database.transaction(async (tx) => {
      for (let n = 0; n < count; n++) await enqueue(tx, 'test.take_long', { payload: { of: 'patience' } })
    })
  await long(1)
  await vi.waitUntil(() => ran.length > 0, within)
  await api.sql(`update graphile_worker._private_jobs set locked_at = now() - interval '11 seconds'`)
  // Longer than it takes to look after the dead.
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect(ran).toEqual([{ of: 'patience' }])
  const [finishFirst] = [finish]
  // One has a slot left, and the next has none: whoever needs none is not kept waiting.
  await long(2)
  await vi.waitUntil(() => ran.length > 1, within)
  await api.app.database.transaction((tx) => enqueue(tx, 'test.note', { payload: { of: 'others' } }))
  await vi.waitUntil(() => ran.length > 2, within)
  expect(ran).toEqual([{ of: 'patience' }, { of: 'patience' }, { of: 'others' }])
  finish()
  finishFirst()
  await vi.waitUntil(() => ran.length > 3, within)
  finish()
})

test('a job that failed is tried again', async () => {
  ran.length = 0
  await api.app.database.transaction((tx) => enqueue(tx, 'test.fail_once', { payload: { n: 1 } }))
  await vi.waitUntil(() => failures === 1, within)
  // The next attempt comes by itself after a while; the test need not wait that long.
  await vi.waitUntil(async () => {
    await api.sql('update graphile_worker._private_jobs set run_at = now() where locked_at is null')
    return ran.length > 0
  }, within)
  expect([failures, ran]).toEqual([2, [{ n: 1 }]])
})
