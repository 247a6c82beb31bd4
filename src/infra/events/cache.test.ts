import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { Cache } from './cache.ts'
import { Head, type LoggedTouch } from './head.ts'

/** A log in memory that answers when the test lets it: its answer is the content at the time of the question. */
class Log {
  readonly events: LoggedTouch[] = []
  /** Events that were deleted because they were old. */
  readonly #swept: LoggedTouch[] = []
  isReachable = true
  #crashes = 0
  readonly #wait: (step: string) => Promise<unknown>

  constructor(wait: (step: string) => Promise<unknown> = () => Promise.resolve()) {
    this.#wait = wait
  }

  /** Numbers may have gaps, where transactions were rolled back. */
  commit(touches: readonly string[], gap = 0): void {
    this.events.push({ seq: (this.history.at(-1)?.seq ?? 0) + 1 + gap, type: 'test.happened', touches })
  }

  /** The newest events were not yet on disk; their numbers may be given again. Running questions fail. */
  crash(lost: number): void {
    this.events.splice(Math.max(0, this.events.length - lost))
    this.#crashes++
  }

  /** Deletes all but the newest event, like the sweep of old events. */
  sweep(): void {
    this.#swept.push(...this.events.splice(0, this.events.length - 1))
  }

  /** All events, including deleted ones. */
  get history(): readonly LoggedTouch[] {
    return [...this.#swept, ...this.events]
  }

  get db(): Db {
    const execute = async ({ name }: { name: string }, { seq }: { seq: number }) => {
      if (!this.isReachable) throw new Error('unreachable')
      if (name === 'events.newest') return [{ seq: this.events.at(-1)?.seq ?? 0 }]
      const crashes = this.#crashes
      await this.#wait('ask')
      const found = this.events.filter((event) => event.seq > seq).slice(0, 1_000)
      await this.#wait('answer')
      if (crashes !== this.#crashes) throw new Error('the connection is lost')
      return found
    }
    return { session: { execute } } as unknown as Db
  }
}

/** A cache with room for this many values with one or two tags; each counts as 10 kB. */
function cacheOf<T>(head: Head, things: number): Cache<T> {
  return new Cache<T>(head, things * 12_000, () => 10_000)
}

/** More tags than the cache remembers. */
const flood = Array.from({ length: 20_001 }, (_, index) => `flood ${index}`)

describe('the cache', () => {
  test('keeps a thing until an event touches what it was made from', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const cache = cacheOf<string>(head, 10)
    cache.keep('a', 'value', ['x', 'y'], cache.startingPoint)
    cache.keep('b', 'value', ['z'], cache.startingPoint)
    log.commit(['unrelated'])
    await head.catchUp()
    expect([cache.get('a'), cache.get('b')]).toEqual(['value', 'value'])
    log.commit(['y', 'unrelated'])
    expect(cache.get('a')).toBe('value')
    await head.catchUp()
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'value'])
  })

