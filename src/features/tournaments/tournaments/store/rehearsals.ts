import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { rehearsals } from '../../../planning/rehearsals/tables.ts'
import { tournaments } from '../tables.ts'
import type { SpoilerMode } from '../types.ts'

/** The tournaments that rehearse others. (R1) */

/** Returns the GUIDs of the tournament's rehearsals, in the order of their GUIDs. */
export async function listRehearsalGuids(db: Db, tournamentGuid: string): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: tournaments.guid })
    .from(tournaments)
    .where(eq(tournaments.rehearsalOf, tournamentGuid))
    .orderBy(asc(tournaments.guid))
  return rows.map(({ guid }) => guid)
}

/** How a rehearsal is called, and what its draws come from. */
export interface RehearsalFacts {
  readonly name: string
  readonly seed: string
}

/** @returns undefined for a real tournament */
export async function findRehearsalFacts(db: Db, guid: string): Promise<RehearsalFacts | undefined> {
  const { name, seed } = rehearsals
  const [row] = await db.session.orm.select({ name, seed }).from(rehearsals).where(eq(rehearsals.guid, guid))
  return row
}

/** Makes a tournament that was just inserted a rehearsal; until the commit, only this transaction knows of it. */
export async function markRehearsal(tx: Tx, guid: string, of: string): Promise<void> {
  await tx.session.orm.update(tournaments).set({ rehearsalOf: of }).where(eq(tournaments.guid, guid))
}

/** Shows a rehearsal to viewers in the same mode as the real tournament; packages do not have it. (V1) */
export async function writeSpoilerMode(tx: Tx, guid: string, spoilerMode: SpoilerMode): Promise<void> {
  await tx.session.orm.update(tournaments).set({ spoilerMode }).where(eq(tournaments.guid, guid))
}
