import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

test('work begins in its order, so many a second and so many at once', async () => {
  const gate = createGate({ atOnce: 2, perSecond: 5 })
  const begins: number[] = []
  const order: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      gate(async () => {
        begins.push(performance.now())
        order.push(index)
        most = Math.max(most, ++running)
        await setTimeout(20)
        running--
        return index
      }),
    ),
  )
  expect(results).toEqual(order)
  expect(most).toBe(2)
  // Each begins at least a second after the fifth before it.
  const waits = begins.slice(5).map((begin, index) => begin - (begins[index] as number))
  expect(Math.min(...waits)).toBeGreaterThan(990)
})

test('work that fails gives its turn to the next', async () => {
  const gate = createGate({ atOnce: 1, perSecond: 5 })
  const failing = gate(async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await gate(async () => 1)).toBe(1)
})
