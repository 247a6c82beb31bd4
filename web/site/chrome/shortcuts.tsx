import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { type WordId, words } from '../data/words.ts'
import styles from './shortcuts.module.css'

/** Keys that lead somewhere: `?` lists them, `/` searches, `g` and a letter go to a page. (W20) */

const places: readonly (readonly [letter: string, to: '/' | '/tournaments' | '/search', WordId])[] = [
  ['h', '/', 'shortcut.home'],
  ['t', '/tournaments', 'shortcut.tournaments'],
  ['s', '/search', 'shortcut.search'],
]

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

export function useShortcuts(): ReactNode {
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    let isGoing = false
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const field = document.querySelector<HTMLElement>(`[data-shortcut="${CSS.escape(event.key)}"]`)
      if (event.key === '?') dialog.current?.showModal()
      else if (field !== null && field.offsetParent !== null) {
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
      </dl>
      <form method="dialog">
        <button type="submit" className="btn">
          {words('shortcut.close')}
        </button>
      </form>
    </dialog>
  )
}
