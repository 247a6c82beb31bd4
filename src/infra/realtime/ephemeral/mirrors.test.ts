import { expect, test } from 'vitest'
import { until } from '../../../../test/waiting.ts'
import type { Db } from '../../db/database.ts'
import type { Frame, Sink } from '../doors/frame.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { Live } from './live.ts'
import { Mirrors } from './mirrors.ts'
import type { Judged } from './rights.ts'
import type { EphemeralSubscription } from './subscription.ts'
import type { EphemeralTopic, Mirrored } from './topic.ts'

/** Mirrored topics, without a database. (OV13) */

/** The topic that is mirrored at present, and how often it was looked up. */
class Pointing {
  now: string | null = null
  asked = 0
  readonly lives = new Map<string, Live>()
  /** Number of the next attempts to open a topic that fail. */
  failing = 0
  /** Until it resolves, no values of a topic are known here. */
  opening = Promise.resolve()
  readonly kind = {
    path: '/things/:thing/shown',
    mirrors: { changedBy: ['overlay.pointed'], find: () => this.find() },
  } as unknown as EphemeralTopic
  readonly mirrors = new Mirrors({ db: {} as Db, kinds: [this.kind], open: (shown) => this.open(shown) })

  async find(): Promise<Mirrored | null> {
    this.asked++
    return this.now === null ? null : { name: this.now, tournament: 't', match: null }
  }

  async open({ name }: Mirrored): Promise<Live> {
    await this.opening
    if (this.failing > 0) {
      this.failing--
      throw new Error('the database does not answer')
    }
    const live = this.lives.get(name) ?? new Live(name)
    this.lives.set(name, live)
    return live
  }

  async follow(isFull = () => false) {
    const told: string[] = []
    const sink: Sink = {
      send: (frame: Frame) => told.push(frame.text),
      endStep: () => {},
      get isFull() {
        return isFull()
      },
    }
    const address = { kind: this.kind, topic: { name: '/things/1/shown', isDelayed: false } }
    const name = '/things/1/shown'
    const subscription = { address, name, sink, rate: 4, live: null, isBehind: false, isOver: false }
    const judged = { name, tournament: 't', records: {} } as unknown as Judged
    const follower = subscription as unknown as EphemeralSubscription
    await this.mirrors.join(follower, judged)
    return { follower, told, shown: () => follower.live?.name }
  }

  /** A step in which the mirror changes to another topic. */
  async step(seq: number, now: string | null, type = 'overlay.pointed', tournament = 't'): Promise<void> {
    this.now = now
    await this.mirrors.heed([{ seq, type, tournament } as unknown as TouchingEvent], {} as Db)
  }
}

test('another topic is shown once what happened was told, and asked for once for all who follow the same', async () => {
  const pointing = new Pointing()
  pointing.now = 'a'
  const followers = [await pointing.follow(), await pointing.follow()]
  expect(followers.map(({ shown }) => shown())).toEqual(['a', 'a'])
  pointing.asked = 0
  await pointing.step(5, 'b')
  expect(pointing.asked).toBe(1)
  pointing.mirrors.settle(4)
  expect(followers.map(({ shown }) => shown())).toEqual(['a', 'a'])
  pointing.mirrors.settle(5)
  // From here on the earlier topic is no longer shown.
  expect(followers.map(({ shown }) => shown())).toEqual(['', ''])
  await until(() => followers.every(({ shown }) => shown() === 'b'))
  for (const { told } of followers) expect(told.map((text) => JSON.parse(text).full)).toEqual([true])
  expect(pointing.lives.get('a')?.isFollowed).toBe(false)
  // Other tournaments, other events, and the same topic again change nothing.
  await pointing.step(6, 'c', 'overlay.pointed', 'other')
  await pointing.step(7, 'c', 'overlay.updated')
  await pointing.step(8, 'b')
  pointing.mirrors.settle(8)
  expect(followers.map(({ shown }) => shown())).toEqual(['b', 'b'])
})

test('of several in a row the last is shown; of none, nothing', async () => {
  const pointing = new Pointing()
  const { follower, told, shown } = await pointing.follow()
  expect(shown()).toBe('')
  await pointing.step(1, 'a')
  await pointing.step(2, 'b')
  pointing.mirrors.settle(1)
  expect(shown()).toBe('')
  const known = Promise.withResolvers<void>()
  pointing.opening = known.promise
  pointing.mirrors.settle(2)
  // Before the topic is open, the mirror changes again.
  await pointing.step(3, null)
  pointing.mirrors.settle(3)
  known.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect([shown(), told.length]).toEqual(['', 1])
  await pointing.step(4, 'a')
  pointing.mirrors.leave(follower)
  pointing.mirrors.settle(4)
  await new Promise((resolve) => setImmediate(resolve))
  expect([shown(), told.length]).toEqual(['', 1])
})

test('where the database does not answer it is tried again after the next step; who takes too slowly gets it later', async () => {
  const pointing = new Pointing()
  let isFull = true
  const { follower, told, shown } = await pointing.follow(() => isFull)
  await pointing.step(1, 'a')
  pointing.failing = 1
  pointing.mirrors.settle(1)
  await until(() => pointing.failing === 0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(shown()).toBe('')
  pointing.mirrors.settle(1)
  await until(() => shown() === 'a')
  expect([told.length, follower.isBehind]).toEqual([0, true])
  isFull = false
  follower.live?.catchUp(follower)
  expect(told.map((text) => JSON.parse(text))).toEqual([
    { type: 'state', topic: '/things/1/shown', states: {}, gone: [], full: true },
  ])
})

test('a step while somebody comes has them find again what is shown', async () => {
  const pointing = new Pointing()
  pointing.now = 'a'
  const coming = pointing.follow()
  await pointing.step(1, 'b')
  expect((await coming).shown()).toBe('b')
})
