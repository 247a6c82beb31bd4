import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { documents, documentWith, elementOf, idOf } from '../../../../../test/scene-documents.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { jsonBytes, readDocument } from './documents.ts'
import { StoredDraft } from './judging.ts'
import { changeInto, documentOf, rootOf } from './shape.ts'

/** An update is accepted or refused as a whole, for every kind of sender. (OV11) */

const stateOf = (document: SceneDocument) => {
  const doc = new Y.Doc()
  changeInto(doc, document)
  return Y.encodeStateAsUpdate(doc)
}
const group = elementOf({ type: 'group', name: 'Group' })
const base = documentWith({ group001: group, element1: elementOf({ parent: 'group001' }), element2: elementOf() })
const stored = stateOf(base)

/** A service and an editor with the same document. */
function pair(state = stored) {
  const draft = new StoredDraft([state])
  const editor = new Y.Doc()
  Y.applyUpdate(editor, state)
  const sender = { mayEdit: true, leased: new Set([editor.clientID]) }
  /** Returns the update that the editor sends for its change. */
  const doing = (act: (root: Y.Map<unknown>) => void) => {
    const made: Uint8Array[] = []
    const take = (update: Uint8Array) => made.push(update)
    editor.on('update', take)
    editor.transact(() => act(rootOf(editor)))
    editor.off('update', take)
    return made[0] ?? new Uint8Array([0, 0])
  }
  return { draft, editor, sender, doing }
}

function at(root: Y.Map<unknown>, ...place: string[]): Y.Map<unknown> {
  return place.reduce<Y.Map<unknown>>((map, name) => map.get(name) as Y.Map<unknown>, root)
}
const elementsOf = (root: Y.Map<unknown>) => at(root, 'scenes', 'scene001', 'elements')
const element = (over: Record<string, unknown> = {}) => new Y.Map(Object.entries({ ...elementOf(), ...over }))

/** Checks that a refused update leaves no trace: the bytes and the document stay the same. */
function expectRefused({ draft, sender }: ReturnType<typeof pair>, update: Uint8Array, why?: string) {
  const [before, bytes, state] = [draft.document, draft.bytes, Buffer.from(draft.since(null) as Uint8Array)]
  const verdict = draft.judge(update, sender)
  expect(verdict).toMatchObject({ ok: false, ...(why === undefined ? {} : { why }) })
  expect(draft.document).toEqual(before)
  expect(draft.bytes).toBe(bytes)
  expect(Buffer.from(draft.since(null) as Uint8Array).equals(state)).toBe(true)
  return verdict
}

describe('what an editor does is taken', () => {
  test.each<[string, (root: Y.Map<unknown>) => void]>([
    ['a member is set', (root) => at(elementsOf(root), 'element1').set('x', 12)],
    [
      'a member of props that were not there',
      (root) => at(elementsOf(root), 'element1').set('props', new Y.Map([['size', 20]])),
    ],
    ['an element is added', (root) => elementsOf(root).set('element3', element())],
    [
      'an element is added and another put into it',
      (root) => {
        elementsOf(root).set('group002', element({ type: 'group' }))
        at(elementsOf(root), 'element1').set('parent', 'group002')
      },
    ],
    ['an element is deleted', (root) => elementsOf(root).delete('element2')],
    [
      'a group is deleted with what is in it',
      (root) => {
        elementsOf(root).delete('element1')
        elementsOf(root).delete('group001')
      },
    ],
    [
      'a scene is added, the other deleted',
      (root) => {
        at(root, 'scenes').set(
          'scene002',
          new Y.Map<unknown>([
            ['name', 'B'],
            ['order', 'k'],
            ['elements', new Y.Map()],
          ]),
        )
        at(root, 'scenes').delete('scene001')
      },
    ],
    ['a variable', (root) => root.set('variables', new Y.Map([['line', 'x']]))],
  ])('%s', (_, act) => {
    const { draft, editor, sender, doing } = pair()
    const update = doing(act)
    expect(draft.judge(update, sender)).toMatchObject({ ok: true, isNew: true })
    expect(draft.document).toEqual(documentOf(editor))
    expect(draft.bytes).toBe(jsonBytes(draft.document))
    expect(readDocument(draft.document).ok).toBe(true)
    // An update that is sent again, as after a disconnect, is not new.
    expect(draft.judge(update, sender)).toMatchObject({ ok: true, isNew: false })
  })

  test('what was done offline arrives as one update, whatever was overwritten and deleted in between', () => {
    const { draft, editor, sender } = pair()
    for (let step = 0; step < 300; step++) {
      const root = rootOf(editor)
      at(elementsOf(root), 'element1').set('x', step)
      elementsOf(root).set(idOf(step), element())
      if (step % 3 !== 0) elementsOf(root).delete(idOf(step))
    }
    const update = Y.encodeStateAsUpdate(editor, draft.vector)
    expect(draft.judge(update, sender)).toMatchObject({ ok: true, isNew: true })
    expect(draft.document).toEqual(documentOf(editor))
  })

  test('undo and redo are changes like any other', () => {
    const { draft, editor, sender } = pair()
    const undo = new Y.UndoManager(rootOf(editor), { captureTimeout: 0, trackedOrigins: new Set([null]) })
    editor.on('update', (update: Uint8Array) => expect(draft.judge(update, sender)).toMatchObject({ ok: true }))
    elementsOf(rootOf(editor)).delete('element2')
    at(elementsOf(rootOf(editor)), 'element1').set('x', 40)
    undo.undo()
    undo.undo()
    expect(draft.document).toEqual(base)
    undo.redo()
    expect(draft.document).toEqual(documentOf(editor))
    expect(draft.document.scenes.scene001?.elements.element2).toBeUndefined()
  })
})

