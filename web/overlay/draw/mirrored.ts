import { isMirrored } from '../model/addresses.ts'

/**
 * Pictures of the mirror. It fetches a picture after the first request; until then, and on failure, the request fails.
 * (M26)
 */

/** The pause before the second request in milliseconds; each further pause is twice the previous one. */
const firstPauseMs = 1_000
/** More than a quarter of an hour in all. After that, only a new element that shows the picture asks for it again. */
const maxTries = 10

/** The callbacks of the elements that wait for a picture, by its address. */
const awaited = new Map<string, Map<Element, () => void>>()

/** Whether a picture was missing a moment ago and is being requested again. */
export function isAwaited(address: string): boolean {
  return awaited.has(address)
}

/**
 * Requests a missing picture again while it may still come, once for all elements that wait for it.
 * @param node the element that shows it; nothing is requested for elements that have left the page
 * @param told called once, when the picture is there
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
  for (let tries = 0; tries < maxTries && !isFound; tries++) {
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
