import * as Y from 'yjs'
import { changeInto, type Draft } from './shape.ts'

/** What is stored of a draft stays about as large as the draft. (overlays: Co-editing) */

const minute = 60_000
export const compactAt = { rows: 200, bytes: 262_144, idleMs: 5 * minute } as const
export const rebuildAt = { times: 4, quietMs: 10 * minute } as const

/** Updates become one state at 200 rows, at 256 KiB, or once nobody has changed anything for five minutes. */
export function isToBeCompacted(since: { rows: number; bytes: number; idleMs: number }): boolean {
  if (since.rows === 0) return false
  return since.rows >= compactAt.rows || since.bytes >= compactAt.bytes || since.idleMs >= compactAt.idleMs
}

/**
 * A state over four times its JSON consists mostly of what was deleted. It is made anew when nobody was there for ten minutes, since
 * edits that are still unsent then cannot be merged any more.
 * @param quietMs since somebody was there
 */
export function isToBeRebuilt(state: { bytes: number; jsonBytes: number; quietMs: number }): boolean {
  return state.bytes > rebuildAt.times * state.jsonBytes && state.quietMs >= rebuildAt.quietMs
}

/**
 * The first state of a generation: the document, and nothing of how it came about.
 * @param client id of what is made; any number that nobody is lent in this generation
 */
export function stateOf(document: Draft, client: number): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = client
  changeInto(doc, document)
  return Y.encodeStateAsUpdate(doc)
}
