import { expect, test } from 'vitest'
import { slowTestMs } from '../patience.ts'

test('a test of a slow file has the longer limit', ({ task }) => {
  expect(task.timeout).toBe(slowTestMs)
})
