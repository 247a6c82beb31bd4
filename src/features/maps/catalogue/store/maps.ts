import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { poolMaps, pools } from '../../pools/tables.ts'
import { suggestions } from '../../suggestions/tables.ts'
import type { MapFacts } from '../rules/facts.ts'
import { identityKey } from '../rules/identities.ts'
import { maps } from '../tables.ts'
import type { CatalogueMap, MapIdentity } from '../types.ts'

const { askedInVain: _inVain, askAgainAt: _again, createdAt: _created, ...columns } = getTableColumns(maps)

const mapsOf = statement('catalogue.maps', (orm) =>
  orm
    .select(columns)
    .from(maps)
    .where(sql`${maps.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns the maps in no particular order; leaves out unknown GUIDs. */
export async function listMapsByGuid(db: Db, guids: readonly string[]): Promise<CatalogueMap[]> {
  return guids.length === 0 ? [] : mapsOf(db, { guids })
}

export async function findMap(db: Db, guid: string): Promise<CatalogueMap | undefined> {
  return (await listMapsByGuid(db, [guid]))[0]
}

const isIdentified = sql`(${maps.hash}, lower(${maps.characteristic}), ${maps.difficulty}) in (select * from unnest(
  ${sql.placeholder('hashes')}::text[], ${sql.placeholder('characteristics')}::text[],
  ${sql.placeholder('difficulties')}::text[]))`

const identified = statement('catalogue.identified_maps', (orm) => orm.select(columns).from(maps).where(isIdentified))

/** The order of inserts, so that two transactions that enter the same maps do not deadlock. */
const inKeyOrder = sql`${maps.hash} collate "C", lower(${maps.characteristic}) collate "C", ${maps.difficulty} collate "C"`

const lockIdentified = statement('catalogue.lock_identified_maps', (orm) =>
  orm.select(columns).from(maps).where(isIdentified).orderBy(inKeyOrder).for('no key update'),
)

/** Returns the maps in no particular order; leaves out unknown identities. */
export async function listMapsByIdentity(db: Db, identities: readonly MapIdentity[]): Promise<CatalogueMap[]> {
  return identities.length === 0 ? [] : identified(db, parametersOf(identities))
}

/** Also locks the maps until the end of the transaction, so that only one transaction emits an event for a change. */
export async function lockMapsByIdentity(tx: Tx, identities: readonly MapIdentity[]): Promise<CatalogueMap[]> {
  return identities.length === 0 ? [] : lockIdentified(tx, parametersOf(identities))
}

function parametersOf(identities: readonly MapIdentity[]) {
  return {
    hashes: identities.map(({ hash }) => hash),
    characteristics: identities.map(({ characteristic }) => characteristic.toLowerCase()),
    difficulties: identities.map(({ difficulty }) => difficulty),
  }
}

/** Columns in which null never overwrites a known value. (pools: The catalogue connector) */
const kept = [
  ...['key', 'name', 'sub_name', 'artist', 'mapper', 'image_url', 'preview_url', 'bpm', 'njs', 'nps'],
  ...['duration_seconds', 'notes', 'bombs', 'obstacles', 'max_score', 'stars_a', 'stars_b', 'ranked_a', 'ranked_b'],
  ...['ai', 'uploaded_at'],
]
const keptOrNew: SQL = sql.raw(kept.map((name) => `${name} = coalesce(excluded.${name}, maps.${name})`).join(', '))

/**
 * Inserts distinct maps. Updates existing ones, unless they have a later answer. The spelling of the characteristic and
 * the requirements are updated only by an answer about this version.
 */
export async function upsertMaps(tx: Tx, facts: readonly MapFacts[]): Promise<void> {
  if (facts.length === 0) return
  // Always in the same order, so that two transactions that enter the same maps do not deadlock.
  const rows = facts.toSorted((a, b) => (identityKey(a) < identityKey(b) ? -1 : 1))
  await tx.session.orm.execute(sql`
    insert into maps (hash, characteristic, difficulty, key, name, sub_name, artist, mapper, image_url, preview_url, bpm,
      njs, nps, duration_seconds, notes, bombs, obstacles, max_score, stars_a, stars_b, ranked_a, ranked_b, requirements,
      ai, uploaded_at, checked_at, state, current_hash, asked_in_vain, ask_again_at)
    select hash, characteristic, difficulty, key, name, "subName", artist, mapper, "imageUrl", "previewUrl", bpm,
      njs, nps, "durationSeconds", notes, bombs, obstacles, "maxScore", "starsA", "starsB", "rankedA", "rankedB",
      coalesce(requirements, '{}'), ai, "uploadedAt", "checkedAt", state, "currentHash", "askedInVain", "askAgainAt"
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (hash text, characteristic text,
      difficulty text, key text, name text, "subName" text, artist text, mapper text, "imageUrl" text, "previewUrl" text,
      bpm float8, njs float8, nps float8, "durationSeconds" int, notes int, bombs int, obstacles int, "maxScore" int,
      "starsA" float8, "starsB" float8, "rankedA" bool, "rankedB" bool, requirements text[], ai text,
      "uploadedAt" timestamptz, "checkedAt" timestamptz, state text, "currentHash" text, "askedInVain" int,
      "askAgainAt" timestamptz)) with ordinality
    order by ordinality
    on conflict (hash, lower(characteristic), difficulty) do update set ${keptOrNew},
      characteristic = case when excluded.state = 'known' then excluded.characteristic else maps.characteristic end,
      requirements = case when excluded.state = 'known' then excluded.requirements else maps.requirements end,
      checked_at = excluded.checked_at, state = excluded.state, current_hash = excluded.current_hash,
      asked_in_vain = excluded.asked_in_vain, ask_again_at = excluded.ask_again_at
    where excluded.state <> 'unresolved' and (maps.checked_at is null or maps.checked_at <= excluded.checked_at)`)
}

/** A map about which the catalogue is due to be asked again. */
export interface DueMap extends MapIdentity {
  readonly guid: string
  readonly key: string | null
  readonly askedInVain: number
}

/**
 * Locks the maps that are due for another question, longest due first. Skips maps that another transaction has locked.
 */
export async function lockDueMaps(tx: Tx, now: Date, limit: number): Promise<DueMap[]> {
  const { guid, hash, characteristic, difficulty, key, askedInVain, askAgainAt } = maps
  return tx.session.orm
    .select({ guid, hash, characteristic, difficulty, key, askedInVain })
    .from(maps)
    .where(sql`${askAgainAt} <= ${now.toISOString()}::timestamptz`)
    .orderBy(askAgainAt)
    .limit(limit)
    .for('update', { skipLocked: true })
}

export async function postponeMaps(
  tx: Tx,
  postponed: readonly { readonly guid: string; readonly askedInVain: number; readonly askAgainAt: Date }[],
): Promise<void> {
  if (postponed.length === 0) return
  await tx.session.orm.execute(sql`
    update maps set asked_in_vain = p."askedInVain", ask_again_at = p."askAgainAt"
    from jsonb_to_recordset(${JSON.stringify(postponed)}::jsonb)
      as p (guid uuid, "askedInVain" int, "askAgainAt" timestamptz)
    where maps.guid = p.guid`)
}

const standing = statement('catalogue.tournaments_of_maps', (orm) => {
  const isOne = (column: SQL | typeof poolMaps.mapGuid | typeof suggestions.mapGuid) =>
    sql`${column} = any(${sql.placeholder('guids')}::uuid[])`
  const inPools = orm
    .select({ mapGuid: poolMaps.mapGuid, tournamentGuid: pools.tournamentGuid })
    .from(poolMaps)
    .innerJoin(pools, sql`${pools.guid} = ${poolMaps.poolGuid}`)
    .where(isOne(poolMaps.mapGuid))
  const suggested = orm
    .select({ mapGuid: suggestions.mapGuid, tournamentGuid: suggestions.tournamentGuid })
    .from(suggestions)
    .where(isOne(suggestions.mapGuid))
  return inPools.union(suggested)
})

/** Returns the GUIDs of the tournaments with the map in a pool, drafts included, or in a suggestion, by map GUID. */
export async function listTournamentsOfMaps(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (guids.length === 0) return new Map()
  const rows = Map.groupBy(await standing(db, { guids }), ({ mapGuid }) => mapGuid)
  return new Map([...rows].map(([guid, own]) => [guid, own.map(({ tournamentGuid }) => tournamentGuid)]))
}
