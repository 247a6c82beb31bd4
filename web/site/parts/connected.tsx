import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { signInEnd } from '../data/api.ts'
import { connection } from '../data/connection.ts'

/** As the bar that tells of it: what is over at once is not shown. */
const patienceMs = 3_000

/** Whether there has been no connection for a while, or the sign-in has ended: what is shown may be old. */
export function useIsLost(): boolean {
  const { lostAt } = useSyncExternalStore(connection.subscribe, connection.seen)
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (lostAt === null) return
    const timer = setTimeout(setLost, lostAt + patienceMs - Date.now(), true)
    return () => {
      clearTimeout(timer)
      setLost(false)
    }
  }, [lostAt])
  const hasSignInEnded = useSyncExternalStore(signInEnd.subscribe, signInEnd.get)
  return isLost || hasSignInEnded
}

/** Controls that need the service: without a connection they are shown, and do nothing. (W11) */
export function Connected({
  className = 'contents',
  children,
}: {
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <fieldset className={className} disabled={useIsLost()}>
      {children}
    </fieldset>
  )
}