describe('what is not valid is refused', () => {
  test.each<[string, (root: Y.Map<unknown>) => void, string]>([
    [
      'a value out of its range',
      (root) => at(elementsOf(root), 'element1').set('x', 1e6),
      '/scenes/scene001/elements/element1/x',
    ],
    [
      'a member that is not known',
      (root) => at(elementsOf(root), 'element1').set('html', '<b>'),
      '/scenes/scene001/elements/element1/html',
    ],
    [
      'a map in place of a value',
      (root) => at(elementsOf(root), 'element1').set('x', new Y.Map()),
      '/scenes/scene001/elements/element1',
    ],
    [
      'a value in place of a map',
      (root) => at(elementsOf(root), 'element1').set('props', { text: 'a' }),
      '/scenes/scene001/elements/element1',
    ],
    [
      'an element that is a value',
      (root) => elementsOf(root).set('element9', elementOf()),
      '/scenes/scene001/elements/element9',
    ],
    [
      'a member that is needed is deleted',
      (root) => at(elementsOf(root), 'element1').delete('type'),
      '/scenes/scene001/elements/element1',
    ],
    ['a parent is deleted', (root) => elementsOf(root).delete('group001'), '/scenes/scene001/elements/element1/parent'],
    [
      'a parent that is not there',
      (root) => at(elementsOf(root), 'element2').set('parent', 'nobody001'),
      '/scenes/scene001/elements/element2/parent',
    ],
    [
      'a group that others are in becomes a text',
      (root) => at(elementsOf(root), 'group001').set('type', 'text'),
      '/scenes/scene001/elements/element1/parent',
    ],
    [
      'a group in itself',
      (root) => at(elementsOf(root), 'group001').set('parent', 'group001'),
      '/scenes/scene001/elements/group001/parent',
    ],
    ['the last scene is deleted', (root) => at(root, 'scenes').delete('scene001'), '/scenes'],
    ['all scenes are replaced by a value', (root) => root.set('scenes', {}), '/scenes'],
    [
      'the elements are replaced by a value',
      (root) => at(root, 'scenes', 'scene001').set('elements', {}),
      '/scenes/scene001/elements',
    ],
    ['a member of the root that is not known', (root) => root.set('schemaVersion', 2), '/schemaVersion'],
    ['the canvas is deleted', (root) => root.delete('canvas'), '/canvas'],
    ['an id of another form', (root) => elementsOf(root).set('A B', element()), '/scenes/scene001/elements/A B'],
    [
      'a text that runs backwards',
      (root) => at(elementsOf(root), 'element1').set('name', '\u202eabc'),
      '/scenes/scene001/elements/element1/name',
    ],
    [
      'a binding of what cannot be bound',
      (root) =>
        at(elementsOf(root), 'element1').set(
          'bindings',
          new Y.Map([['a', { property: 'type', path: 'match.number' }]]),
        ),
      '/scenes/scene001/elements/element1/bindings/a/property',
    ],
  ])('%s', (_, act, pointer) => {
    const both = pair()
    const verdict = expectRefused(both, both.doing(act), 'invalid')
    expect(verdict).toMatchObject({ faults: expect.arrayContaining([expect.objectContaining({ pointer })]) })
  })

  test('an element more than a scene may have', () => {
    const full = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [idOf(n), elementOf()]))
    const both = pair(stateOf(documentWith(full)))
    const verdict = expectRefused(
      both,
      both.doing((map) => elementsOf(map).set('element1', element())),
      'invalid',
    )
    expect(verdict).toMatchObject({ faults: [{ pointer: '/scenes/scene001/elements' }] })
  })

  test('two who put each of two groups into the other: the second is refused', () => {
    const state = stateOf(documentWith({ group001: group, group002: group }))
    const [one, other] = [pair(state), pair(state)]
    expect(
      one.draft.judge(
        one.doing((root) => at(elementsOf(root), 'group001').set('parent', 'group002')),
        one.sender,
      ).ok,
    ).toBe(true)
    const update = other.doing((root) => at(elementsOf(root), 'group002').set('parent', 'group001'))
    expectRefused({ ...other, draft: one.draft }, update, 'invalid')
  })
})

