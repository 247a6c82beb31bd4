import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { documentWith, elementOf, idOf } from '../../../../../test/scene-documents.ts'
import { isToBeCompacted, isToBeRebuilt, stateOf } from './compaction.ts'
import { jsonBytes, readDocument } from './documents.ts'
import { StoredDraft } from './judging.ts'
import { documentOf, rootOf } from './shape.ts'

/** Several editors, whose updates are late, lost or sent again, end with the same document as the service. (OV11) */

interface Editor {
  doc: Y.Doc
  /** Updates that are not sent yet. */
  waiting: Uint8Array[]
}

type Step = readonly [editor: number, action: number, place: number, value: number]
const actions = 9

function edit(doc: Y.Doc, [, action, place, value]: Step): void {
  const elements = (rootOf(doc).get('scenes') as Y.Map<Y.Map<unknown>>).get('scene001')?.get('elements') as Y.Map<
    Y.Map<unknown>
  >
  const ids = [...elements.keys()].sort()
  const found = elements.get(ids[place % Math.max(1, ids.length)] ?? '')
  doc.transact(() => {
    if (action === 0 || found === undefined)
      elements.set(idOf(place), new Y.Map(Object.entries(elementOf({ type: value % 3 === 0 ? 'group' : 'text' }))))
    else if (action === 1) elements.delete(ids[place % ids.length] ?? '')
    // Sometimes sets an invalid parent: an element that is no group, the element itself, or a cycle.
    else if (action === 2) found.set('parent', value % 4 === 0 ? null : (ids[value % ids.length] ?? null))
    else if (action === 3) found.set('x', value % 37 === 0 ? 1e6 : value)
    else if (action === 4) found.set('props', new Y.Map([['size', 4 + (value % 90)]]))
    else if (action === 5) found.set('name', `Name ${value}`)
    else if (action === 6) rootOf(doc).set('variables', new Y.Map([['line', value]]))
    else if (action === 7) found.set('visible', value % 2 === 0)
    else found.set('order', `V${(value % 60) + 1}V`.replace(/[^A-Za-z0-9]/g, 'a'))
  })
}

const stepsOf = fc.array(fc.tuple(fc.nat(7), fc.nat(actions + 5), fc.nat(40), fc.nat(1_000)), {
  minLength: 150,
  maxLength: 300,
})

test('random edits of eight, with drops, late sending and refusals, converge, and the document is always valid', () => {
  const timesOf = { new: 0, known: 0, refused: 0 }
  fc.assert(
    fc.property(stepsOf, (steps) => {
      const state = stateOf(documentWith({ group001: elementOf({ type: 'group' }), element1: elementOf() }), 1)
      let draft = new StoredDraft([state])
      let lent = 100
      const opened = (): Editor => {
        const doc = new Y.Doc()
        Y.applyUpdate(doc, draft.since(null) as Uint8Array)
        doc.clientID = lent++
        const editor: Editor = { doc, waiting: [] }
        doc.on('update', (update: Uint8Array, _origin: unknown, __: Y.Doc, transaction: Y.Transaction) => {
          if (transaction.local) editor.waiting.push(update)
        })
        return editor
      }
      const editors = Array.from({ length: 8 }, opened)
      const sent = (at: number, update: Uint8Array) => {
        const editor = editors[at] as Editor
        const before = jsonBytes(draft.document)
        const verdict = draft.judge(update, { mayEdit: true, leased: new Set([editor.doc.clientID]) })
        expect(draft.bytes).toBe(jsonBytes(draft.document))
        timesOf[verdict.ok ? (verdict.isNew ? 'new' : 'known') : 'refused']++
        if (verdict.ok) return
        expect(jsonBytes(draft.document)).toBe(before)
        editors[at] = opened()
      }
      for (const step of steps) {
        const [at, action] = step
        const editor = editors[at] as Editor
        if (action < actions) edit(editor.doc, step)
        // Sends the updates in the order in which they were made, or everything that the service lacks in one update,
        // as after a disconnect.
        else if (action < actions + 3) for (const update of editor.waiting.splice(0)) sent(at, update)
        else if (action === actions + 3) sent(at, Y.encodeStateAsUpdate(editor.doc, draft.vector))
        // The editor receives the updates of the others.
        else if (action === actions + 4)
          Y.applyUpdate(editor.doc, draft.since(Y.encodeStateVector(editor.doc)) as Uint8Array)
        else draft = new StoredDraft(step[2] % 2 === 0 ? [draft.compact()] : draft.stored)
        expect(readDocument(draft.document).ok).toBe(true)
      }
      for (let at = 0; at < editors.length; at++)
        sent(at, Y.encodeStateAsUpdate((editors[at] as Editor).doc, draft.vector))
      for (const { doc } of editors) {
        Y.applyUpdate(doc, draft.since(Y.encodeStateVector(doc)) as Uint8Array)
        expect(documentOf(doc)).toEqual(draft.document)
      }
      expect(new StoredDraft(draft.stored).document).toEqual(draft.document)
      expect(new StoredDraft([draft.compact()]).document).toEqual(draft.document)
    }),
    { numRuns: 40 },
  )
  // Every outcome occurred more than once.
  for (const [kind, times] of Object.entries(timesOf)) expect(times, kind).toBeGreaterThan(20)
})

