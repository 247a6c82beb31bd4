import type { Actor } from '../../../../core/actor.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag, userCard } from '../../../people/users/views.ts'
import { isHeadPooler, isPooler } from '../../../tournaments/access/policy.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { usedBeforeTags } from '../events.ts'
import { maySeeAllMaps, maySeePool } from '../policy.ts'
import { isInSync } from '../rules/maps.ts'
import { failuresOf } from '../rules/publishing.ts'
import { type Change, listChanges, type Snapshot } from '../store/changes.ts'
import { listShownFlairs } from '../store/flairs.ts'
import { countMapsOfPools, listWholeMaps } from '../store/maps.ts'
import { listPools } from '../store/pools.ts'
import { listQualifierMaps } from '../store/qualifier.ts'
import { listUsedBefore } from '../store/used-before.ts'
import type { Pool, WholePoolMap } from '../types.ts'
import { type PoolerFacts, type PoolMapView, poolMapView, withoutPoolerMembers } from '../views/map.ts'
import { type ChangeView, type PoolView, poolView } from '../views/pool.ts'

type Named = Pick<Tournament, 'guid' | 'id' | 'name'>

export interface Reader {
  readonly actor: Actor
  readonly publicUrl: string
  readonly now: Date
}

/** Returns a pool as the reader sees it, with its maps and corrections. */
export async function readPool(db: Db, tournament: Named, pool: Pool, reader: Reader): Promise<PoolView> {
  const isForPooler = isPooler(reader.actor)
  const [maps, changes, listed] = await Promise.all([
    listWholeMaps(db, [pool.guid]),
    // Corrections from before the pool was unpublished are only for poolers.
    isForPooler || pool.publishedAt !== null ? listChanges(db, pool.guid, isForPooler ? null : pool.publishedAt) : [],
    listPools(db, tournament.guid),
  ])
  const order = listed.filter((other) => maySeePool(reader.actor, other)).findIndex(({ guid }) => guid === pool.guid)
  const [view] = await viewsOf(db, tournament, [{ pool, order, maps, changes }], reader)
  if (view === undefined) throw new Error('one pool was asked for')
  return view
}

/** Maximum number of maps in one response. */
const maxListed = 2_000

/**
 * Returns the pools of a tournament that the reader may see, in order. Leaves out all maps if there are more than
 * `maxListed`.
 */
export async function readPools(db: Db, tournament: Named, reader: Reader): Promise<readonly PoolView[]> {
  const [pools, counts] = await Promise.all([listPools(db, tournament.guid), countMapsOfPools(db, tournament.guid)])
  const seen = pools.filter((pool) => maySeePool(reader.actor, pool))
  const countOf = (pool: Pool) => counts.get(pool.guid)?.[maySeeAllMaps(reader.actor, pool) ? 'all' : 'released'] ?? 0
  const isLimited = seen.reduce((sum, pool) => sum + countOf(pool), 0) > maxListed
  const maps = isLimited
    ? []
    : await listWholeMaps(
        db,
        seen.map(({ guid }) => guid),
      )
  const mapsOf = Map.groupBy(maps, ({ poolGuid }) => poolGuid)
  const parts = seen.map((pool, order) => ({ pool, order, maps: mapsOf.get(pool.guid) ?? [], changes: [] }))
  const views = await viewsOf(db, tournament, parts, reader)
  return isLimited
    ? views.map(({ failures: _unknown, inSync: _unasked, ...view }) => ({ ...view, limited: true }))
    : views
}

/** Returns the tags that a cached response with these pools depends on. */
export function dependenciesOf({ guid }: Pick<Tournament, 'guid'>, actor: Actor, pools: readonly PoolView[]): string[] {
  if (!isPooler(actor)) return [guid]
  const maps = pools.flatMap((pool) => pool.maps)
  const doers = pools.flatMap(({ changes }) => changes.map(({ by }) => by))
  const users = [...maps.map(({ addedBy }) => addedBy), ...doers].flatMap((user) => user?.guid ?? [])
  return [...new Set([guid, playedTag, ...users, ...usedBeforeTags(maps)])]
}

interface Part {
  readonly pool: Pool
  readonly order: number
  readonly maps: readonly WholePoolMap[]
  readonly changes: readonly Change[]
}

