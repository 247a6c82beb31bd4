import { asc, eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { TournamentStatus } from '../../../tournaments/tournaments/types.ts'
import { brackets } from '../tables.ts'

/** Keeps the results of a tournament as they are until the transaction ends. Call under `lockTournament`. */
export async function lockResults(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm
    .select({ guid: brackets.guid })
    .from(brackets)
    .where(eq(brackets.tournamentGuid, tournamentGuid))
    .orderBy(asc(brackets.guid))
    .for('update')
}

const statusOf = statement('placements.tournament_status', (orm) =>
  orm
    .select({ status: tournaments.status })
    .from(tournaments)
    .where(eq(tournaments.guid, sql.placeholder('guid'))),
)

/** As it is now, which a transaction may learn only after it has waited for a lock. */
export async function readTournamentStatus(db: Db, guid: string): Promise<TournamentStatus | undefined> {
  return (await statusOf(db, { guid }))[0]?.status
}
