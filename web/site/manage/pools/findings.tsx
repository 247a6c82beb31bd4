import { Link } from '@tanstack/react-router'
import type { Pool } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { mapName } from '../../parts/map.tsx'
import styles from './pools.module.css'
import { useFlairs } from './reads.ts'

/** What keeps a pool from being published, each with its map. */

interface Props {
  readonly pool: Pool
  readonly failures: NonNullable<Pool['failures']>
}

export function Findings({ pool, failures }: Props) {
  const tournament = useTournamentId()
  const flairs = useFlairs()
  return (
    <ul className={`lines ${styles.findings}`}>
      {failures.map(({ code, poolMapGuid, flairGuid }) => {
        const map = pool.maps.find(({ guid }) => guid === poolMapGuid)
        const flair = flairs.find(({ guid }) => guid === flairGuid)
        return (
          <li key={`${code}${poolMapGuid}${flairGuid}`}>
            <span className={styles.warning}>
              <StateIcon name="problem" />
            </span>
            <span>
              {map !== undefined && (
                <>
                  <Link
                    to="/manage/$tournament/pools/$pool"
                    params={{ tournament, pool: pool.guid }}
                    search={{ open: map.guid }}
                  >
                    <bdi>{mapName(map.map)}</bdi>
                  </Link>
                  {': '}
                </>
              )}
              {flair !== undefined && (
                <>
                  <bdi>{flair.name}</bdi>
                  {': '}
                </>
              )}
              {words(`poolers.failure-${code}`)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
