import * as Y from 'yjs'

/** Leases of client IDs to users. (OV11) */

const day = 24 * 3_600_000

/** A lease lasts a day, so that edits made offline are still accepted. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + day)
}

/**
 * Leases of connected editors are renewed every half minute, so they end later than this. An earlier end means that the
 * editor has left.
 */
export function presentUntil(now: Date): Date {
  return new Date(now.getTime() + day - 75_000)
}

/**
 * The lease end for an editor who leaves: just early enough to count as left, but late enough for their last edits to
 * arrive.
 */
export function leftAt(now: Date): Date {
  return new Date(presentUntil(now).getTime() - 1)
}

/**
 * Leases that ended before this are deleted. Their IDs are not leased again while the document contains edits by them.
 */
export function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - day)
}

/** Maximum number of leases of a user for one document; the oldest are deleted. */
export const maxLeases = 50

export const maxClient = 2 ** 32 - 1

/** Whether a document contains edits by this client ID. */
export function isWrittenBy(vector: Uint8Array, client: number): boolean {
  return Y.decodeStateVector(vector).has(client)
}
