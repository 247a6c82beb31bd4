import fc from 'fast-check'
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
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
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

/** A value somewhere in a schema. */
interface Place {
  readonly path: string
  readonly schema: TSchema
  /** A value of the whole schema with the given one in this place, and with no more than it needs. */
  readonly within: (value: unknown) => unknown
}

function* placesOf(schema: TSchema): Iterable<Place> {
  const { anyOf = [], items, properties = {}, patternProperties = {} } = schema as Inner
  for (const each of anyOf) yield* placesOf(each)
  if (anyOf.length === 0) yield { path: '', schema, within: (value) => value }
  const { minItems = 1 } = schema as Bounds
  if (items !== undefined) yield* inside(items, '[]', (value) => Array(Math.max(1, minItems)).fill(value))
  for (const each of Object.values(patternProperties)) yield* inside(each, '.*', (value) => ({ a: value }))
  const whole = sampleOf(schema) as Line
  for (const [name, each] of Object.entries(properties)) {
    yield* inside(each, `.${name}`, (value) => ({ ...whole, [name]: value }))
  }
}

function* inside(schema: TSchema, at: string, whole: (value: unknown) => unknown): Iterable<Place> {
  for (const { path, within, ...place } of placesOf(schema)) {
    yield { ...place, path: `${at}${path}`, within: (value) => whole(within(value)) }
  }
}

/** For each text in a schema, a value that is allowed, and one that only is too long there. */
function* longOf(of: TSchema): Iterable<readonly [path: string, allowed: unknown, long: unknown]> {
  for (const { path, schema, within } of placesOf(of)) {
    if (!typesOf(schema).includes('string') || (schema as Inner).const !== undefined) continue
    yield [path, within(sampleOf(schema)), within('x'.repeat(200_000))]
  }
}

interface Range {
  readonly least: number
  readonly most: number
  readonly isWhole: boolean
}

/** What limits a number, or the length of a list; null for other values, and for words and numbers that are named. */
function rangeOf(schema: TSchema): Range | null {
  const { enum: words, const: only } = schema as Inner
  const types = typesOf(schema)
  if (words !== undefined || only !== undefined) return null
  const { exclusiveMinimum, minItems, maxItems, ...bounds } = schema as Bounds
  const none = Number.POSITIVE_INFINITY
  if (types.includes('array')) return { least: minItems ?? 0, most: maxItems ?? none, isWhole: true }
  if (!types.includes('integer') && !types.includes('number')) return null
  const least = exclusiveMinimum === undefined ? bounds.minimum : exclusiveMinimum + Number.EPSILON
  return { least: least ?? -none, most: bounds.maximum ?? none, isWhole: types.includes('integer') }
}

const isLimited = ({ least, most }: Range) => Number.isFinite(least) && Number.isFinite(most)

interface Ranged extends Place {
  readonly range: Range
  /** A value of so much, or of so many. */
  readonly value: (size: number) => unknown
}

function rangedIn(of: TSchema): readonly Ranged[] {
  return [...placesOf(of)].flatMap((place) => {
    const range = rangeOf(place.schema)
    if (range === null) return []
    const { items } = place.schema as Inner
    const one = items === undefined ? null : sampleOf(items)
    return [{ ...place, range, value: (size: number) => (items === undefined ? size : Array(size).fill(one)) }]
  })
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

/** Any number that is finite is taken by these operations, too. */
const anyNumber = ['answers.response', 'overlayControls.custom.*']

/** Lists with more than these take long to make. */
const mostSent = 1_000

describe('a number or the length of a list that no operation would take', () => {
  const members = kinds.flatMap(({ name, schema }) =>
    Object.entries((schema('full') as Inner).properties ?? {}).map(([member, of]) => {
      const ranged = rangedIn(of).map((each) => ({ ...each, path: `${name}.${member}${each.path}` }))
      return { name, member, of, ranged }
    }),
  )

  test('is limited in every schema', () => {
    const unlimited = members.flatMap(({ ranged }) => ranged.filter(({ range }) => !isLimited(range)))
    expect(unlimited.map(({ path }) => path)).toEqual(anyNumber)
  })

  test('is outside what the schema allows, and nothing else is', () => {
    for (const { of, ranged } of members) {
      for (const { path, range, value, within, schema } of ranged) {
        const { least, most, isWhole } = range
        const isList = typesOf(schema).includes('array')
        if (!isLimited(range) || (isList && most > mostSent)) continue
        const shifts = fc.sample(fc.nat({ max: isList ? 3 : 1_000_000 }), 1)
        const outside = shifts.flatMap((shift) => [least - 1 - shift, most + 1 + shift])
        const drawn = isWhole
          ? fc.integer({ min: least, max: most })
          : fc.double({ min: least, max: most, noNaN: true })
        const allowed = isList ? [least, most] : [least, most, ...fc.sample(drawn, 2)]
        const taken = (size: number) => (size < 0 && isList ? false : Value.Check(of, within(value(size))))
        expect([path, allowed.filter((size) => !taken(size)), outside.filter(taken)]).toEqual([path, [], []])
      }
    }
  })

  test('is refused with its line, by the name of its member', async () => {
    for (const { name, member, ranged } of members) {
      const sent = ranged.filter(({ range, schema }) => {
        return isLimited(range) && (!typesOf(schema).includes('array') || range.most <= mostSent)
      })
      // Parts of large documents are joined with them before.
      if (sent.length === 0 || name === 'overlayParts') continue
      const [place] = fc.sample(fc.constantFrom(...sent), 1) as [Ranged]
      const { path, range, value, within } = place
      const schema = kinds.find((kind) => kind.name === name)?.schema('full') as TSchema
      const [row = sampleOf(schema)] = rowsIn(texts, name)
      const answer = await imported(name, { ...row, [member]: within(value(range.most + 1)) })
      expect([path, answer]).toEqual([path, ['package.row', { path: `data/${name}.ndjson`, line: 1, member }]])
    }
  })
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
