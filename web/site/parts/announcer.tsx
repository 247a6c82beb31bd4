import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { prefer, usePreferences } from '../data/preferences.ts'
import { words } from '../data/words.ts'
import styles from './announcer.module.css'

/** What is said to those who hear the page: at most one message in five seconds, what waits in one. (W16) */

const paceMs = 5_000
/** What happens within this time shares a message. */
const mergeMs = 1_000

interface Announcer<Piece> {
  /** The newest message. */
  readonly message: string
  /** Tells of something that others did, in its turn. */
  readonly tell: (piece: Piece) => void
  /** Says at once what the reader did. */
  readonly say: (message: string) => void
}

/** @param merge the message of what happened, oldest first */
export function useAnnouncer<Piece>(merge: (pieces: readonly [Piece, ...Piece[]]) => string): Announcer<Piece> {
  const [message, setMessage] = useState('')
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
        if (first !== undefined) setMessage(merging.current([first, ...others]))
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
  return { message, tell, say: setMessage }
}

/** The place of the messages; there is one on a page. */
export function Announcements({ message }: { readonly message: string }) {
  return (
    <div className="unseen" role="status">
      {message}
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
