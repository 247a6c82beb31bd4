import { useSyncExternalStore } from 'react'
import { connection } from '../data/live.ts'
import { words } from '../data/words.ts'
import { StateIcon } from '../parts/icon.tsx'
import { timeOf, useNow } from '../parts/time.tsx'
import styles from './lost-connection.module.css'

const patienceMs = 3_000

/** The bar that tells since when what is shown may be old. It lies over the page, which stays where it is. (W11, W18) */
export function LostConnection() {
  const lostAt = useSyncExternalStore(connection.subscribe, connection.lostAt)
  const time = useNow(1_000)
  const isShown = lostAt !== null && time - lostAt > patienceMs
  return (
    <div className={styles.place} role="status">
      {isShown && (
        <p className={styles.bar}>
          <StateIcon name="problem" />
          {words('state.not-connected', { time: timeOf(new Date(lostAt).toISOString()) })}
        </p>
      )}
    </div>
  )
}
