/**
 * Does what was looked at before. While other matches of the bracket go on, the service refuses it as stale: then it is
 * looked at again, and done if the same would happen.
 */

interface Seen {
  readonly affected: readonly unknown[]
  readonly revision?: number | null
  /** Of several brackets. */
  readonly revisions?: unknown
}

const revisionsOf = ({ revision, revisions }: Seen) => JSON.stringify([revision, revisions])

/** More often than that only where something is wrong. */
const mostTries = 5

/** @returns null when it was done; else what would happen now, or undefined where that is not known */
export async function doneAsSeen<Preview extends Seen>(
  first: Preview,
  act: (seen: Preview) => Promise<boolean>,
  look: () => Promise<Preview | null>,
): Promise<Preview | null | undefined> {
  let seen = first
  for (let tries = 0; tries < mostTries; tries++) {
    if (await act(seen)) return null
    const now = await look()
    if (now === null || revisionsOf(now) === revisionsOf(seen)) return undefined
    if (JSON.stringify(now.affected) !== JSON.stringify(first.affected)) return now
    seen = now
  }
  return seen
}
