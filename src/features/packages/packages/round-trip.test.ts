import { expect, test } from 'vitest'
import { startHarness } from '../../../../test/harness.ts'
import { giveRealFiles, takePackage } from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { carried, expectSamePackage, portableOf } from '../../../../test/round-trips.ts'

test('a package of a restored tournament is the one that it came by, byte for byte, over two hops (P7)', async () => {
  await using first = await startHarness()
  const { tournament, organiser } = await makePackageWorld(first)
  await giveRealFiles(first)
  let last = await takePackage(first, tournament.guid, organiser)
  const original = last
  expect((await portableOf(original)).size).toBeGreaterThan(50)
  for (const _hop of [1, 2]) {
    await using next = await startHarness()
    const owner = await next.user({ globalRoles: ['role:owner'] })
    last = await carried(last, next, owner)
    await expectSamePackage(last, original)
    // A game without more than its scores is shown as before.
    const { matches } = (await next.get(`/tournaments/${tournament.guid}/matches`, owner)).body
    expect(matches[0].games[1]).toEqual({ number: 2, sides: [{ score: 700_000 }, { score: 600_000 }], winner: 1 })
  }
})