  test('does not keep a thing whose making began before an event that touches it', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const cache = cacheOf<string>(head, 10)
    const { startingPoint } = cache
    log.commit(['x'])
    await head.catchUp()
    cache.keep('a', 'old', ['x'], startingPoint)
    cache.keep('b', 'sound', ['y'], startingPoint)
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'sound'])
    cache.keep('a', 'new', ['x'], cache.startingPoint)
    expect(cache.get('a')).toBe('new')
  })

  test('does not keep it either once it has forgotten which records those events touched', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const cache = cacheOf<string>(head, 10)
    const { startingPoint } = cache
    log.commit(['x'])
    log.commit(flood)
    await head.catchUp()
    cache.keep('a', 'old', ['x'], startingPoint)
    expect(cache.get('a')).toBeUndefined()
    cache.keep('a', 'new', ['x'], cache.startingPoint)
    expect(cache.get('a')).toBe('new')
  })

  test('does not keep what says nothing of its making, for nothing would end it', async () => {
    const cache = cacheOf<string>(await Head.open(new Log().db), 10)
    cache.keep('a', 'value', [], 0)
    expect(cache.get('a')).toBeUndefined()
  })

  test('replaces a thing together with what it was made from', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const cache = cacheOf<string>(head, 10)
    cache.keep('a', 'first', ['x'], 0)
    cache.keep('a', 'second', ['y'], 0)
    log.commit(['x'])
    await head.catchUp()
    expect(cache.get('a')).toBe('second')
    log.commit(['y'])
    await head.catchUp()
    expect(cache.get('a')).toBeUndefined()
  })

  test('forgets everything, and keeps nothing that is being made, when the database may have lost what was seen', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const cache = cacheOf<string>(head, 10)
    log.commit(['x'])
    await head.catchUp()
    cache.keep('a', 'of an event that will be lost', ['x'], cache.startingPoint)
    const { startingPoint } = cache
    log.crash(1)
    head.lost()
    await head.catchUp()
    expect(cache.get('a')).toBeUndefined()
    cache.keep('b', 'begun before', ['y'], startingPoint)
    expect(cache.get('b')).toBeUndefined()
    // Values derived from here on are valid, whether or not another event happens.
    cache.keep('c', 'begun after', ['z'], cache.startingPoint)
    expect(cache.get('c')).toBe('begun after')
    // The number of the lost event is given again.
    log.commit(['y'])
    log.commit(['y'])
    await head.catchUp()
    cache.keep('b', 'begun after', ['y'], cache.startingPoint)
    expect(cache.get('b')).toBe('begun after')
    log.commit(['y'])
    await head.catchUp()
    expect(cache.get('b')).toBeUndefined()
  })

  test('holds no more bytes than it may, keys and tags among them, and drops what was not used for longest', async () => {
    const values = fc.record({
      key: fc.nat(60),
      bytes: fc.nat(3_000),
      tags: fc.integer({ min: 1, max: 5 }),
      used: fc.nat(60),
    })
    const head = await Head.open(new Log().db)
    fc.assert(
      fc.property(fc.array(values, { maxLength: 200 }), (steps) => {
        const cache = new Cache<number>(head, 20_000, (bytes) => bytes)
        /** The bytes of each cached value by key, least recently used first. */
        const used = new Map<string, number>()
        const use = (key: string, bytes: number) => {
          used.delete(key)
          used.set(key, bytes)
        }
        for (const { key: number, bytes, tags, used: other } of steps) {
          const key = `key ${number}`
          cache.keep(
            key,
            bytes,
            Array.from({ length: tags }, (_, index) => `tag ${number} ${index}`),
            0,
          )
          expect(cache.get(key)).toBe(bytes)
          use(key, bytes)
          const found = cache.get(`key ${other}`)
          if (found !== undefined) {
            expect(found).toBe(used.get(`key ${other}`))
            use(`key ${other}`, found)
          }
          expect(cache.bytes).toBeLessThanOrEqual(20_000)
        }
        const order = [...used.keys()]
        const held = order.filter((key) => cache.has(key))
        expect(held).toEqual(order.slice(order.length - held.length))
        expect(held.reduce((sum, key) => sum + (used.get(key) ?? 0), 0)).toBeLessThan(cache.bytes + 1)
      }),
    )
  })

  test('does not keep what is larger than all that it may hold, and keeps the rest', async () => {
    const cache = new Cache<number>(await Head.open(new Log().db), 10_000, (bytes) => bytes)
    cache.keep('small', 100, ['x'], 0)
    cache.keep('large', 10_000, ['x'], 0)
    cache.keep(
      'many tags',
      1,
      Array.from({ length: 100 }, (_, index) => `tag ${index}`),
      0,
    )
    expect([cache.get('small'), cache.get('large'), cache.get('many tags')]).toEqual([100, undefined, undefined])
  })

  describe('in memory', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const used = () => {
      collect()
      return process.memoryUsage().heapUsed
    }

    test('things take at most what they are counted with', async () => {
      const cache = new Cache<object>(await Head.open(new Log().db), 1e9, () => 0)
      // Like strings from a socket and from the database: each is one flat string.
      const text = (start: string, index: number) => Buffer.from(`${start}/${index}`.padEnd(50, '-')).toString('latin1')
      const before = used()
      for (let index = 0; index < 20_000; index++) {
        cache.keep(text('key', index), {}, [text('a', index), text('b', index % 100), text('c', index)], 0)
      }
      expect(used() - before).toBeLessThan(cache.bytes)
      expect(cache.has(text('key', 19_999))).toBe(true)
    })

    test.each([
      ['far from its bound', 1e9],
      ['at its bound', 100_000],
    ])('nothing stays of what was replaced or used again and again, %s', async (_where, maxBytes) => {
      const cache = new Cache<object>(await Head.open(new Log().db), maxBytes, () => 0)
      const go = (times: number) => {
        for (let index = 0; index < times; index++) {
          cache.keep(`key ${index % 200}`, { index }, ['x'], 0)
          cache.get(`key ${(index * 7) % 200}`)
        }
      }
      go(10_000)
      const before = used()
      go(500_000)
      expect(used() - before).toBeLessThan(2_000_000)
      expect(cache.bytes).toBeGreaterThan(50_000)
    })
  })

  const tags = ['x', 'y', 'z']
  const someTags = fc.uniqueArray(fc.constantFrom(...tags), { minLength: 1 })
  const acts = fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('commit' as const), touches: someTags, gap: fc.nat(2) }) },
    { weight: 8, arbitrary: fc.record({ act: fc.constant('make' as const), key: fc.nat(2), from: someTags }) },
    { weight: 8, arbitrary: fc.record({ act: fc.constant('read' as const), key: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('flood' as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('crash' as const), lost: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('sleep' as const) }) },
  )

  type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never

  test('never gives what is older than a change that was committed before it was asked, or what never came to be', async () => {
    let given = 0
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(acts, { minLength: 4, maxLength: 10 }), { minLength: 2, maxLength: 4 }),
        async (scheduler, stories) => {
          const log = new Log((step) => scheduler.schedule(Promise.resolve(), step))
          let clock = 0
          const head = await Head.open(log.db, () => clock)
          // So small that values are evicted as well.
          const cache = cacheOf<Record<string, number>>(head, 2)
          /** The changes that the events announce; unlike the numbers of events, their ids are never given again. */
          const changes = new Map<LoggedTouch, { readonly id: number; readonly tags: readonly string[] }>()
          let crashes = 0
          /** The content of the database: the last change of each record. */
          const versions = (): Record<string, number> => {
            const held: Record<string, number> = { x: 0, y: 0, z: 0 }
            for (const event of log.history) {
              const { id = 0, tags = [] } = changes.get(event) ?? {}
              for (const tag of tags) held[tag] = id
            }
            return held
          }
          const commit = (tags: readonly string[], gap: number) => {
            log.commit(tags, gap)
            changes.set(log.events.at(-1) as LoggedTouch, { id: changes.size + 1, tags })
          }

          const perform = async (act: Act) => {
            await scheduler.schedule(Promise.resolve(), act.act)
            if (act.act === 'flood') log.commit(flood)
            if (act.act === 'commit') commit(act.touches, act.gap)
            if (act.act === 'sleep') {
              // The process has not asked for days: it missed events that were deleted meanwhile.
              clock += 8 * 86_400_000
              log.sweep()
            }
            if (act.act === 'crash') {
              log.crash(act.lost)
              head.lost()
              crashes++
            }
            if (act.act === 'make') {
              const { startingPoint } = cache
              await scheduler.schedule(Promise.resolve(), 'read the records')
              const held = versions()
              const made = Object.fromEntries(act.from.map((tag) => [tag, held[tag] ?? 0]))
              await scheduler.schedule(Promise.resolve(), 'finish')
              cache.keep(`key ${act.key}`, made, act.from, startingPoint)
            }
            if (act.act === 'read') {
              const floor = versions()
              const before = crashes
              const isCaughtUp = await head.catchUp().then(
                () => true,
                () => false,
              )
              const value = cache.get(`key ${act.key}`)
              if (!isCaughtUp || value === undefined || before !== crashes) return
              given++
              const surviving = new Set([0, ...log.history.map((event) => changes.get(event)?.id)])
              for (const tag in value) {
                expect(value[tag]).toBeGreaterThanOrEqual(floor[tag] ?? 0)
                expect(surviving).toContain(value[tag])
              }
            }
          }
          const live = async (story: readonly Act[]) => {
            for (const act of story) await perform(act)
          }
          await scheduler.waitFor(Promise.all(stories.map(live)))
        },
      ),
      { numRuns: 300 },
    )
    expect(given).toBeGreaterThan(50)
  })
})

