import { expect, test } from 'vitest'
import { checkFiles, checkPackage, checkRow, newestOf } from './rules.ts'

const mib = 1024 * 1024
const tooLarge = expect.objectContaining({ code: 'package.too_large', kind: 'conflict' })

test.each([
  ['a row', () => checkRow(mib, 200_000), () => checkRow(mib + 1, 1)],
  ['the number of rows', () => checkRow(1, 200_000), () => checkRow(1, 200_001)],
  [
    'files together',
    () => checkFiles([{ bytes: 511 * mib }, { bytes: mib }]),
    () => checkFiles([{ bytes: 512 * mib + 1 }]),
  ],
  [
    'the number of files',
    () => checkFiles(Array(20_000).fill({ bytes: 1 })),
    () => checkFiles(Array(20_001).fill({ bytes: 1 })),
  ],
  ['the package', () => checkPackage(512 * mib), () => checkPackage(512 * mib + 1)],
])('%s may be as large as what may be imported again, and no larger (P6)', (_what, allowed, refused) => {
  expect(allowed).not.toThrow()
  expect(refused).toThrow(tooLarge)
})

test('the state of a package is that of its newest row (P2)', () => {
  const [older, newer] = ['2026-05-01T12:00:00.000Z', '2026-05-01T12:00:00.001Z']
  expect(newestOf({ createdAt: older, updatedAt: newer, startsAt: '2027-01-01T00:00:00.000Z' }, null)).toBe(newer)
  expect(newestOf({ at: older, updatedAt: null }, newer)).toBe(newer)
  expect(newestOf({ name: 'Cup' }, null)).toBeNull()
})