/** Encodes a number as updates do: seven bits a byte. */
const count = (number: number): number[] =>
  number < 128 ? [number] : [(number % 128) | 128, ...count(Math.floor(number / 128))]
const text = (words: string) => [...count(Buffer.byteLength(words)), ...Buffer.from(words)]
const root = [1, ...text('root')]
/** Encodes a member of the root with a value. */
const member = (key: string, value: number[]) => [0x28, ...root, ...text(key), 1, ...value]
/** Encodes the structs of one client, from its first clock on. */
const updateOf = (client: number, structs: number[][], { claimed = structs.length, clock = 0 } = {}) =>
  Uint8Array.from([1, ...count(claimed), ...count(client), ...count(clock), ...structs.flat(), 0])

describe('hostile updates', () => {
  const id = 77
  const mine = (both: ReturnType<typeof pair>) => ({ ...both, sender: { mayEdit: true, leased: new Set([id]) } })

  test('the reader agrees with Yjs about what is written by hand', () => {
    const update = updateOf(id, [member('variables', [125, 5])])
    const { structs, ds } = Y.decodeUpdate(update)
    expect(structs).toHaveLength(1)
    expect(ds.clients.size).toBe(0)
    // There is a value where a map is required.
    expectRefused(mine(pair()), update, 'invalid')
  })

  const deep = [...Array(20_000).fill([117, 1]).flat(), 126]
  test.each<[string, Uint8Array]>([
    ['10 million structs are claimed', updateOf(id, [member('a', [126])], { claimed: 10_000_000 })],
    ['10 million clients are claimed', Uint8Array.from([...count(10_000_000), 1, 1, 0])],
    ['10 million deletions are claimed', Uint8Array.from([0, 1, 1, ...count(10_000_000), 0, 1])],
    ['10 million values are claimed', updateOf(id, [[0x28, ...root, ...text('a'), ...count(10_000_000), 126]])],
    ['a list of 10 million is claimed', updateOf(id, [member('a', [117, ...count(10_000_000)])])],
    ['a text of 10 million bytes is claimed', updateOf(id, [member('a', [119, ...count(10_000_000)])])],
    ['a number that never ends', updateOf(id, [member('a', [125, ...Array(100).fill(255)])])],
    ['a value 20,000 deep', updateOf(id, [member('a', deep)])],
    ['a value that is no JSON: undefined', updateOf(id, [member('a', [127])])],
    ['bytes', updateOf(id, [member('a', [116, 1, 1])])],
    ['a number without end', updateOf(id, [member('a', [122, 0, 0, 0, 0, 0, 0, 0, 1])])],
    ['infinity', updateOf(id, [member('a', [123, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0])])],
    ['a text that is no UTF-8', updateOf(id, [member('a', [119, 2, 0xc3, 0x28])])],
    ['the prototype as a member', updateOf(id, [member('__proto__', [126])])],
    ['the prototype within a value', updateOf(id, [member('a', [118, 1, ...text('__proto__'), 126])])],
    ['another root', updateOf(id, [[0x28, 1, ...text('other'), ...text('a'), 1, 126]])],
    ['an item in a list', updateOf(id, [[0x08, ...root, 1, 126]])],
    ['a list', updateOf(id, [[0x27, ...root, ...text('a'), 0]])],
    ['a rich text', updateOf(id, [[0x27, ...root, ...text('a'), 2]])],
    ['a document within', updateOf(id, [[0x29, ...root, ...text('a'), ...text('guid'), 118, 0]])],
    ['a gap', updateOf(id, [member('a', [126])], { clock: 5 })],
    ['a skip', updateOf(id, [[10, 5], member('a', [126])])],
    ['a clock that jumps', updateOf(id, [[0, ...count(2 ** 52)], member('a', [126])])],
    ['an item behind itself', updateOf(id, [[0xa8, id, 0, 1, 126]])],
    ['an item behind what is not there', updateOf(id, [[0xa8, 99, 0, 1, 126]])],
    ['a parent that is not there', updateOf(id, [[0x28, 0, 99, 0, ...text('a'), 1, 126]])],
    [
      'two that hang on each other',
      Uint8Array.from([2, 1, 78, 0, 0xa8, 77, 0, 1, 126, 1, 77, 0, 0xa8, 78, 0, 1, 126, 0]),
    ],
    ['a client twice', Uint8Array.from([2, 1, id, 0, ...member('a', [126]), 1, id, 1, ...member('b', [126]), 0])],
    ['something behind the end', Uint8Array.from([0, 0, 0])],
    ['nothing', new Uint8Array()],
    ['too many bytes', new Uint8Array(65_537)],
    ['deletions of what is not there', Uint8Array.from([0, 1, 5, 1, 0, 1])],
    [
      'deletions of everything, again and again',
      Uint8Array.from([0, 1, 1, ...count(9_000), ...Array(9_000).fill([0, 100]).flat()]),
    ],
  ])('%s', (_, update) => {
    const both = { ...pair(), sender: { mayEdit: true, leased: new Set([id, 78]) } }
    const began = process.cpuUsage().user
    expectRefused(both, update)
    expect(process.cpuUsage().user - began, 'microseconds of processor time').toBeLessThan(500_000)
  })

  test('format V2', () => {
    const both = pair()
    const before = Y.encodeStateVector(both.editor)
    at(elementsOf(rootOf(both.editor)), 'element1').set('x', 5)
    expectRefused(both, Y.encodeStateAsUpdateV2(both.editor, before), 'unreadable')
  })

  test('clients of somebody else, and whoever must not edit', () => {
    const both = pair()
    const update = both.doing((map) => at(elementsOf(map), 'element1').set('x', 5))
    expectRefused({ ...both, sender: { mayEdit: true, leased: new Set([1]) } }, update, 'foreign')
    expectRefused({ ...both, sender: { ...both.sender, mayEdit: false } }, update, 'read_only')
    expect(both.draft.judge(update, both.sender).ok).toBe(true)
  })

  test('thousands of items at one place, which would be compared with each other', () => {
    const structs = Array.from({ length: 6_000 }, () => member('a', [126]))
    expectRefused(mine(pair()), updateOf(id, structs), 'unreadable')
  })

  test('thousands of cuts through one item of thousands of values', () => {
    const both = { ...pair(), sender: { mayEdit: true, leased: new Set([id]) } }
    const values = [0x28, ...root, ...text('variables'), ...count(8_000), ...Array(8_000).fill(126)]
    const cuts = Array.from({ length: 4_000 }, (_, cut) => [...count(cut * 2), 1]).flat()
    const deletions = [1, ...count(id), ...count(4_000), ...cuts]
    const update = Uint8Array.from([...updateOf(id, [values]).slice(0, -1), ...deletions])
    expect(Y.decodeUpdate(update).structs).toHaveLength(1)
    expectRefused(both, update, 'unreadable')
  })

  test('maps in maps, thousands deep', () => {
    const structs = [[0x27, ...root, ...text('a'), 1]]
    for (let clock = 0; clock < 5_000; clock++) structs.push([0x27, 0, id, ...count(clock), ...text('a'), 1])
    expectRefused(mine(pair()), updateOf(id, structs), 'unreadable')
  })

  test('whatever is cut off or altered never throws, and changes nothing where it is refused', () => {
    const both = pair()
    const update = both.doing((map) => {
      elementsOf(map).set('element3', element({ name: 'New' }))
      at(elementsOf(map), 'element1').set('x', 5)
      elementsOf(map).delete('element2')
    })
    const altered = fc.oneof(
      fc.nat(update.length - 1).map((length) => update.slice(0, length)),
      fc.tuple(fc.nat(update.length - 1), fc.nat(255)).map(([place, byte]) => update.with(place, byte)),
      fc
        .array(fc.tuple(fc.nat(update.length - 1), fc.nat(255)), { minLength: 2, maxLength: 8 })
        .map((changes) => changes.reduce((bytes, [place, byte]) => bytes.with(place, byte), update)),
      fc.uint8Array({ maxLength: 300 }),
    )
    fc.assert(
      fc.property(altered, (bytes) => {
        const draft = new StoredDraft([stored])
        const before = draft.document
        const verdict = draft.judge(bytes, both.sender)
        if (!verdict.ok) expect(draft.document).toEqual(before)
        expect(readDocument(draft.document).ok).toBe(true)
        expect(draft.bytes).toBe(jsonBytes(draft.document))
        // A copy that is loaded from the stored updates is the same.
        expect(new StoredDraft(draft.stored).document).toEqual(draft.document)
      }),
      { numRuns: 400 },
    )
  })
})

