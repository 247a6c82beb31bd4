import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { TournamentRole } from '../../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { matchOfficials } from '../tables.ts'
import type { Official } from '../types.ts'

const ofMatches = statement('matches.officials', (orm) =>
  orm
    .select({ matchGuid: matchOfficials.matchGuid, userGuid: matchOfficials.userGuid, role: matchOfficials.role })
    .from(matchOfficials)
    .where(sql`${matchOfficials.matchGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(matchOfficials.matchGuid), asc(matchOfficials.role), asc(matchOfficials.userGuid)),
)

/** Officials by match, in the order of their roles; a match without officials has no entry. */
export async function listOfficials(
  db: Db,
  matchGuids: readonly string[],
): Promise<ReadonlyMap<string, readonly Official[]>> {
  const officials = new Map<string, Official[]>()
  if (matchGuids.length === 0) return officials
  for (const { matchGuid, userGuid, role } of await ofMatches(db, { guids: matchGuids })) {
    const others = officials.get(matchGuid)
    if (others === undefined) officials.set(matchGuid, [{ userGuid, role }])
    else others.push({ userGuid, role })
  }
  return officials
}

/** Replaces all officials of the match. */
export async function replaceOfficials(tx: Tx, matchGuid: string, officials: readonly Official[]): Promise<void> {
  const { orm } = tx.session
  await orm.delete(matchOfficials).where(eq(matchOfficials.matchGuid, matchGuid))
  if (officials.length === 0) return
  await orm.insert(matchOfficials).values(officials.map((official) => ({ ...official, matchGuid })))
}

/** Replaces the officials of the matches in these roles; officials in other roles stay. */
export async function replaceOfficialsInRoles(
  tx: Tx,
  matchGuids: readonly string[],
  roles: readonly TournamentRole[],
  officials: readonly (Official & { readonly matchGuid: string })[],
): Promise<void> {
  const { orm } = tx.session
  await orm
    .delete(matchOfficials)
    .where(and(inArray(matchOfficials.matchGuid, [...matchGuids]), inArray(matchOfficials.role, [...roles])))
  if (officials.length > 0) await orm.insert(matchOfficials).values([...officials])
}
