import type { Pool } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './pools.module.css'

/** Where a pool is on its way to the public, and what that sees of it until then. */

interface Props {
  readonly pool: Pick<Pool, 'status' | 'publishAt' | 'publishedAt' | 'archivedAt' | 'revision'>
  readonly zone: string | undefined
  /** With what the public sees. */
  readonly isLong?: boolean
}

export function PoolState({ pool, zone, isLong = false }: Props) {
  const { status, publishAt, publishedAt, archivedAt, revision } = pool
  if (status === 'archived') {
    return (
      <span className={styles.state}>
        <State shape="off" tone="quiet">
          {words('poolers.archived')}
        </State>
        {archivedAt !== null && <Instant at={archivedAt} zone={zone} as="day" />}
      </span>
    )
  }
  if (status === 'published') {
    return (
      <span className={styles.state}>
        <State shape="done">{words('poolers.published')}</State>
        {publishedAt !== null && <Instant at={publishedAt} zone={zone} as={isLong ? 'full' : 'day'} />}
        {revision !== null && revision > 1 && (
          <span className="muted">{words('poolers.corrected', { count: revision - 1 })}</span>
        )}
        {isLong && <span className="muted">{words('poolers.public-now')}</span>}
      </span>
    )
  }
  if (publishAt !== null) {
    return (
      <span className={styles.state}>
        <State shape="waiting">{words('poolers.planned')}</State>
        <Instant at={publishAt} zone={zone} />
        {isLong && <span className="muted">{words('poolers.public-until-then')}</span>}
      </span>
    )
  }
  return (
    <span className={styles.state}>
      <State shape="ready">{words('poolers.draft')}</State>
      {isLong && <span className="muted">{words('poolers.public-nothing')}</span>}
    </span>
  )
}
