import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { until } from '../../../../test/waiting.ts'
import { anyone } from '../../../core/actor.ts'
import { type Operation, query } from '../../../core/operation.ts'
import { nobody } from '../../http/admission.ts'
import type { Life } from '../../http/route.ts'
import type { Frame, Sink } from '../doors/frame.ts'
import type { Bus } from './bus.ts'
import { Ephemeral } from './hub.ts'
import { type Entry, State } from './state.ts'
import { ephemeral } from './topic.ts'

/** Resolves when the condition holds; a slow machine may take longer. */

// The values of a topic

function entry(key: string, writer: string, seq: number, more: Partial<Entry> = {}): Entry {
  return { key, writer, seq, connection: null, version: seq, text: `"${writer}${seq}"`, until: 1_000, ...more }
}

/** The values of a state, parsed from JSON. */
function shown(state: State): Record<string, unknown> {
  return JSON.parse(`{${state.full()}}`)
}

test('of a writer the newest value holds, of several writers the last', () => {
  const state = new State()
  expect(state.merge(entry('k', 'a', 2))).toBe(true)
  expect(state.merge(entry('k', 'a', 1))).toBe(false)
  expect(state.merge(entry('k', 'a', 2))).toBe(false)
  expect(shown(state)).toEqual({ k: 'a2' })
  // The count of another writer is irrelevant.
  expect(state.merge(entry('k', 'b', 1, { version: 9 }))).toBe(true)
  expect(shown(state)).toEqual({ k: 'b1' })
  expect(state.merge(entry('k', 'a', 3))).toBe(true)
  expect(shown(state)).toEqual({ k: 'b1' })
  expect(state.merge(entry('k', 'a', 4, { version: 10 }))).toBe(true)
  expect(shown(state)).toEqual({ k: 'a4' })
})

test('a key that was taken away stays away until something newer comes', () => {
  const state = new State()
  state.merge(entry('k', 'a', 5))
  expect(state.merge(entry('k', 'a', 5, { text: null }))).toBe(true)
  expect(shown(state)).toEqual({})
  expect(state.merge(entry('k', 'a', 5))).toBe(false)
  expect(state.merge(entry('k', 'a', 4))).toBe(false)
  expect(state.changesSince(0)).toEqual({ states: '', gone: ['k'] })
  state.merge(entry('k', 'a', 6))
  expect(state.changesSince(0)).toEqual({ states: '"k":"a6"', gone: [] })
})

test('whatever the order in which processes hear of it, they hold the same', () => {
  const written = fc.record({
    key: fc.constantFrom('k', 'l'),
    writer: fc.constantFrom('a', 'b', 'c'),
    seq: fc.integer({ min: 1, max: 4 }),
    version: fc.integer({ min: 1, max: 4 }),
    isGone: fc.boolean(),
  })
  // Each number of a writer belongs to one value, as the gateways ensure.
  const all = fc.uniqueArray(written, {
    selector: ({ key, writer, seq, isGone }) => `${key} ${writer} ${seq} ${isGone}`,
    maxLength: 12,
  })
  const orders = all.chain((entries) =>
    fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
  )
  fc.assert(
    fc.property(orders, ([one, other]) => {
      const outcomes = [one, other].map((entries) => {
        const state = new State()
        for (const { isGone, version, ...rest } of entries) {
          const text = isGone ? null : `"${rest.writer}${rest.seq}"`
          state.merge(entry(rest.key, rest.writer, rest.seq, { version, text }))
        }
        return shown(state)
      })
      expect(outcomes[0]).toEqual(outcomes[1])
    }),
  )
})

test('what is not renewed expires, and is told as gone', () => {
  const state = new State()
  state.merge(entry('k', 'a', 1, { until: 100 }))
  state.merge(entry('l', 'a', 1, { until: 200 }))
  state.expire(99)
  expect(shown(state)).toEqual({ k: 'a1', l: 'a1' })
  const before = state.changes
  state.expire(100)
  expect([shown(state), state.changesSince(before)]).toEqual([{ l: 'a1' }, { states: '', gone: ['k'] }])
  // A renewal with the same value changes nothing.
  const { changes } = state
  state.merge(entry('l', 'a', 2, { text: '"a1"', until: 300 }))
  state.expire(250)
  expect([shown(state), state.changes]).toEqual([{ l: 'a1' }, changes])
  state.expire(300)
  expect(state.isEmpty).toBe(true)
})

