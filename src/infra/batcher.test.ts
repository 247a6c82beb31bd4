import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { Batcher } from './batcher.ts'

const double = vi.fn(async (numbers: readonly number[]) => numbers.map((number) => 2 * number))

test('asks the questions of a turn together, each of which gets its answer', async () => {
  const together = new Batcher({ ask: double })
  expect(await Promise.all([1, 2, 3].map((number) => together.ask(number)))).toEqual([2, 4, 6])
  expect(double.mock.calls).toEqual([[[1, 2, 3]]])
})

test('gathers in a rush, and not before nor after', async () => {
  double.mockClear()
  const together = new Batcher({ ask: double, rush: 3, gatherMs: 40 })
  for (const number of [1, 2, 3]) await together.ask(number)
  expect(double).toHaveBeenCalledTimes(3)
  const late = [4, 5].map(async (number) => {
    await wait(number)
    return together.ask(number)
  })
  expect(await Promise.all(late)).toEqual([8, 10])
  expect(double).toHaveBeenCalledTimes(4)
  expect(double).toHaveBeenLastCalledWith([4, 5])
})

test('tells all who asked when it fails, and goes on', async () => {
  const ask = vi.fn(double).mockRejectedValueOnce(new Error('no connection'))
  const together = new Batcher({ ask })
  const outcomes = await Promise.allSettled([together.ask(1), together.ask(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await together.ask(3)).toBe(6)
})
