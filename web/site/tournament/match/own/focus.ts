import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the place of who uses keys: when what had the focus is gone, since the turn went on, the heading has it, which says
 * what is to be done now. (W15)
 */
export function useKeptFocus(heading: RefObject<HTMLElement | null>): void {
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
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isInside.current && isLost) heading.current?.focus()
  })
}
