import { expect, test } from 'vitest'
import { startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import {
  giveRealFiles,
  importInto,
  renewed,
  signedBy,
  sourceOf,
  takePackage,
} from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { type MapOptions, makeMaps, makePool } from '../../../../test/pools.ts'
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

test('a restored package tells of the maps that the catalogue here has not answered for, a copy never (P6, P7)', async () => {
  await using first = await startHarness()
  const organiser = await first.user()
  const cup = await makeTournament(first, organiser)
  const options: readonly MapOptions[] = [{}, { state: 'outdated', currentHash: 'c'.repeat(40) }]
  const maps = await makeMaps(first, options)
  await makePool(first, cup.guid, { status: 'published', maps: maps.map(({ guid }) => guid) })
  const original = await takePackage(first, cup.guid, organiser)

  await using next = await startHarness()
  const owner = await next.user({ globalRoles: ['role:owner'] })
  const pooler = await next.user()
  const other = await makeTournament(next, pooler)
  const unanswered = { characteristic: 'standard', key: null, name: null, mapper: null, state: 'unresolved' } as const
  const own = await makeMaps(
    next,
    maps.map(({ hash }) => ({ ...unanswered, hash })),
  )
  await makePool(next, other.guid, { status: 'published', maps: own.map(({ guid }) => guid) })
  const entries = () => next.sql('select name, state, characteristic from maps order by hash')
  const before = await entries()
  const copy = { mode: 'copy', id: 'copied-cup', caller: owner.guid } as const
  await importInto(next, await sourceOf(original), copy)
  expect(await entries()).toEqual(before)

  await expectSamePackage(await carried(original, next, owner), original)
  const log = await next.sql<{ subject: string; actor: string; after: object; touches: readonly string[] }>(
    `select subject, actor, after, touches from event_log where type = 'map.resolved' order by seq`,
  )
  expect(log.map(({ subject, actor, after }) => [subject, actor, after])).toEqual([
    [own[0]?.guid, owner.guid, { state: 'known', currentHash: null }],
    [own[1]?.guid, owner.guid, { state: 'outdated', currentHash: 'c'.repeat(40) }],
  ])
  expect(log.every(({ touches }) => touches.includes(other.guid))).toBe(true)
  expect(await messagesOf(next, pooler)).toEqual([])

  // What was answered here is not changed by another package.
  const known = await entries()
  const forgery = { maps: (rows: object[]) => rows.map((row) => ({ ...row, name: 'Another' })) }
  const again = await renewed(original, 'again-cup')
  const key = await first.app.services.keys.packages.current(new Date())
  const renamed = await sourceOf(await signedBy(key, again), forgery)
  await importInto(next, renamed, { caller: owner.guid })
  expect(await entries()).toEqual(known)
})
