import { asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import type { MapPlan } from '../rules/maps.ts'
import type { QualifierRecord } from '../rules/settings.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../tables.ts'
import type { Qualifier, QualifierMap } from '../types.ts'

const columns = getTableColumns(qualifiers)
const { qualifierGuid: _owner, poolMapGuid: _source, ...mapColumns } = getTableColumns(qualifierMaps)

const ofTournament = statement('qualifiers.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(qualifiers)
    .where(eq(qualifiers.tournamentGuid, sql.placeholder('tournamentGuid'))),
)

export async function findQualifier(db: Db, tournamentGuid: string): Promise<Qualifier | undefined> {
  return (await ofTournament(db, { tournamentGuid }))[0]
}

const lockOf = statement('qualifiers.lock', (orm) =>
  orm
    .select(columns)
    .from(qualifiers)
    .where(eq(qualifiers.tournamentGuid, sql.placeholder('tournamentGuid')))
    .for('no key update'),
)

/**
 * Locks the qualifier: every change of a qualifier takes this lock. A transaction that also locks the tournament locks
 * the tournament first.
 */
export async function lockQualifier(tx: Tx, tournamentGuid: string): Promise<Qualifier | undefined> {
  return (await lockOf(tx, { tournamentGuid }))[0]
}

const mapsOf = statement('qualifiers.maps', (orm) =>
  orm
    .select(mapColumns)
    .from(qualifierMaps)
    .innerJoin(qualifiers, eq(qualifiers.guid, qualifierMaps.qualifierGuid))
    .where(eq(qualifiers.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(qualifierMaps.order), asc(qualifierMaps.guid)),
)

/** In the order of the maps. */
export async function listMaps(db: Db, tournamentGuid: string): Promise<QualifierMap[]> {
  return mapsOf(db, { tournamentGuid })
}

/** GUIDs of maps with attempts, including void ones. */
export async function listPlayedMaps(db: Db, tournamentGuid: string): Promise<ReadonlySet<string>> {
  const rows = await db.session.orm
    .select({ guid: qualifierMaps.guid })
    .from(qualifierMaps)
    .innerJoin(qualifiers, eq(qualifiers.guid, qualifierMaps.qualifierGuid))
    .where(
      sql`${qualifiers.tournamentGuid} = ${tournamentGuid} and exists (select from ${qualifierAttempts} a where a.map_guid = ${qualifierMaps.guid})`,
    )
  return new Set(rows.map(({ guid }) => guid))
}

export async function insertQualifier(
  tx: Tx,
  tournamentGuid: string,
  record: QualifierRecord,
  now: Date,
): Promise<Qualifier> {
  const [row] = await tx.session.orm
    .insert(qualifiers)
    .values({ tournamentGuid, ...record, createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted qualifier was not returned')
  return row
}

export type QualifierChanges = Partial<Omit<Qualifier, 'guid' | 'tournamentGuid' | 'createdAt'>>

export async function updateQualifier(tx: Tx, guid: string, changes: QualifierChanges): Promise<Qualifier> {
  const { seededTeamGuids, ...others } = changes
  const [row] = await tx.session.orm
    .update(qualifiers)
    .set({ ...others, ...(seededTeamGuids === undefined ? {} : { seededTeamGuids: [...seededTeamGuids] }) })
    .where(eq(qualifiers.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated qualifier was not returned')
  return row
}

export async function applyMaps(tx: Tx, qualifierGuid: string, { created, updated, deleted }: MapPlan): Promise<void> {
  const { orm } = tx.session
  if (deleted.length > 0) {
    const guids = deleted.map(({ guid }) => guid)
    await orm.delete(qualifierMaps).where(inArray(qualifierMaps.guid, guids))
  }
  if (updated.length > 0) {
    await orm.execute(sql`
      update ${qualifierMaps} m set hash = n.hash, difficulty = n.difficulty, characteristic = n.characteristic,
        name = n.name, artist = n.artist, mapper = n.mapper, image_url = n."imageUrl", max_score = n."maxScore",
        weight = n.weight, "order" = n."order",
        -- What has become another map did not come from the pool.
        pool_map_guid = case when (lower(m.hash), lower(m.difficulty), lower(m.characteristic))
          = (lower(n.hash), lower(n.difficulty), lower(n.characteristic)) then m.pool_map_guid end
      from jsonb_to_recordset(${JSON.stringify(updated)}::jsonb) as n (guid uuid, hash text, difficulty text,
        characteristic text, name text, artist text, mapper text, "imageUrl" text, "maxScore" int, weight float8, "order" int)
      where m.guid = n.guid`)
  }
  if (created.length > 0) await orm.insert(qualifierMaps).values(created.map((map) => ({ qualifierGuid, ...map })))
}

/** GUIDs of the pool maps that the qualifier's maps were taken from; leaves out maps that were added by hand. */
export async function findLinks(tx: Tx, qualifierGuid: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.session.orm
    .select({ guid: qualifierMaps.guid, source: qualifierMaps.poolMapGuid })
    .from(qualifierMaps)
    .where(eq(qualifierMaps.qualifierGuid, qualifierGuid))
  return new Map(rows.flatMap(({ guid, source }) => (source === null ? [] : [[guid, source]])))
}

/**
 * Saves which pool maps the qualifier's maps were taken from.
 * @param sources GUIDs of the pool's maps, by GUID of the qualifier's maps
 */
export async function linkMaps(tx: Tx, qualifierGuid: string, sources: ReadonlyMap<string, string>): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${qualifierMaps} m set pool_map_guid = s.source
    from unnest(${sql.param([...sources.keys()])}::uuid[], ${sql.param([...sources.values()])}::uuid[]) as s (guid, source)
    where m.guid = s.guid and m.qualifier_guid = ${qualifierGuid} and m.pool_map_guid is distinct from s.source`)
}
