import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { giveRealFiles, importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import type { World } from '../../../../test/world.ts'
import { kinds } from './store/kinds.ts'

let first: Harness
let second: Harness
let world: World
let original: Buffer
beforeAll(async () => {
  ;[first, second] = await Promise.all([startHarness(), startHarness()])
  world = await makePackageWorld(first)
  await giveRealFiles(first)
  original = await takePackage(first, world.tournament.guid, world.organiser)
})
afterAll(async () => {
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
})

/** The files of data and media of a package, without what is sealed. */
async function contentOf(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const texts = await textsOf(bytes)
  const content = [...texts].filter(([path]) => /^(data|media)\//.test(path))
  const open = rowsIn(texts, 'sessions').filter(({ sealed }) => !sealed)
  return new Map([...content, ['data/sessions.ndjson', JSON.stringify(open)]])
}

test('a package of a restored tournament is the one that it came by, byte for byte (P7)', async () => {
  const owner = await second.user({ globalRoles: ['role:owner'] })
  const { people, changed, skipped, notTaken } = await importInto(second, await sourceOf(original), {
    caller: owner.guid,
  })
  expect({ changed, skipped, notTaken }).toEqual({ changed: [], skipped: [], notTaken: [] })
  expect(new Set(people.map(({ state }) => state))).toEqual(new Set(['placeholder']))
  const again = await takePackage(second, world.tournament.guid, owner)
  const [before, after] = [await contentOf(original), await contentOf(again)]
  for (const { name } of kinds) {
    const path = `data/${name}.ndjson`
    const [was, is] = [before.get(path)?.split('\n') ?? [], after.get(path)?.split('\n') ?? []]
    const first = was.findIndex((line, at) => line !== is[at])
    const place = [...(was[first] ?? '')].findIndex((character, at) => character !== is[first]?.[at])
    const shown = ([...lines]: string[]) => lines[first]?.slice(Math.max(0, place - 80), place + 120)
    expect([name, is.length, shown(is)]).toEqual([name, was.length, shown(was)])
  }
  expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
  expect([...after].every(([path, text]) => before.get(path) === text)).toBe(true)
})
