import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Db } from '../db/database.ts'
import { Head, type LoggedTouch } from './head.ts'
import { Memory } from './memory.ts'

/** A log in memory that answers when it is let to: what it answers with is what it held when it was asked. */
class Log {
  readonly events: LoggedTouch[] = []
  readonly #wait: (step: string) => Promise<unknown>

  constructor(wait: (step: string) => Promise<unknown> = () => Promise.resolve()) {
    this.#wait = wait
  }

  /** Numbers may have gaps, where transactions were rolled back. */
  commit(touches: readonly string[], gap = 0): void {
    this.events.push({ seq: (this.events.at(-1)?.seq ?? 0) + 1 + gap, type: 'test.happened', touches })
  }

  get db(): Db {
    const execute = async ({ name }: { name: string }, { seq }: { seq: number }) => {
      if (name === 'events.newest') return [{ seq: this.events.at(-1)?.seq ?? 0 }]
      await this.#wait('ask')
      const found = this.events.filter((event) => event.seq > seq).slice(0, 1_000)
      await this.#wait('answer')
      return found
    }
    return { session: { execute } } as unknown as Db
  }
}

/** More names than the memory remembers the touching of. */
const flood = Array.from({ length: 20_001 }, (_, index) => `flood ${index}`)

describe('the memory', () => {
  test('keeps a thing until an event touches what it was made from', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const memory = new Memory<string>(head, 10)
    memory.keep('a', 'value', ['x', 'y'], memory.startingPoint)
    memory.keep('b', 'value', ['z'], memory.startingPoint)
    log.commit(['unrelated'])
    await head.catchUp()
    expect([memory.get('a'), memory.get('b')]).toEqual(['value', 'value'])
    log.commit(['y', 'unrelated'])
    expect(memory.get('a')).toBe('value')
    await head.catchUp()
    expect([memory.get('a'), memory.get('b')]).toEqual([undefined, 'value'])
  })

  test('does not keep a thing whose making began before an event that touches it', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const memory = new Memory<string>(head, 10)
    const { startingPoint } = memory
    log.commit(['x'])
    await head.catchUp()
    memory.keep('a', 'old', ['x'], startingPoint)
    memory.keep('b', 'sound', ['y'], startingPoint)
    expect([memory.get('a'), memory.get('b')]).toEqual([undefined, 'sound'])
    memory.keep('a', 'new', ['x'], memory.startingPoint)
    expect(memory.get('a')).toBe('new')
  })

  test('does not keep it either once it has forgotten which records those events touched', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const memory = new Memory<string>(head, 10)
    const { startingPoint } = memory
    log.commit(['x'])
    log.commit(flood)
    await head.catchUp()
    memory.keep('a', 'old', ['x'], startingPoint)
    expect(memory.get('a')).toBeUndefined()
    memory.keep('a', 'new', ['x'], memory.startingPoint)
    expect(memory.get('a')).toBe('new')
  })

  test('does not keep what says nothing of its making, for nothing would end it', async () => {
    const memory = new Memory<string>(await Head.open(new Log().db), 10)
    memory.keep('a', 'value', [], 0)
    expect(memory.get('a')).toBeUndefined()
  })

  test('replaces a thing together with what it was made from', async () => {
    const log = new Log()
    const head = await Head.open(log.db)
    const memory = new Memory<string>(head, 10)
    memory.keep('a', 'first', ['x'], 0)
    memory.keep('a', 'second', ['y'], 0)
    log.commit(['x'])
    await head.catchUp()
    expect(memory.get('a')).toBe('second')
    log.commit(['y'])
    await head.catchUp()
    expect(memory.get('a')).toBeUndefined()
  })

  test('holds no more than twice what it may, the newest among it', async () => {
    const memory = new Memory<number>(await Head.open(new Log().db), 50)
    for (let index = 0; index < 1_000; index++) memory.keep(`key ${index}`, index, ['x', `tag ${index}`], 0)
    const held = Array.from({ length: 1_000 }, (_, index) => memory.get(`key ${index}`)).filter(
      (value) => value !== undefined,
    )
    expect(held.length).toBeGreaterThanOrEqual(50)
    expect(held.length).toBeLessThanOrEqual(100)
    expect(held).toContain(999)
  })

  const tags = ['x', 'y', 'z']
  const someTags = fc.uniqueArray(fc.constantFrom(...tags), { minLength: 1 })
  const acts = fc.oneof(
    { weight: 4, arbitrary: fc.record({ act: fc.constant('commit' as const), touches: someTags, gap: fc.nat(2) }) },
    { weight: 4, arbitrary: fc.record({ act: fc.constant('make' as const), key: fc.nat(2), from: someTags }) },
    { weight: 4, arbitrary: fc.record({ act: fc.constant('read' as const), key: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('flood' as const) }) },
  )

  type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never

  test('never gives what is older than a change that was committed before it was asked', async () => {
    let given = 0
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(acts, { minLength: 4, maxLength: 10 }), { minLength: 2, maxLength: 4 }),
        async (scheduler, stories) => {
          const log = new Log((step) => scheduler.schedule(Promise.resolve(), step))
          const head = await Head.open(log.db)
          // So small that things are driven out as well.
          const memory = new Memory<Record<string, number>>(head, 2)
          /** What the database holds: of each record the number of its last change. */
          const versions: Record<string, number> = { x: 0, y: 0, z: 0 }

          const perform = async (act: Act) => {
            await scheduler.schedule(Promise.resolve(), act.act)
            if (act.act === 'flood') log.commit(flood)
            if (act.act === 'commit') {
              log.commit(act.touches, act.gap)
              for (const tag of act.touches) versions[tag] = log.events.at(-1)?.seq ?? 0
            }
            if (act.act === 'make') {
              const { startingPoint } = memory
              await scheduler.schedule(Promise.resolve(), 'read the records')
              const made = Object.fromEntries(act.from.map((tag) => [tag, versions[tag] ?? 0]))
              await scheduler.schedule(Promise.resolve(), 'finish')
              memory.keep(`key ${act.key}`, made, act.from, startingPoint)
            }
            if (act.act === 'read') {
              const floor = { ...versions }
              await head.catchUp()
              const value = memory.get(`key ${act.key}`)
              if (value === undefined) return
              given++
              for (const tag in value) expect(value[tag]).toBeGreaterThanOrEqual(floor[tag] ?? 0)
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
    expect(given).toBeGreaterThan(100)
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

  test('starts behind what was committed before it', async () => {
    const log = new Log()
    log.commit(['x'])
    const head = await Head.open(log.db)
    const seen: number[] = []
    head.onEvent(({ seq }) => seen.push(seq))
    await head.catchUp()
    expect([head.seq, seen]).toEqual([1, []])
  })

  test('fails those who asked while the log could not be reached, and works again afterwards', async () => {
    let broken = true
    const log = new Log(async () => {
      if (broken) throw new Error('unreachable')
    })
    const head = await Head.open(log.db)
    const outcomes = await Promise.allSettled([head.catchUp(), head.catchUp()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    broken = false
    log.commit(['x'])
    await head.catchUp()
    expect(head.seq).toBe(1)
  })
})