describe('the head', () => {
  test('asks once for all that arrive while a question is under way, and tells each what was committed before', async () => {
    let questions = 0
    const log = new Log(async (step) => {
      if (step === 'ask') questions++
      await new Promise((resolve) => setTimeout(resolve, 2))
    })
    const head = await Head.open(log.db)
    const seen: number[] = []
    head.onEvent(({ seq }) => seen.push(seq))
    const callers = Array.from({ length: 200 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index % 20))
      log.commit([])
      const mine = log.events.at(-1)?.seq ?? 0
      await head.catchUp()
      expect(head.seq).toBeGreaterThanOrEqual(mine)
    })
    await Promise.all(callers)
    expect(seen).toEqual(log.events.map(({ seq }) => seq))
    expect(questions).toBeLessThan(40)
  })

  test('applies more events than one answer holds, in their order', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const seen: number[] = []
    head.onEvent(({ seq }) => seen.push(seq))
    for (let index = 0; index < 2_500; index++) log.commit([], index % 3)
    await head.catchUp()
    expect(seen).toEqual(log.events.map(({ seq }) => seq))
  })

  test('applies events whose numbers had been given to others before the database lost those', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const seen: string[] = []
    head.onEvent(({ seq, touches }) => seen.push(`${seq} ${touches}`))
    log.commit(['a'])
    log.commit(['lost'])
    await head.catchUp()
    log.crash(1)
    head.lost()
    await head.catchUp()
    expect(head.seq).toBe(1)
    log.commit(['b'])
    await head.catchUp()
    expect(seen).toEqual(['1 a', '2 lost', '2 b'])
  })

  test('starts behind what was committed before it', async () => {
    const log = new Log()
    log.commit(['x'])
    const head = await Head.open(log.db)
    const seen: number[] = []
    head.onEvent(({ seq }) => seen.push(seq))
    await head.catchUp()
    expect([head.seq, seen]).toEqual([1, []])
  })

  test('starts again after a long silence: what it has not heard of may have been deleted', async () => {
    const log = new Log()
    let clock = 0
    const head = await Head.open(log.db, () => clock)
    let restarts = 0
    head.onRestart(() => restarts++)
    log.commit(['x'])
    clock += 3_600_000
    await head.catchUp()
    expect([head.seq, restarts]).toEqual([1, 0])
    log.commit(['x'])
    log.commit(['y'])
    clock += 3_600_001
    log.sweep()
    await head.catchUp()
    expect([head.seq, restarts]).toEqual([3, 1])
    clock += 3_600_000
    await head.catchUp()
    expect([head.seq, restarts]).toEqual([3, 1])
  })

  test('fails those who asked while the log could not be reached, and works again afterwards', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const restarts: number[] = []
    head.onRestart(() => restarts.push(head.seq))
    for (const isLost of [false, true]) {
      log.isReachable = false
      if (isLost) head.lost()
      const outcomes = await Promise.allSettled([head.catchUp(), head.catchUp()])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      log.isReachable = true
      log.commit(['x'])
      await head.catchUp()
      expect(head.seq).toBe(log.events.at(-1)?.seq)
    }
    // Only when the log can be asked again: until then no request uses the cache.
    expect(restarts).toEqual([2])
  })
})
