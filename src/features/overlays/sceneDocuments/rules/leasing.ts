import * as Y from 'yjs'

/** Ids of clients, and for how long they are whose. (OV11) */

const day = 24 * 3_600_000

/** They are good for a day, so that what was done offline arrives. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + day)
}

/** Noted anew each half minute, whoever is still there holds one that ends behind this. */
export function presentUntil(now: Date): Date {
  return new Date(now.getTime() + day - 75_000)
}

/** Of somebody who has gone: what they did last may still arrive. */
export function leftAt(now: Date): Date {
  return new Date(presentUntil(now).getTime() - 1)
}

/** Those that ran out before are of no use to anybody, and are not lent again while the document has something of them. */
export function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - day)
}

/** Of a user, for one document: the oldest goes. */
export const mostLeases = 50

export const largestClient = 2 ** 32 - 1

/** Whether a document has anything that was written by that id. */
export function isWrittenBy(vector: Uint8Array, client: number): boolean {
  return Y.decodeStateVector(vector).has(client)
}
