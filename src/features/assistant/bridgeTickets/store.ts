import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { type Db, type Orm, statement, type Tx } from '../../../infra/db/database.ts'
import { clear, declarePersonalData, deleteRows, rowsOf } from '../../../infra/db/personal-data.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { users } from '../../people/users/tables.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { bridgeTickets } from './tables.ts'
import type { BridgeTicket } from './types.ts'

const shows = ['tournamentGuid', 'matchGuid', 'createdAt', 'expiresAt'] as const

/** Tickets that were made for a user, or by a user for others; without their secrets. */
export const bridgeTicketsPersonalData = declarePersonalData({
  sections: {
    bridgeTickets: rowsOf(bridgeTickets, 'userGuid', { shows }),
    bridgeTicketsMade: rowsOf(bridgeTickets, 'madeBy', { shows }),
  },
  forget: [deleteRows(bridgeTickets, 'userGuid'), clear(bridgeTickets, 'madeBy')],
})

const ticketColumns = {
  guid: bridgeTickets.guid,
  expiresAt: bridgeTickets.expiresAt,
  madeBy: bridgeTickets.madeBy,
  user: { guid: users.guid, preferredName: users.preferredName },
  tournament: {
    guid: tournaments.guid,
    id: tournaments.id,
    name: tournaments.name,
    status: tournaments.status,
  },
  match: {
    guid: matches.guid,
    number: matches.number,
    status: matches.status,
    team1Guid: matches.team1Guid,
    team2Guid: matches.team2Guid,
  },
}

/** Selects valid tickets: not expired, and the player is neither banned nor deleted. */
const goodTickets = (orm: Orm, which: ReturnType<typeof eq>) =>
  orm
    .select(ticketColumns)
    .from(bridgeTickets)
    .innerJoin(users, eq(users.guid, bridgeTickets.userGuid))
    .innerJoin(tournaments, eq(tournaments.guid, bridgeTickets.tournamentGuid))
    .innerJoin(matches, eq(matches.guid, bridgeTickets.matchGuid))
    .where(
      and(
        which,
        gt(bridgeTickets.expiresAt, sql.placeholder('now')),
        isNull(users.bannedAt),
        isNull(users.anonymisedAt),
      ),
    )

const byDigest = statement('bridge_tickets.by_digest', (orm) =>
  goodTickets(orm, eq(bridgeTickets.digest, sql.placeholder('digest'))),
)

/** Returns undefined if the ticket is not valid. */
export async function findTicket(db: Db, digest: Buffer, now: Date): Promise<BridgeTicket | undefined> {
  return (await byDigest(db, { digest, now }))[0]
}

const lockedForShare = statement('bridge_tickets.keep', (orm) =>
  goodTickets(orm, eq(bridgeTickets.guid, sql.placeholder('guid'))).for('share', { of: bridgeTickets }),
)

/** Reads a valid ticket and locks it: it can be neither ended nor replaced until the transaction ends. */
export async function lockTicketForShare(tx: Tx, guid: string, now: Date): Promise<BridgeTicket | undefined> {
  return (await lockedForShare(tx, { guid, now }))[0]
}

export type NewTicket = Pick<
  typeof bridgeTickets.$inferInsert,
  'digest' | 'tournamentGuid' | 'matchGuid' | 'userGuid' | 'madeBy' | 'createdAt' | 'expiresAt'
>

/** Inserts a ticket, or replaces the user's ticket for the match. Returns its GUID. */
export async function putTicket(tx: Tx, ticket: NewTicket): Promise<string> {
  const [row] = await tx.session.orm
    .insert(bridgeTickets)
    .values(ticket)
    .onConflictDoUpdate({
      target: [bridgeTickets.matchGuid, bridgeTickets.userGuid],
      set: {
        guid: sql`excluded.guid`,
        digest: sql`excluded.digest`,
        madeBy: sql`excluded.made_by`,
        createdAt: sql`excluded.created_at`,
        expiresAt: sql`excluded.expires_at`,
      },
    })
    .returning({ guid: bridgeTickets.guid })
  if (row === undefined) throw new Error('a ticket was to be written')
  return row.guid
}

/** Returns the deleted ticket; undefined if there was none. */
export async function deleteTicket(
  tx: Tx,
  matchGuid: string,
  userGuid: string,
): Promise<{ readonly guid: string; readonly expiresAt: Date } | undefined> {
  const [row] = await tx.session.orm
    .delete(bridgeTickets)
    .where(and(eq(bridgeTickets.matchGuid, matchGuid), eq(bridgeTickets.userGuid, userGuid)))
    .returning({ guid: bridgeTickets.guid, expiresAt: bridgeTickets.expiresAt })
  return row
}

/** Returns the number of deleted tickets. */
export async function deleteExpired(tx: Tx, now: Date, limit: number): Promise<number> {
  const old = tx.session.orm
    .select({ guid: bridgeTickets.guid })
    .from(bridgeTickets)
    .where(lte(bridgeTickets.expiresAt, now))
    .limit(limit)
  const { rowCount } = await tx.session.orm.delete(bridgeTickets).where(inArray(bridgeTickets.guid, old))
  return rowCount ?? 0
}

/** The names of teams by GUID. */
export async function listTeamNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (guids.length === 0) return new Map()
  const rows = await db.session.orm
    .select({ guid: teams.guid, name: teams.name })
    .from(teams)
    .where(inArray(teams.guid, [...guids]))
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}