test('a topic has 64 keys at most; one that goes makes room', () => {
  const state = new State()
  for (let number = 0; number < 64; number++) state.merge(entry(`k${number}`, 'a', 1))
  expect([state.isFullFor('k0'), state.isFullFor('more')]).toEqual([false, true])
  expect(state.merge(entry('more', 'a', 1))).toBe(false)
  state.merge(entry('k0', 'a', 2, { text: null }))
  expect(state.isFullFor('more')).toBe(false)
  expect(state.merge(entry('more', 'a', 1))).toBe(true)
})

// Followers, and other processes

const read = query({
  name: 'things.read',
  method: 'GET',
  path: '/things/:thing',
  scope: 'public',
  allow: anyone,
  summary: 'A thing.',
  reply: { 200: Type.Object({}) },
  run: () => ({}),
})

const topic = ephemeral({
  path: '/things/:thing/live',
  summary: 'How it does.',
  follows: 'things.read',
  keys: [
    {
      form: 'part:{user}',
      description: 'A part.',
      schema: Type.Object({
        level: Type.Optional(Type.Integer()),
        inner: Type.Optional(Type.Object({ depth: Type.Optional(Type.Integer()) })),
      }),
      writes: () => null,
      stamp: ({ source, seq }) => ({ source, seq }),
    },
    { form: 'whole', description: 'All.', schema: Type.Object({ n: Type.Integer() }), writes: () => null },
  ],
  canBeDelayed: true,
  expiresMs: 15_000,
})

/** Admits everybody; `/things/hidden` is visible to no caller. */
const life = {
  identify: () => {},
  judge: async ({ params, state }: { params: { thing: string }; state: { records: object; tournament: string } }) => {
    state.records = { thing: params.thing }
    state.tournament = 'cup'
  },
} as unknown as Life

/** The bus between processes in a test, with a separate delay for each message. */
class Wire {
  readonly listeners = new Set<(topic: string, message: unknown) => void>()
  isCut = false

  open(delayMs = () => 1): Bus & { lost: () => void } {
    const own = new Set<() => void>()
    return {
      kind: 'redis',
      publish: (name, message) => {
        if (this.isCut) return
        const text = JSON.stringify(message)
        for (const listener of this.listeners) setTimeout(() => listener(name, JSON.parse(text)), delayMs())
      },
      subscribe: (name, listener) => {
        const take = (told: string, message: unknown) => {
          if (told === name) listener(message)
        }
        this.listeners.add(take)
        return () => void this.listeners.delete(take)
      },
      onLost: (listener) => void own.add(listener),
      lost: () => {
        for (const listener of own) listener()
      },
      close: async () => {},
    }
  }
}

/** A database that is slow to answer that there is no delay. */
const slow = {
  session: { orm: { execute: () => new Promise((resolve) => setTimeout(resolve, 700, { rows: [] })) } },
}

function process(bus: Bus, more: { expiresMs?: number } = {}): Ephemeral {
  return new Ephemeral({
    topics: [topic],
    operations: [read as Operation],
    lifeOf: () => life,
    db: slow as never,
    begin: async () => {},
    bus,
    ...more,
  })
}

class Reader implements Sink {
  readonly packets: { type: string; states: Record<string, unknown>; gone: string[]; full: boolean; at: number }[] = []
  readonly frames: Frame[] = []
  isFull = false

  send(frame: Frame): void {
    this.frames.push(frame)
    this.packets.push({ ...JSON.parse(frame.text), at: performance.now() })
  }

  endStep(): void {}

  get held(): Record<string, unknown> {
    let held: Record<string, unknown> = {}
    for (const { states, gone, full } of this.packets) {
      held = full ? { ...states } : { ...held, ...states }
      for (const key of gone) delete held[key]
    }
    return held
  }
}

