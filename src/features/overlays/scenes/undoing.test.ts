import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { documentWith, elementOf, idOf } from '../../../../test/scene-documents.ts'
import { elementsIn, makeScene, SceneEditor, storedScene } from '../../../../test/scene-editing.ts'
import { rootOf } from '../sceneDocuments/rules/shape.ts'

const own = 'own'
const gatherMs = 20

/** An editor that undoes only its own edits, and sends its edits in batches, as pages do. */
class UndoingEditor extends SceneEditor {
  undo = new Y.UndoManager(new Y.Doc())
  #waiting: Uint8Array[] = []

  /** Call it after the document has arrived. */
  track(): void {
    this.undo = new Y.UndoManager(rootOf(this.doc), { captureTimeout: 0, trackedOrigins: new Set([own]) })
  }

  act(change: (root: Y.Map<unknown>) => void): void {
    this.doc.transact(() => change(rootOf(this.doc)), own)
  }

  override send(update: Uint8Array): void {
    this.#waiting.push(update)
    if (this.#waiting.length > 1) return
    void setTimeout(gatherMs).then(() => super.send(Y.mergeUpdates(this.#waiting.splice(0))))
  }
}

test('of two on two processes, each undoes their own alone, and nothing comes back without what it stood in (Undo and redo)', async () => {
  await using api = await startHarness()
  await using sibling = await api.sibling()
  const organiser = await api.user()
  const tournament = await makeTournament(api, organiser)
  const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [idOf(n), elementOf()]))
  const scenes = { ...documentWith(twenty).scenes, scene002: { name: 'Other', order: 'k', elements: {} } }
  const scene = await makeScene(api, tournament, { ...documentWith(), scenes }, { by: organiser })
  const [one, other] = [new UndoingEditor(scene.topic), new UndoingEditor(scene.topic)]
  await one.open(api, await roleHolder(api, tournament, 'role:staff'))
  await other.open(sibling, await roleHolder(api, tournament, 'role:hcaster'))
  const both = [one, other]
  for (const editor of both) editor.track()
  const { text } = await api.call('GET', '//metrics')
  expect(text).toContain('realtime_subscriptions{pattern="/tournaments/:tournament/overlays/:overlay/scene"} 1')
  /** Waits until both editors have the stored document, and returns it. */
  const agree = async () => {
    const isSame = async () => {
      const stored = JSON.stringify(await storedScene(api, scene))
      return both.map((editor) => JSON.stringify(editor.document) === stored)
    }
    await setTimeout(2 * gatherMs)
    await expect.poll(isSame).toEqual([true, true])
    return one.document.scenes
  }

  for (let turn = 0; turn < 1_000; turn++) {
    const editor = both[turn % 2] as UndoingEditor
    const member = turn % 2 === 0 ? 'x' : 'y'
    editor.act((root) =>
      elementsIn(root)
        .get(idOf((turn >> 1) % 20))
        ?.set(member, turn + 1),
    )
    // Sometimes an editor undoes its last edit, and sometimes redoes it.
    if (turn % 7 < 2) editor.undo.undo()
    if (turn % 21 < 2) editor.undo.redo()
    if (turn % 5 === 0) await setTimeout(2)
  }
  await agree()
  while (one.undo.canUndo()) one.undo.undo()
  const halfway = Object.values((await agree()).scene001?.elements ?? {})
  expect(halfway.filter(({ x }) => x !== 0)).toEqual([])
  expect(halfway.filter(({ y }) => y !== 0)).toHaveLength(20)
  while (other.undo.canUndo()) other.undo.undo()
  expect((await agree()).scene001?.elements).toEqual(twenty)
  while (one.undo.canRedo()) one.undo.redo()
  expect(Object.values((await agree()).scene001?.elements ?? {}).filter(({ x }) => x !== 0)).toHaveLength(20)

  // One editor changes a scene that the other deletes.
  one.act((root) => elementsIn(root).delete(idOf(2)))
  await agree()
  other.act((root) => (root.get('scenes') as Y.Map<unknown>).delete('scene001'))
  await agree()
  while (one.undo.canUndo()) one.undo.undo()
  expect(Object.keys(await agree())).toEqual(['scene002'])
  other.undo.undo()
  expect(Object.keys(await agree()).toSorted()).toEqual(['scene001', 'scene002'])
  expect(both.map(({ refused }) => refused)).toEqual([[], []])
  await Promise.all(both.map((editor) => editor.close()))
})
