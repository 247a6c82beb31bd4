import { type RefObject, useCallback, useEffect, useRef } from 'react'

/**
 * Keeps the place of the reader when the turn goes on: when what had the focus is gone, the heading has it, which says what
 * is to be done now, and the panel is seen from its beginning. (W15)
 * @returns gives the focus to the heading
 */
export function useKeptFocus(heading: RefObject<HTMLElement | null>): () => void {
  const isInside = useRef(false)
  useEffect(() => {
    const note = ({ target }: Event) => {
      isInside.current = heading.current?.closest('section')?.contains(target as Node) === true
    }
    const types = ['focusin', 'pointerdown'] as const
    for (const type of types) document.addEventListener(type, note)
    return () => {
      for (const type of types) document.removeEventListener(type, note)
    }
  }, [heading])
  const focus = useCallback(() => {
    heading.current?.focus({ preventScroll: true })
    const panel = heading.current?.closest('section')
    if (panel && panel.getBoundingClientRect().top < 0) panel.scrollIntoView()
  }, [heading])
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isInside.current && isLost) focus()
  })
  return focus
}
