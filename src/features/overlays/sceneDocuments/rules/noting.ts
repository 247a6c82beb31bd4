/** Milliseconds. */
const betweenNotes = 10_000

/** The log is told that a document is edited once in ten seconds at most: edits are no events. (overlays: Operations) */
export function isToBeNoted(notedAt: Date | null, now: Date): boolean {
  return notedAt === null || now.getTime() - notedAt.getTime() >= betweenNotes
}
