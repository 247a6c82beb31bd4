import { words } from '../../data/words.ts'
import styles from './match.module.css'
import type { PoolMap } from './view.ts'

/** The category of a map in its pool. */
export function Flair({ of: { flair, isTiebreaker } }: { readonly of: Pick<PoolMap, 'flair' | 'isTiebreaker'> }) {
  const name = flair?.name ?? (isTiebreaker ? words('play.tiebreaker-short') : null)
  return name === null ? null : (
    <span className={styles.flair}>
      <bdi>{name}</bdi>
    </span>
  )
}
