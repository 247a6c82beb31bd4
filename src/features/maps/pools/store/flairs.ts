import { and, asc, count, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { flairs, poolingSettings, poolMaps, pools } from '../tables.ts'
import type { Flair, PoolingSettings } from '../types.ts'

const { tournamentGuid: _owner, ...columns } = getTableColumns(flairs)

const ofTournament = statement('flairs.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(flairs)
    .where(eq(flairs.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(flairs.order), asc(flairs.guid)),
)

/** In their order; a tournament has at most forty. */
export async function listFlairs(db: Db, tournamentGuid: string): Promise<readonly Flair[]> {
  return ofTournament(db, { tournamentGuid })
}

const shownOf = statement('flairs.shown', (orm) =>
  orm
    .select(columns)
    .from(flairs)
    .where(
      and(
        eq(flairs.tournamentGuid, sql.placeholder('tournamentGuid')),
        sql`exists (select from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid
          where m.flair_guid = ${flairs.guid} and m.released_at is not null and p.status <> 'draft')`,
      ),
    )
    .orderBy(asc(flairs.order), asc(flairs.guid)),
)

/** Returns the flairs of maps that everybody sees. */
export async function listShownFlairs(db: Db, tournamentGuid: string): Promise<readonly Flair[]> {
  return shownOf(db, { tournamentGuid })
}

export async function insertFlairs(
  tx: Tx,
  tournamentGuid: string,
  made: readonly Omit<Flair, 'guid'>[],
): Promise<void> {
  if (made.length === 0) return
  await tx.session.orm.insert(flairs).values(made.map((flair) => ({ ...flair, tournamentGuid })))
}

export async function updateFlairs(tx: Tx, changed: readonly Flair[]): Promise<void> {
  for (const { guid, ...flair } of changed) {
    await tx.session.orm.update(flairs).set(flair).where(eq(flairs.guid, guid))
  }
}

/** Replaces a flair with another one, in maps and slots. */
export async function replaceFlair(tx: Tx, from: string, to: string): Promise<void> {
  await tx.session.orm.update(poolMaps).set({ flairGuid: to }).where(eq(poolMaps.flairGuid, from))
}

/** Returns the GUIDs of the flairs that maps carry. */
export async function listFlairsInUse(db: Db, guids: readonly string[]): Promise<ReadonlySet<string>> {
  if (guids.length === 0) return new Set()
  const rows = await db.session.orm
    .select({ guid: poolMaps.flairGuid, maps: count() })
    .from(poolMaps)
    .where(inArray(poolMaps.flairGuid, [...guids]))
    .groupBy(poolMaps.flairGuid)
  return new Set(rows.flatMap(({ guid }) => guid ?? []))
}

/** Returns the pools with visible maps that carry one of the flairs, in the order of the pools. */
export async function listCarriers(
  db: Db,
  poolGuids: readonly string[],
  flairGuids: readonly string[],
): Promise<readonly string[]> {
  if (poolGuids.length === 0 || flairGuids.length === 0) return []
  const rows = await db.session.orm
    .selectDistinct({ guid: poolMaps.poolGuid })
    .from(poolMaps)
    .where(
      sql`${poolMaps.flairGuid} = any(${sql.param(flairGuids)}::uuid[]) and ${poolMaps.releasedAt} is not null
        and ${poolMaps.poolGuid} = any(${sql.param(poolGuids)}::uuid[])`,
    )
  const carriers = new Set(rows.map(({ guid }) => guid))
  return poolGuids.filter((guid) => carriers.has(guid))
}

export async function deleteFlairs(tx: Tx, guids: readonly string[]): Promise<void> {
  if (guids.length > 0) await tx.session.orm.delete(flairs).where(inArray(flairs.guid, [...guids]))
}

const { tournamentGuid: _tournament, ...settingColumns } = getTableColumns(poolingSettings)

const settingsOf = statement('pooling.settings', (orm) =>
  orm
    .select(settingColumns)
    .from(poolingSettings)
    .where(eq(poolingSettings.tournamentGuid, sql.placeholder('tournamentGuid'))),
)

/** The default settings. */
const usual: PoolingSettings = { openSuggestions: false, hideVotes: true }

export async function readPoolingSettings(db: Db, tournamentGuid: string): Promise<PoolingSettings> {
  return (await settingsOf(db, { tournamentGuid }))[0] ?? usual
}

export async function writePoolingSettings(tx: Tx, tournamentGuid: string, settings: PoolingSettings): Promise<void> {
  await tx.session.orm
    .insert(poolingSettings)
    .values({ tournamentGuid, ...settings })
    .onConflictDoUpdate({ target: poolingSettings.tournamentGuid, set: settings })
}
