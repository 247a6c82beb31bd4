import { getRouteApi, Link } from '@tanstack/react-router'
import type { Pool } from '../../../../client/generated.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { saveCsv } from '../../parts/csv.ts'
import { Icon } from '../../parts/icon.tsx'
import { PlaylistLink } from '../../parts/pool.tsx'
import { Section } from '../../parts/section.tsx'
import { FillQualifier } from '../fill-qualifier.tsx'
import { Checks } from './checks.tsx'
import { MapDetail } from './map-detail.tsx'
import { MapsList } from './maps-list.tsx'
import { OfPool } from './of-pool.tsx'
import { PoolSettings } from './pool-settings.tsx'
import styles from './pools.module.css'
import { Publishing } from './publishing.tsx'
import { useRights } from './reads.ts'
import { linesOf } from './sheet.ts'
import { PoolState } from './state.tsx'
import { Suggestions } from './suggestions.tsx'

/** The evening of poolers: the maps of one pool and what is suggested for it, as others change them. */

const route = getRouteApi('/manage/$tournament/pools/$pool')

export function ManagePool() {
  return (
    <OfPool guid={route.useParams().pool} className="page wide stack">
      {(pool) => <Whole pool={pool} />}
    </OfPool>
  )
}

function Whole({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const place = useTournament().data
  const may = useMay()
  const rights = useRights(pool)
  const { open } = route.useSearch()
  const opened = pool.maps.find(({ guid }) => guid === open)
  const params = { tournament, pool: pool.guid }
  return (
    <>
      <div className="title">
        <div>
          <p>
            <Link to="/manage/$tournament/pools" params={{ tournament }}>
              {words('manage.pools')}
            </Link>
          </p>
          <h1 data-title={`${pool.name} · ${place?.name ?? ''}`}>
            <bdi>{pool.name}</bdi>
          </h1>
          <p>
            <PoolState pool={pool} zone={place?.timezone} isLong />
          </p>
        </div>
        <div className="btns">
          {may('imports.start') && rights.mayChange && (
            <Link to="/manage/$tournament/pools/$pool/import" params={params} className="btn">
              {words('poolers.import')}
            </Link>
          )}
          {pool.kind === 'qualifier' && pool.inSync === false && may('plans.fillQualifier') && (
            <FillQualifier pool={pool} isSynced={pool.inSync} isOfPool />
          )}
          {pool.maps.length > 0 && (
            <button type="button" className="btn" onClick={() => saveCsv(pool.name, linesOf(pool))}>
              <Icon name="download" />
              {words('desk.csv')}
            </button>
          )}
          {pool.status !== 'draft' && <PlaylistLink pool={pool} />}
          {rights.isHead && <Publishing pool={pool} />}
        </div>
      </div>
      <Section
        title={words('maps.title')}
        beside={
          <span className="muted">
            {words('pools.count', { count: pool.maps.length })}
            {rights.mayChange && pool.maps.length > 1 && <> {words('poolers.order-hint')}</>}
          </span>
        }
      >
        <div className={`${styles.split} ${opened === undefined ? '' : styles.divided}`}>
          <div>
            <MapsList pool={pool} rights={rights} open={opened?.guid} />
          </div>
          {opened !== undefined && <MapDetail key={opened.guid} pool={pool} of={opened} rights={rights} />}
        </div>
      </Section>
      {may('suggestions.vote') && <Suggestions pool={pool} rights={rights} />}
      {may('pools.checkMaps') && <Checks pool={pool} />}
      {rights.isHead && <PoolSettings pool={pool} />}
    </>
  )
}
