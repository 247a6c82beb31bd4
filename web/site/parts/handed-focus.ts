import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * For what is replaced as soon as there is an answer: the focus in it goes to the heading of what comes, not back to the
 * start of the document. (W3, W15)
 */
export function useHandedFocus<Place extends HTMLElement>(): RefObject<Place | null> {
  const place = useRef<Place>(null)
  useLayoutEffect(() => {
    const held = place.current
    // What this returns runs before the element is removed.
    return () => {
      if (held === null || !held.contains(document.activeElement)) return
      const part = held.closest('section, main')
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        headingOf(part)?.focus({ preventScroll: true })
        // A heading that is not shown yet takes none.
        if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
      })
    }
  }, [])
  return place
}

function headingOf(part: Element | null): HTMLElement | null {
  const own = part?.isConnected ? part.querySelector<HTMLElement>('h1, h2, h3') : null
  const heading = own ?? document.querySelector<HTMLElement>('main h1')
  if (heading !== null) heading.tabIndex = -1
  return heading
}
