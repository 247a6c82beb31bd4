import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/infra/db/database.ts'
import { enqueue, type Job, startJobs } from '../../src/infra/jobs/jobs.ts'
import { type Harness, startHarness } from '../harness.ts'

/** One connection of a process hears of jobs of all kinds, and wakes only the workers with jobs to run. */

const name = 'poller of a test'
const within = { timeout: 20_000, interval: 20 }
const places = 3

let api: Harness
let database: Database
let stop: () => Promise<void>
const ran: unknown[] = []
let underWay = 0
let most = 0

const crowd: Job = {
  name: 'poller.crowd',
  slots: places,
  run: async (payload) => {
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, 100))
    underWay--
    ran.push(payload)
  },
}
const note: Job = { name: 'poller.note', slots: 1, run: async (payload) => void ran.push(payload) }
/** Kinds of jobs that are never enqueued. */
const idle: Job[] = Array.from({ length: 8 }, (_, n) => ({ name: `poller.idle_${n}`, slots: 4, run: async () => {} }))

beforeAll(async () => {
  api = await startHarness()
  const { log, services, clients, config } = api.app
  const url = new URL(config.databaseUrl as string)
  url.searchParams.set('application_name', name)
  const connection = { connectionString: url.href }
  database = await openDatabase({ connection, onError: () => {} })
  const context = { database, log, services, clients, now: () => new Date() }
  const workers = await startJobs([crowd, note, ...idle], { context, connection, concurrency: 2 })
  stop = () => workers.stop()
})
afterAll(async () => {
  await stop()
  await database.close()
  await api[Symbol.asyncDispose]()
})

const add = (job: Job, count: number, runAt?: Date) =>
  database.transaction(async (tx) => {
    for (let n = 0; n < count; n++) await enqueue(tx, job.name, { payload: { n }, ...(runAt && { runAt }) })
  })

const connections = () =>
  api.sql<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [name])

const lockHolders = () =>
  api.sql<{ pid: number; locks: number }>(
    `select pid, count(*)::int as locks from pg_locks join pg_stat_activity using (pid)
     where application_name = $1 and locktype = 'advisory' and granted group by pid`,
    [name],
  )

test('however many kinds of jobs there are, their workers have three connections at most', async () => {
  // Three more: two connections for reads, and one for the event log.
  expect((await connections()).length).toBeLessThanOrEqual(3 + 3)
})

test('jobs that fall due together have all places of their kind, and no more', async () => {
  await add(crowd, 3 * places, new Date(Date.now() + 500))
  await vi.waitUntil(() => ran.length === 3 * places, within)
  expect(most).toBe(places)
})

test('when the connection that listens is lost, another one hears of jobs, and its workers are known to live', async () => {
  ran.length = 0
  await vi.waitUntil(async () => (await lockHolders()).length === 1, within)
  const [before] = await lockHolders()
  expect(before?.locks).toBe(2 + idle.length)
  await api.sql('select pg_terminate_backend($1)', [before?.pid])
  await vi.waitUntil(async () => {
    const [after] = await lockHolders()
    return after !== undefined && after.pid !== before?.pid && after.locks === before?.locks
  }, within)
  await add(note, 1)
  await vi.waitUntil(() => ran.length === 1, within)
  await expect.poll(async () => (await lockHolders()).length).toBe(1)
})
