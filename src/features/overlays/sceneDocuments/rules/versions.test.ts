import { expect, test } from 'vitest'
import type { VersionKind } from '../types.ts'
import { isToBeKept, makingRoom } from './versions.ts'

/** Which versions are kept. (overlays: Records, limits) */

const of = (kind: VersionKind, first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: first + index, kind }))

const cases: readonly (readonly [string, VersionKind, ReturnType<typeof of>, readonly number[] | null])[] = [
  ['the first', 'published', [], []],
  ['the twentieth automatic one', 'automatic', of('automatic', 1, 19), []],
  ['one automatic one more', 'automatic', of('automatic', 1, 20), [1]],
  ['an automatic one beside a hundred others', 'automatic', of('named', 1, 100), []],
  ['the hundredth named one', 'named', [...of('named', 1, 99), ...of('automatic', 100, 20)], []],
  ['one named one more', 'named', of('named', 1, 100), null],
  ['one named one more, where published ones could go', 'named', of('published', 1, 100), null],
  ['one published one more', 'published', [...of('named', 1, 50), ...of('published', 51, 50)], [51]],
  [
    'one published one more, the only one being shown',
    'published',
    [...of('named', 1, 99), ...of('published', 100, 1)],
    [100],
  ],
  ['one published one more, where all were named', 'published', of('named', 1, 100), null],
  ['the oldest by its number', 'published', of('published', 1, 100).toReversed(), [1]],
]
test.each(cases)('%s', (_what, kind, present, going) => {
  expect(makingRoom(kind, present)).toEqual(going)
})

test('what was edited is kept after ten minutes', () => {
  const now = new Date('2026-05-01T18:00:00Z')
  const kept = ['17:49:59.999', '17:50:00.000', '17:50:00.001'].map((time) =>
    isToBeKept(new Date(`2026-05-01T${time}Z`), now),
  )
  expect([...kept, isToBeKept(null, now)]).toEqual([true, true, false, false])
})