const name = '/things/one/live'
const viewer = { credential: nobody, ip: '127.0.0.1' }

async function follow(
  ephemeral: Ephemeral,
  { isDelayed = false, ...more }: { rate?: number; sink?: Reader; isDelayed?: boolean } = {},
) {
  const address = ephemeral.topics.find(name, isDelayed)
  if (address === null) throw new Error('no such topic')
  const reader = more.sink ?? new Reader()
  const subscription = await ephemeral.join({ address, onEnd: () => {}, ...more }, viewer, reader)
  await ephemeral.answer(subscription)
  return { reader, subscription }
}

test('a value is told as its schema has it: what is not known is null, what is strange is not told', async () => {
  const one = process(new Wire().open())
  const { reader } = await follow(one, { rate: 10 })
  const guid = '3F0C2C9E-5d1b-4c58-9a53-6d3b9c1f7a42'
  one.put(name, `part:${guid}`, { inner: { depth: 1, other: 2 }, source: 'me', __proto__: { level: 3 } }, 'assistant')
  await until(() => reader.packets.length > 1)
  expect(reader.held).toEqual({
    [`part:${guid.toLowerCase()}`]: {
      level: null,
      inner: { depth: 1 },
      source: 'assistant',
      seq: expect.any(Number),
    },
  })
  const refused = (key: string, value: unknown) => {
    try {
      one.put(name, key, value, 'assistant')
    } catch (error) {
      return (error as { code: string }).code
    }
    return 'taken'
  }
  expect([
    refused('whole', { n: 1.5 }),
    refused('whole', {}),
    refused('whole', 7),
    refused('whole', { n: 1, long: 'x'.repeat(2_048) }),
    refused('part:nobody', {}),
    refused('part', {}),
    refused('whole', { n: 1 }),
  ]).toEqual([...Array(3).fill('value.invalid'), 'value.too_large', 'key.invalid', 'key.invalid', 'taken'])
  one.close()
})

