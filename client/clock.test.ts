import { expect, test } from 'vitest'
import { Clock } from './clock.ts'
import { setUp, until } from './test/setup.ts'
import { FakeTime } from './test/time.ts'

const world = setUp()

/** Adds a sample of a service that is 60 s ahead, with a travel time each way. */
function ask(clock: Clock, time: FakeTime, thereMs: number, backMs: number): void {
  const sentAt = time.time
  time.pass(thereMs)
  const serverTime = new Date(time.time + 60_000).toISOString()
  time.pass(backMs)
  clock.add(serverTime, sentAt)
}

test('the time of the service is that of the answer which was fastest', () => {
  const time = new FakeTime()
  const clock = new Clock(time.platform)
  const error = () => clock.now() - time.time - 60_000
  expect(clock.now()).toBe(time.time)
  clock.start(time.time + 60_000 - 300)
  expect(error()).toBe(-300)
  ask(clock, time, 10, 400)
  expect(error()).toBe(-195)
  ask(clock, time, 20, 30)
  expect(error()).toBe(-5)
  ask(clock, time, 500, 10)
  expect(error()).toBe(-5)
  expect(clock.isRough).toBe(true)
  ask(clock, time, 300, 300)
  ask(clock, time, 4, 4)
  expect([error(), clock.isRough]).toEqual([0, false])
  // Only the newest five samples count, because clocks drift.
  for (let index = 0; index < 5; index++) ask(clock, time, 100, 120)
  expect(error()).toBe(-10)
})

test('a client asks five times at first, and then with each ping', async () => {
  world.server.now = () => world.time.time + 12_345
  const client = world.client()
  const peer = await world.server.next()
  await until(() => peer.count('ping') === 5)
  await peer.settle()
  expect(client.clock.now()).toBe(world.time.time + 12_345)
  expect(peer.count('ping')).toBe(5)
  world.server.now = () => world.time.time + 20_000
  for (let index = 1; index <= 5; index++) {
    world.time.pass(25_000)
    await peer.settle()
  }
  expect(peer.count('ping')).toBe(10)
  expect(client.clock.now()).toBe(world.time.time + 20_000)
})
