import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Pool } from '../../../../client/generated.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { poolsAddress, usePools } from '../map-reads.ts'
import { FlairsSection } from './flairs.tsx'
import { NewPool } from './new-pool.tsx'
import { PoolPlanSection } from './plan.tsx'
import { PoolingSettings } from './pooling.tsx'
import styles from './pools.module.css'
import { PoolState } from './state.tsx'
import { usePlan, usesOf } from './uses.ts'

/** All pools of a tournament, with their states and what each is for. */

export function ManagePools() {
  const read = usePools()
  const place = useTournament().data
  const may = useMay()
  const [copied, setCopied] = useState<Pool | 'new' | null>(null)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.pools')} · ${place?.name ?? ''}`}>{words('manage.pools')}</h1>
          <p>{words('poolers.lead')}</p>
        </div>
        {may('pools.create') && (
          <button type="button" className="btn btn-primary" onClick={() => setCopied('new')}>
            <Icon name="plus" />
            {words('poolers.new')}
          </button>
        )}
      </div>
      <Loaded of={read} rows={8}>
        {(pools) => (
          <>
            <Section title={words('poolers.pools')}>
              {pools.length === 0 ? (
                <Empty>
                  {words('poolers.none')} {may('pools.create') && words('poolers.none-head')}
                </Empty>
              ) : (
                <List pools={pools} copy={setCopied} />
              )}
            </Section>
            {pools.length > 0 && may('plans.read') && <PoolPlanSection pools={pools} />}
          </>
        )}
      </Loaded>
      {may('pooling.read') && <FlairsSection />}
      {may('pooling.read') && <PoolingSettings />}
      {copied !== null && (
        <NewPool from={copied === 'new' ? null : copied} pools={read.data ?? []} close={() => setCopied(null)} />
      )}
    </div>
  )
}

interface ListProps {
  readonly pools: readonly Pool[]
  readonly copy: (pool: Pool) => void
}

function List({ pools, copy }: ListProps) {
  const tournament = useTournamentId()
  const zone = useTournament().data?.timezone
  const may = useMay()
  const uses = usesOf(usePlan())
  const isHead = may('pools.update')
  const reorder = useWrite('PATCH /tournaments/{tournament}/pools/{pool}', (known) =>
    known.renew(poolsAddress(tournament)),
  )
  const move = (pool: Pool, order: number) =>
    void reorder.send({ params: { tournament, pool: pool.guid }, body: { order } })
  return (
    <>
      {reorder.error !== null && <Failure error={reorder.error} again={reorder.again} isTrying={reorder.isSending} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too */}
      <section className="wide-content" tabIndex={0} aria-label={words('poolers.rows')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{words('poolers.pool')}</th>
              <th scope="col" className="only-wide">
                {words('poolers.use')}
              </th>
              <th scope="col" className="n narrow">
                {words('maps.title')}
              </th>
              <th scope="col">{words('match.state')}</th>
              {isHead && (
                <th scope="col" className="narrow only-wide">
                  <span className="unseen">{words('poolers.acts')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {pools.map((pool, at) => (
              <tr key={pool.guid}>
                <th scope="row">
                  <Link
                    to="/manage/$tournament/pools/$pool"
                    params={{ tournament, pool: pool.guid }}
                    className="plain strong"
                  >
                    <bdi>{pool.name}</bdi>
                  </Link>
                </th>
                <td className="only-wide">
                  {pool.kind === 'qualifier' ? words('pools.qualifier') : (uses.get(pool.guid) ?? []).join(', ')}
                </td>
                <td className="n">{pool.maps.length}</td>
                <td>
                  <PoolState pool={pool} zone={zone} />
                  <Problems of={pool} />
                </td>
                {isHead && (
                  <td className="narrow only-wide">
                    <div className={styles.moves}>
                      {(['up', 'down'] as const).map((way) => {
                        const to = way === 'up' ? at - 1 : at + 1
                        const isEnd = to < 0 || to >= pools.length
                        return (
                          <button
                            key={way}
                            type="button"
                            className="btn btn-quiet btn-icon"
                            aria-label={words(`poolers.move-${way}`, { name: pool.name })}
                            aria-disabled={isEnd || reorder.isSending}
                            onClick={() => isEnd || reorder.isSending || move(pool, to)}
                          >
                            <Icon name={way} />
                          </button>
                        )
                      })}
                      <button type="button" className="btn btn-quiet" onClick={() => copy(pool)}>
                        {words('poolers.copy')}…<span className="unseen">{pool.name}</span>
                      </button>
                    </div>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Problems({ of: { failures = [], status } }: { readonly of: Pool }) {
  if (failures.length === 0 || status !== 'draft') return null
  return (
    <p className="small">
      <State shape="problem" tone="warning">
        {words('poolers.problems', { count: failures.length })}
      </State>
    </p>
  )
}
