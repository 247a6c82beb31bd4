import { Link } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { connection } from '../data/connection.ts'
import { isEmbed } from '../data/settings.ts'
import { words } from '../data/words.ts'
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
  useEffect(() => {
    document.documentElement.toggleAttribute('data-old', isShown)
  }, [isShown])
  return (
    <div className="no-print" role="status">
      {isShown && lostAt !== null && (
        <p className={styles.bar}>
          <span>
            <StateIcon name="problem" />
            {asOf === null
              ? words('connection.lost', { time: momentOf(lostAt) })
              : words('connection.lost-as-of', { time: momentOf(lostAt), shown: momentOf(asOf) })}
          </span>
          {!isEmbed && <Link to="/offline">{words('connection.kept')}</Link>}
        </p>
      )}
    </div>
  )
}

/** The time of day, with the day where it was another one. */
export function momentOf(at: number): string {
  const instant = new Date(at).toISOString()
  return isToday(at) ? timeOf(instant) : fullOf(instant)
}