test('what was overwritten a thousand times takes little room once it is compacted, and is gone after a rebuilding', () => {
  const document = documentWith({ element1: elementOf(), element2: elementOf() })
  const draft = new StoredDraft([stateOf(document, 1)])
  const doc = new Y.Doc()
  Y.applyUpdate(doc, draft.since(null) as Uint8Array)
  const sender = { mayEdit: true, leased: new Set([doc.clientID]) }
  doc.on('update', (update: Uint8Array) => expect(draft.judge(update, sender).ok).toBe(true))
  for (let value = 0; value < 1_000; value++) edit(doc, [0, 3, value, 1 + (value % 30)])
  for (let value = 0; value < 200; value++) {
    edit(doc, [0, 0, value, 1])
    const elements = (rootOf(doc).get('scenes') as Y.Map<Y.Map<Y.Map<unknown>>>).get('scene001')?.get('elements')
    elements?.delete(idOf(value))
  }
  const stored = draft.stored.reduce((sum, { length }) => sum + length, 0)
  const before = draft.document
  const state = draft.compact()
  expect(state.length * 4).toBeLessThan(stored)
  expect(draft.document).toEqual(before)
  const anew = stateOf(before, 7)
  expect(anew.length).toBeLessThan(4 * draft.bytes)
  expect(anew.length).toBeLessThan(state.length)
  expect(new StoredDraft([anew]).document).toEqual(before)
})

test.each([
  [{ rows: 0, bytes: 0, idleMs: 9e9 }, false],
  [{ rows: 1, bytes: 10, idleMs: 299_999 }, false],
  [{ rows: 1, bytes: 10, idleMs: 300_000 }, true],
  [{ rows: 199, bytes: 262_143, idleMs: 0 }, false],
  [{ rows: 200, bytes: 10, idleMs: 0 }, true],
  [{ rows: 3, bytes: 262_144, idleMs: 0 }, true],
])('what has come since the last state, %o, is compacted: %o', (since, is) => {
  expect(isToBeCompacted(since)).toBe(is)
})

test.each([
  [{ bytes: 4_000, jsonBytes: 1_000, quietMs: 9e9 }, false],
  [{ bytes: 4_001, jsonBytes: 1_000, quietMs: 599_999 }, false],
  [{ bytes: 4_001, jsonBytes: 1_000, quietMs: 600_000 }, true],
])('a state, %o, is made anew: %o', (state, is) => {
  expect(isToBeRebuilt(state)).toBe(is)
})
