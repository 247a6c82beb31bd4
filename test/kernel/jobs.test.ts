import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { App } from '../../src/app.ts'
import { type Database, openDatabase } from '../../src/infra/db/database.ts'
import { enqueue, type Job, type JobContext, startJobs } from '../../src/infra/jobs/jobs.ts'
import { type Harness, startHarness } from '../harness.ts'
import { openWayToDatabase } from '../way.ts'

/** Jobs: saved with their cause, rolled back with it, and run despite failures. */

let api: Harness
const ran: unknown[] = []
let failures = 0
let stop: () => Promise<unknown>
let finish = () => {}
let outage: Promise<Outage>

function contextOf({ log, services, clients }: App, database: Database): JobContext {
  return { database, log, services, clients, now: () => new Date() }
}

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
  outage = passOutage(app)
  // A rejection is reported to the tests that wait for it.
  outage.catch(() => {})
  const context = contextOf(app, app.database)
  const connection = { connectionString: app.config.databaseUrl ?? undefined }
  const runner = await startJobs(jobs, { context, connection, concurrency: 2 })
  stop = () => runner.stop()
})
afterAll(async () => {
  await outage.catch(() => {})
  await stop()
  await api[Symbol.asyncDispose]()
})

interface Outage {
  /** In the order of completion, possibly several times. */
  readonly delivered: readonly number[]
  /** The numbers of running and finished deliveries when the database became unreachable. */
  readonly interrupted: number
  readonly doneBefore: number
  /** Milliseconds from the return of the database until the last delivery was done. */
  readonly recovery: number
}

const deliveries = 30
const outageMs = 30_000

/**
 * Makes the database unreachable for half a minute during deliveries. It is a database of its own, because other
 * services with access to it would free the running jobs. It only waits, so the other tests run meanwhile.
 */
async function passOutage(app: App): Promise<Outage> {
  const { host, port, user, template } = inject('postgres')
  const name = `outage_${process.pid}`
  const admin = new pg.Client({ host, port, user, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name} template ${template}`)
  const way = await openWayToDatabase(name)
  const connection = { connectionString: way.url }
  const database = await openDatabase({ connection, onError: () => {} })
  const delivered: number[] = []
  let underWay = 0
  const deliver: Job = {
    name: 'test.deliver',
    slots: 4,
    run: async (payload) => {
      const { n } = payload as { readonly n: number }
      underWay++
      // Some end later than others: each of them then fails to be marked as done by itself.
      await new Promise((resolve) => setTimeout(resolve, 150 + (n % 4) * 15))
      delivered.push(n)
      underWay--
    },
  }
  const options = { context: contextOf(app, database), connection, concurrency: 2 }
  const workers = await startJobs([deliver], options)
  try {
    await database.transaction(async (tx) => {
      for (let n = 0; n < deliveries; n++) await enqueue(tx, deliver.name, { payload: { n } })
    })
    await vi.waitUntil(() => delivered.length > 4 && underWay > 0, within)
    const [interrupted, doneBefore] = [underWay, delivered.length]
    await way.cut()
    await new Promise((resolve) => setTimeout(resolve, outageMs))
    await way.restore()
    const returnedAt = performance.now()
    await vi.waitUntil(() => new Set(delivered).size === deliveries, { timeout: 60_000, interval: 100 })
    const recovery = performance.now() - returnedAt
    const left = 'select from graphile_worker._private_jobs'
    await vi.waitUntil(async () => (await database.pool.query(left)).rowCount === 0, { ...within, interval: 200 })
    return { delivered, interrupted, doneBefore, recovery }
  } finally {
    await workers.stop()
    await database.close()
    await way.close()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

const within = { timeout: 60_000, interval: 20 }

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
  await vi.waitUntil(() => ran.length > 0, { ...within, timeout: 60_000 })
  expect(ran).toEqual([{ of: 'the dead' }])
  // When its process dies, the database releases the lock.
  await holder.end()
  await vi.waitUntil(() => ran.length > 1, { ...within, timeout: 60_000 })
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
  // Longer than the interval of the check for dead pools.
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect(ran).toEqual([{ of: 'patience' }])
  const [finishFirst] = [finish]
  // One kind has a slot left, and the next has none: a job of another kind must not wait.
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
  // The next attempt comes by itself later; the test makes it due now.
  await vi.waitUntil(async () => {
    await api.sql('update graphile_worker._private_jobs set run_at = now() where locked_at is null')
    return ran.length > 0
  }, within)
  expect([failures, ran]).toEqual([2, [{ n: 1 }]])
})

test('a job that a living worker was given, and never heard of, is done nevertheless', async () => {
  ran.length = 0
  await api.app.database.transaction((tx) => enqueue(tx, 'test.take_long', { payload: { of: 'patience' } }))
  await vi.waitUntil(() => ran.length > 0, within)
  const [held] = await api.sql<{ id: string; pool: string }>(
    'select id, locked_by as pool from graphile_worker._private_jobs where locked_by is not null',
  )
  await api.app.database.transaction(async (tx) => {
    await enqueue(tx, 'test.note', { payload: { of: 'the unheard' } })
    // As if the answer of the database had been lost; the running job has taken as long.
    await tx.session.orm.execute(
      sql`update graphile_worker._private_jobs set locked_by = ${held?.pool}, locked_at = now() - interval '31 seconds'`,
    )
  })
  await vi.waitUntil(() => ran.length > 1, { ...within, timeout: 60_000 })
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(ran).toEqual([{ of: 'patience' }, { of: 'the unheard' }])
  finish()
  await vi.waitUntil(async () => (await api.sql('select from graphile_worker._private_jobs')).length === 0, within)
})

test('after half a minute without the database, all that was under way or waiting is done, and soon', async () => {
  const { delivered, interrupted, doneBefore, recovery } = await outage
  expect([interrupted > 0, doneBefore < deliveries]).toEqual([true, true])
  expect(new Set(delivered).size).toBe(deliveries)
  // Only jobs that were done but could not be marked as done run again.
  expect(delivered.length).toBeLessThanOrEqual(deliveries + 2 * 4)
  // The library by itself would take hours.
  expect(recovery).toBeLessThan(60_000)
})
