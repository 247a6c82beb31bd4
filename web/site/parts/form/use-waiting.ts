import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { Unreachable } from '../../data/api.ts'
import { connection } from '../../data/connection.ts'

/**
 * Sends what a form holds. Where the service does not answer it waits in the tab, through a reload too, and is sent when
 * the service is there again. (W10)
 */

export interface Waiting {
  /** Whether it waits for the service. */
  readonly isWaiting: boolean
  /** Whether it was sent after it had waited. */
  readonly isLate: boolean
  send(): Promise<void>
  /** Waits no longer; what is typed stays. */
  stop(): void
}

const keyOf = (key: string) => `downbeat.waiting.${key}`

/** @param carry resolves to why it was not saved, or to null */
export function useWaiting(key: string, carry: () => Promise<Error | null>): Waiting {
  const [state, setState] = useState<'idle' | 'waiting' | 'late'>(() =>
    sessionStorage.getItem(keyOf(key)) === null ? 'idle' : 'waiting',
  )
  const isBusy = useRef(false)
  const { lostAt } = useSyncExternalStore(connection.subscribe, connection.seen)
  const wait = (isWaiting: boolean, isLate = false) => {
    if (isWaiting) sessionStorage.setItem(keyOf(key), 'yes')
    else sessionStorage.removeItem(keyOf(key))
    setState(isWaiting ? 'waiting' : isLate ? 'late' : 'idle')
  }
  const send = async () => {
    if (isBusy.current) return
    isBusy.current = true
    const failure = await carry()
    isBusy.current = false
    wait(failure instanceof Unreachable, state === 'waiting' && failure === null)
  }
  const sendAgain = useEffectEvent(send)
  useEffect(() => {
    if (state === 'waiting' && lostAt === null) void sendAgain()
  }, [state, lostAt])
  return { isWaiting: state === 'waiting', isLate: state === 'late', send, stop: () => wait(false) }
}
