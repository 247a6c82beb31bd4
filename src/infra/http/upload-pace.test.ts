import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from './upload-pace.ts'

test('of all that ask one comes each time round, in their order', async () => {
  const turns = new Turns()
  const [callers, pieces] = [5, 20]
  let round = 0
  const rounds: number[] = []
  const order: number[] = []
  const work = async (caller: number) => {
    for (let piece = 0; piece < pieces; piece++) {
      await turns.next()
      rounds.push(round)
      order.push(caller)
    }
  }
  let isOver = false
  const all = Promise.all(Array.from({ length: callers }, (_, caller) => work(caller))).then(() => {
    isOver = true
  })
  while (!isOver) {
    await setImmediate()
    round++
  }
  await all
  expect(new Set(rounds).size).toBe(callers * pieces)
  expect(order).toEqual(Array.from({ length: callers * pieces }, (_, index) => index % callers))
})

test('after every two pieces nobody has a turn for a millisecond', async () => {
  const turns = new Turns()
  const started = performance.now()
  for (let piece = 0; piece < 41; piece++) await turns.next()
  // Timers take whole milliseconds, and may fire up to one too early.
  expect(performance.now() - started).toBeGreaterThan(10)
})

test('whoever asks later is served too', async () => {
  const turns = new Turns()
  await turns.next()
  await setImmediate()
  await turns.next()
})
