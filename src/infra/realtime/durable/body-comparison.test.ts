import { expect, test } from 'vitest'
import { patched } from '../../../../test/patched.ts'
import type { Json, PatchOperation } from '../../../core/patch.ts'
import { Comparing } from './body-comparison.ts'
import { changeOf } from './body-patch.ts'

const bodyOf = (count: number, changed: number) =>
  JSON.stringify({
    matches: Array.from({ length: count }, (_, index) => ({
      guid: `match-${index}`,
      score: index === changed ? 1 : 0,
      rest: 'x'.repeat(80),
    })),
  })

test('large bodies are compared beside the event loop, with the same outcome', async () => {
  const comparing = new Comparing()
  try {
    const [before, after] = [bodyOf(3_000, -1), bodyOf(3_000, 7)]
    let turns = 0
    const clock = setInterval(() => turns++, 1)
    const changes = await Promise.all([1, 2, 3].map(() => comparing.changeOf(before, after)))
    clearInterval(clock)
    expect(turns).toBeGreaterThan(2)
    for (const change of changes) expect(change).toEqual(changeOf(before, after))
    const [change] = changes
    if (change === undefined || !('patch' in change)) throw new Error('one score is a patch')
    expect(change.patch.length).toBeLessThan(200)
    expect(patched(JSON.parse(before) as Json, JSON.parse(change.patch) as PatchOperation[])).toEqual(JSON.parse(after))
    // A new thread replaces one that has ended.
    await comparing.close()
    expect(await comparing.changeOf(before, after)).toEqual(change)
  } finally {
    await comparing.close()
  }
})

test('what is mostly another one is told whole', () => {
  expect(changeOf('{"a":1}', '{"b":[1,2,3]}')).toEqual({ body: '{"b":[1,2,3]}' })
})
