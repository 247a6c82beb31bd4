import { expect, test } from 'vitest'
import { release } from './upload-files.ts'

test('of a piece that has been written the memory is given back, of a part of one it is not', () => {
  const whole = Buffer.from(new Uint8Array(64 * 1024).fill(7).buffer)
  const [part, rest] = [whole.subarray(0, 1024), whole.subarray(1024)]
  release(part)
  expect([part.length, rest.every((byte) => byte === 7)]).toEqual([1024, true])
  release(whole)
  expect([whole.length, part.length, rest.length]).toEqual([0, 0, 0])
})
