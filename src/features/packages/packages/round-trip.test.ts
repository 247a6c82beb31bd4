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
    last = await carried(last, next, await next.user({ globalRoles: ['role:owner'] }))
    await expectSamePackage(last, original)
  }
})
