import { type RefObject, useEffect } from 'react'

/**
 * Keys of the console: J and K go from match to match, a letter presses the button of the chosen match that has it. They
 * are silent in fields and dialogs. (W20)
 */

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, dialog') !== null)

export function useConsoleKeys(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let isGoing = false
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      const wasGoing = isGoing
      isGoing = key === 'g'
      if (event.ctrlKey || event.metaKey || event.altKey || wasGoing || isTyping(event.target)) return
      const root = place.current
      if (root === null) return
      if (key === 'j' || key === 'k') {
        event.preventDefault()
        step(root, key === 'j' ? 1 : -1)
      } else if (/^[a-z]$/.test(key)) {
        const button = root.querySelector<HTMLElement>(`[data-chosen] [data-key="${key}"]`)
        if (button === null) return
        event.preventDefault()
        button.click()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [place])
}

/** Chooses the next match, and brings it into view with the focus. */
function step(root: HTMLElement, by: 1 | -1): void {
  const heads = [...root.querySelectorAll<HTMLElement>('[data-match]')]
  const at = heads.findIndex((head) => head.getAttribute('aria-expanded') === 'true')
  const next = heads[at === -1 ? (by === 1 ? 0 : heads.length - 1) : at + by]
  if (next === undefined) return
  next.click()
  next.focus()
}
