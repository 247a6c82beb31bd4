import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { enqueue, type Job, type JobContext, startJobs } from '../../src/infra/jobs/jobs.ts'
import { type Harness, startHarness } from '../harness.ts'

/** Work after the answer: there with its cause, gone with it, and done in spite of failures. */

let api: Harness
const ran: unknown[] = []
let failures = 0
let stop: () => Promise<unknown>

const jobs: Job[] = [
  { name: 'test.note', run: async (payload) => void ran.push(payload) },
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
  const runner = await startJobs(jobs, context, pool, 2)
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

test('of jobs with one key that have not started, the newest stands for all', async () => {
  ran.length = 0
  const runAt = new Date(Date.now() + 300)
  for (const version of [1, 2, 3]) {
    await api.app.database.transaction((tx) => enqueue(tx, 'test.note', { payload: { version }, key: 'one', runAt }))
  }
  await vi.waitUntil(() => ran.length > 0, within)
  expect(ran).toEqual([{ version: 3 }])
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
