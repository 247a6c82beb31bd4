import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { giveRealFiles, importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import { type Inner, marksOf } from '../../../core/packages/marks.ts'
import { kinds } from './store/kinds.ts'
import type { PackageSource } from './types.ts'

/** Rows are within the limits of the operations that write such rows, and cleaned like what callers give. (P6) */

let service: Harness
let caller: Caller
let source: PackageSource
let texts: ReadonlyMap<string, string>
beforeAll(async () => {
  service = await startHarness()
  const world = await makePackageWorld(service)
  await giveRealFiles(service)
  caller = world.organiser
  const whole = await takePackage(service, world.tournament.guid, caller)
  source = await sourceOf(whole)
  texts = await textsOf(whole)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

type Line = Record<string, unknown>

/** What becomes of an import whose first row of a kind is another one. */
function imported(kind: string, row: Line) {
  const forged: PackageSource = {
    ...source,
    async *rows(name) {
      if (name === kind) yield { line: 1, row }
      for await (const given of source.rows(name)) if (name !== kind || given.line > 1) yield given
    },
  }
  return importInto(service, forged, { caller: caller.guid, mode: 'copy', id: `copy-${++copies}` }).catch(
    ({ code, data }) => [code, data],
  )
}
let copies = 0

const strings = ['a', 'flag', 'CA', '#aabbcc', '4'.repeat(40), '4'.repeat(64), '1']
const guid = '00000000-0000-4000-8000-00000000abcd'
const instant = '2026-05-01T12:00:00.000Z'

function typesOf(schema: TSchema): readonly unknown[] {
  return [(schema as Inner).type].flat()
}

interface Bounds {
  readonly minimum?: number
  readonly minItems?: number
}

/** A value that a schema allows, with no more than it needs. */
function sampleOf(schema: TSchema): unknown {
  const { anyOf, enum: words, const: only, format, items, properties = {}, required = [] } = schema as Inner
  const { minimum, minItems = 0 } = schema as Bounds
  if (only !== undefined) return only
  if (words !== undefined) return words[0]
  if (anyOf !== undefined) return sampleOf(anyOf[0] as TSchema)
  const [type] = typesOf(schema)
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as TSchema)]))
  if (type === 'array') return Array.from({ length: minItems }, () => sampleOf(items as TSchema))
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, minimum ?? 1)
  if (format !== undefined) return format === 'uuid' ? guid : instant
  return type === 'null' ? null : strings.find((each) => Value.Check(schema, each))
}

/** For each text in a schema, a value that is allowed, and one that only is too long there. */
function* longOf(schema: TSchema): Iterable<readonly [path: string, allowed: unknown, long: unknown]> {
  const { anyOf = [], items, properties = {}, patternProperties = {}, const: only } = schema as Inner
  for (const each of anyOf) yield* longOf(each)
  if (typesOf(schema).includes('string') && only === undefined) yield ['', sampleOf(schema), 'x'.repeat(200_000)]
  if (items !== undefined) for (const [path, good, bad] of longOf(items)) yield [`[]${path}`, [good], [bad]]
  for (const each of Object.values(patternProperties)) {
    for (const [path, good, bad] of longOf(each)) yield [`.*${path}`, { a: good }, { a: bad }]
  }
  const whole = sampleOf(schema)
  for (const [name, each] of Object.entries(properties)) {
    for (const [path, good, bad] of longOf(each)) {
      yield [`.${name}${path}`, { ...(whole as Line), [name]: good }, { ...(whole as Line), [name]: bad }]
    }
  }
}

/** What has no form of its own: the service has written what events tell, and a scene document is judged as a whole. */
const open = [
  'audit.before',
  'audit.after',
  'overlays.document',
  'overlayVersions.document',
  'overlayParts.elements',
  'poolChanges.before[].view.usedBefore[]',
]

