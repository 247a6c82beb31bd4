import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documents, documentWith, elementOf, idOf, largeDocument } from '../../../../../test/scene-documents.ts'
import { sceneSchema } from '../../../../engine/scenes/schema/schema.ts'
import { jsonBytes, readDocument } from './documents.ts'

const ajv = new Ajv2020({ strict: false })
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
const allows = ajv.compile(sceneSchema)

const faultsOf = (given: unknown) => {
  const judged = readDocument(given)
  return judged.ok ? [] : judged.faults
}

test('whatever the published schema describes is taken, by us and by another validator', () => {
  fc.assert(
    fc.property(documents, (document) => {
      expect(allows(document), JSON.stringify(allows.errors)).toBe(true)
      expect(faultsOf(document)).toEqual([])
    }),
    { numRuns: 60 },
  )
})

/** Changes one value at some place. */
function spoilt(document: unknown, at: number, by: unknown, name: string): unknown {
  const copy = structuredClone(document)
  const places: [Record<string, unknown>, string][] = []
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key])
      walk((value as Record<string, unknown>)[key])
    }
    if (!Array.isArray(value)) places.push([value as Record<string, unknown>, name])
  }
  walk(copy)
  const [place, key] = places[at % places.length] as [Record<string, unknown>, string]
  if (by === undefined) delete place[key]
  else place[key] = by
  return JSON.parse(JSON.stringify(copy))
}

test('what the schema refuses is refused, and what it takes is refused only for what no schema can say', () => {
  const by = fc.oneof(
    fc.constantFrom<unknown>(undefined, null, '', 'x', 0, -1, 1e9, true, [], {}, [{}], { a: 1 }, 'var(a)', '#12345g'),
    fc.string({ maxLength: 70 }).filter((text) => /^[ -~]*$/.test(text)),
  )
  const beyond = /of no element|of a group|into itself|cannot be bound|deeper than/
  fc.assert(
    fc.property(
      documents,
      fc.nat(),
      by,
      fc.constantFrom('stranger', 'type', 'props', 'all'),
      (document, at, value, name) => {
        const given = spoilt(document, at, value, name)
        const isAllowed = allows(given)
        const faults = faultsOf(given)
        if (isAllowed) expect(faults.filter(({ words }) => !beyond.test(words))).toEqual([])
        else expect(faults.length, JSON.stringify(allows.errors)).toBeGreaterThan(0)
      },
    ),
    { numRuns: 250 },
  )
})

test('the document that is kept of version 1 is still valid (OV7)', () => {
  const file = path.join(import.meta.dirname, '../../../../../test/engine/scene-documents/version-1.json')
  expect(faultsOf(JSON.parse(readFileSync(file, 'utf8')))).toEqual([])
})

test('a fault is told where it stands, by a JSON pointer', () => {
  const text = elementOf({ props: { text: 'a', size: 2, html: '<b>' } })
  expect(faultsOf(documentWith({ element01: text }))).toEqual([
    { pointer: '/scenes/scene001/elements/element01/props/html', words: 'is not known here' },
    { pointer: '/scenes/scene001/elements/element01/props/size', words: 'must be >= 4' },
  ])
  expect(faultsOf({ ...documentWith(), 'a/b~c': 1 })).toEqual([{ pointer: '/a~1b~0c', words: 'is not known here' }])
})

test('at most 50 faults are told of', () => {
  const wrong = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [idOf(n), elementOf({ x: 99_999 })]))
  expect(faultsOf(documentWith(wrong))).toHaveLength(50)
})

test.each([
  [2, false],
  [0, false],
  ['1', false],
  [undefined, false],
  [1.5, false],
  [1, true],
])('version %o is known: %o (OV7)', (schemaVersion, isKnown) => {
  const judged = readDocument({ ...documentWith(), schemaVersion })
  expect(judged.ok).toBe(isKnown)
  if (!judged.ok) expect(judged).toMatchObject({ code: 'scene.version', faults: [{ pointer: '/schemaVersion' }] })
})

