import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { parseIdentifier } from '../../../../core/ids.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { brackets, divisions } from '../tables.ts'
import type { Division } from '../types.ts'

const columns = getTableColumns(divisions)

const ofTournament = statement('divisions.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(divisions)
    .where(eq(divisions.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(divisions.order), asc(divisions.createdAt), asc(divisions.guid)),
)

/** By order; several divisions may have the same. */
export async function listDivisions(db: Db, tournamentGuid: string): Promise<readonly Division[]> {
  return ofTournament(db, { tournamentGuid })
}

/**
 * Finds a division of a tournament by GUID or short id. A tournament has few divisions, so all of them are read. (D6)
 */
export async function findDivision(db: Db, tournamentGuid: string, identifier: string): Promise<Division | undefined> {
  const parsed = parseIdentifier(identifier)
  if (parsed === null) return undefined
  const all = await listDivisions(db, tournamentGuid)
  return all.find((division) => ('guid' in parsed ? division.guid === parsed.guid : division.id === parsed.id))
}

export type NewDivision = Pick<Division, 'tournamentGuid' | 'id' | 'name' | 'order'>

export async function insertDivision(tx: Tx, division: NewDivision): Promise<Division> {
  const [row] = await tx.session.orm.insert(divisions).values(division).returning(columns)
  if (row === undefined) throw new Error('an inserted division was not returned')
  return row
}

export type DivisionChanges = Partial<Pick<Division, 'id' | 'name' | 'order'>>

export async function updateDivision(tx: Tx, guid: string, changes: DivisionChanges, now: Date): Promise<Division> {
  const [row] = await tx.session.orm
    .update(divisions)
    .set({ ...changes, updatedAt: now })
    .where(eq(divisions.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated division was not returned')
  return row
}

/** Deletes the division with its brackets and their matches. */
export async function deleteDivision(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(divisions).where(eq(divisions.guid, guid))
}

/** Locks the brackets of the division, so that no match of them is played until the transaction ends. */
export async function lockBracketsOf(
  tx: Tx,
  divisionGuid: string,
): Promise<readonly { readonly guid: string; readonly started: number }[]> {
  return tx.session.orm
    .select({ guid: brackets.guid, started: brackets.started })
    .from(brackets)
    .where(eq(brackets.divisionGuid, divisionGuid))
    .orderBy(asc(brackets.guid))
    .for('update')
}
