import { expect, test } from 'vitest'
import { checkFiles, checkPackage, checkRow, newestOf, settled, takes, withGuids } from './rules.ts'

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

test('what fell due before an import is not made up for, and what is due later stays (P6)', () => {
  const now = new Date('2026-05-01T12:00:00.000Z')
  const [past, future] = ['2026-05-01T11:59:00.000Z', '2026-05-01T12:01:00.000Z']
  const pool = (at: string, isCopy: boolean) =>
    settled('pools', { status: 'draft', publishAt: at, announceAt: at }, { isCopy, now })
  const released = (releaseAt: string, isCopy: boolean) =>
    settled('poolMaps', { releaseAt, releasedAt: null }, { isCopy, now }).releasedAt
  const publicAt = (at: string, isCopy: boolean) =>
    settled('answers', { isPrivate: true, publicAt: at }, { isCopy, now }).publicAt
  expect(pool(past, true)).toEqual({ status: 'draft', publishAt: null, announceAt: null })
  expect(pool(future, true)).toEqual({ status: 'draft', publishAt: future, announceAt: future })
  expect([released(past, true), released(future, true)]).toEqual([past, null])
  expect([publicAt(past, true), publicAt(future, true)]).toEqual([null, null])
  for (const at of [past, future]) {
    expect(pool(at, false)).toEqual({ status: 'draft', publishAt: at, announceAt: at })
    expect([released(at, false), publicAt(at, false)]).toEqual([null, at])
  }
  const cup = (isCopy: boolean) => settled('tournament', { name: 'Cup' }, { isCopy, now })
  expect([cup(true), cup(false)]).toEqual([{ name: 'Cup' }, { name: 'Cup', restoredAt: now.toISOString() }])
})

test.each([
  ['roles', 'restore', 'all', true],
  ['roles', 'copy', 'all', false],
  ['audit', 'copy', 'all', false],
  ['badgeGrants', 'copy', 'all', false],
  ['members', 'copy', 'all', true],
  ['members', 'copy', 'setup', false],
  ['people', 'copy', 'setup', false],
  ['poolMaps', 'copy', 'setup', true],
])('%s are taken by a %s of %s: %s (P6)', (kind, mode, parts, expected) => {
  expect(takes(kind, { mode, parts })).toBe(expected)
})

test('GUIDs are replaced alone, in addresses and in JSON, and nothing else is', () => {
  const [one, other] = ['0a877db3-93a2-4d8d-ab2e-d2647835e2de', '11111111-93a2-4d8d-ab2e-d2647835e2de']
  const replaced = (text: string) => withGuids(text, (guid) => (guid === one ? other : guid))
  expect(replaced(one.toUpperCase())).toBe(other)
  expect(replaced(`https://media.invalid/media/${one}/full.webp`)).toBe(
    `https://media.invalid/media/${other}/full.webp`,
  )
  expect(replaced(`{"teamGuid":"${one}"}`)).toBe(`{"teamGuid":"${other}"}`)
  expect(replaced('0a877db3-93a2')).toBe('0a877db3-93a2')
})
