import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { giveRealFiles, importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { hasFormat } from '../../../core/packages/marks.ts'
import { referencesOf } from './store/bringing.ts'
import { kinds } from './store/kinds.ts'

/** Every GUID in a row leads to a row of the package, or there is a reason why it need not. (P6) */

/** Members with GUIDs that are no references by a foreign key, by kind. */
const others: Readonly<Record<string, string>> = {
  // Its own, and those of parts of it.
  tournament: 'additionalFields',
  sheets: 'windows',
  // Compared with the bracket that is computed again.
  matches: 'sides nextMatchGuid loserMatchGuid',
  // What was at that time, and may be gone since.
  withdrawals: 'state brackets',
  answers: 'fieldGuid',
  brackets: 'ruling',
  games: 'detail',
  corrections: 'before after returned',
  qualifier: 'seededTeamGuids ruling',
  qualifierMaps: 'poolMapGuid',
  availability: 'matches',
  proposals: 'wish schedule',
  pools: 'slots forcedFailures',
  poolMaps: 'suggestionGuid',
  poolChanges: 'before after',
  suggestions: 'poolMapGuid',
  sessions: 'drawnAs teamGuids speakers poolGuid',
  sessionRows: 'mapGuid data',
  overlayControls: 'casters highlighted',
  audit: 'subject actor',
  // Of records that are in no package, or only in some.
  badges: 'mediaGuid editionGuid',
  media: 'ownerGuid tournamentGuid teamGuid',
}

let first: Harness
let second: Harness
let caller: Caller
let original: Buffer
beforeAll(async () => {
  ;[first, second] = await Promise.all([startHarness(), startHarness()])
  caller = await second.user({ globalRoles: ['role:owner'] })
  const world = await makePackageWorld(first)
  await giveRealFiles(first)
  original = await takePackage(first, world.tournament.guid, world.organiser)
})
afterAll(async () => {
  await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
})

interface Parts {
  readonly properties?: Readonly<Record<string, Parts>>
  readonly items?: Parts
  readonly anyOf?: readonly Parts[]
}

const hasGuids = (schema: Parts): boolean =>
  hasFormat(schema as Parameters<typeof hasFormat>[0], 'uuid') ||
  [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].some(
    hasGuids,
  )

test('each member with GUIDs is a reference, or has a reason why it is none', () => {
  const found = kinds.flatMap((kind): (readonly [string, string])[] => {
    const references = new Set(referencesOf(kind, kinds).map(({ member }) => member))
    const members = Object.entries(kind.schema('full')?.properties ?? {})
    const rest = members.filter(
      ([member, schema]) => member !== 'guid' && !references.has(member) && hasGuids(schema as Parts),
    )
    return rest.length === 0 ? [] : [[kind.name, rest.map(([member]) => member).join(' ')]]
  })
  expect(Object.fromEntries(found)).toEqual(others)
})

test('a GUID that leads to no row is refused with its line and member', async () => {
  const nowhere = '00000000-0000-4000-8000-00000000abcd'
  // Parts of large documents are joined with them before; `large-documents.test.ts` asks for them.
  const references = kinds
    .filter(({ name }) => name !== 'overlayParts')
    .flatMap((kind) => referencesOf(kind, kinds).map(({ member }) => [kind.name, member] as const))
  expect(references.length).toBeGreaterThan(80)
  for (const [kind, member] of references) {
    const whole = await sourceOf(original, { [kind]: ([row, ...rows]) => [{ ...row, [member]: nowhere }, ...rows] })
    // Pictures would be read first.
    const source = { ...whole, medium: () => null }
    const refused = await importInto(second, source, { caller: caller.guid }).then(
      () => null,
      ({ code, data }) => [code, data],
    )
    expect([kind, member, refused]).toEqual([
      ...[kind, member],
      ['package.row', { path: `data/${kind}.ndjson`, line: 1, member }],
    ])
  }
})
