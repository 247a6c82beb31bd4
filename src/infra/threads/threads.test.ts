import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { timely } from '../../../test/waiting.ts'
import { LastingThread } from './lasting.ts'
import { type Task, Threads } from './threads.ts'

const module = new URL('../../../test/tasks.ts', import.meta.url)
const task = (name: string): Task => ({ module, name })
const busy = { kind: 'unavailable', code: 'service.busy' }

/** A thread that grows without end takes 11 s to be ended on a busy machine. */
const patienceMs = 120_000
let threads = new Threads(patienceMs)
afterEach(async () => {
  await threads.close()
  threads = new Threads(patienceMs)
})

/** The longest time in which the event loop was blocked while `work` ran. */
async function longestPause(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await setTimeout(5)
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  await over
  return longest
}

describe('work in a thread', () => {
  test('takes and gives what can be cloned', async () => {
    expect(await threads.run(task('double'), 21)).toBe(42)
    const map = new Map([['a', [1, 2, 3]]])
    expect(await threads.run(task('members'), { map })).toEqual(new Map([['a', 3]]))
  })

  test('lets the event loop go on', async () => {
    expect(await timely(700, () => longestPause(threads.run(task('busyFor'), 1_500)))).toBeLessThan(700)
  })

  test('is done one piece at a time, in the order in which it came', async () => {
    const done: number[] = []
    await Promise.all([60, 1, 30].map(async (ms) => done.push((await threads.run(task('busyFor'), ms)) as number)))
    expect(done).toEqual([60, 1, 30])
  })

  test.each([
    ['what the function throws', 'fail', /^no luck$/],
    ['an end of the thread', 'leave', /without a result/],
    ['a function that there is not', 'nothing', /does not export nothing/],
    ['memory that grows without end', 'hoard', /memory/],
    ['a result that cannot be cloned', 'unclonable', /(?:)/],
  ])('fails by %s, and the next piece is done', async (_, name, message) => {
    const failed = threads.run(task(name), 'no luck')
    const next = threads.run(task('double'), 4)
    await expect(failed).rejects.toThrow(message)
    expect(await next).toBe(8)
  })

  test('that fails once its result is there harms nobody', async () => {
    await threads.run(task('failLater'), 'too late').catch(() => {})
    await setTimeout(100)
    expect(await threads.run(task('double'), 5)).toBe(10)
  })
})

describe('work in a process', () => {
  const apart = (name: string): Task => ({ ...task(name), inProcess: true })

  test('takes and gives what can be cloned, and lets the event loop go on', async () => {
    const map = new Map([['a', [1, 2, 3]]])
    expect(await threads.run(apart('members'), { map })).toEqual(new Map([['a', 3]]))
    expect(await timely(700, () => longestPause(threads.run(apart('busyFor'), 1_500)))).toBeLessThan(700)
  })

  test.each([
    ['what the function throws', 'fail', /^no luck$/],
    ['an end of the process', 'leave', /without a result/],
    ['a function that there is not', 'nothing', /does not export nothing/],
    ['memory that grows without end', 'hoard', /without a result/],
    ['a result that cannot be cloned', 'unclonable', /without a result/],
  ])('fails by %s, and the next piece is done', async (_, name, message) => {
    const failed = threads.run(apart(name), 'no luck')
    const next = threads.run(task('double'), 4)
    await expect(failed).rejects.toThrow(message)
    expect(await next).toBe(8)
  })

  test('is killed when it takes too long', async () => {
    const hasty = new Threads(600)
    await expect(hasty.run(apart('busyFor'), 60_000)).rejects.toMatchObject(busy)
    await hasty.close()
  })

  test('ends when the service closes', async () => {
    const ends = expect(threads.run(apart('busyFor'), 60_000)).rejects.toMatchObject(busy)
    await setTimeout(300)
    await threads.close()
    await ends
  })
})

describe('a line that is too long', () => {
  test('takes no more than eight pieces; once they are done it takes others', async () => {
    const waiting = Array.from({ length: 8 }, (_, index) => threads.run(task('double'), index))
    await expect(threads.run(task('double'), 9)).rejects.toMatchObject(busy)
    expect(await Promise.all(waiting)).toEqual([0, 2, 4, 6, 8, 10, 12, 14])
    expect(await threads.run(task('double'), 9)).toBe(18)
  })

  test('is not joined by a task with a line of its own, where nothing waits', async () => {
    const own = (name: string): Task => ({ ...task(name), atOnce: 2 })
    const shared = threads.run(task('busyFor'), 60_000)
    const two = [threads.run(own('double'), 1), threads.run(own('double'), 2)]
    await expect(threads.run(own('double'), 3)).rejects.toMatchObject(busy)
    expect(await Promise.all(two)).toEqual([2, 4])
    const running = threads.run(own('busyFor'), 60_000)
    const ends = Promise.all([shared, running].map((work) => expect(work).rejects.toMatchObject(busy)))
    await threads.close()
    await ends
  })

  test('work that takes too long is given up, with what waited for it for as long', async () => {
    const hasty = new Threads(600)
    const first = hasty.run(task('busyFor'), 60_000)
    const second = hasty.run(task('double'), 1)
    await expect(first).rejects.toMatchObject(busy)
    await expect(second).rejects.toMatchObject(busy)
    await hasty.close()
  })
})

test('a lasting thread that ends takes what it was asked with it, and nothing that the next one is asked', async () => {
  const lasting = new LastingThread<number, number>(new URL('../../../test/doubling-thread.ts', import.meta.url))
  expect(await lasting.ask(21)).toBe(42)
  const lost = expect(lasting.ask(-1)).rejects.toThrow('a thread ended before it answered')
  const closed = lasting.close()
  expect(await Promise.all([lasting.ask(1), lasting.ask(2)])).toEqual([2, 4])
  await Promise.all([lost, closed])
  expect(await lasting.ask(3)).toBe(6)
  await lasting.close()
})

test('closing ends what is at work and in line, and nothing begins any more', async () => {
  const started = performance.now()
  const running = threads.run(task('busyFor'), 60_000)
  const waiting = threads.run(task('double'), 1)
  const ends = Promise.all([expect(running).rejects.toMatchObject(busy), expect(waiting).rejects.toMatchObject(busy)])
  await setTimeout(300)
  await threads.close()
  await ends
  await expect(threads.run(task('double'), 1)).rejects.toMatchObject(busy)
  expect(performance.now() - started).toBeLessThan(10_000)
})
