import { eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { availabilitySheets as sheets } from '../tables.ts'
import type { Sheet, SheetSettings, Window } from '../types.ts'

const columns = getTableColumns(sheets)
const guid = sql.placeholder('guid')

const ofTournament = statement('availability.sheets', (orm) =>
  orm
    .select(columns)
    .from(sheets)
    .where(eq(sheets.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(sql`${sheets.createdAt} desc`, sql`${sheets.guid} desc`),
)

/** Lists all sheets of a tournament, newest first. */
export async function listSheets(db: Db, tournamentGuid: string): Promise<Sheet[]> {
  return ofTournament(db, { tournamentGuid })
}

export async function countSheets(db: Db, tournamentGuid: string): Promise<number> {
  return db.session.orm.$count(sheets, eq(sheets.tournamentGuid, tournamentGuid))
}

const byGuid = statement('availability.sheet', (orm) => orm.select(columns).from(sheets).where(eq(sheets.guid, guid)))

export async function findSheet(db: Db, guid: string): Promise<Sheet | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const lockedForShare = statement('availability.share_sheet', (orm) =>
  orm.select(columns).from(sheets).where(eq(sheets.guid, guid)).for('share'),
)

/**
 * Reads the sheet with a share lock: many users can answer at the same time, but the sheet cannot be changed meanwhile.
 */
export async function lockSheetForShare(tx: Tx, guid: string): Promise<Sheet | undefined> {
  return (await lockedForShare(tx, { guid }))[0]
}

/** Locks the sheet for a change: users cannot answer until the transaction ends. */
export async function lockSheet(tx: Tx, guid: string): Promise<Sheet | undefined> {
  const [row] = await tx.session.orm.select(columns).from(sheets).where(eq(sheets.guid, guid)).for('update')
  return row
}

export type StoredSettings = Omit<SheetSettings, 'matchGuids' | 'windows'> & { readonly windows: readonly Window[] }

export async function insertSheet(
  tx: Tx,
  sheet: StoredSettings & Pick<Sheet, 'tournamentGuid' | 'createdByGuid'>,
  now: Date,
): Promise<Sheet> {
  const [row] = await tx.session.orm
    .insert(sheets)
    .values({ ...writable(sheet), createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted sheet was not returned')
  return row
}

export async function updateSheet(tx: Tx, guid: string, settings: StoredSettings, now: Date): Promise<Sheet> {
  const later = sql`greatest(${now.toISOString()}::timestamptz, ${sheets.updatedAt} + interval '1 millisecond')`
  const [row] = await tx.session.orm
    .update(sheets)
    .set({ ...writable(settings), updatedAt: later })
    .where(eq(sheets.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated sheet was not returned')
  return row
}

/** Drizzle types list columns as mutable lists, so readonly lists are copied here. */
function writable<T extends Pick<StoredSettings, 'acceptedStatuses' | 'roles'>>(settings: T) {
  return { ...settings, acceptedStatuses: [...settings.acceptedStatuses], roles: [...settings.roles] }
}

/** Deletes the sheet with all its answers. */
export async function deleteSheet(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(sheets).where(eq(sheets.guid, guid))
}
