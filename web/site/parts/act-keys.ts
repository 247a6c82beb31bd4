import { type RefObject, useEffect } from 'react'

/** Keys of pages that are worked by: a letter or a digit presses the button that has it. Silent in fields and dialogs. (W20) */

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, dialog') !== null)

interface Options {
  /** Where the buttons are, if not anywhere in the place. */
  readonly within?: string
  /** Other keys; true for those that it has used. */
  readonly other?: (key: string, root: HTMLElement) => boolean
}

/** Buttons name their key in `data-key`. */
export function useActKeys(place: RefObject<HTMLElement | null>, { within = '', other }: Options = {}): void {
  useEffect(() => {
    let isGoing = false
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      const wasGoing = isGoing
      // `g` and a letter lead to another page.
      isGoing = key === 'g'
      const root = place.current
      if (event.ctrlKey || event.metaKey || event.altKey || wasGoing || root === null || isTyping(event.target)) return
      if (other?.(key, root) === true) return event.preventDefault()
      if (!/^[a-z1-9]$/.test(key)) return
      const button = root.querySelector<HTMLElement>(`${within} [data-key="${key}"]`)
      if (button === null) return
      event.preventDefault()
      button.click()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [place, within, other])
}
