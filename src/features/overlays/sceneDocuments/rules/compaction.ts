import * as Y from 'yjs'
import { changeInto, type Draft } from './shape.ts'

/** Keeps the stored size of a draft close to the size of its document. (overlays: Co-editing) */

const minute = 60_000
export const compactAt = { rows: 200, bytes: 262_144, idleMs: 5 * minute } as const
export const rebuildAt = { times: 4, quietMs: 10 * minute } as const

/** Updates are compacted to one state at 200 rows, at 256 KiB, or after five minutes without a change. */
export function isToBeCompacted(since: { rows: number; bytes: number; idleMs: number }): boolean {
  if (since.rows === 0) return false
  return since.rows >= compactAt.rows || since.bytes >= compactAt.bytes || since.idleMs >= compactAt.idleMs
}

/**
 * A state of more than four times its JSON consists mostly of deleted content. It is rebuilt after ten minutes without
 * editors, because unsent edits cannot be merged afterwards.
 * @param quietMs time without editors, in milliseconds
 */
export function isToBeRebuilt(state: { bytes: number; jsonBytes: number; quietMs: number }): boolean {
  return state.bytes > rebuildAt.times * state.jsonBytes && state.quietMs >= rebuildAt.quietMs
}

/**
 * Returns the first state of a generation: the document without its history.
 * @param client client ID of the state; any number that is not leased in this generation
 */
export function stateOf(document: Draft, client: number): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = client
  changeInto(doc, document)
  return Y.encodeStateAsUpdate(doc)
}