describe('sizes (OV7)', () => {
  test('2,000 elements and a mebibyte fit', () => {
    const large = largeDocument(2_000, 1_048_576)
    expect(jsonBytes(large)).toBeGreaterThan(1_046_000)
    expect(faultsOf(large)).toEqual([])
  })

  test('more bytes do not', () => {
    expect(faultsOf(largeDocument(2_000, 1_052_000))[0]?.words).toMatch(/at most 1048576 bytes/)
  })

  test('more elements, in a scene or in all, do not', () => {
    const own = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [idOf(n), elementOf()]))
    expect(faultsOf(documentWith(own(500)))).toEqual([])
    expect(faultsOf(documentWith(own(501)))[0]?.words).toMatch(/at most 500/)
    const scene = { name: 'a', order: 'V', elements: own(401) }
    const five = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`scene00${n}`, scene]))
    expect(faultsOf({ ...documentWith(), scenes: five })[0]?.words).toMatch(/2000 elements in all/)
  })

  test('no scene, or more than 20, does not', () => {
    const scenes = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`scene0${10 + n}`, { name: 'a', order: 'V', elements: {} }]),
      )
    expect(faultsOf({ ...documentWith(), scenes: scenes(20) })).toEqual([])
    expect(faultsOf({ ...documentWith(), scenes: scenes(21) })).toHaveLength(1)
    expect(faultsOf({ ...documentWith(), scenes: {} })).toHaveLength(1)
  })
})

describe('what hangs on what (OV11)', () => {
  const group = (parent: string | null) => elementOf({ type: 'group', parent })
  test.each([
    ['a parent that is there', { group001: group(null), element1: elementOf({ parent: 'group001' }) }, 0],
    ['a parent that is not there', { element1: elementOf({ parent: 'group001' }) }, 1],
    ['a parent that is no group', { element1: elementOf(), element2: elementOf({ parent: 'element1' }) }, 1],
    ['itself', { group001: group('group001') }, 1],
    ['two in each other', { group001: group('group002'), group002: group('group001') }, 2],
    [
      'one in a cycle of two',
      { group001: group('group002'), group002: group('group001'), group003: group('group001') },
      2,
    ],
    ['a name that every object has', { element1: elementOf({ parent: 'constructor' }) }, 1],
  ])('%s', (_, elements, faults) => {
    expect(faultsOf(documentWith(elements))).toHaveLength(faults)
  })

  test('500 groups in each other are a long way, and no cycle', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [idOf(n), group(n === 0 ? null : idOf(n - 1))]),
    )
    expect(faultsOf(documentWith(chain))).toEqual([])
  })
})

test('conditions are at most three tests deep (OV4)', () => {
  const leaf = { path: 'match.number', op: 'exists' } as const
  const faults = (when: object) =>
    faultsOf(documentWith({ element1: elementOf({ conditions: { one: { when, set: { visible: true } } } as never }) }))
  expect(faults({ not: { not: leaf } })).toEqual([])
  expect(faults({ all: [leaf, { any: [leaf] }] })).toEqual([])
  expect(faults({ not: { not: { not: leaf } } })).toEqual([
    { pointer: '/scenes/scene001/elements/element1/conditions/one/when', words: 'is deeper than 3 tests' },
  ])
})

test('only what a type lets be bound is bound (OV2)', () => {
  const faults = (property: string) =>
    faultsOf(documentWith({ element1: elementOf({ bindings: { one: { property, path: 'match.number' } } }) }))
  expect(faults('text')).toEqual([])
  for (const property of ['value', 'constructor', 'type', 'parent', 'props']) expect(faults(property)).toHaveLength(1)
})

test.each([null, 1, 'x', [], [documentWith()], { schemaVersion: 1 }, { schemaVersion: 1, canvas: 1, scenes: [] }])(
  '%j is no document',
  (given) => {
    expect(faultsOf(given).length).toBeGreaterThan(0)
  },
)

test('whatever is given, judging does not throw', () => {
  fc.assert(
    fc.property(
      fc.object({
        maxDepth: 6,
        key: fc.constantFrom('schemaVersion', 'scenes', 'canvas', 'fonts', 'elements', '__proto__', 'a'),
      }),
      (given) => {
        expect(readDocument({ ...given, schemaVersion: 1 }).ok).toBe(false)
      },
    ),
  )
  let deep: unknown = []
  for (let depth = 0; depth < 50_000; depth++) deep = [deep]
  expect(readDocument({ ...documentWith(), variables: { a: deep } }).ok).toBe(false)
})
