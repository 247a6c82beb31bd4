import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { documentWith, elementOf, idOf } from '../../../../../test/scene-documents.ts'
import { stateOf } from './compaction.ts'
import { StoredDraft } from './judging.ts'
import { documentOf, rootOf } from './shape.ts'

/**
 * Each editor undoes only their own edits, and the resulting updates are judged like all others.
 * (overlays: Co-editing, undo)
 */

const own = 'own'
const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [idOf(n), elementOf()]))

/** Two editors of the same document, who immediately see each other's edits. */
function two() {
  const scenes = { ...documentWith(twenty).scenes, scene002: { name: 'Other', order: 'k', elements: twenty } }
  const draft = new StoredDraft([stateOf({ ...documentWith(), scenes }, 1)])
  const editors = [0, 1].map((index) => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, draft.since(null) as Uint8Array)
    doc.clientID = 100 + index
    return { doc, undo: new Y.UndoManager(rootOf(doc), { captureTimeout: 0, trackedOrigins: new Set([own]) }) }
  })
  for (const { doc } of editors)
    doc.on('update', (update: Uint8Array, _: unknown, __: Y.Doc, { local }: Y.Transaction) => {
      if (!local) return
      expect(draft.judge(update, { mayEdit: true, leased: new Set([doc.clientID]) })).toMatchObject({ ok: true })
      for (const other of editors) if (other.doc !== doc) Y.applyUpdate(other.doc, update)
    })
  return { draft, editors: editors as [(typeof editors)[0], (typeof editors)[0]] }
}

function elementsOf(doc: Y.Doc, scene: string): Y.Map<Y.Map<unknown>> | undefined {
  return (rootOf(doc).get('scenes') as Y.Map<Y.Map<Y.Map<Y.Map<unknown>>>>).get(scene)?.get('elements')
}

test('a thousand operations of two, in turns: each undoes only their own', () => {
  const { draft, editors } = two()
  for (let turn = 0; turn < 1_000; turn++) {
    const index = turn % 2
    const { doc } = editors[index] as (typeof editors)[0]
    const element = elementsOf(doc, 'scene001')?.get(idOf((turn % 20) - index))
    doc.transact(() => element?.set(index === 0 ? 'x' : 'y', turn + 1), own)
  }
  while (editors[0].undo.canUndo()) editors[0].undo.undo()
  const elements = Object.values(draft.document.scenes.scene001?.elements ?? {})
  // Both editors moved the elements with even numbers, 25 times each.
  expect(elements.filter(({ x }) => x !== 0)).toEqual([])
  expect(elements.filter(({ y }) => y !== 0)).toHaveLength(10)
  while (editors[1].undo.canUndo()) editors[1].undo.undo()
  expect(draft.document.scenes.scene001?.elements).toEqual(twenty)
  while (editors[0].undo.canRedo()) editors[0].undo.redo()
  expect(Object.values(draft.document.scenes.scene001?.elements ?? {}).filter(({ x }) => x !== 0)).toHaveLength(10)
  for (const { doc } of editors) expect(documentOf(doc)).toEqual(draft.document)
})

test('what another deleted together with its scene is not brought back', () => {
  const { draft, editors } = two()
  const [one, other] = editors
  one.doc.transact(() => elementsOf(one.doc, 'scene001')?.get(idOf(1))?.set('x', 5), own)
  one.doc.transact(() => elementsOf(one.doc, 'scene001')?.delete(idOf(2)), own)
  other.doc.transact(() => (rootOf(other.doc).get('scenes') as Y.Map<unknown>).delete('scene001'), own)
  while (one.undo.canUndo()) one.undo.undo()
  expect(Object.keys(draft.document.scenes)).toEqual(['scene002'])
  for (const { doc } of editors) expect(documentOf(doc)).toEqual(draft.document)
  other.undo.undo()
  expect(Object.keys(draft.document.scenes)).toEqual(['scene001', 'scene002'])
})
