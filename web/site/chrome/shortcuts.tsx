import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type WordId, words } from '../data/words.ts'
import styles from './shortcuts.module.css'

/** Keys that lead somewhere: `/` searches, `g` and a letter go to a page. `?` lists them, and those of the page. (W20) */

const places: readonly (readonly [letter: string, to: '/' | '/tournaments' | '/search', WordId])[] = [
  ['h', '/', 'shortcut.home'],
  ['t', '/tournaments', 'shortcut.tournaments'],
  ['s', '/search', 'shortcut.search'],
]

/** Where keys are letters. */
const writing = 'input:not([type="checkbox"], [type="radio"]), textarea, select'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(writing))

type Act = readonly [key: string, what: string]

/** The keys of the buttons of the page, each with the words of its button. */
function actsOfPage(): readonly Act[] {
  const acts = new Map<string, string>()
  for (const button of document.querySelectorAll<HTMLElement>('[data-key]:enabled:not([aria-disabled="true"])')) {
    const { key = '' } = button.dataset
    if (acts.has(key) || button.closest('[data-keyless]') !== null) continue
    const words = button.cloneNode(true) as HTMLElement
    for (const hidden of words.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
    const [first] = words.children
    acts.set(key, (words.children.length > 1 ? first : words)?.textContent?.trim() ?? '')
  }
  return [...acts].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

export function useShortcuts(): ReactNode {
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const [acts, setActs] = useState<readonly Act[]>([])
  useEffect(() => {
    let isGoing = false
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const field = document.querySelector<HTMLElement>(`[data-shortcut="${CSS.escape(event.key)}"]`)
      if (event.key === '?') {
        setActs(actsOfPage())
        dialog.current?.showModal()
      } else if (field !== null && field.offsetParent !== null) {
        event.preventDefault()
        field.focus()
      } else if (event.key === '/') void navigate({ to: '/search' })
      else if (isGoing) {
        const place = places.find(([letter]) => letter === event.key)
        if (place !== undefined) void navigate({ to: place[1] })
      }
      isGoing = event.key === 'g'
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label={words('shortcut.title')}>
      <h2>{words('shortcut.title')}</h2>
      <dl className="facts">
        {places.map(([letter, , word]) => (
          <div key={letter} className={styles.line}>
            <dt>
              <kbd>{'g'}</kbd> <kbd>{letter}</kbd>
            </dt>
            <dd>{words(word)}</dd>
          </div>
        ))}
        <div className={styles.line}>
          <dt>
            <kbd>{'/'}</kbd>
          </dt>
          <dd>{words('shortcut.field')}</dd>
        </div>
        {acts.map(([key, what]) => (
          <div key={key} className={styles.line}>
            <dt>
              <kbd>{key.toUpperCase()}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" className="btn">
          {words('shortcut.close')}
        </button>
      </form>
    </dialog>
  )
}
