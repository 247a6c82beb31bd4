import { useCallback, useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { prefer, usePreferences } from '../data/preferences.ts'
import { words } from '../data/words.ts'
import styles from './announcer.module.css'

/** What is said to those who hear the page: at most one message in five seconds, what waits in one. (W16) */

const paceMs = 5_000
/** What happens within this time shares a message. */
const mergeMs = 1_000

/** The newest message. */
let message = ''
const watchers = new Set<() => void>()

/** Says at once what the reader did; the same once more is another text. */
export function say(text: string): void {
  message = text !== '' && text === message ? `${text}\u00a0` : text
  for (const tell of watchers) tell()
}

/**
 * Tells of what others did, in its turn.
 *
 * @param merge the message of what happened, oldest first
 */
export function useAnnouncer<Piece>(merge: (pieces: readonly [Piece, ...Piece[]]) => string): (piece: Piece) => void {
  const waiting = useRef<Piece[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastAt = useRef(Number.NEGATIVE_INFINITY)
  const merging = useRef(merge)
  merging.current = merge
  const tell = useCallback((piece: Piece) => {
    waiting.current.push(piece)
    timer.current ??= setTimeout(
      () => {
        const [first, ...others] = waiting.current
        waiting.current = []
        timer.current = undefined
        lastAt.current = performance.now()
        if (first !== undefined) say(merging.current([first, ...others]))
      },
      Math.max(mergeMs, lastAt.current + paceMs - performance.now()),
    )
  }, [])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return tell
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The place of all messages: there is one on a page, and the next page begins without any. */
export function Announcements({ page }: { readonly page: string }) {
  const text = useSyncExternalStore(watch, () => message)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said on the page before is no news here
  useEffect(() => say(''), [page])
  return (
    <div className="unseen" role="status">
      {text}
    </div>
  )
}

/** Kinds of pages that announce changes, until the reader switches it off. */
export type Announcing = 'match' | 'bracket'

export function useIsSilent(page: Announcing): boolean {
  return usePreferences().silent.includes(page)
}

export function AnnounceSwitch({ page }: { readonly page: Announcing }) {
  const id = useId()
  const { silent } = usePreferences()
  return (
    <span className={styles.choice}>
      <input
        id={id}
        type="checkbox"
        checked={!silent.includes(page)}
        onChange={({ target }) =>
          prefer({ silent: [...silent.filter((each) => each !== page), ...(target.checked ? [] : [page])] })
        }
      />
      <label htmlFor={id}>{words('announce.switch')}</label>
    </span>
  )
}
