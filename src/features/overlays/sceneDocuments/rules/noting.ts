/** Milliseconds. */
const betweenNotes = 10_000

/**
 * `overlay.edited` is emitted at most once in ten seconds, because single edits are no events. (overlays: Operations)
 */
export function isToBeNoted(notedAt: Date | null, now: Date): boolean {
  return notedAt === null || now.getTime() - notedAt.getTime() >= betweenNotes
}
