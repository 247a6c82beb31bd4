import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { signInEnd } from '../data/api.ts'
import { connection } from '../data/connection.ts'
import { signInAddress } from '../data/queries.ts'
import { isEmbed } from '../data/settings.ts'
import { words } from '../data/words.ts'
import { useAnnouncer } from '../parts/announcer.tsx'
import { StateIcon } from '../parts/icon.tsx'
import { fullOf, isToday, timeOf } from '../parts/time.tsx'
import styles from './lost-connection.module.css'

const patienceMs = 3_000

/**
 * The bar that tells since when there is no connection, and of when is what is shown, which is marked. It lies over the
 * end of the page, which stays where it is. (W11, W18)
 */
export function LostConnection() {
  const { lostAt, asOf } = useSyncExternalStore(connection.subscribe, connection.seen)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (lostAt === null) return
    const timer = setTimeout(setShown, lostAt + patienceMs - Date.now(), true)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [lostAt])
  const hasSignInEnded = useSyncExternalStore(signInEnd.subscribe, signInEnd.get)
  useEffect(() => {
    document.documentElement.toggleAttribute('data-old', isShown || hasSignInEnded)
  }, [isShown, hasSignInEnded])
  const text =
    lostAt === null
      ? ''
      : asOf === null
        ? words('connection.lost', { time: momentOf(lostAt) })
        : words('connection.lost-as-of', { time: momentOf(lostAt), shown: momentOf(asOf) })
  const announce = useAnnouncer<string>((pieces) => pieces.at(-1) ?? '')
  const wasTold = useRef(false)
  const isTold = isShown && text !== ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is announced once, however the time of what is shown changes
  useEffect(() => {
    if (isTold) announce(text)
    else if (wasTold.current) announce(words('connection.back'))
    wasTold.current = isTold
  }, [isTold, announce])
  if (!isTold) return hasSignInEnded && <SignInEnded />
  return (
    <aside className={`no-print ${styles.bar}`} aria-label={words('fault.unreachable')}>
      <span>
        <StateIcon name="problem" />
        {text}
      </span>
      {!isEmbed && <Link to="/offline">{words('connection.kept')}</Link>}
    </aside>
  )
}

/** What is shown stays, but nothing new comes, and nothing can be changed. (W1) */
function SignInEnded() {
  return (
    <div className={`no-print ${styles.bar}`} role="alert">
      <span>
        <StateIcon name="problem" />
        {words('connection.signed-out')}
      </span>
      <a href={signInAddress()}>{words('connection.sign-in')}</a>
    </div>
  )
}

/** The time of day, with the day where it was another one. */
export function momentOf(at: number): string {
  const instant = new Date(at).toISOString()
  return isToday(at) ? timeOf(instant) : fullOf(instant)
}