async function viewsOf(db: Db, tournament: Named, parts: readonly Part[], { actor, publicUrl, now }: Reader) {
  const isForPooler = isPooler(actor)
  const maps = parts.flatMap((part) => part.maps)
  const doers = parts.flatMap(({ changes }) => changes.map(({ byGuid }) => byGuid ?? ''))
  const isOfQualifier = ({ kind }: Pool) => kind === 'qualifier'
  const comparesMaps = isHeadPooler(actor) && parts.some(({ pool }) => isOfQualifier(pool))
  const [facts, places, qualifierMaps] = await Promise.all([
    isForPooler ? poolerFacts(db, tournament.guid, maps, doers, now) : null,
    isForPooler ? null : shownFlairPlaces(db, tournament.guid),
    comparesMaps ? listQualifierMaps(db, tournament.guid) : null,
  ])
  return parts.map(({ pool, order, maps: all, changes }): PoolView => {
    const seen = maySeeAllMaps(actor, pool) ? all : all.filter(({ releasedAt }) => releasedAt !== null)
    return poolView({
      tournament,
      pool,
      order,
      publicUrl,
      maps: mapViews(seen, facts, places),
      changes: changes.map((change) => changeView(change, facts)),
      drafting: !isForPooler
        ? null
        : {
            failures: failuresOf(pool.slots, all).map((failure) => ({ ...failure })),
            ...(qualifierMaps !== null && isOfQualifier(pool) ? { inSync: isInSync(all, qualifierMaps) } : {}),
          },
    })
  })
}

/** @param places positions of the flairs among the visible ones; null for viewers who see all flairs */
function mapViews(
  maps: readonly WholePoolMap[],
  facts: PoolerFacts | null,
  places: ReadonlyMap<string, number> | null,
): PoolMapView[] {
  return maps.map((record, order) => {
    const { flair } = record
    const place = flair === null || places === null ? undefined : places.get(flair.guid)
    const shown = flair === null || place === undefined ? record : { ...record, flair: { ...flair, order: place } }
    return poolMapView(shown, order, facts)
  })
}

/** Returns the positions of flairs among the visible ones. A gap would reveal a flair that only drafts use. */
async function shownFlairPlaces(db: Db, tournamentGuid: string): Promise<ReadonlyMap<string, number>> {
  return new Map((await listShownFlairs(db, tournamentGuid)).map(({ guid }, place) => [guid, place]))
}

async function poolerFacts(
  db: Db,
  tournamentGuid: string,
  maps: readonly WholePoolMap[],
  doers: readonly string[],
  now: Date,
): Promise<PoolerFacts> {
  const adders = maps.map(({ addedByGuid }) => addedByGuid ?? '')
  const named = [...new Set([...adders, ...doers])].filter((guid) => guid !== '')
  const [users, usedBefore] = await Promise.all([
    listUserFacts(db, named),
    listUsedBefore(db, { tournamentGuid, maps: maps.map(({ mapGuid, map }) => ({ mapGuid, ...map })), now }),
  ])
  return { users, usedBefore }
}

function changeView(change: Change, facts: PoolerFacts | null): ChangeView {
  const { revision, kind, reason, byGuid } = change
  const doer = facts?.users.get(byGuid ?? '')
  const seen = (snapshots: readonly Snapshot[] | null) => {
    if (snapshots === null) return null
    if (facts !== null) return snapshots.map(({ view }) => view)
    return snapshots.flatMap(({ view, shownOrder }) =>
      shownOrder === null ? [] : [withoutPoolerMembers(view, shownOrder)],
    )
  }
  return {
    revision,
    kind,
    reason,
    at: formatInstant(change.at),
    before: seen(change.before),
    after: seen(change.after),
    by: doer === undefined ? null : userCard(doer),
  }
}

/** Returns one map of a pool as poolers see it, after a change. */
export async function readPoolMap(db: Db, tournamentGuid: string, poolGuid: string, guid: string, now: Date) {
  const maps = await listWholeMaps(db, [poolGuid])
  const order = maps.findIndex((map) => map.guid === guid)
  const record = maps[order]
  if (record === undefined) throw new Error('a map of a pool was expected')
  return poolMapView(record, order, await poolerFacts(db, tournamentGuid, [record], [], now))
}

/** Stored snapshots contain no users. */
const nobody: PoolerFacts = { users: new Map(), usedBefore: new Map() }

/** Returns the maps as poolers see them now, to store with a correction. */
export async function snapshotsOf(
  db: Db,
  tournamentGuid: string,
  all: readonly WholePoolMap[],
  guids: ReadonlySet<string>,
): Promise<readonly Snapshot[]> {
  const places = await shownFlairPlaces(db, tournamentGuid)
  let shown = 0
  return all.flatMap((record, order) => {
    const shownOrder = record.releasedAt === null ? null : shown++
    if (!guids.has(record.guid)) return []
    const [view] = mapViews([record], nobody, places)
    return view === undefined ? [] : [{ view: { ...view, order }, shownOrder }]
  })
}