describe('whole documents', () => {
  test('there and back they are the same', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const draft = new StoredDraft([stateOf(document)])
        expect(draft.document).toEqual(document)
        expect(draft.bytes).toBe(jsonBytes(document))
      }),
      { numRuns: 60 },
    )
  })

  test('one becomes another by an update that others apply, and nothing is changed that was the same', () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        const state = stateOf(one)
        const draft = new StoredDraft([state])
        const update = draft.changeInto(other, 5)
        expect(draft.document).toEqual(other)
        expect(draft.bytes).toBe(jsonBytes(other))
        const follower = new Y.Doc()
        Y.applyUpdate(follower, state)
        if (update !== null) Y.applyUpdate(follower, update)
        expect(documentOf(follower)).toEqual(other)
        expect(draft.changeInto(other, 6)).toBe(null)
      }),
      { numRuns: 40 },
    )
  })

  test('one member that differs is one item', () => {
    const draft = new StoredDraft([stored])
    const changed = structuredClone(base) as { scenes: Record<string, { elements: Record<string, { x: number }> }> }
    ;(changed.scenes.scene001 as { elements: Record<string, { x: number }> }).elements.element1 = {
      ...elementOf({ parent: 'group001' }),
      x: 7,
    }
    const update = draft.changeInto(changed as never, 5) as Uint8Array
    const { structs, ds } = Y.decodeUpdate(update)
    expect(structs).toHaveLength(1)
    expect([...ds.clients.values()].flat()).toHaveLength(1)
  })

  test('others’ edits of other members stay, and a co-editor can undo the whole change', () => {
    const { draft, editor, sender, doing } = pair()
    const update = doing((map) => at(elementsOf(map), 'element2').set('y', 33))
    const undo = new Y.UndoManager(rootOf(editor), { trackedOrigins: new Set(['restored']) })
    const restored = draft.changeInto({ ...base, canvas: { ...base.canvas, width: 1280 } }, 5) as Uint8Array
    expect(draft.judge(update, sender).ok).toBe(true)
    Y.applyUpdate(editor, restored, 'restored')
    expect(documentOf(editor)).toEqual(draft.document)
    expect(draft.document.canvas.width).toBe(1280)
    expect(draft.document.scenes.scene001?.elements.element2?.y).toBe(33)
    undo.undo()
    expect(documentOf(editor).canvas.width).toBe(1920)
  })
})

test('names that stand for nothing are refused where a change brings them in, and stay where they were stored (OV2)', () => {
  const binding = (path: string) => ({ property: 'text', path })
  const parts = pair(stateOf(documentWith({ element1: elementOf({ bindings: { a: binding('gone.away') } }) })))
  const bindings = (root: Y.Map<unknown>) => at(elementsOf(root), 'element1', 'bindings')
  expect(
    parts.draft.judge(
      parts.doing((root) => at(elementsOf(root), 'element1').set('x', 3)),
      parts.sender,
    ),
  ).toEqual(expect.objectContaining({ ok: true, isNew: true }))
  const verdict = expectRefused(
    parts,
    parts.doing((root) => bindings(root).set('b', binding('no.where'))),
    'invalid',
  )
  expect(verdict.ok ? [] : verdict.faults).toEqual([
    {
      pointer: '/scenes/scene001/elements/element1/bindings/b/path',
      words: 'is "no.where", which is no path of the data',
    },
  ])
})
