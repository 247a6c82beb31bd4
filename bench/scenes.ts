import * as Y from 'yjs'
import { stateOf } from '../src/features/overlays/sceneDocuments/rules/compaction.ts'
import { readDocument } from '../src/features/overlays/sceneDocuments/rules/documents.ts'
import { StoredDraft } from '../src/features/overlays/sceneDocuments/rules/judging.ts'
import { documentOf, rootOf } from '../src/features/overlays/sceneDocuments/rules/shape.ts'
import { documentWith, elementOf, idOf, largeDocument } from '../test/scene-documents.ts'
import { during, inTurns, loop, median } from './load.ts'
import { below, type Row, ratio } from './report.ts'

/** Co-editing of a document of a mebibyte with 2,000 elements, without database and sockets. (OV7, OV11) */
export async function sceneEdits(): Promise<Row[]> {
  const document = largeDocument(2_000, 1_040_000)
  const state = stateOf(document, 1)
  return [await oneMember(state), refusal(state), opening(state), maxWork()]
}

/** Checks an update on the document itself, compared with a check on a copy that is discarded after a refusal. */
async function oneMember(state: Uint8Array): Promise<Row> {
  const draft = new StoredDraft([state])
  const next = edits(state)
  const kept = new Y.Doc()
  Y.applyUpdate(kept, state)
  const others = edits(state)
  const measured = await inTurns(
    () =>
      loop(
        during(1, () => async () => void draft.judge(next.update(), next.sender)),
        1,
      ),
    () =>
      loop(
        during(1, () => async () => {
          const update = others.update()
          const copy = new Y.Doc()
          Y.applyUpdate(copy, Y.encodeStateAsUpdate(kept))
          Y.applyUpdate(copy, update)
          if (readDocument(documentOf(copy)).ok) Y.applyUpdate(kept, update)
        }),
        1,
      ),
  )
  return ratio('a member of one of 2,000 elements: judged', 'on a copy, and the whole document read', measured, 100)
}

/** An editor that moves one element after another. */
function edits(state: Uint8Array) {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  const elements = (rootOf(doc).get('scenes') as Y.Map<Y.Map<Y.Map<Y.Map<unknown>>>>).get('scene000')?.get('elements')
  const made: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => made.push(update))
  let turn = 0
  const update = (x = ++turn % 5_000) => {
    elements?.get(idOf(turn % 500))?.set('x', x)
    return made.pop() ?? new Uint8Array()
  }
  return { update, sender: { mayEdit: true, leased: new Set([doc.clientID]) } }
}

/** A refused update that was already applied requires the document to be built again. */
function refusal(state: Uint8Array): Row {
  const draft = new StoredDraft([state])
  const ours = times(5, () => {
    const { update, sender } = edits(state)
    const wrong = update(1e6)
    return () => draft.judge(wrong, sender)
  })
  const theirs = times(5, () => () => Y.applyUpdate(new Y.Doc(), state))
  return told('an update refused after it was applied', 'the library reading the document', ours, theirs, 2)
}

function opening(state: Uint8Array): Row {
  const ours = times(5, () => () => new StoredDraft([state]))
  const theirs = times(5, () => () => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, state)
    return JSON.parse(JSON.stringify(documentOf(doc)))
  })
  return told('opening: read and judged', 'the library, and its JSON', ours, theirs, 5)
}

/** Updates that are just within the limits. */
function maxWork(): Row {
  const small = stateOf(documentWith({ element1: elementOf() }), 1)
  const long = () => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, small)
    const vector = Y.encodeStateVector(doc)
    const elements = (rootOf(doc).get('scenes') as Y.Map<Y.Map<Y.Map<Y.Map<unknown>>>>).get('scene001')?.get('elements')
    for (let turn = 0; turn < 1_200; turn++)
      for (const name of ['x', 'y', 'width', 'height']) elements?.get('element1')?.set(name, turn + 1)
    const draft = new StoredDraft([small])
    const update = Y.encodeStateAsUpdate(doc, vector)
    return () => draft.judge(update, { mayEdit: true, leased: new Set([doc.clientID]) })
  }
  const crowded = () => {
    // Sets the same member 310 times: each is compared with all earlier ones.
    const member = [0x28, 1, 4, ...Buffer.from('root'), 4, ...Buffer.from('line'), 1, 126]
    const update = Uint8Array.from([1, 182, 2, 7, 0, ...Array<number[]>(310).fill(member).flat(), 0])
    const draft = new StoredDraft([small])
    return () => draft.judge(update, { mayEdit: true, leased: new Set([7]) })
  }
  const took = Math.max(times(9, long), times(9, crowded))
  return below('the most work that one update is let do', '', took, 50, ' ms', 'median of the slowest kind')
}

/** The median in milliseconds. */
function times(turns: number, make: () => () => unknown): number {
  return median(
    Array.from({ length: turns }, () => {
      const run = make()
      const began = performance.now()
      run()
      return performance.now() - began
    }),
  )
}

function told(work: string, baseline: string, ours: number, theirs: number, most: number): Row {
  return below(work, baseline, ours / theirs, most, '', `${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms`)
}
