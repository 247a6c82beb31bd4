import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SceneDocument, SceneElement } from '../../src/engine/scenes/document.ts'
import { builtInTemplates } from '../../src/engine/scenes/templates/templates.ts'
import { readWritten } from '../../src/features/overlays/sceneDocuments/rules/documents.ts'
import { documents, documentWith, elementOf, idOf } from '../../test/scene-documents.ts'
import { faultOfStep } from '../site/overlay/editor/draft/judge.ts'

/** The editor takes back what the service would refuse, and nothing else: both judge the same documents. (OV11) */

const before = documentWith()

const isTaken = (document: SceneDocument) => faultOfStep(before, document) === null
const isTakenByService = (document: SceneDocument) => readWritten(JSON.parse(JSON.stringify(document))).ok

test('whole documents: those of the templates, and any', () => {
  for (const { document } of builtInTemplates) expect(faultOfStep(before, document)).toBeNull()
  fc.assert(
    fc.property(documents, (document) => isTaken(document) === isTakenByService(document)),
    { numRuns: 100 },
  )
})

const faulty: readonly (readonly [string, object])[] = [
  ['x too far', { x: 10_001 }],
  ['x that is no number', { x: Number.NaN }],
  ['no width', { width: 0 }],
  ['too dense', { opacity: 1.1 }],
  ['an unknown member', { href: 'https://example.org' }],
  ['an unknown type', { type: 'iframe' }],
  ['an unknown property', { props: { html: '<b>' } }],
  ['a colour by its name', { props: { color: 'red' } }],
  ['a colour of three digits', { props: { color: '#fff' } }],
  ['a text that is too long', { props: { text: 'a'.repeat(2_001) } }],
  ['a text that reverses what follows', { props: { text: 'a\u202Eb' } }],
  ['a control character', { props: { text: 'a\u0007b' } }],
  ['a name that is too long', { name: 'a'.repeat(61) }],
  ['a name of two lines', { name: 'a\nb' }],
  ['a name that cannot be seen', { name: '\u200B' }],
  ['a weight that no font has', { props: { weight: 450 } }],
  ['an order with a sign', { order: 'a-b' }],
  ['a parent that is not there', { parent: idOf(9) }],
  ['itself as its parent', { type: 'group', props: {}, parent: idOf(1) }],
  ['a property that cannot be bound', { bindings: { one: { property: 'fit', path: 'match.number' } } }],
  ['a path that is none', { bindings: { one: { property: 'text', path: 'match..number' } } }],
  ['a path that leads to nothing', { bindings: { one: { property: 'text', path: 'match.nothing' } } }],
  [
    'a formatter that is none',
    { bindings: { one: { property: 'text', path: 'match.number', format: [{ name: 'rot13' }] } } },
  ],
  [
    'a condition on a path that leads to nothing',
    { conditions: { one: { when: { path: 'nobody', op: 'exists' }, set: { visible: true } } } },
  ],
  ['a binding without a path', { bindings: { one: { property: 'text' } } }],
  ['a condition that tests nothing', { conditions: { one: { when: {}, set: { visible: true } } } }],
  [
    'tests that are too deep',
    {
      conditions: {
        one: { when: { not: { not: { not: { path: 'match', op: 'exists' } } } }, set: { visible: true } },
      },
    },
  ],
  ['a motion that is none', { animation: { enter: { kind: 'explode' } } }],
  ['a motion without an end', { animation: { enter: { kind: 'fade', durationMs: 5_001 } } }],
]

test.each(faulty)('an element with %s is refused by both', (_, members) => {
  const element = { ...elementOf(), ...members } as SceneElement
  const document = documentWith({ [idOf(1)]: element })
  expect(isTakenByService(document)).toBe(false)
  expect(isTaken(document)).toBe(false)
})

const fine: readonly (readonly [string, object])[] = [
  ['no name', { name: '' }],
  ['a name in another script', { name: 'تسمية 名前' }],
  ['a colour of the document', { props: { color: 'var(side1)' } }],
  ['a text of two lines', { props: { text: 'a\nb' } }],
  ['a binding', { bindings: { one: { property: 'text', path: 'sides.0.team.name', format: [{ name: 'initials' }] } } }],
  ['a condition', { conditions: { one: { when: { path: 'match', op: 'exists' }, set: { visible: true } } } }],
]

test.each(fine)('an element with %s is taken by both', (_, members) => {
  const document = documentWith({ [idOf(1)]: { ...elementOf(), ...members } as SceneElement })
  expect(isTakenByService(document)).toBe(true)
  expect(faultOfStep(before, document)).toBeNull()
})

test('the limits of a document: scenes, elements of one and of all, bytes', () => {
  const many = (count: number, over: Partial<SceneElement> = {}) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [idOf(at), elementOf(over)]))
  const [scene] = Object.values(before.scenes)
  if (scene === undefined) throw new Error('there is no scene')
  const scenesOf = (count: number, elements: object) => ({
    ...before,
    scenes: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`scene00${String(at).padStart(2, '0')}`, { ...scene, elements }]),
    ) as SceneDocument['scenes'],
  })
  const long = { props: { text: 'é'.repeat(1_000) } }
  for (const [document, expected] of [
    [scenesOf(20, {}), true],
    [scenesOf(21, {}), false],
    [scenesOf(1, many(500)), true],
    [scenesOf(1, many(501)), false],
    [scenesOf(4, many(500)), true],
    [scenesOf(5, many(401)), false],
    [scenesOf(1, many(480, long)), true],
    [scenesOf(2, many(300, long)), false],
    [scenesOf(0, {}), false],
  ] as const) {
    expect(isTakenByService(document)).toBe(expected)
    expect(isTaken(document)).toBe(expected)
  }
})

test('an element with a path of another version can be changed, and gets no second one', () => {
  const stored = { ...elementOf(), bindings: { one: { property: 'text', path: 'match.nothing' } } } as SceneElement
  const changed = (members: object) =>
    documentWith({
      [idOf(1)]: { ...stored, ...structuredClone({ bindings: stored.bindings }), ...members } as SceneElement,
    })
  const of = documentWith({ [idOf(1)]: stored })
  expect(faultOfStep(of, changed({ x: 7 }))).toBeNull()
  const second = { ...stored.bindings, two: { property: 'visible', path: 'match.neither' } }
  expect(faultOfStep(of, changed({ bindings: second }))).toEqual({ why: 'stranger', member: 'bindings' })
})