test('packets come at the rate that was asked for, each with the newest values, made once for all', async () => {
  const one = process(new Wire().open())
  const slow = await follow(one, { rate: 2 })
  const [fast, alike] = [await follow(one, { rate: 10 }), await follow(one, { rate: 10 })]
  const begun = performance.now()
  let n = 0
  while (performance.now() < begun + 1_500) {
    one.put(name, 'whole', { n: ++n }, 'assistant')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await until(() => [slow, fast].every(({ reader }) => (reader.held.whole as { n: number }).n === n))
  for (const [{ reader }, rate] of [
    [slow, 2],
    [fast, 10],
  ] as const) {
    const gaps = reader.packets.slice(2).map(({ at }, index) => at - (reader.packets[index + 1]?.at ?? 0))
    // Timers may fire a millisecond early.
    expect(Math.min(...gaps)).toBeGreaterThan(1_000 / rate - 5)
    const told = reader.packets.slice(1).map(({ states }) => (states.whole as { n: number }).n)
    expect(told).toEqual([...told].sort((a, b) => a - b))
  }
  expect(fast.reader.packets.length).toBeGreaterThan(8)
  // The first state, one packet immediately, and then two a second, however slow the machine is.
  const elapsed = performance.now() - begun
  expect(slow.reader.packets.length).toBeLessThanOrEqual(2 + Math.floor((2 * elapsed) / 1_000))
  expect(fast.reader.frames.slice(1).every((frame, index) => frame === alike.reader.frames[index + 1])).toBe(true)
  one.close()
})

test('whoever takes too slowly skips values, and gets what holds once it can', async () => {
  const one = process(new Wire().open())
  const { reader, subscription } = await follow(one, { rate: 10 })
  const { reader: other } = await follow(one, { rate: 10 })
  reader.isFull = true
  for (let n = 1; n <= 30; n++) {
    one.put(name, 'whole', { n }, 'assistant')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await until(() => (other.held.whole as { n: number } | undefined)?.n === 30)
  expect(reader.packets).toHaveLength(1)
  one.catchUp(subscription)
  expect(reader.packets).toHaveLength(1)
  reader.isFull = false
  one.catchUp(subscription)
  one.catchUp(subscription)
  expect(reader.packets.slice(1)).toMatchObject([{ full: true, states: { whole: { n: 30 } }, gone: [] }])
  one.put(name, 'whole', { n: 31 }, 'assistant')
  await until(() => reader.packets.length === 3)
  expect(reader.packets[2]).toMatchObject({ full: false, states: { whole: { n: 31 } } })
  one.close()
})

test('a process that begins to follow has what the others know from its first packet', async () => {
  const wire = new Wire()
  const [one, other, third] = [process(wire.open()), process(wire.open()), process(wire.open())]
  one.put(name, 'whole', { n: 1 }, 'assistant')
  const { reader } = await follow(other)
  expect(reader.packets).toMatchObject([{ full: true, states: { whole: { n: 1 } }, gone: [] }])
  one.put(name, 'whole', null, 'assistant')
  await until(() => reader.packets.length > 1)
  expect(reader.packets[1]).toMatchObject({ full: false, states: {}, gone: ['whole'] })
  const late = await follow(third)
  expect(late.reader.packets).toMatchObject([{ full: true, states: {}, gone: [] }])
  for (const each of [one, other, third]) each.close()
})

test('what was missed while the bus was away is made up for when it is back', async () => {
  const wire = new Wire()
  const [here, there] = [wire.open(), wire.open()]
  const [one, other] = [process(here), process(there)]
  const { reader } = await follow(other, { rate: 10 })
  one.put(name, 'whole', { n: 1 }, 'assistant')
  await until(() => reader.packets.length === 2)
  wire.isCut = true
  one.put(name, 'whole', { n: 2 }, 'assistant')
  await new Promise((resolve) => setTimeout(resolve, 30))
  wire.isCut = false
  expect(reader.held).toEqual({ whole: { n: 1 } })
  here.lost()
  await until(() => reader.packets.length === 3)
  expect(reader.held).toEqual({ whole: { n: 2 } })
  for (const each of [one, other]) each.close()
})

test('what nobody renews is gone everywhere, and then nothing is left of it', async () => {
  const wire = new Wire()
  const expiresMs = 300
  const [one, other] = [process(wire.open(), { expiresMs }), process(wire.open(), { expiresMs })]
  const { reader, subscription } = await follow(other, { rate: 10 })
  one.put(name, 'whole', { n: 1 }, 'assistant')
  await until(() => reader.held.whole !== undefined)
  await until(() => reader.held.whole === undefined)
  other.unsubscribe(subscription)
  // No listener is left.
  await until(() => wire.listeners.size === 0)
  for (const each of [one, other]) each.close()
})

test('however long the delay takes to be read, the topic is there for whoever asked for it', async () => {
  const one = process(new Wire().open())
  const { reader } = await follow(one, { isDelayed: true })
  one.put(name, 'whole', { n: 1 }, 'assistant')
  await until(() => reader.held.whole !== undefined)
  one.close()
})

test('two processes that hear of each other’s values late end with the same', async () => {
  const wire = new Wire()
  const late = () => Math.random() * 60
  const [one, other] = [process(wire.open(late)), process(wire.open(late))]
  const [here, there] = [await follow(one, { rate: 10 }), await follow(other, { rate: 10 })]
  for (let n = 0; n < 40; n++) {
    one.put(name, 'whole', { n }, 'assistant')
    other.put(name, 'whole', { n: -n }, 'game')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const last = () => [here, there].map(({ reader }) => (reader.held.whole as { n: number }).n)
  await until(() => last().every((n) => Math.abs(n) === 39 && n === last()[0]))
  for (const each of [one, other]) each.close()
})

test('a topic that follows no read is refused at the start', () => {
  const make =
    (follows: string, path = '/things/:thing/live') =>
    () =>
      new Ephemeral({
        topics: [{ ...topic, follows, path }],
        operations: [read as Operation],
        lifeOf: () => life,
        db: {} as never,
        begin: async () => {},
        bus: new Wire().open(),
      })
  expect(make('things.write')).toThrow('follows things.write')
  expect(make('things.read', '/others/:other/live')).toThrow('/others/:other/live')
  expect(make('things.read')).not.toThrow()
})
