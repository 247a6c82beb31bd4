import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Caller, Harness } from './harness.ts'
import { importInto, sourceOf, takePackage } from './package-imports.ts'
import { contentOf, rowsIn } from './packages.ts'

/** Tournaments that are taken from service to service, and what must stay the same on the way. (P7) */

/** The texts of `data/` and the digests of `media/` by path, without sessions that are sealed: they begin anew. */
export async function portableOf(bytes: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const files = (await contentOf(bytes)).flatMap(([at, content]): [string, string][] => {
    if (at.startsWith('data/')) return [[at, Buffer.from(content).toString()]]
    return at.startsWith('media/') ? [[at, createHash('sha256').update(content).digest('hex')]] : []
  })
  const open = rowsIn(new Map(files), 'sessions').filter(({ sealed }) => !sealed)
  return new Map([...files, ['data/sessions.ndjson', JSON.stringify(open)]])
}

/** Fails with the first place of the first file that differs, because a whole package would be too long to read. */
export async function expectSamePackage(is: Uint8Array, was: Uint8Array): Promise<void> {
  const [after, before] = [await portableOf(is), await portableOf(was)]
  const differing = [...before].filter(([at, text]) => after.get(at) !== text)
  expect(differing.map(([at, text]) => [at, ...placeOf(after.get(at) ?? '', text)])).toEqual([])
  expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
}

function placeOf(is: string, was: string): readonly [is: string, was: string] {
  const at =
    Array.from({ length: was.length }, (_, index) => index).find((index) => was[index] !== is[index]) ?? was.length
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 120)
  return [around(is), around(was)]
}

/**
 * Restores a package in a service without the tournament, and takes one of it there.
 * @param owner of the service
 */
export async function carried(bytes: Uint8Array, to: Harness, owner: Caller): Promise<Buffer> {
  const imported = await importInto(to, await sourceOf(bytes), { caller: owner.guid })
  const { changed, skipped, notTaken } = imported
  expect({ changed, skipped, notTaken }).toEqual({ changed: [], skipped: [], notTaken: [] })
  return takePackage(to, imported.tournamentGuid, owner)
}
