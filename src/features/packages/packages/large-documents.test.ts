import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import { largeDocument } from '../../../../test/scene-documents.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { sceneLimits } from '../../../engine/scenes/schema/schema.ts'

/** Scene documents that are as large as a line of a package may be. (P3, P6, P7) */

let first: Harness
let second: Harness
let organiser: Caller
let cup: MadeTournament
let whole: Buffer
const document = largest()
beforeAll(async () => {
  ;[first, second] = await Promise.all([startHarness(), startHarness()])
  organiser = await first.user()
  cup = await makeTournament(first, organiser, { status: 'ongoing' })
  const made = await first.post(`/tournaments/${cup.guid}/overlays`, organiser, { name: 'Main stage' })
  const path = `/tournaments/${cup.guid}/overlays/${made.body.guid}`
  const reply = await first.call('PUT', `${path}/scene`, {
    as: organiser,
    headers: { 'if-match': '*', 'content-type': 'application/json' },
    raw: JSON.stringify(document),
  })
  expect(outcome(reply)).toEqual([200, null])
  const { revision } = reply.body
  expect(outcome(await first.post(`${path}/publish`, organiser, { revision }))).toEqual([expect.any(Number), null])
  expect(outcome(await first.patch(path, organiser, { access: 'public' }))).toEqual([200, null])
  whole = await takePackage(first, cup.guid, organiser)
})
afterAll(async () => {
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
})

/** To the byte: texts of so many elements are one longer. */
function largest(): SceneDocument {
  const made = structuredClone(largeDocument(2_000, sceneLimits.bytes))
  let missing = sceneLimits.bytes - Buffer.byteLength(JSON.stringify(made))
  for (const scene of Object.values(made.scenes)) {
    for (const { props } of Object.values(scene.elements) as unknown as { props: { text: string } }[]) {
      if (missing-- > 0) props.text += 'x'
    }
  }
  return made
}

test('are in two rows, each within a line, and the same after a restoration (P7)', async () => {
  const texts = await textsOf(whole)
  const lines = [...texts].flatMap(([path, text]) => (path.startsWith('data/') ? text.split('\n') : []))
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(1024 * 1024)
  expect(Buffer.byteLength(JSON.stringify(document))).toBe(sceneLimits.bytes)
  const [overlay] = rowsIn(texts, 'overlays')
  expect(rowsIn(texts, 'overlayParts').map(({ overlayGuid, number }) => [overlayGuid, number])).toEqual([
    [overlay.guid, 0],
    [overlay.guid, 1],
  ])
  const owner = await second.user({ globalRoles: ['role:owner'] })
  await importInto(second, await sourceOf(whole), { caller: owner.guid })
  const again = await textsOf(await takePackage(second, cup.guid, owner))
  const differing = [...texts].filter(([path, text]) => path.startsWith('data/') && again.get(path) !== text)
  expect(differing.map(([path]) => path)).toEqual([])
  const { body } = await second.get(`/tournaments/${cup.guid}/overlays/${overlay.guid}/scene`, owner)
  expect(body).toEqual(document)
})

test('are whole in copies, and in packages of what everybody may read (P4, P6)', async () => {
  const caller = await second.user()
  const { tournamentGuid } = await importInto(second, await sourceOf(whole), {
    ...{ caller: caller.guid, mode: 'copy', id: 'copied', parts: 'setup' },
  })
  const [copy] = await second.sql('select guid from overlays where tournament_guid = $1', [tournamentGuid])
  const { body } = await second.get(`/tournaments/${tournamentGuid}/overlays/${copy?.guid}/scene`, caller)
  expect(body).toEqual(document)
  const open = await textsOf(await takePackage(first, cup.guid, organiser, 'variant=public'))
  expect(rowsIn(open, 'overlayParts').map(({ number }) => number)).toEqual([1])
  const [{ elements }] = rowsIn(open, 'overlayParts')
  const [version] = rowsIn(open, 'overlayVersions')
  for (const [id, { elements: all }] of Object.entries(document.scenes)) {
    expect({ ...version.document.scenes[id].elements, ...elements[id] }).toEqual(all)
  }
})

test.each([
  ['of a document that is not there', { number: 7 }],
  ['of another overlay', { overlayGuid: '00000000-0000-4000-8000-00000000abcd' }],
  ['that are none', { elements: { scene000: 5 } }],
] as const)('parts %s are refused (P6)', async (_what, changes) => {
  const caller = await second.user()
  const source = await sourceOf(whole, { overlayParts: ([row, ...more]) => [...more, { ...row, ...changes }] })
  const wish = { caller: caller.guid, mode: 'copy', id: 'refused' } as const
  await expect(importInto(second, source, wish)).rejects.toMatchObject({
    code: 'package.row',
    data: { path: 'data/overlayParts.ndjson', line: 2 },
  })
})
