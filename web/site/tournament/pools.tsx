import { Link } from '@tanstack/react-router'
import type { Pool } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { useTournament, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { PlaylistLink } from '../parts/pool.tsx'
import { Printed } from '../parts/print.tsx'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './pools.module.css'

/** The map pools that the reader may see, in their order; archived ones are last. */
export function Pools() {
  const tournament = useTournamentId()
  const read = useRead(address('/tournaments/{tournament}/pools', { tournament }), { live: true })
  return (
    <Printed name={useTournament().data?.name} className="page stack">
      <div className="title">
        <h1>{words('tournament.pools')}</h1>
      </div>
      <Loaded of={read} rows={4}>
        {(pools) => {
          const [now, over] = [
            pools.filter(({ status }) => status !== 'archived'),
            pools.filter(({ status }) => status === 'archived'),
          ]
          if (pools.length === 0) return <Empty>{words('pools.none')}</Empty>
          return (
            <>
              {now.length > 0 && (
                <Section title={words('pools.now')}>
                  <List pools={now} tournament={tournament} />
                </Section>
              )}
              {over.length > 0 && (
                <Section title={words('pools.over')}>
                  <List pools={over} tournament={tournament} />
                </Section>
              )}
            </>
          )
        }}
      </Loaded>
    </Printed>
  )
}

function List({ pools, tournament }: { readonly pools: readonly Pool[]; readonly tournament: string }) {
  return (
    <ul className="lines">
      {pools.map((pool) => (
        <li key={pool.guid} className={styles.pool}>
          <div>
            <Link to="/t/$tournament/pools/$pool" params={{ tournament, pool: pool.guid }} className="strong">
              <bdi>{pool.name}</bdi>
            </Link>
            <p className="muted">
              {pool.kind === 'qualifier' && <>{words('pools.qualifier')} </>}
              {pool.limited !== true && <>{words('pools.count', { count: pool.maps.length })} </>}
              <Appearance of={pool} />
            </p>
          </div>
          {pool.status !== 'draft' && <PlaylistLink pool={pool} />}
        </li>
      ))}
    </ul>
  )
}

/** When everybody could see the pool first, or will. */
export function Appearance({ of: { status, publishAt, publishedAt } }: { readonly of: Pool }) {
  if (status === 'draft')
    return publishAt === null ? (
      words('pools.draft')
    ) : (
      <>
        {words('pools.appears')} <Instant at={publishAt} />.
      </>
    )
  if (publishedAt === null) return null
  return (
    <>
      {words('pools.since')} <Instant at={publishedAt} as="day" />.
    </>
  )
}
