import { isMirrored } from '../model/addresses.ts'

/** Pictures of the mirror, which fetches one once it was asked for: until then, and where it cannot be had, there is none. (M26) */

/** Milliseconds until one is asked for again; each pause is twice the one before. */
const firstPauseMs = 1_000
/** Over a quarter of an hour. Later it is asked for again only when an element is made that shows it. */
const mostTries = 10

/** By their addresses, who is told once they are there. */
const awaited = new Map<string, Map<Element, () => void>>()

/** Whether a picture was not there a moment ago, and is asked for again without anybody's doing. */
export function isAwaited(address: string): boolean {
  return awaited.has(address)
}

/**
 * Has a picture that was not there asked for again, if it may come later, once for all who wait.
 * @param node that shows it: for what is not on the page any more nothing is asked for
 * @param told called once, when it is there
 */
export function whenThere(address: string, node: Element, told: () => void): void {
  if (!isMirrored(address)) return
  const known = awaited.get(address)
  const waiting = known ?? new Map<Element, () => void>()
  waiting.set(node, told)
  if (known !== undefined) return
  awaited.set(address, waiting)
  void askAgain(address, waiting)
}

async function askAgain(address: string, waiting: Map<Element, () => void>): Promise<void> {
  let isFound = false
  for (let tries = 0; tries < mostTries && !isFound; tries++) {
    await new Promise((resolve) => setTimeout(resolve, firstPauseMs * 2 ** tries))
    for (const node of waiting.keys()) if (!node.isConnected) waiting.delete(node)
    if (waiting.size === 0) break
    isFound = await isThere(address)
  }
  awaited.delete(address)
  if (isFound) for (const told of waiting.values()) told()
}

function isThere(address: string): Promise<boolean> {
  const image = document.createElement('img')
  image.src = address
  return image.decode().then(
    () => true,
    () => false,
  )
}
