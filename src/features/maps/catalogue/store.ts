import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { poolMaps, pools } from '../pools/tables.ts'
import { suggestions } from '../suggestions/tables.ts'
import type { MapFacts } from './rules/facts.ts'
import { identityKey } from './rules/identities.ts'
import { catalogueAnswers as answers, isUnknown, maps } from './tables.ts'
import type { CatalogueMap, KeptMap, MapIdentity, StoredAnswer } from './types.ts'

const storedFor = statement('catalogue.answers', (orm) =>
  orm
    .select()
    .from(answers)
    .where(sql`${answers.question} = any(${sql.placeholder('questions')}::text[])`),
)

/** Returns the stored answers to the questions, of any age. */
export async function listAnswers(db: Db, questions: readonly string[]): Promise<StoredAnswer[]> {
  return questions.length === 0 ? [] : ((await storedFor(db, { questions })) as StoredAnswer[])
}

/** Saves answers to distinct questions. Does not overwrite a later answer. */
export async function upsertAnswers(tx: Tx, given: readonly StoredAnswer[]): Promise<void> {
  if (given.length === 0) return
  // Always in the same order, so that two processes that save the same answers do not deadlock.
  const rows = given.toSorted((a, b) => (a.question < b.question ? -1 : 1))
  await tx.session.orm
    .insert(answers)
    .values(rows)
    .onConflictDoUpdate({
      target: answers.question,
      set: { answer: sql`excluded.answer`, answeredAt: sql`excluded.answered_at` },
      setWhere: sql`${answers.answeredAt} < excluded.answered_at`,
    })
}

/** Deletes at most `limit` negative answers from before a time. Returns the number deleted. */
export async function deleteUnknown(tx: Tx, before: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.session.orm.execute(sql`
    delete from ${answers} where question in (
      select question from ${answers} where ${isUnknown(answers)} and answered_at < ${before.toISOString()}
      order by answered_at limit ${limit})`)
  return rowCount ?? 0
}

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

/** Data from imports about the maps of pools. Each pool keeps its own. (D71) */

const keyOf = sql<string>`${poolMaps.told}->>'key'`

const keys = statement('told.keys', (orm) =>
  orm
    .selectDistinct({ mapGuid: poolMaps.mapGuid, key: keyOf })
    .from(poolMaps)
    .innerJoin(maps, eq(maps.guid, poolMaps.mapGuid))
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(
      sql`${poolMaps.mapGuid} = any(${sql.placeholder('guids')}::uuid[]) and ${keyOf} is not null and ${maps.key} is null
        and ${pools.status} in ('draft', 'published')
        and (${sql.placeholder('poolGuid')}::uuid is null or ${pools.guid} = ${sql.placeholder('poolGuid')}::uuid)`,
    ),
)

/**
 * Returns, by map GUID, the keys that imports gave for maps without a key from the catalogue. Leaves out archived
 * pools.
 * @param poolGuid limits the keys to one pool; null for all pools
 */
export async function listImportedKeys(
  db: Db,
  guids: readonly string[],
  poolGuid: string | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (guids.length === 0) return new Map()
  const rows = Map.groupBy(await keys(db, { guids, poolGuid }), ({ mapGuid }) => mapGuid)
  return new Map([...rows].map(([guid, own]) => [guid, own.map(({ key }) => key)]))
}

const ofPoolMaps = statement('told.of_pool_maps', (orm) =>
  orm
    .select({ guid: poolMaps.guid, told: poolMaps.told })
    .from(poolMaps)
    .where(sql`${poolMaps.guid} = any(${sql.placeholder('guids')}::uuid[]) and ${poolMaps.told} is not null`),
)

/** Returns the import data by GUID of the map in its pool; leaves out maps without such data. */
export async function listImportData(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, KeptMap>> {
  if (guids.length === 0) return new Map()
  return new Map((await ofPoolMaps(db, { guids })).flatMap(({ guid, told }) => (told === null ? [] : [[guid, told]])))
}

export interface ImportDataRow {
  /** GUID of the map in its pool. */
  readonly guid: string
  readonly poolGuid: string
  readonly tournamentGuid: string
  readonly mapGuid: string
  readonly told: KeptMap | null
}

const rows = {
  guid: poolMaps.guid,
  poolGuid: poolMaps.poolGuid,
  tournamentGuid: pools.tournamentGuid,
  mapGuid: poolMaps.mapGuid,
  told: poolMaps.told,
}

/**
 * Locks the pool maps with these keys from imports, except in archived pools. Skips rows that another transaction has
 * locked: the next check finds them.
 */
export async function lockImportedKeys(
  tx: Tx,
  asked: readonly { readonly mapGuid: string; readonly key: string }[],
): Promise<readonly ImportDataRow[]> {
  return tx.session.orm
    .select(rows)
    .from(poolMaps)
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(
      sql`(${poolMaps.mapGuid}, ${keyOf}) in (select * from unnest(
        ${sql.param(asked.map(({ mapGuid }) => mapGuid))}::uuid[], ${sql.param(asked.map(({ key }) => key))}::text[]))
        and ${pools.status} in ('draft', 'published')`,
    )
    .orderBy(poolMaps.guid)
    .for('no key update', { of: poolMaps, skipLocked: true })
}

/** Call under the lock of the pool. */
export async function lockImportDataRows(tx: Tx, guids: readonly string[]): Promise<readonly ImportDataRow[]> {
  return tx.session.orm
    .select(rows)
    .from(poolMaps)
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(sql`${poolMaps.guid} = any(${sql.param(guids)}::uuid[])`)
    .orderBy(poolMaps.guid)
    .for('no key update', { of: poolMaps })
}

export async function writeImportData(tx: Tx, changed: readonly Pick<ImportDataRow, 'guid' | 'told'>[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${poolMaps} m set told = t.told
    from jsonb_to_recordset(${JSON.stringify(changed.map(({ guid, told }) => ({ guid, told })))}::jsonb) as t (guid uuid, told jsonb)
    where m.guid = t.guid`)
}