describe('a text that no operation would take', () => {
  test('is limited in every schema', () => {
    const unlimited = kinds.flatMap(({ name, schema }) => unlimitedIn(schema('full') as TSchema, name))
    expect(unlimited.filter((path) => !open.includes(path.replace('.after[]', '.before[]')))).toEqual([])
  })

  test.each(kinds.map((kind) => [kind.name, kind] as const))(
    'is refused in %s, by the name of its member',
    async (name, { schema }) => {
      const { properties } = schema('full') as Inner
      const [row = sampleOf(schema('full') as TSchema)] = rowsIn(texts, name)
      const answers: unknown[] = []
      const expected: unknown[] = []
      for (const [member, of] of Object.entries(properties ?? {})) {
        for (const [path, allowed, long] of longOf(of)) {
          const at = `${member}${path}`
          expected.push([at, true, ['package.row', { path: `data/${name}.ndjson`, line: 1, member }]])
          answers.push([at, Value.Check(of, allowed), await imported(name, { ...row, [member]: long })])
        }
      }
      expect(answers).toEqual(expected)
    },
  )
})

function unlimitedIn(schema: TSchema, path: string): string[] {
  const {
    type,
    anyOf,
    items,
    properties,
    patternProperties,
    enum: words,
    const: only,
    format,
    pattern,
    maxLength,
  } = schema as Inner
  const isText = [type].flat().includes('string')
  const isLimited = [words, only, format, pattern, maxLength].some((each) => each !== undefined)
  const isOpen = type === undefined && anyOf === undefined && only === undefined && words === undefined
  const isEmpty = [type].flat().includes('object') && !properties && !patternProperties
  return [
    ...((isText && !isLimited) || isOpen || isEmpty ? [path] : []),
    ...(items ? unlimitedIn(items, `${path}[]`) : []),
    ...(anyOf ?? []).flatMap((each) => unlimitedIn(each, path)),
    ...Object.entries(properties ?? {}).flatMap(([name, each]) => unlimitedIn(each, `${path}.${name}`)),
    ...Object.values(patternProperties ?? {}).flatMap((each) => unlimitedIn(each, `${path}.*`)),
  ]
}

describe('texts of a package', () => {
  test('are cleaned as the operations clean them', async () => {
    const cleaned = new Set(
      kinds.flatMap(({ name, schema }) =>
        Object.entries((schema('full') as Inner).properties ?? {}).flatMap(([member, of]) =>
          marksOf(of)['x-text'] === undefined ? [] : [`${name}.${member}`],
        ),
      ),
    )
    expect([...cleaned]).toEqual(
      expect.arrayContaining(['tournament.name', 'tournament.rules', 'teams.name', 'updates.content', 'pools.name']),
    )
    const [tournament] = rowsIn(texts, 'tournament')
    const result = await imported('tournament', {
      ...tournament,
      ...{ name: '  Spring\u200B\n Cup ', rules: 'Be <script>alert(1)</script> [kind](javascript:alert(2))' },
      links: { ...tournament.links, forum: 'https://forum.example' },
    })
    expect(result).toMatchObject({
      skipped: [{ path: 'data/tournament.ndjson', member: 'links.forum', rows: 1 }],
    })
    const [made] = await service.sql(`select name, rules, links from tournaments where guid = $1`, [
      (result as { readonly tournamentGuid: string }).tournamentGuid,
    ])
    expect(made?.name).toBe('Spring Cup')
    expect(made?.rules).not.toMatch(/script/)
    expect(made?.links).not.toHaveProperty('forum')
    const [flairs] = rowsIn(texts, 'flairs')
    for (const [kind, row, member] of [
      ['tournament', { ...tournament, name: '\u2800' }, 'name'],
      ['flairs', { ...flairs, name: ' ' }, 'name'],
    ] as const) {
      expect(await imported(kind, row)).toEqual(['package.row', { path: `data/${kind}.ndjson`, line: 1, member }])
    }
  })
})
