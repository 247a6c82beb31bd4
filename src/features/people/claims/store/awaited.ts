import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { isAlive, users } from '../../users/tables.ts'
import type { AwaitedPlace, Placeholder } from '../types.ts'

/** Placeholders of imported tournaments whose chat accounts have users here. (P6) */

const accounts = alias(users, 'account')

/** Finds a placeholder that only the account with this chat ID may become. */
export async function findAwaited(db: Db, guid: string, chatId: string): Promise<Placeholder | undefined> {
  const [row] = await db.session.orm
    .select({
      guid: users.guid,
      preferredName: users.preferredName,
      chatPlatformId: sql<string>`${users.awaitedChatId}`,
      tournamentGuid: tournaments.guid,
    })
    .from(users)
    .innerJoin(tournaments, eq(tournaments.guid, users.madeByTournamentGuid))
    .where(
      and(
        eq(users.guid, guid),
        eq(users.awaitedChatId, chatId),
        eq(users.isPlaceholder, true),
        isNull(users.anonymisedAt),
      ),
    )
  return row
}

/** Lists the places that an imported tournament keeps for accounts, one for each account. */
export async function listAwaited(db: Db, tournamentGuid: string): Promise<readonly AwaitedPlace[]> {
  return listPlaces(db, eq(users.madeByTournamentGuid, tournamentGuid))
}

/** Lists the places that imported tournaments keep for these accounts, one of each tournament for each. */
export async function listAwaitedFor(db: Db, userGuids: readonly string[]): Promise<readonly AwaitedPlace[]> {
  return listPlaces(db, inArray(accounts.guid, [...userGuids]))
}

function listPlaces(db: Db, which: SQL): Promise<readonly AwaitedPlace[]> {
  return db.session.orm
    .selectDistinctOn([accounts.guid, tournaments.guid], {
      placeholderGuid: users.guid,
      name: users.preferredName,
      userGuid: accounts.guid,
      tournament: { guid: tournaments.guid, name: tournaments.name },
    })
    .from(users)
    .innerJoin(tournaments, eq(tournaments.guid, users.madeByTournamentGuid))
    .innerJoin(accounts, eq(accounts.chatPlatformId, users.awaitedChatId))
    .where(
      and(
        which,
        and(eq(users.isPlaceholder, true), isAlive(users)),
        and(eq(accounts.isPlaceholder, false), isAlive(accounts)),
      ),
    )
    .orderBy(accounts.guid, tournaments.guid, users.guid)
}
