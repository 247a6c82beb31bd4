import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Loaded } from '../parts/loaded.tsx'
import { PoolActs, PoolBody } from '../parts/pool.tsx'
import { Printed } from '../parts/print.tsx'
import { Instant } from '../parts/time.tsx'

/** A published pool in the archive, as everybody sees it. */
export function PoolPage() {
  const { pool } = useParams({ from: '/pools/$pool' })
  const read = useRead(address('/resources/pooling/pools/{poolGuid}', { poolGuid: pool }, { include: 'html' }))
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <Printed name={read.data?.tournament.name} className="page stack">
      <Loaded of={read} rows={12} hasTitle>
        {(found) => (
          <>
            <div className="title">
              <div>
                <h1>
                  <bdi>{found.name}</bdi>
                </h1>
                <p>
                  <Link to="/t/$tournament" params={{ tournament: found.tournament.id }}>
                    <bdi>{found.tournament.name}</bdi>
                  </Link>
                  , {words(`pool.${found.kind}`)}
                  {found.status === 'archived' && `, ${words('pool.archived')}`}
                  {found.publishedAt !== null && (
                    <>
                      , {words('pool.published')} <Instant at={found.publishedAt} as="day" />
                    </>
                  )}
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
