import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { useTournament, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Loaded } from '../parts/loaded.tsx'
import { PoolActs, PoolBody } from '../parts/pool.tsx'
import { Printed } from '../parts/print.tsx'
import { Appearance } from './pools.tsx'

/** A map pool of a tournament, which its poolers see before it is published. */
export function PoolPage() {
  const tournament = useTournamentId()
  const { pool } = useParams({ from: '/t/$tournament/pools/$pool' })
  const read = useRead(address('/tournaments/{tournament}/pools/{pool}', { tournament, pool }, { include: 'html' }), {
    live: true,
  })
  const place = useTournament().data
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <Printed name={place?.name} className="page stack">
      <Loaded of={read} rows={12} hasTitle>
        {(found) => (
          <>
            <div className="title">
              <div>
                <p>
                  <Link to="/t/$tournament/pools" params={{ tournament }}>
                    {words('tournament.pools')}
                  </Link>
                </p>
                <h1 data-title={`${found.name} · ${place?.name ?? ''}`}>
                  <bdi>{found.name}</bdi>
                </h1>
                <p>
                  <Appearance of={found} />
                </p>
              </div>
              <PoolActs pool={found} />
            </div>
            <PoolBody pool={found} />
          </>
        )}
      </Loaded>
    </Printed>
  )
}
