import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobContext } from '../../src/infra/jobs/jobs.ts'
import { leasedOnce } from '../../src/infra/jobs/leased-once.ts'
import { startLeasedWork } from '../../src/infra/jobs/leases.ts'
import { type Harness, startHarness } from '../harness.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const failures: unknown[] = []

/** A worker that works while it holds the lease. */
function worker(name: string, holder: string, transaction = api.app.database.transaction) {
  const spans: { from: number; to: number | null }[] = []
  const context = { database: { ...api.app.database, transaction } } as unknown as JobContext
  const run = async (_context: JobContext, signal: AbortSignal) => {
    const span: (typeof spans)[number] = { from: performance.now(), to: null }
    spans.push(span)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    span.to = performance.now()
  }
  const lease = startLeasedWork({ name, run }, holder, context, (error) => void failures.push(error))
  return { spans, stop: () => lease.stop(), isAtWork: () => spans.some(({ to }) => to === null) }
}

const transaction: typeof api.app.database.transaction = (work) => api.app.database.transaction(work)

test('a lease is one holder’s; it is handed over at once when given back, and after fifteen seconds when its holder is gone', async () => {
  const given = async () => {
    const [one, two] = [worker('given', 'one', transaction), worker('given', 'two', transaction)]
    await expect.poll(() => one.isAtWork() !== two.isAtWork()).toBe(true)
    const [first, second] = one.isAtWork() ? [one, two] : [two, one]
    await first.stop()
    expect(first.isAtWork()).toBe(false)
    expect(await api.sql("select from leases where name = 'given'")).toEqual([])
    await expect.poll(() => second.isAtWork(), { timeout: 30_000 }).toBe(true)
    await second.stop()
  }
  const lost = async () => {
    let isCut = false
    const cutOff: typeof transaction = (work) => (isCut ? Promise.reject(new Error('no database')) : transaction(work))
    const one = worker('lost', 'one', cutOff)
    await expect.poll(() => one.isAtWork()).toBe(true)
    const two = worker('lost', 'two', transaction)
    isCut = true
    await expect.poll(() => two.isAtWork(), { timeout: 60_000 }).toBe(true)
    // A holder that cannot renew the lease stops before another one begins.
    expect(one.spans).toEqual([{ from: expect.any(Number), to: expect.any(Number) }])
    expect(one.spans[0]?.to).toBeLessThan(two.spans[0]?.from as number)
    isCut = false
    await setTimeout(6_000)
    expect([one.isAtWork(), two.isAtWork()]).toEqual([false, true])
    await Promise.all([one.stop(), two.stop()])
  }
  /** Runs work once, while a lease is held. */
  const once = async () => {
    let isCut = false
    const cutOff: typeof transaction = (work) => (isCut ? Promise.reject(new Error('no database')) : transaction(work))
    const [one, two] = [leasedOnce({ ...api.app.database, transaction: cutOff }), leasedOnce(api.app.database)]
    const begun = Promise.withResolvers<void>()
    const first = one.run('once', async (signal) => {
      begun.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return performance.now()
    })
    await begun.promise
    expect(await two.run('once', async () => 'never')).toBeNull()
    isCut = true
    let second: { readonly result: number } | null = null
    await expect
      .poll(async () => (second = await two.run('once', async () => performance.now())), { timeout: 60_000 })
      .not.toBeNull()
    expect((await first)?.result).toBeLessThan((second as unknown as { readonly result: number }).result)
    await expect(two.run('once', () => Promise.reject(new Error('it fails')))).rejects.toThrow('it fails')
    expect(await two.run('once', async () => 'again')).toEqual({ result: 'again' })
  }
  await Promise.all([given(), lost(), once()])
  expect(failures.length).toBeGreaterThan(0)
})
