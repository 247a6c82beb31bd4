import { type RefObject, useEffect } from 'react'

/**
 * Keys of pages that are worked by: a letter or a digit presses the button that has it. Silent in fields and dialogs. Of several
 * such places on a page, the one that was used last has the keys, and at first the upper one. (W20)
 */

/** Where keys mean something else already. */
const writing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(writing) !== null)

const places = new Set<HTMLElement>()
let used: HTMLElement | null = null

/** Those that do not have the keys are marked, for their buttons to show none. */
function mark(): void {
  const holder = holderOf()
  for (const place of places) place.toggleAttribute('data-keyless', place !== holder)
}

function holderOf(): HTMLElement | undefined {
  if (used !== null && places.has(used)) return used
  return [...places].toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )[0]
}

function useKeyed(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = place.current
    if (root === null) return
    const use = ({ type, target }: Event) => {
      // A heading gets the focus by itself when its page opens.
      if (type === 'focusin' && !(target as Element).matches('a, button, input, select, textarea, summary')) return
      used = root
      mark()
    }
    places.add(root)
    mark()
    root.addEventListener('focusin', use)
    root.addEventListener('pointerdown', use)
    return () => {
      places.delete(root)
      root.removeEventListener('focusin', use)
      root.removeEventListener('pointerdown', use)
      mark()
    }
  }, [place])
}

interface Options {
  /** Where the buttons are, if not anywhere in the place. */
  readonly within?: string
  /** Other keys; true for those that it has used. */
  readonly other?: (key: string, root: HTMLElement) => boolean
}

/** Buttons name their key in `data-key`. */
export function useActKeys(place: RefObject<HTMLElement | null>, { within = '', other }: Options = {}): void {
  useKeyed(place)
  useEffect(() => {
    let isGoing = false
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      const wasGoing = isGoing
      // `g` and a letter lead to another page.
      isGoing = key === 'g'
      const root = place.current
      if (event.ctrlKey || event.metaKey || event.altKey || wasGoing || root === null || isTyping(event.target)) return
      if (places.has(root) && holderOf() !== root) return
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
