import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Counter, createRateLimits } from './limits.ts'

const minute = { calls: 5, seconds: 60 }

test('a caller has as many calls as are allowed in a window that begins with the first of them', () => {
  const call = fc.record({
    caller: fc.constantFrom('a', 'b', 'c'),
    calls: fc.integer({ min: 1, max: 3 }),
    wait: fc.nat(30_000),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (story) => {
      const counter = new Counter(minute)
      const windows: Record<string, { since: number; used: number }> = {}
      let now = 1_000
      for (const { caller, calls, wait } of story) {
        now += wait
        const open = windows[caller]
        const window = open !== undefined && now < open.since + 60_000 ? open : { since: now, used: 0 }
        windows[caller] = window
        const granted = window.used + calls <= 5
        if (granted) window.used += calls
        expect(counter.take(caller, calls, now)).toEqual({
          granted,
          callsLeft: 5 - window.used,
          msLeft: window.since + 60_000 - now,
        })
      }
    }),
  )
})

test('windows that are over are forgotten, and of those that are open no more are held than fit', () => {
  const counter = new Counter(minute)
  for (let caller = 0; caller < 1_000; caller++) counter.take(`early ${caller}`, 1, caller)
  expect(counter.size).toBe(1_000)
  counter.take('later', 1, 60_500)
  expect(counter.size).toBe(500)
  for (let caller = 0; caller < 100_000; caller++) counter.take(`one of many ${caller}`, 1, 61_000)
  expect(counter.size).toBe(25_000)
  // The latest caller is still counted.
  expect(counter.take('one of many 99999', 1, 61_001).callsLeft).toBe(3)
})

test('a budget is spent when the next call would be refused, and until its window ends', () => {
  let now = 1_000
  const limits = createRateLimits({ read: minute, write: minute, 'sign-in': minute, upload: minute }, () => now)
  const isSpent = () => limits.isSpent('read', 'caller')
  expect(isSpent()).toBe(false)
  limits.count('read', 'caller', 4)
  expect(isSpent()).toBe(false)
  limits.count('read', 'caller')
  expect([isSpent(), limits.isSpent('write', 'caller'), limits.isSpent('read', 'another')]).toEqual([
    true,
    false,
    false,
  ])
  now += 60_000
  expect([isSpent(), limits.count('read', 'caller')['x-ratelimit-remaining']]).toEqual([false, '4'])
})

test('a call that would cost more than is left is refused, and costs nothing', () => {
  const limits = createRateLimits({ read: minute, write: minute, 'sign-in': minute, upload: minute }, () => 1_000)
  const left = (calls: number) => limits.count('read', 'caller', calls)['x-ratelimit-remaining']
  expect(left(3)).toBe('2')
  expect(() => left(3)).toThrow('try again in 60 s')
  expect(left(2)).toBe('0')
  expect(limits.count('write', 'caller')['x-ratelimit-remaining']).toBe('4')
})
