import { expect, test } from 'vitest'
import { Round } from './maintenance.ts'

const start = 1_000_000

test('each is due at its time, once, unless it is put back', () => {
  const round = new Round<string>(start)
  round.put('late', start + 10_000)
  round.put('soon', start + 1_000)
  round.put('now', start - 5)
  round.put('gone', start + 500)
  round.delete('gone')
  expect(round.due(start)).toEqual([])
  expect(round.due(start + 50)).toEqual(['now'])
  expect(round.due(start + 999)).toEqual([])
  expect(round.due(start + 1_050)).toEqual(['soon'])
  round.put('soon', start + 2_000)
  expect(round.due(start + 2_000)).toEqual(['soon'])
  expect(round.due(start + 10_000)).toEqual(['late'])
  expect(round.due(start + 30_000)).toEqual([])
})

test('what is hastened is due earlier, and never later', () => {
  const round = new Round<string>(start)
  round.put('one', start + 20_000)
  round.hasten('one', start + 1_000)
  round.hasten('one', start + 5_000)
  round.hasten('stranger', start + 1_000)
  expect(round.due(start + 1_000)).toEqual(['one'])
  expect(round.due(start + 20_000)).toEqual([])
})

test.each([-3_600_000, 3_600_000])('where the clock jumps by %d ms, all are due within a second', (jump) => {
  const round = new Round<number>(start)
  for (let one = 0; one < 100; one++) round.put(one, start + 25_000)
  const due = round.due(start + jump).length
  const parts = Array.from({ length: 20 }, (_, part) => round.due(start + jump + 50 * (part + 1)).length)
  expect(parts.reduce((sum, count) => sum + count, due)).toBe(100)
  expect(Math.max(due, ...parts)).toBeLessThan(10)
})
